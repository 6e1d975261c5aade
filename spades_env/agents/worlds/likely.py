"""Likely worlds: determinizations drawn by how well they fit the bids and cards of the other seats.

    prepare_worlds(views, i, r, likely, pool, x)   once a decision: deal a pool of worlds and weigh them
    next_world(views, i, r, likely, pool, x)       put one of them on pool.tables[0], drawn by weight
    draw_all(pool, x)                              or draw all at once: pool.draws counts how often each is drawn
    next_drawn(pool, r, j, x)                      … and put the next of them on the table, from the j-th on

Where `likely` is false there is no pool: the next world is any that `worlds.determinize` may deal. All kernels with an
x use the random numbers that follow it and return the last of them.

agents/worlds/weight.py computes the weights. A few worlds of a pool may fit far better than all others, and better ones
may be missing. So the weights are raised to a power below 1 until enough worlds count. Each world drawn is then
improved by Metropolis swaps: two seats exchange two cards, which is kept if the world fits as well afterwards, or else
by chance, the more rarely the worse it fits. Where cards were passed, worlds stay as they were dealt. Worlds dealt by
odds fit better from the start, so they are weighed less and not improved.
"""

from math import exp, log
from typing import NamedTuple

import numpy as np

from spades_env._jit import bit_count, njit
from spades_env.agents.lanes import nth_card
from spades_env.agents.worlds.determinize import deal_world, new_plan, plan_worlds
from spades_env.agents.worlds.odds import unit
from spades_env.agents.worlds.past import PAST, look_back
from spades_env.agents.worlds.weight import KEPT, NOBODY, forget, weigh_world
from spades_env.game.engine import mix, next_random
from spades_env.game.state import NO_CARDS, ONE, TRUMPS, new_tables

DEALT = 4  # worlds weighed for each that is tried
LARGEST_POOL = 8192
ALIVE = 0.5  # the effective size that the weighted pool should have, as a share of the worlds tried
LEAST_POWER = 0.2  # of the weights
POWER_BY_ODDS = 0.35  # the same where worlds are dealt by odds, which know much of what the weights say
EXCHANGES = 10  # swaps proposed for each world drawn
HALVINGS = 10  # of the interval in which the power is sought
HOPELESS = 10.0  # below the best logarithm: such a world has no weight
TO_STEP = 1 / (1 << 24)


class WorldPool(NamedTuple):
    """Worlds, and the memory to weigh and draw them. Each search has its own, so that threads do not share it."""

    plan: np.recarray  # PLAN[1]
    worlds: np.recarray  # STATE[P]
    weights: np.ndarray  # float64[P]: cumulative
    draws: np.ndarray  # int64[P]: how often each is still to be tried
    drawn: int  # how many are drawn at once
    exchanges: int  # how many swaps are proposed for each
    past: np.recarray  # PAST[1]
    kept: np.recarray  # KEPT[1]
    hands: np.ndarray  # float64[4]: the weights of the hands of the last world weighed
    tables: np.recarray  # STATE[2]: the current world, and the table that is played on


def new_pool(worlds: int, exchanges: int = EXCHANGES) -> WorldPool:
    """Return a pool for searches that try up to `worlds` likely worlds and deal DEALT for each."""
    size = min(DEALT * worlds, LARGEST_POOL)
    past, kept = np.zeros(1, PAST).view(np.recarray), np.zeros(1, KEPT).view(np.recarray)
    weights, draws, hands = np.zeros(size), np.zeros(size, np.int64), np.zeros(4)
    return WorldPool(new_plan(), new_tables(size), weights, draws, worlds, exchanges, past, kept, hands, new_tables(2))


@njit
def prepare_worlds(views, i, r, likely, pool, x):
    plan_worlds(views[i], r, pool.plan[0])
    return fill_pool(views, i, r, pool, x) if likely else x


@njit
def next_world(views, i, r, likely, pool, x):
    if likely:
        return exchange_cards(pool, r, draw_world(pool, x))
    return deal_world(views, i, r, pool.plan[0], pool.tables, 0, x)


@njit
def draw_world(pool, x):
    """Draw a world of the pool by weight."""
    x = next_random(x)
    low, high = 0, len(pool.worlds) - 1
    share = unit(x) * pool.weights[high]
    while low < high:
        middle = (low + high) >> 1
        if share < pool.weights[middle]:
            high = middle
        else:
            low = middle + 1
    pool.tables[0] = pool.worlds[low]
    return x


@njit
def draw_all(pool, x):
    """Draw all worlds to be tried by weight, at even steps through the cumulative weights."""
    x = next_random(x)
    last = len(pool.worlds) - 1
    count = pool.drawn
    step = pool.weights[last] / count
    mark = unit(x) * step
    for j in range(len(pool.worlds)):
        pool.draws[j] = 0
        while mark < pool.weights[j] or (j == last and count):
            pool.draws[j] += 1
            mark += step
            count -= 1
            if not count:
                mark = np.inf
    return x


