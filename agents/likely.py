"""Likely worlds: those in which the other seats would have bid and played about as they did.

    prepare_worlds(views, i, r, likely, bench, x)   once a decision: deals a pool of worlds and weighs them
    next_world(views, i, r, likely, bench, x)       one of them onto bench.tables[0], as likely as its weight says
    spread(bench, x)                                or all at once: how often each stands in bench.times
    next_of_pool(bench, j)                          … from the j-th on, the next that stands at all

Where `likely` is false there is no pool, and the next world is any that agents.worlds may deal.

The weight of a world comes from replaying the hand in it. Wherever another seat had a choice `rule` is asked what it
would have done with these cards. What the seat did otherwise costs a factor; how many tricks `rule` expects of the
cards it bid on, and how safe it finds a nil, count as well. The factors are those by which true deals stand out
in games of all kinds of players (`agents.fit_likely` is the recipe). Few worlds may fit far better than all others;
the weights are evened out until some are left.
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from agents.bis import nil_chance
from agents.candidates import distinct_cards, lowest_equal
from agents.compiled import RULE, choose_card
from agents.likely_numbers import FACTORS
from agents.rule_bid import best_bid, estimate, no_prices
from agents.rule_play import USUAL
from agents.worlds import deal_world, new_plan, plan_worlds
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.engine import begin_hand, bid, mix, next_random, pass_card, play
from spades_env.state import BLIND, BLIND_NIL_BID, ONE, PLAY, new_tables

DEALT = 12  # worlds that are weighed for one that is tried, …
LARGEST_POOL = 8192  # … as long as there are no more
ALIVE = 0.5  # of the number tried: the effective size of the weighted pool, at least
LEAST_POWER = 0.01  # of the weights, by which they are evened out until so many are alive
HALVINGS = 10  # of the interval in which the power is sought
HOPELESS = 10.0  # below the best logarithm so far: such a world is weighed no further
NUM_CLUES = 7
OTHER_BID, TRICKS_OFF, NIL_MORE, NIL_LESS, NIL_RISK, NIL_MISSED, OTHER_CARD = range(NUM_CLUES)
MOST_OFF = 9.0  # tricks, squared
LEAST_CHANCE = 0.02  # of a nil
MOST_CHANCE = 0.95
TO_UNIT = 1 / (1 << 53)


class Bench(NamedTuple):
    """What a search works on. Every question has its own, so that threads don't meet."""

    plan: np.recarray  # PLAN[1]
    pool: np.recarray  # STATE[P] worlds
    weights: np.ndarray  # float64[P]: of these and of those before it
    times: np.ndarray  # int64[P]: how often each stands among those that are tried,
    drawn: int  # … which are so many
    clues: np.ndarray  # float64[NUM_CLUES]: of the world that is weighed
    prices: np.ndarray  # float64[4, MAX_BID + 2, 3]: what the seats' bids bring, as rule_bid.no_prices
    tables: np.recarray  # STATE[2]: the world at hand, and the table that is played on


def new_bench(worlds: int, dealt: int = DEALT) -> Bench:
    """Room for one question after another: so many likely worlds are tried, for each of which so many are dealt."""
    size = min(dealt * worlds, max(worlds, LARGEST_POOL))
    pool, weights, times = new_tables(size), np.zeros(size), np.zeros(size, np.int64)
    prices = np.stack(4 * [no_prices()])
    return Bench(new_plan(), pool, weights, times, worlds, np.zeros(NUM_CLUES), prices, new_tables(2))


@njit
def prepare_worlds(views, i, r, likely, bench, x):
    """What is done once a decision; returns where the walk has got to."""
    new_question(views[i], r, bench)
    return fill_pool(views, i, r, bench, x) if likely else x


@njit
def new_question(s, r, bench):
    """What holds in all worlds: how hands may lie, and what bids bring, which is worked out once asked for."""
    plan_worlds(s, r, bench.plan[0])
    bench.prices[:] = np.nan


@njit
def next_world(views, i, r, likely, bench, x):
    """A likely world, or any, onto bench.tables[0]."""
    if likely:
        return draw_world(bench, x)
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
def next_of_pool(bench, j):
    """The number of the next world that is to be tried, then on bench.tables[0]; the size of the pool: no more."""
    while j < len(bench.pool) and not bench.times[j]:
        j += 1
    if j < len(bench.pool):
        bench.tables[0] = bench.pool[j]
    return j


@njit
def fill_pool(views, i, r, bench, x):
    """Deal the pool and weigh it."""
    best = -np.inf
    for j in range(len(bench.pool)):
        x = deal_world(views, i, r, bench.plan[0], bench.pool, j, x)
        bench.weights[j] = fit(bench.pool[j], r, bench, best - HOPELESS)
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


@njit
def fit(w, r, bench, least):
    """The logarithm of a world's weight, or −inf where it is below the least."""
    read_clues(w, r, bench, least)
    value = (FACTORS * bench.clues).sum()
    return value if value >= least else -np.inf


@njit
def read_clues(w, r, bench, least):
    """What speaks against a world, in numbers below 0; no further than to the least worth that is of interest."""
    clues = bench.clues
    clues[:] = 0
    bench.tables[1] = w
    t = bench.tables[1]
    begin_hand(t, r)
    for seat in range(4):
        t.hands[seat] = hand_dealt(w, bench.plan[0].played, seat)
    read_bids(w, r, t, bench.prices, clues)
    room = (FACTORS * clues).sum() - least
    if w.phase == PLAY and room >= 0:
        replay_passes(w, r, t)
        read_cards(w, r, t, clues, room / FACTORS[OTHER_CARD])


@njit
def hand_dealt(w, played, seat):
    """The thirteen cards on which the seat bid."""
    partner = (seat + 2) & 3
    hand = w.hands[seat] | played[seat]
    if w.given[seat] & ~w.hands[seat]:
        hand = (hand & ~w.given[partner]) | w.given[seat]
    return hand


@njit
def read_bids(w, r, t, prices, clues):
    """Bid again, and see how the others' bids suit their cards."""
    for _ in range(w.num_bids):
        seat = np.int64(t.turn)
        if t.phase == BLIND:
            if w.nils[seat] == BLIND_NIL_BID:
                bid(t, r, BLIND_NIL)
                continue
            bid(t, r, LOOK)
        made = np.int64(w.bids[seat])
        if seat != w.turn:
            read_bid(t, r, made, prices[seat], clues)
        bid(t, r, BID_ZERO + made)


@njit
def read_bid(t, r, made, prices, clues):
    """What the bid of the seat to move says of its cards."""
    seat = np.int64(t.turn)
    chance = nil_chance(r, t.hands[seat]) if r.zero_is_nil else 0.0
    tricks = estimate(t, r, seat)
    usual = best_bid(t, r, tricks, chance, prices, USUAL)
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
def replay_passes(w, r, t):
    """The cards change hands again."""
    for i in range(w.num_passers):
        given = w.given[w.passers[i]]
        while given:
            pass_card(t, r, trailing_zeros(given))
            given &= given - ONE


@njit
def read_cards(w, r, t, clues, most):
    """Play again, and see how often the others' cards are neither rule's nor alike: until it is more than `most`."""
    for k in range(w.num_plays):
        place = np.int64(w.plays[k])
        if t.turn != w.turn:
            distinct = distinct_cards(t, r)
            if distinct & (distinct - ONE):
                usual = np.int64(r.place[choose_card(t, r, RULE, w.seed)])
                clues[OTHER_CARD] -= lowest_equal(distinct, usual) != lowest_equal(distinct, place)
                if -clues[OTHER_CARD] > most:
                    return
        play(t, r, place)
