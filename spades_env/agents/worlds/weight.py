"""Belief weights: how well the hands of a world fit the bids and cards of the other seats.

    forget(kept)                                          once a decision, after `look_back`
    weigh_world(w, r, past, kept, left_out, least, hands) the logarithm of a world's weight: the sum over its hands

Wherever a seat had a choice, its move is compared with what `rule` would have done with this hand. Each difference
costs a factor. The tricks that `rule` expects of the cards, and the risk of a nil, count as well. The factors were
fitted to tell true deals from others in games of all kinds of players (`training.fit.worlds`).

The weights of hands are cached, since few different hands are left towards the end.
"""

from math import log

import numpy as np

from spades_env._jit import njit
from spades_env.agents.baselines.legal import nil_is_open, numbers_open
from spades_env.agents.fitted import load_fitted
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.rule.bid import best_bid, estimate, nil_safety
from spades_env.agents.rule.play import USUAL, best_card
from spades_env.agents.rule.trick_worth import NO_PRICES, nils_left, side_prices
from spades_env.agents.worlds.past import MOST_ACTS, hand_at
from spades_env.game.cards import MAX_BID
from spades_env.game.engine import legal_cards
from spades_env.game.state import ONE, PLAY, record_dtype

NUM_CLUES = 7
OTHER_BID, TRICKS_OFF, NIL_MORE, NIL_LESS, NIL_RISK, NIL_MISSED, OTHER_CARD = range(NUM_CLUES)
FACTORS = load_fitted("worlds")["factors"]  # how much each clue counts
MOST_OFF = 9.0  # tricks, squared
LEAST_CHANCE = 0.02  # of a nil
MOST_CHANCE = 0.95
KEPT_BITS = 12
HANDS_KEPT = 1 << KEPT_BITS  # slots for each seat, …
MOST_FILLED = 3 * HANDS_KEPT // 4  # … of which no more are filled
TO_SLOT = np.uint64(64 - KEPT_BITS)
SCATTER = np.uint64(0x9E3779B97F4A7C15)
NOBODY = -1

KEPT = record_dtype(  # a cache, by seat; valid in all worlds of a decision
    [
        ("prices", "f8", (4, MAX_BID + 2, 3)),  # of bids, as in `new_bid_prices`
        ("filled", "i8", 4),  # slots
        ("hands", "u8", (4, HANDS_KEPT)),  # with all bits inverted, so that 0 is an empty slot
        ("weights", "f8", (4, HANDS_KEPT)),  # their logarithms
        ("clues", "f8", NUM_CLUES),  # of the bid read last
    ],
)


@njit
def forget(kept):
    kept.prices[:] = np.nan
    kept.filled[:] = 0
    kept.hands[:] = 0


@njit
def weigh_world(w, r, past, kept, left_out, least, hands):
    """Return the logarithm of a world's weight; −inf if it is below `least`, which ends the work early.

    left_out: a seat whose hand does not count, or NOBODY; hands: float64[4], receives the weights of the hands.
    """
    total, unknown = 0.0, 0
    for seat in range(4):  # bids first: they say most and take least time
        if seat != w.turn and seat != left_out:
            hands[seat], known = hand_weight(w, r, past, kept, seat)
            total += hands[seat]
            if not known:
                unknown |= 1 << seat
    for seat in range(4):
        if unknown >> seat & 1 and total >= least:
            cards = FACTORS[OTHER_CARD] * read_cards(w, r, past, seat, (total - least) / FACTORS[OTHER_CARD])
            total += cards
            hands[seat] += cards
            if total >= least:
                keep_weight(w, kept, seat, hands[seat])
    return total if total >= least else -np.inf


@njit
def hand_weight(w, r, past, kept, seat):
    """Return the weight of a hand and True if it is cached, else the weight of its bid alone and False."""
    slot = slot_of(kept.hands[seat], ~w.hands[seat])
    if kept.hands[seat, slot] and not w.num_passers:
        return kept.weights[seat, slot], True
    kept.clues[:] = 0
    read_bid(w, r, past, kept, seat, kept.clues)
    weight = 0.0
    for clue in range(NUM_CLUES):
        weight += FACTORS[clue] * kept.clues[clue]
    return weight, False


@njit
def keep_weight(w, kept, seat, weight):
    """Cache the weight of a hand if there is room, unless cards were passed: the bid was made on others."""
    if kept.filled[seat] < MOST_FILLED and not w.num_passers:
        slot = slot_of(kept.hands[seat], ~w.hands[seat])
        kept.hands[seat, slot] = ~w.hands[seat]
        kept.weights[seat, slot] = weight
        kept.filled[seat] += 1


@njit
def slot_of(hands, key):
    """Return the slot of a hand, or the empty one where it would go."""
    slot = np.int64((key * SCATTER) >> TO_SLOT)
    while hands[slot] and hands[slot] != key:
        slot = (slot + 1) & (HANDS_KEPT - 1)
    return slot


@njit
def read_bid(w, r, past, kept, seat, clues):
    """Add to the clues (numbers up to 0) what the bid of a seat, if any, says about its cards.

    A bid without a choice says nothing: worlds are dealt to agree with it.
    """
    first = MOST_ACTS * seat
    t, made = past.moments[first], past.moves[first]
    if not past.acts[seat] or t.phase == PLAY:
        return
    t.hands[seat] = hand_at(w, past, first)
    numbers, nil_open = numbers_open(t, r), nil_is_open(t, r)
    calls = numbers | np.int64(nil_open)
    if not calls & (calls - 1):
        return
    chance = nil_safety(r, t.hands[seat])
    tricks = estimate(t, r, seat)
    usual = best_bid(t, r, tricks, chance, kept.prices[seat], USUAL)
    if nil_open and made == 0:
        clues[NIL_MORE] -= usual != 0
        clues[NIL_RISK] += log(max(chance, LEAST_CHANCE))
        return
    missed = nil_open and usual == 0
    clues[NIL_LESS] -= missed
    if nil_open:
        clues[NIL_MISSED] += log(1 - MOST_CHANCE * chance)
    lower = numbers & ((np.int64(1) << made) - 1)
    if not r.all_bids_open and (numbers == np.int64(1) << made or (made > tricks and not lower)):
        return  # no other number, or none that fits the cards better, was legal
    clues[OTHER_BID] -= abs(made - tricks) if missed else abs(made - usual)
    clues[TRICKS_OFF] -= min((made - tricks) ** 2, MOST_OFF)


@njit
def read_cards(w, r, past, seat, most):
    """Return minus the number of a seat's cards unlike those `rule` would have played; stop beyond `most`."""
    count, nils, prices = 0, -1, NO_PRICES
    first = MOST_ACTS * seat
    for act in range(first, first + past.acts[seat]):
        t = past.moments[act]
        if t.phase == PLAY:
            t.hands[seat] = w.hands[seat] | past.later[act]
            distinct = distinct_cards(t, r)
            if distinct & (distinct - ONE):
                if nils_left(t) != nils:
                    nils, prices = nils_left(t), side_prices(t, r, seat & 1, USUAL)
                usual = best_card(t, r, legal_cards(t, r), prices, USUAL)
                count += lowest_equal(distinct, usual) != lowest_equal(distinct, past.moves[act])
                if count > most:
                    break
    return -count