@njit
def next_drawn(pool, r, j, x):
    """Put the next world drawn, from the j-th on, on pool.tables[0]; return its number, or the pool's size, and x."""
    while j < len(pool.worlds) and not pool.draws[j]:
        j += 1
    if j < len(pool.worlds):
        pool.draws[j] -= 1
        pool.tables[0] = pool.worlds[j]
        x = exchange_cards(pool, r, x)
    return j, x


@njit
def exchange_cards(pool, r, x):
    """Improve pool.tables[0] by Metropolis swaps."""
    w, past, kept, hands = pool.tables[0], pool.past[0], pool.kept[0], pool.hands
    if w.num_passers or not pool.exchanges:  # a swap would have to change the cards passed, too
        return x
    me = np.int64(w.turn)
    weigh_world(w, r, past, kept, NOBODY, -np.inf, hands)
    now = hands.copy()
    for _ in range(pool.exchanges):
        x = next_random(x)
        bits = mix(x)
        left_out = (me + 1 + np.int64(bits % np.uint64(3))) & 3
        one = (me + 1 + (left_out == (me + 1) & 3)) & 3
        other = (me + 3 - (left_out == (me + 3) & 3)) & 3
        both = pick_exchange(w, pool.plan[0], one, other, bits)
        if not both:
            continue
        w.hands[one] ^= both
        w.hands[other] ^= both
        least = now[one] + now[other] + log((np.float64(bits >> np.uint64(40)) + 0.5) * TO_STEP)
        if weigh_world(w, r, past, kept, left_out, least, hands) >= least:
            now[one], now[other] = hands[one], hands[other]
        else:
            w.hands[one] ^= both
            w.hands[other] ^= both
    return x


@njit
def pick_exchange(w, plan, one, other, bits):
    """Return two cards that two seats may exchange, as a set; NO_CARDS if those drawn must stay."""
    ones, others = w.hands[one] & ~plan.known[one], w.hands[other] & ~plan.known[other]
    if not ones or not others:
        return NO_CARDS
    first = nth_card(ones, (bits >> np.uint64(8)) % np.uint64(bit_count(ones)))
    second = nth_card(others, (bits >> np.uint64(24)) % np.uint64(bit_count(others)))
    first, second = ONE << np.uint64(first), ONE << np.uint64(second)
    if plan.barred[one] & second or plan.barred[other] & first:
        return NO_CARDS
    if (plan.trusted[one] | plan.trusted[other]) and bit_count((first | second) & TRUMPS) == 1:
        return NO_CARDS
    return first | second


@njit
def fill_pool(views, i, r, pool, x):
    past, kept, best = pool.past[0], pool.kept[0], -np.inf
    forget(kept)
    hopeless = HOPELESS / POWER_BY_ODDS if pool.plan[0].by_odds else HOPELESS
    for j in range(len(pool.worlds)):
        x = deal_world(views, i, r, pool.plan[0], pool.worlds, j, x)
        if j == 0:
            look_back(pool.worlds[0], r, pool.plan[0], past)
        pool.weights[j] = weigh_world(pool.worlds[j], r, past, kept, NOBODY, best - hopeless, pool.hands)
        best = max(best, pool.weights[j])
    for j in range(len(pool.worlds)):
        if pool.weights[j] < best - hopeless:  # the best one came later
            pool.weights[j] = -np.inf
    power, total = power_of(pool, best), 0.0
    for j in range(len(pool.worlds)):
        total += exp(power * (pool.weights[j] - best))
        pool.weights[j] = total
    return x


@njit
def power_of(pool, best):
    """Return the power of the pool's weights, the highest of whose logarithms is `best`."""
    return POWER_BY_ODDS if pool.plan[0].by_odds else power_that_leaves(pool.weights, best, ALIVE * pool.drawn)


@njit
def power_that_leaves(logarithms, best, alive):
    """Return the largest power of the weights, from LEAST_POWER to 1, with an effective size of `alive` worlds."""
    if effective_size(logarithms, best, 1.0) >= alive:
        return 1.0
    low, high = LEAST_POWER, 1.0
    for _ in range(HALVINGS):
        power = (low + high) / 2
        if effective_size(logarithms, best, power) >= alive:
            low = power
        else:
            high = power
    return low


@njit
def effective_size(logarithms, best, power):
    """Return the effective sample size of the worlds under this power of the weights."""
    total, squares = 0.0, 0.0
    for j in range(len(logarithms)):
        weight = exp(power * (logarithms[j] - best))
        total += weight
        squares += weight * weight
    return total * total / squares
