"""Likely worlds: those in which the other seats would have bid and played about as they did.

    prepare_worlds(views, i, r, likely, bench, x)   once a decision: deals a pool of worlds and weighs them
    next_world(views, i, r, likely, bench, x)       one of them onto bench.tables[0], as likely as its weight says
    spread(bench, x)                                or all at once: how often each is drawn stands in bench.times
    next_drawn(bench, r, j, x)                      … from the j-th on, the next of these

Where `likely` is false there is no pool, and the next world is any that agents.worlds may deal.

A world weighs what its hands weigh together (agents/likely_hands.py): how well they fit what the seats bid and played.
Few worlds of a pool may fit far better than all others, and better ones may not be in it. So the weights are evened out
until some are left, and each world that is drawn is stirred: two seats exchange two cards, and again, whenever the
world then fits as well, or by chance, the rarer the worse it fits (Metropolis). That moves it towards where likely
worlds are, however it was found. Where cards were passed worlds stay as they were dealt.
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from agents.likely_hands import MOST_ACTS, NOBODY, PAST, look_back, weigh_world
from agents.worlds import deal_world, new_plan, plan_worlds
from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.engine import mix, next_random
from spades_env.state import NO_CARDS, ONE, new_tables

DEALT = 4  # worlds that are weighed for one that is tried, …
LARGEST_POOL = 8192
ALIVE = 0.5  # of the number tried: what the effective size of the weighted pool should be
LEAST_POWER = 0.2  # of the weights, by which they are evened out until so many are alive, if it can be
STIRS = 10  # exchanges that a drawn world is offered
HALVINGS = 10  # of the interval in which the power is sought
HOPELESS = 10.0  # below the best logarithm: such a world weighs nothing
TO_UNIT = 1 / (1 << 53)
TO_STEP = 1 / (1 << 24)


class Bench(NamedTuple):
    """What a search works on. Every question has its own, so that threads don't meet."""

    plan: np.recarray  # PLAN[1]
    pool: np.recarray  # STATE[P] worlds
    weights: np.ndarray  # float64[P]: of these and of those before it
    times: np.ndarray  # int64[P]: how often each is still to be tried
    drawn: int  # how many are drawn from it at once, …
    stirs: int  # and how many exchanges each is offered
    past: np.recarray  # PAST[1]
    moments: np.recarray  # STATE[4 MOST_ACTS]: the table as it was before another seat did what it did
    tables: np.recarray  # STATE[2]: the world at hand, and the table that is played on


def new_bench(worlds: int, dealt: int = DEALT, stirs: int = STIRS) -> Bench:
    """Room for one question after another: of likely worlds at most so many are tried, and so many dealt for each."""
    size = min(dealt * worlds, LARGEST_POOL)
    past, times = np.zeros(1, PAST).view(np.recarray), np.zeros(size, np.int64)
    moments = new_tables(4 * MOST_ACTS)
    return Bench(new_plan(), new_tables(size), np.zeros(size), times, worlds, stirs, past, moments, new_tables(2))


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
def unit(x):
    """A number from 0 to 1, made of one of the walk."""
    return np.float64(mix(x) >> np.uint64(11)) * TO_UNIT


@njit
def draw_world(bench, x):
    """A world of the pool onto bench.tables[0], as likely as its weight says."""
    x = next_random(x)
    low, high = 0, len(bench.pool) - 1
    share = unit(x) * bench.weights[high]
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
    mark = unit(x) * step
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
    if w.num_passers or not bench.stirs:  # what was passed would have to change as well
        return x
    me = np.int64(w.turn)
    weigh_world(w, r, past, moments, NOBODY, -np.inf)
    now = past.of_hands.copy()
    for _ in range(bench.stirs):
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
        if weigh_world(w, r, past, moments, left_out, least) >= least:
            now[one], now[other] = past.of_hands[one], past.of_hands[other]
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
            look_back(bench.pool[0], r, bench.plan[0], past, bench.moments, bench.tables)
        bench.weights[j] = weigh_world(bench.pool[j], r, past, bench.moments, NOBODY, best - HOPELESS)
        best = max(best, bench.weights[j])
    for j in range(len(bench.pool)):
        if bench.weights[j] < best - HOPELESS:  # of a better one that was met later
            bench.weights[j] = -np.inf
    power = power_that_leaves(bench.weights, best, ALIVE * bench.drawn, LEAST_POWER)
    total = 0.0
    for j in range(len(bench.pool)):
        total += exp(power * (bench.weights[j] - best))
        bench.weights[j] = total
    return x


@njit
def power_that_leaves(logarithms, best, alive, least):
    """The power of the weights, at most 1 and at least this, that leaves so many worlds alive."""
    if num_alive(logarithms, best, 1.0) >= alive:
        return 1.0
    low, high = least, 1.0
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
