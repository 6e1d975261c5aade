"""What the rest of a hand is worth to the seat to move, for every way its tricks may fall.

Only who takes the remaining tricks matters, so a search need not score anything: it walks through a table whose index
grows by `step[seat]` with each trick. Seats whose tricks are as good as each other's (partners without a nil) share a
step, and positions that differ only there become one.

    low, high, expected[index]   of the outcomes that can still come about: the worst, the best, and the average if
                                 each trick left falls to a seat by chance; with no trick left all three are the worth

The worth is the side's points less the mean of the other sides', in thousandths of a point, each new bag at a price, or
its share of the win. Any other measure of a scored table takes a loop like that of `set_stakes`, and `begin_search`
where `prepare` is called.
"""

import numpy as np

from agents.equity import equity
from spades_env._jit import njit
from spades_env.scoring import end_hand
from spades_env.state import NO_NIL, STATE

UNIT = 1000  # worth of a point
MILLION = 1e6
RULES_PRICE = -1.0  # the price of a bag: what it costs in the long run by the rules
EQUITY = -2.0  # in place of a price: not points count but the share of the win, in millionths
MOST = 14**4  # four counters of 0 to 13 tricks

STAKES = np.dtype(
    [
        ("low", "i4", MOST),
        ("high", "i4", MOST),
        ("expected", "i4", MOST),
        ("step", "i8", 4),  # by seat
        ("radix", "i8"),  # of the counters in an index: the tricks to come, and one
        ("counts", "i8", 4),  # a place to take an index apart
        ("table", STATE),  # a place to score a hand
    ],
    align=True,
)


@njit
def set_stakes(k, tables, i, r, side, price):
    """Fill k, a STAKES, for tables[i], in play, as the side sees it; price: of a bag, RULES_PRICE or EQUITY."""
    size = begin_stakes(k, tables[i], r)
    for index in range(size - 1, -1, -1):
        if is_final(k, tables, i, r, index):
            put_worth(k, index, worth(k.table, tables[i], r, side, price))


@njit
def begin_stakes(k, s, r):
    """Give every seat its step; returns how many indices there are."""
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
def is_final(k, tables, i, r, index):
    """Have all tricks fallen here? Then k.table is scored, to be valued; else the value follows from higher indices."""
    counted = _take_apart(k, index)
    if counted == k.radix - 1:
        _score(k, tables, i, r)
        return True
    if counted < k.radix - 1:
        _look_ahead(k, index)
    return False


@njit
def put_worth(k, index, value):
    """What a final index is worth: a whole number, the more the better for the side."""
    k.low[index] = value
    k.high[index] = value
    k.expected[index] = value


@njit
def worth(t, s, r, side, price):
    """What the hand scored on t brought the side, which began it as s; price: of a bag, RULES_PRICE or EQUITY."""
    if price == EQUITY:
        return np.int64(np.rint(MILLION * equity(t, r, side)))
    if price < 0:
        price = (r.bag_cost + r.bag_gift) / r.bag_limit
    total = 0.0
    for each in range(r.sides):
        bags = np.int64(t.bags[each]) - np.int64(s.bags[each])
        gain = np.int64(t.points[each]) - price * bags
        total += gain if each == side else -gain / (r.sides - 1)
    return np.int64(np.rint(UNIT * total))


@njit
def _take_apart(k, index):
    """Into counts: the tricks of every seat, those of a shared counter at its first seat. Returns their sum."""
    counted = 0
    for seat in range(4):
        shared = seat >= 2 and k.step[seat] == k.step[seat - 2]
        k.counts[seat] = 0 if shared else index // k.step[seat] % k.radix
        counted += k.counts[seat]
    return counted


@njit
def _score(k, tables, i, r):
    """The hand scored with the counts added to the tricks taken so far."""
    k.table = tables[i]
    for seat in range(4):
        k.table.tricks[seat] += k.counts[seat]
    end_hand(k.table, r)


@njit
def _look_ahead(k, index):
    """What can come about once one more trick has fallen."""
    low, high, total = k.low[index + k.step[0]], k.high[index + k.step[0]], 0
    for seat in range(4):
        after = index + k.step[seat]
        low = min(low, k.low[after])
        high = max(high, k.high[after])
        total += np.int64(k.expected[after])
    k.low[index], k.high[index], k.expected[index] = low, high, total // 4
