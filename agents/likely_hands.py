"""What a hand of another seat weighs: how well it fits what the seat bid and played.

    look_back(w, r, plan, past, moments, table)       once a decision: keeps what the others did up to now
    weigh_world(w, r, past, moments, left_out, least) the logarithm of a world's weight, the sum of its hands'

Wherever the seat had a choice `rule` is asked what it would have done with this hand. What the seat did otherwise costs
a factor; how many tricks `rule` expects of the cards it bid on, and how safe it finds a nil, count as well. The factors
are those by which true deals stand out in games of all kinds of players (`agents.fit_likely` is the recipe).

So that the hand need not be played again in every world, the moments at which the others acted are kept: only the
cards of the seat to act are put there. What a hand was found to weigh is kept as well, since towards the end few
different ones are left.
"""

from math import log

import numpy as np

from agents.bis import nil_chance
from agents.candidates import distinct_cards, lowest_equal
from agents.likely_numbers import FACTORS
from agents.rewind import deal_again, hand_dealt, replay_passes, up_to_bid
from agents.rule_bid import best_bid, estimate
from agents.rule_play import USUAL, best_card
from agents.rule_stakes import NO_PRICES, nils_left, side_prices
from spades_env._jit import njit
from spades_env.cards import BID_ZERO, MAX_BID
from spades_env.engine import bid, legal_cards, play
from spades_env.state import ONE, PLAY

NUM_CLUES = 7
OTHER_BID, TRICKS_OFF, NIL_MORE, NIL_LESS, NIL_RISK, NIL_MISSED, OTHER_CARD = range(NUM_CLUES)
MOST_OFF = 9.0  # tricks, squared
LEAST_CHANCE = 0.02  # of a nil
MOST_CHANCE = 0.95
MOST_ACTS = 14  # of a seat in a hand: a bid and its cards
KEPT_BITS = 12
HANDS_KEPT = 1 << KEPT_BITS  # of each seat,
MOST_FILLED = 3 * HANDS_KEPT // 4  # … of which so many places are filled
TO_PLACE = np.uint64(64 - KEPT_BITS)
SCATTER = np.uint64(0x9E3779B97F4A7C15)
NOBODY = -1

PAST = np.dtype(  # by seat
    [
        # what holds in all worlds
        ("played", "u8", 4),
        ("acts", "i8", 4),  # what the others did: how many things,
        ("deeds", "i8", (4, MOST_ACTS)),  # … a bid, or the place of a card, one by one,
        ("later", "u8", (4, MOST_ACTS)),  # … and which cards the seat held then and has played since
        ("prices", "f8", (4, MAX_BID + 2, 3)),  # what bids bring, as rule_bid.no_prices
        # of the world that is weighed
        ("clues", "f8", NUM_CLUES),  # of one hand's bid
        ("at", "i8", 4),  # where the hands are kept, or would be
        ("of_bids", "f8", 4),  # what the bids weigh; nan: the hand is kept
        ("of_hands", "f8", 4),  # what the hands weigh
        # hands that were weighed
        ("filled", "i8", 4),
        ("hands", "u8", (4, HANDS_KEPT)),  # with all bits turned, so that 0 is none
        ("weights", "f8", (4, HANDS_KEPT)),  # their logarithms
    ]
)


# The past


@njit
def look_back(w, r, plan, past, moments, table):
    """Keep what the others did up to now, the same in all worlds; w is any of them, table: STATE[1], to work on."""
    past.played[:] = plan.played
    past.acts[:] = 0
    past.prices[:] = np.nan
    past.filled[:] = 0
    past.hands[:] = 0
    deal_again(w, r, past.played, table)
    t = table[0]
    look_back_on_bids(w, r, t, past, moments)
    if w.phase == PLAY:
        replay_passes(w, r, t)
        look_back_on_cards(w, r, t, past, moments)


@njit
def look_back_on_bids(w, r, t, past, moments):
    """Bid again."""
    for _ in range(w.num_bids):
        if up_to_bid(w, r, t):
            made = np.int64(w.bids[t.turn])
            keep_moment(w, t, past, moments, made)
            bid(t, r, BID_ZERO + made)


@njit
def look_back_on_cards(w, r, t, past, moments):
    """Play again."""
    for k in range(w.num_plays):
        place = np.int64(w.plays[k])
        keep_moment(w, t, past, moments, place)
        seat = np.int64(t.turn)
        for i in range(past.acts[seat]):
            past.later[seat, i] |= ONE << np.uint64(place)
        play(t, r, place)


