"""Likely worlds: those in which the other seats would have bid and played about as they did.

    prepare_worlds(views, i, r, likely, bench, x)   once a decision: deals a pool of worlds and weighs them
    next_world(views, i, r, likely, bench, x)       one of them onto bench.tables[0], as likely as its weight says
    spread(bench, x)                                or all at once: how often each is drawn stands in bench.times
    next_drawn(bench, r, j, x)                      … from the j-th on, the next of these

Where `likely` is false there is no pool, and the next world is any that agents.worlds may deal.

The weight of a world is the product of the weights of its hands. Wherever another seat had a choice `rule` is asked
what it would have done with this hand. What the seat did otherwise costs a factor; how many tricks `rule` expects of
the cards it bid on, and how safe it finds a nil, count as well. The factors are those by which true deals stand out
in games of all kinds of players (`agents.fit_likely` is the recipe).

Few worlds of a pool may fit far better than all others, and better ones may not be in it. So the weights are evened out
until some are left, and each world that is drawn is stirred: two seats exchange two cards, and again, whenever the
world then fits as well, or by chance, the rarer the worse it fits (Metropolis), so that it ends up where
likely worlds are, however it was found.

So that the hand need not be played again in every world, the moments at which the others had to act are kept: only the
cards of the seat to act are put there. What a hand has been found to weigh is kept as well, since towards the end few
different ones are left.
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from agents.bis import nil_chance
from agents.candidates import distinct_cards, lowest_equal
from agents.compiled import RULE, choose_card
from agents.likely_numbers import FACTORS
from agents.rule_bid import best_bid, estimate
from agents.rule_play import USUAL
from agents.worlds import deal_world, new_plan, plan_worlds
from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID
from spades_env.engine import begin_hand, bid, mix, next_random, pass_card, play
from spades_env.state import BLIND, BLIND_NIL_BID, NO_CARDS, ONE, PLAY, new_tables

DEALT = 4  # worlds that are weighed for one that is tried, …
LARGEST_POOL = 8192  # … as long as there are no more
ALIVE = 0.5  # of the number tried: the effective size of the weighted pool, at least
LEAST_POWER = 0.01  # of the weights, by which they are evened out until so many are alive
STIRS = 10  # exchanges that a drawn world is offered
HALVINGS = 10  # of the interval in which the power is sought
HOPELESS = 10.0  # below the best logarithm so far: such a world is weighed no further
MOST_ACTS = 14  # of a seat in a hand: a bid and its cards
HANDS_KEPT = 4096  # of each seat, a power of 2
MOST_FILLED = 3072  # of these places
SCATTER = np.uint64(0x9E3779B97F4A7C15)
NUM_CLUES = 7
OTHER_BID, TRICKS_OFF, NIL_MORE, NIL_LESS, NIL_RISK, NIL_MISSED, OTHER_CARD = range(NUM_CLUES)
MOST_OFF = 9.0  # tricks, squared
LEAST_CHANCE = 0.02  # of a nil
MOST_CHANCE = 0.95
TO_UNIT = 1 / (1 << 53)
TO_STEP = 1 / (1 << 24)
NOBODY = -1


PAST = np.dtype(  # what is known of the hand in all worlds, by seat
    [
        ("played", "u8", 4),
        ("acts", "i8", 4),  # what the others did: how many things,
        ("deeds", "i8", (4, MOST_ACTS)),  # … a bid, or the place of a card, one by one,
        ("later", "u8", (4, MOST_ACTS)),  # … and which cards the seat held then and has played since
        ("prices", "f8", (4, MAX_BID + 2, 3)),  # what bids bring, as rule_bid.no_prices
        ("clues", "f8", NUM_CLUES),  # of the hand that is weighed
        ("at", "i8", 4),  # where the hands of the world that is weighed are kept, or would be,
        ("bids", "f8", 4),  # … and what their bids weigh; nan: the hand is kept
        ("fresh", "f8", 4),  # … and what the hands weigh that were weighed last
        ("filled", "i8", 4),  # how many hands are kept,
        ("hands", "u8", (4, HANDS_KEPT)),  # … which, with all bits turned, so that 0 is none,
        ("weights", "f8", (4, HANDS_KEPT)),  # … and the logarithms of what they weigh
    ]
)


class Bench(NamedTuple):
    """What a search works on. Every question has its own, so that threads don't meet."""

    plan: np.recarray  # PLAN[1]
    pool: np.recarray  # STATE[P] worlds
    weights: np.ndarray  # float64[P]: of these and of those before it
    times: np.ndarray  # int64[P]: how often each stands among those that are tried,
    drawn: int  # … which are so many
    past: np.recarray  # PAST[1]
    moments: np.recarray  # STATE[4 MOST_ACTS]: the table as it was before another seat did what it did
    tables: np.recarray  # STATE[2]: the world at hand, and the table that is played on


