"""The worth of a hand to a side, for every distribution of the tricks left.

Only who takes the remaining tricks matters, so a search need not score anything: it walks through a table whose index
grows by `step[seat]` with each trick. Seats whose tricks count alike (partners without a nil) share a step, so that
positions that differ only there have the same index.

    low, high, expected[index]   the worst, the best and the average of the outcomes still possible, if the winner of
                                 each trick left is random; with no trick left all three are the worth

The worth is the side's points less the mean of the other sides', in thousandths of a point, with each new bag at its
cost in the long run, or the share of the win.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.agents.equity import equity
from spades_env.game.scoring import end_hand
from spades_env.game.state import NO_NIL, STATE, record_dtype

POINTS, EQUITY = range(2)  # measures of a worth: points, in units, or the share of the win, in millionths
UNIT = 1000  # the worth of a point
MILLION = 1e6
MOST = 14**4  # four counters of 0 to 13 tricks

OUTCOMES = record_dtype(
    [
        ("low", "i4", MOST),
        ("high", "i4", MOST),
        ("expected", "i4", MOST),
        ("step", "i8", 4),  # by seat
        ("radix", "i8"),  # of the counters in an index: one more than the tricks to come
        ("counts", "i8", 4),  # of tricks, decoded from an index
        ("table", STATE),  # for scoring hands
    ],
)


@njit
def set_outcomes(k, tables, i, r, side, measure):
    """Fill k, OUTCOMES, for tables[i], which is in play. measure: POINTS or EQUITY."""
    for index in range(_set_steps(k, tables[i], r) - 1, -1, -1):
        counted = _decode(k, index)
        if counted == k.radix - 1:
            k.low[index] = _final_worth(k, tables, i, r, side, measure)
            k.high[index] = k.expected[index] = k.low[index]
        elif counted < k.radix - 1:
            _look_ahead(k, index)


@njit
def _set_steps(k, s, r):
    """Set the step of every seat; return the number of indices."""
    k.radix = 14 - (np.int64(s.num_plays) >> 2)
    size = 1
    for seat in range(4):
        partner = (seat + 2) & 3
        if seat >= 2 and r.sides == 2 and s.nils[seat] == NO_NIL and s.nils[partner] == NO_NIL:
            k.step[seat] = k.step[partner]
        else:
            k.step[seat] = size
            size *= k.radix
    return size


@njit
def _final_worth(k, tables, i, r, side, measure):
    """Return the worth of the hand with the tricks of the index that was decoded last; none is left."""
    k.table = tables[i]
    for seat in range(4):
        k.table.tricks[seat] += k.counts[seat]
    end_hand(k.table, r)
    return worth(k.table, tables[i], r, side, measure)


@njit
def worth(t, s, r, side, measure):
    """Return the worth to the side of a hand, begun as s and scored on t. measure: POINTS or EQUITY."""
    if measure == EQUITY:
        return np.int64(np.rint(MILLION * equity(t, r, side)))
    cost = (r.bag_cost + r.bag_gift) / r.bag_limit
    total = 0.0
    for each in range(r.sides):
        bags = np.int64(t.bags[each]) - np.int64(s.bags[each])
        gain = np.int64(t.points[each]) - cost * bags
        total += gain if each == side else -gain / (r.sides - 1)
    return np.int64(np.rint(UNIT * total))


@njit
def _decode(k, index):
    """Decode an index into k.counts; return their sum. A shared counter counts for the first of its seats."""
    counted = 0
    for seat in range(4):
        shared = seat >= 2 and k.step[seat] == k.step[seat - 2]
        k.counts[seat] = 0 if shared else index // k.step[seat] % k.radix
        counted += k.counts[seat]
    return counted


@njit
def _look_ahead(k, index):
    """Combine the outcomes after each possible winner of the next trick."""
    low, high, total = k.low[index + k.step[0]], k.high[index + k.step[0]], 0
    for seat in range(4):
        after = index + k.step[seat]
        low = min(low, k.low[after])
        high = max(high, k.high[after])
        total += np.int64(k.expected[after])
    k.low[index], k.high[index], k.expected[index] = low, high, total // 4