@njit
def keep_moment(w, t, past, moments, deed):
    """What the seat to move is about to do, if it is another one."""
    seat = np.int64(t.turn)
    if seat != w.turn:
        i = past.acts[seat]
        moments[MOST_ACTS * seat + i] = t
        past.deeds[seat, i] = deed
        past.later[seat, i] = 0
        past.acts[seat] += 1


# The weight of a world


@njit
def weigh_world(w, r, past, moments, left_out, least):
    """The logarithm of a world's weight, one seat's hand left out, or NOBODY's; −inf where it is below the least, as
    soon as that is certain.
    """
    total = 0.0
    for seat in range(4):  # bids first: they say most, and take least time
        if seat != w.turn and seat != left_out:
            at = place_of(past.hands[seat], ~w.hands[seat])
            known = past.hands[seat, at] != 0 and not w.num_passers
            past.at[seat] = at
            past.of_bids[seat] = np.nan if known else weigh_bid(w, r, past, moments, seat)
            past.of_hands[seat] = past.weights[seat, at] if known else past.of_bids[seat]
            total += past.of_hands[seat]
    for seat in range(4):
        if total < least:
            return -np.inf
        if seat != w.turn and seat != left_out and not np.isnan(past.of_bids[seat]):
            room = (total - least) / FACTORS[OTHER_CARD]
            cards = FACTORS[OTHER_CARD] * read_cards(w, r, past, moments, seat, room)
            total += cards
            past.of_hands[seat] += cards
            if total >= least:
                keep_weight(w, past, seat)
    return total if total >= least else -np.inf


@njit
def weigh_bid(w, r, past, moments, seat):
    """What the bid of a seat adds to it."""
    past.clues[:] = 0
    read_bid(w, r, past, moments, seat)
    weight = 0.0
    for clue in range(NUM_CLUES):
        weight += FACTORS[clue] * past.clues[clue]
    return weight


@njit
def keep_weight(w, past, seat):
    """What a hand was found to weigh, if there is room for it."""
    if past.filled[seat] < MOST_FILLED and not w.num_passers:  # who passed cards bid on others with the same hand
        past.hands[seat, past.at[seat]] = ~w.hands[seat]
        past.weights[seat, past.at[seat]] = past.of_hands[seat]
        past.filled[seat] += 1


@njit
def place_of(hands, key):
    """Where a hand is kept, or would be."""
    at = np.int64((key * SCATTER) >> TO_PLACE)
    while hands[at] and hands[at] != key:
        at = (at + 1) & (HANDS_KEPT - 1)
    return at


@njit
def read_bid(w, r, past, moments, seat):
    """What the bid of a seat, if it has made one, says of its cards: added to the clues, numbers below 0."""
    t, made, clues = moments[MOST_ACTS * seat], past.deeds[seat, 0], past.clues
    if not past.acts[seat] or t.phase == PLAY:
        return
    t.hands[seat] = hand_dealt(w, past.played, seat)
    chance = nil_chance(r, t.hands[seat]) if r.zero_is_nil else 0.0
    tricks = estimate(t, r, seat)
    usual = best_bid(t, r, tricks, chance, past.prices[seat], USUAL)
    if r.zero_is_nil and made == 0:
        clues[NIL_MORE] -= usual != 0
        clues[NIL_RISK] += log(max(chance, LEAST_CHANCE))
        return
    missed = r.zero_is_nil and usual == 0
    clues[NIL_LESS] -= missed
    clues[NIL_MISSED] += log(1 - MOST_CHANCE * chance)
    clues[OTHER_BID] -= abs(made - tricks) if missed else abs(made - usual)
    clues[TRICKS_OFF] -= min((made - tricks) ** 2, MOST_OFF)


@njit
def read_cards(w, r, past, moments, seat, most):
    """How many cards of a seat are neither rule's nor alike, as a number below 0; counted until there are more than
    `most`.
    """
    count, nils, prices = 0, -1, NO_PRICES
    for i in range(past.acts[seat]):
        t = moments[MOST_ACTS * seat + i]
        if t.phase == PLAY:
            t.hands[seat] = w.hands[seat] | past.later[seat, i]
            distinct = distinct_cards(t, r)
            if distinct & (distinct - ONE):
                if nils_left(t) != nils:
                    nils, prices = nils_left(t), side_prices(t, r, seat & 1, USUAL)
                usual = best_card(t, r, legal_cards(t, r), prices, USUAL)
                count += lowest_equal(distinct, usual) != lowest_equal(distinct, past.deeds[seat, i])
                if count > most:
                    break
    return -count