def new_bench(worlds: int, dealt: int = DEALT) -> Bench:
    """Room for one question after another: so many likely worlds are tried, for each of which so many are dealt."""
    size = min(dealt * worlds, max(worlds, LARGEST_POOL))
    past, times = np.zeros(1, PAST).view(np.recarray), np.zeros(size, np.int64)
    moments = new_tables(4 * MOST_ACTS)
    return Bench(new_plan(), new_tables(size), np.zeros(size), times, worlds, past, moments, new_tables(2))


@njit
def prepare_worlds(views, i, r, likely, bench, x):
    """What is done once a decision; returns where the walk has got to."""
    plan_worlds(views[i], r, bench.plan[0])
    return fill_pool(views, i, r, bench, x) if likely else x


@njit
def next_world(views, i, r, likely, bench, x):
    """A likely world, or any, onto bench.tables[0]."""
    if likely:
        return stir(bench, r, draw_world(bench, x))
    return deal_world(views, i, r, bench.plan[0], bench.tables, 0, x)


@njit
def draw_world(bench, x):
    """A world of the pool onto bench.tables[0], as likely as its weight says."""
    x = next_random(x)
    low, high = 0, len(bench.pool) - 1
    share = np.float64(mix(x) >> np.uint64(11)) * TO_UNIT * bench.weights[high]
    while low < high:
        middle = (low + high) >> 1
        if share < bench.weights[middle]:
            high = middle
        else:
            low = middle + 1
    bench.tables[0] = bench.pool[low]
    return x


@njit
def spread(bench, x):
    """Draw by weight, at even steps through the sums of the weights; returns where the walk has got to."""
    x = next_random(x)
    last = len(bench.pool) - 1
    count = bench.drawn
    step = bench.weights[last] / count
    mark = np.float64(mix(x) >> np.uint64(11)) * TO_UNIT * step
    for j in range(len(bench.pool)):
        bench.times[j] = 0
        while mark < bench.weights[j] or (j == last and count):
            bench.times[j] += 1
            mark += step
            count -= 1
            if not count:
                mark = np.inf
    return x


@njit
def next_drawn(bench, r, j, x):
    """The next of those drawn onto bench.tables[0], from the j-th of the pool on; its number, the size of the pool if
    there are no more, and where the walk has got to.
    """
    while j < len(bench.pool) and not bench.times[j]:
        j += 1
    if j < len(bench.pool):
        bench.times[j] -= 1
        bench.tables[0] = bench.pool[j]
        x = stir(bench, r, x)
    return j, x


@njit
def stir(bench, r, x):
    """Bring bench.tables[0] to where likely worlds are; returns where the walk has got to."""
    w, past, moments = bench.tables[0], bench.past[0], bench.moments
    if w.num_passers:  # what was passed would have to change as well
        return x
    me = np.int64(w.turn)
    fit(w, r, past, moments, NOBODY, -np.inf)
    now = past.fresh.copy()
    for _ in range(STIRS):
        x = next_random(x)
        bits = mix(x)
        left_out = (me + 1 + np.int64(bits % np.uint64(3))) & 3
        one = (me + 1 + (left_out == (me + 1) & 3)) & 3
        other = (me + 3 - (left_out == (me + 3) & 3)) & 3
        swap = exchange(w, bench.plan[0], one, other, bits)
        if not swap:
            continue
        w.hands[one] ^= swap
        w.hands[other] ^= swap
        least = now[one] + now[other] + log((np.float64(bits >> np.uint64(40)) + 0.5) * TO_STEP)
        if fit(w, r, past, moments, left_out, least) >= least:
            now[one], now[other] = past.fresh[one], past.fresh[other]
        else:
            w.hands[one] ^= swap
            w.hands[other] ^= swap
    return x


@njit
def exchange(w, plan, one, other, bits):
    """Two cards, as a set, that two seats may exchange; none, if they drew cards that must stay where they are."""
    ones, others = w.hands[one] & ~plan.known[one], w.hands[other] & ~plan.known[other]
    if not ones or not others:
        return NO_CARDS
    first = nth_card(ones, (bits >> np.uint64(8)) % np.uint64(bit_count(ones)))
    second = nth_card(others, (bits >> np.uint64(24)) % np.uint64(bit_count(others)))
    if (w.voids[one] >> (second >> 4)) & 1 or (w.voids[other] >> (first >> 4)) & 1:
        return NO_CARDS
    return (ONE << np.uint64(first)) | (ONE << np.uint64(second))


@njit
def nth_card(cards, n):
    """The place of the n-th lowest of some cards."""
    for _ in range(np.int64(n)):
        cards &= cards - ONE
    return trailing_zeros(cards)


@njit
def fill_pool(views, i, r, bench, x):
    """Deal the pool and weigh it."""
    past, best = bench.past[0], -np.inf
    for j in range(len(bench.pool)):
        x = deal_world(views, i, r, bench.plan[0], bench.pool, j, x)
        if j == 0:
            look_back(bench.pool[0], r, bench)
        bench.weights[j] = fit(bench.pool[j], r, past, bench.moments, NOBODY, best - HOPELESS)
        best = max(best, bench.weights[j])
    power = power_that_leaves(bench.weights, best, ALIVE * bench.drawn)
    total = 0.0
    for j in range(len(bench.pool)):
        total += exp(power * (bench.weights[j] - best))
        bench.weights[j] = total
    return x


@njit
def power_that_leaves(logarithms, best, alive):
    """The power of the weights, at most 1, that leaves so many worlds alive."""
    if num_alive(logarithms, best, 1.0) >= alive:
        return 1.0
    low, high = LEAST_POWER, 1.0
    for _ in range(HALVINGS):
        power = (low + high) / 2
        if num_alive(logarithms, best, power) >= alive:
            low = power
        else:
            high = power
    return low


@njit
def num_alive(logarithms, best, power):
    """The effective number of worlds."""
    total, squares = 0.0, 0.0
    for j in range(len(logarithms)):
        weight = exp(power * (logarithms[j] - best))
        total += weight
        squares += weight * weight
    return total * total / squares


# The past


@njit
def look_back(w, r, bench):
    """Keep what the others did up to now, the same in all worlds; w is any of them. No hand is weighed yet."""
    past, moments = bench.past[0], bench.moments
    past.played[:] = bench.plan[0].played
    past.acts[:] = 0
    past.prices[:] = np.nan
    past.filled[:] = 0
    past.hands[:] = 0
    bench.tables[1] = w
    t = bench.tables[1]
    begin_hand(t, r)
    for seat in range(4):
        t.hands[seat] = hand_dealt(w, past.played, seat)
    look_back_on_bids(w, r, t, past, moments)
    if w.phase == PLAY:
        replay_passes(w, r, t)
        look_back_on_cards(w, r, t, past, moments)


@njit
def look_back_on_bids(w, r, t, past, moments):
    """Bid again."""
    for _ in range(w.num_bids):
        seat = np.int64(t.turn)
        if t.phase == BLIND:
            if w.nils[seat] == BLIND_NIL_BID:
                bid(t, r, BLIND_NIL)
                continue
            bid(t, r, LOOK)
        keep_moment(w, t, past, moments, np.int64(w.bids[seat]))
        bid(t, r, BID_ZERO + np.int64(w.bids[seat]))


@njit
def replay_passes(w, r, t):
    """The cards change hands."""
    for i in range(w.num_passers):
        given = w.given[w.passers[i]]
        while given:
            pass_card(t, r, trailing_zeros(given))
            given &= given - ONE


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
def fit(w, r, past, moments, left_out, least):
    """The logarithm of a world's weight, one seat's hand left out, or NOBODY's; −inf where it is below the least, as
    soon as that is certain.
    """
    total = 0.0
    for seat in range(4):  # bids first: they say most, and take least time
        if seat != w.turn and seat != left_out:
            at = place_of(past.hands[seat], ~w.hands[seat])
            known = past.hands[seat, at] != 0 and not w.num_passers
            past.at[seat] = at
            past.bids[seat] = np.nan if known else bid_fit(w, r, past, moments, seat)
            past.fresh[seat] = past.weights[seat, at] if known else past.bids[seat]
            total += past.fresh[seat]
    for seat in range(4):
        if total < least:
            return -np.inf
        if seat != w.turn and seat != left_out and not np.isnan(past.bids[seat]):
            room = (total - least) / FACTORS[OTHER_CARD]
            cards = FACTORS[OTHER_CARD] * read_cards(w, r, past, moments, seat, room)
            total += cards
            past.fresh[seat] += cards
            if total >= least:
                keep_weight(w, past, seat)
    return total if total >= least else -np.inf


@njit
def bid_fit(w, r, past, moments, seat):
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
        past.weights[seat, past.at[seat]] = past.fresh[seat]
        past.filled[seat] += 1


@njit
def place_of(hands, key):
    """Where a hand is kept, or would be."""
    at = np.int64((key * SCATTER) >> np.uint64(52))
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
def hand_dealt(w, played, seat):
    """The thirteen cards on which the seat bid."""
    partner = (seat + 2) & 3
    hand = w.hands[seat] | played[seat]
    if w.given[seat] & ~w.hands[seat]:
        hand = (hand & ~w.given[partner]) | w.given[seat]
    return hand


@njit
def read_cards(w, r, past, moments, seat, most):
    """How many cards of a seat are neither rule's nor alike, as a number below 0; counted until there are more than
    `most`.
    """
    count = 0
    for i in range(past.acts[seat]):
        t = moments[MOST_ACTS * seat + i]
        if t.phase == PLAY:
            t.hands[seat] = w.hands[seat] | past.later[seat, i]
            distinct = distinct_cards(t, r)
            if distinct & (distinct - ONE):
                usual = np.int64(r.place[choose_card(t, r, RULE, t.seed)])
                count += lowest_equal(distinct, usual) != lowest_equal(distinct, past.deeds[seat, i])
                if count > most:
                    break
    return -count
