"""What winning a trick is worth to `rule`: the change in the chance to win the game.

side_prices(s, r, us, k)                   what bids, bags and nils are worth to a side until a nil breaks
trick_worths(s, r, me, hope, prices, k)    the worth of a trick to me if I, my partner, the left, the right one wins it
win_chance(r, hands_left, mine, theirs)    the chance to win from two scores (everything else uses agents.equity)
SWING[rest][need][their_need][i]           what winning a trick changes with `rest` tricks to come after it: the chance
                                           that we make our bid, that they make theirs, our overtricks, theirs; i says
                                           how far the tricks we expect exceed our need

A trick may make or break a bid, theirs or ours, be a bag, or break a nil. In solo games points count, in hundreds, not
the chance to win.
"""

import math
from typing import NamedTuple

import numpy as np

from spades_env._jit import inlined, njit
from spades_env.game.bidding import hand_bids_itself
from spades_env.game.scoring import (
    bid_points,
    both_keep_nil,
    contract,
    counts,
    failed_are_bags,
    living_nil,
    nil_bonus,
    nil_results,
    tricks_of_side,
)
from spades_env.game.state import NEVER, NO_NIL
from spades_env.precomputed import precomputed

MOST_NEED = 7  # in SWING: higher needs count the same
MARGIN_ZERO, MARGIN_STEP = 3, 0.75  # i: we expect need + (i − MARGIN_ZERO) × MARGIN_STEP tricks
MARGINS = 8
SCATTER = 0.8  # of tricks, relative to a coin toss for each: players steer towards their bids
LEAST_SCATTER = 0.25
ROOM = 50.0  # points beyond the target or the best score, to which distances are measured
A_HAND = 60.0  # points of a good hand, where hands end the game
MANY_HANDS = 10
A_TRICK = 20.0  # points that it decides where every trick scores ten
LEAST_POINT = 1e-5  # the least that a point is worth, as a chance to win


def _swings() -> np.ndarray:
    """Return SWING; tricks are normally distributed about those expected."""
    out = np.zeros((13, MOST_NEED + 1, MOST_NEED + 1, MARGINS, 4))
    for rest, need, i in np.ndindex(13, MOST_NEED + 1, MARGINS):
        hope = min(max(need + (i - MARGIN_ZERO) * MARGIN_STEP, 0), rest)
        share = hope / rest if rest else 0.0
        scatter = max(LEAST_SCATTER, SCATTER * math.sqrt(rest * max(share * (1 - share), 0.05)))
        out[rest, need, :, i, 0] = _between(need - 1, need - 1, hope, scatter) if 0 < need <= rest + 1 else 0
        out[rest, need, :, i, 2] = _between(need, rest, hope, scatter) if need <= rest else 0
        for theirs in range(min(rest + 1, MOST_NEED) + 1):
            out[rest, need, theirs, i, 1] = -_between(theirs - 1, theirs - 1, rest - hope, scatter) if theirs else 0
            out[rest, need, theirs, i, 3] = -_between(theirs, rest, rest - hope, scatter) if theirs <= rest else 0
    return out


def _between(low: int, high: int, mean: float, scatter: float) -> float:
    """Return the chance of a whole number from low to high; low 0 includes everything below."""
    below = 0.0 if low <= 0 else (1 + math.erf((low - 0.5 - mean) / scatter / math.sqrt(2))) / 2
    return (1 + math.erf((high + 0.5 - mean) / scatter / math.sqrt(2))) / 2 - below


SWING = precomputed(_swings)


class Prices(NamedTuple):
    """What bids, bags and nils are worth to a side, as changes in its chance to win, until a nil breaks."""

    bid: np.int64
    their_bid: np.int64
    make: float  # the worth of making our bid,
    break_them: float  # … of breaking theirs;
    bag: float  # what a bag costs us,
    their_bag: float  # … and what one of theirs brings us
    slam: float  # the worth of winning all tricks
    nils: tuple[float, float, float, float]  # the worth of each living nil to its own side, by seat


NO_PRICES = Prices(np.int64(0), np.int64(0), 0.0, 0.0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0))


@njit
def side_prices(s, r, us, k):
    """Return the prices of a side; NO_PRICES in solo games."""
    if r.sides == 4:
        return NO_PRICES
    them = us ^ 1
    bid, _ = contract(s, r, us)
    their_bid, _ = contract(s, r, them)
    nil_points, _ = nil_results(s, r, us)
    their_nil_points, _ = nil_results(s, r, them)
    hands_left = np.int64(r.max_hands) - s.hand_number - 1
    ours = np.float64(s.scores[us] + nil_points)
    theirs = np.float64(s.scores[them] + their_nil_points)
    points, their_points = bid_points(s, r, us, bid), bid_points(s, r, them, their_bid)
    up, down = ours + points, ours - points
    their_up, their_down = theirs + their_points, theirs - their_points
    both = win_chance(r, hands_left, up, their_up)
    only_us = win_chance(r, hands_left, up, their_down)
    only_them = win_chance(r, hands_left, down, their_up)
    nobody = win_chance(r, hands_left, down, their_down)
    make = k.they_make * (both - only_them) + (1 - k.they_make) * (only_us - nobody)
    break_them = k.they_make * (only_us - both) + (1 - k.they_make) * (nobody - only_them)
    point = (win_chance(r, hands_left, up + 10, their_up) - win_chance(r, hands_left, up - 10, their_up)) / 20
    point = max(point, LEAST_POINT)
    last = hands_left <= 0 or max(up, their_up) >= r.target
    bag = bag_cost(s, r, us, last) * point if bid < r.ten_from else 0.0
    their_bag = bag_cost(s, r, them, last) * point if their_bid < r.ten_from else 0.0
    if hand_bids_itself(s, r):
        make = A_TRICK * point
    a = hands_left, up, their_up, both
    nils = nil_price(s, r, us, 0, a), nil_price(s, r, us, 1, a), nil_price(s, r, us, 2, a), nil_price(s, r, us, 3, a)
    return Prices(bid, their_bid, make, break_them, bag, their_bag, r.slam_points * point, nils)


@njit
def nil_price(s, r, us, seat, after):
    """Return what a seat's living nil is worth to its own side; 0 without one.

    after: the hands left, our score, theirs and our chance to win, if both sides make their bids.
    """
    if not living_nil(s, seat):
        return 0.0
    hands_left, ours, theirs, chance = after
    points = nil_swing(s, r, seat)
    if seat & 1 == us:
        worth = chance - win_chance(r, hands_left, ours - points, theirs)
    else:
        worth = win_chance(r, hands_left, ours, theirs - points) - chance
    return max(worth, points * LEAST_POINT)


@inlined
def nils_left(s):
    """Return the seats with a living nil, a bit each: prices hold until they change."""
    left = 0
    for seat in range(4):
        left |= living_nil(s, seat) << seat
    return left


@inlined
def trick_worths(s, r, me, hope, p, k):
    """Return the worth of the trick to me if I, my partner, the left or the right foe wins it."""
    if r.sides == 4:
        return solo_trick_worths(s, r, me, hope, k)
    if hand_bids_itself(s, r):
        return p.make, p.make, 0.0, 0.0
    _, made = contract(s, r, me & 1)
    _, their_made = contract(s, r, (me & 1) ^ 1)
    rest = 12 - (s.num_plays >> 2)
    need, their_need = max(p.bid - made, 0), max(p.their_bid - their_made, 0)
    own_bid = p.bid / 2 if s.blind_contract[me & 1] else s.bids[me]
    own_share = own_bid + (13 - p.bid - p.their_bid) / 4 - s.tricks[me]
    surplus = hope - own_share if s.nils[me] == NO_NIL else 0.0
    ours = p.bid + (13 - p.bid - p.their_bid) / 2 - made + k.trust * surplus
    margin = share_of_rest(ours, rest) - need
    for_us, for_them = swing(rest, need, their_need, margin, p, k)
    if r.slam_points:
        share = share_of_rest(max(ours, hope), rest)
        for_us += slam_swing(s, r, me & 1, rest, share) * p.slam
        for_them += slam_swing(s, r, (me & 1) ^ 1, rest, rest - share) * p.slam
    mine = seat_worth(s, r, me, for_us + for_them, for_them, p)
    partners = seat_worth(s, r, me ^ 2, for_us + for_them, for_them, p)
    return mine, partners, p.nils[(me + 1) & 3], p.nils[(me + 3) & 3]


@inlined
def share_of_rest(hope, rest):
    """Return how many tricks are expected after this one, if `hope` are expected of all that are left."""
    return min(max(hope / (rest + 1), 0.0), 1.0) * rest


@inlined
def swing(rest, need, their_need, margin, p, k):
    """Return the worth of winning the trick, to our bid and bags and against theirs."""
    n, o = min(max(need, 0), MOST_NEED), min(max(their_need, 0), MOST_NEED)
    at = min(max(margin / MARGIN_STEP + MARGIN_ZERO, 0.0), MARGINS - 1.001)
    i = np.int64(at)
    one, other = 1 - (at - i), at - i
    made = one * SWING[rest, n, o, i, 0] + other * SWING[rest, n, o, i + 1, 0]
    theirs = one * SWING[rest, n, o, i, 1] + other * SWING[rest, n, o, i + 1, 1]
    bags = one * SWING[rest, n, o, i, 2] + other * SWING[rest, n, o, i + 1, 2]
    their_bags = one * SWING[rest, n, o, i, 3] + other * SWING[rest, n, o, i + 1, 3]
    if 0 < need <= rest + 1:
        made = max(made, k.eager)
    return made * p.make - bags * p.bag, their_bags * p.their_bag - theirs * k.spite * p.break_them


@njit
def bag_cost(s, r, side, last):
    """Return the points that one more bag costs a side; in the last hand only a full tally costs any."""
    if not r.bags_counted:
        return -1.0 * r.overtrick_points
    tally = np.float64(s.bags[side])
    penalty = np.float64(r.bag_cost + r.bag_gift)
    if tally + 1 >= r.bag_limit:
        full = penalty
    elif last:
        full = 0.0
    else:
        full = penalty / r.bag_limit
    return full - r.overtrick_points


@njit
def slam_swing(s, r, side, rest, hope):
    """Return by how much a side's chance to win all tricks depends on this one, if it expects `hope` of the rest."""
    if tricks_of_side(s, r, side) < s.num_plays >> 2 or rest >= MOST_NEED:
        return 0.0
    i = np.int64(max((hope - rest - 1) / MARGIN_STEP + MARGIN_ZERO, 0.0) + 0.5)
    return SWING[rest, rest + 1, 0, i, 0]


@inlined
def seat_worth(s, r, seat, trick, idle, p):
    """Return the worth of a trick won by one of our seats, its nil considered."""
    if living_nil(s, seat):
        return idle - p.nils[seat]
    if counts(s, r, seat):
        return trick
    return idle - p.bag if failed_are_bags(r) else idle


@njit
def nil_swing(s, r, seat):
    """Return the difference in points between a nil kept and broken."""
    points = 2.0 * nil_bonus(s, r, seat)
    if r.double_nil_extra and r.sides == 2 and both_keep_nil(s, seat & 1):
        points = max(points + r.double_nil_extra, 0.0)
    return points


@njit
def solo_trick_worths(s, r, me, hope, k):
    """Return the same in solo games, where a third of what each foe gains or loses counts."""
    bid, made = contract(s, r, me)
    rest = 12 - (s.num_plays >> 2)
    need = bid - made
    margin = share_of_rest(hope, rest) - need
    bag = bag_cost(s, r, me, False)
    prices = Prices(bid, np.int64(0), 20.0 * bid, 0.0, bag, 0.0, 0.0, NO_PRICES.nils)
    mine, _ = swing(rest, need, MOST_NEED, margin, prices, k)
    if s.nils[me] != NO_NIL:
        mine = -nil_swing(s, r, me) if s.tricks[me] == 0 else -bag
    return (
        mine / 100,
        foe_worth(s, r, (me + 2) & 3, rest) / 100,
        foe_worth(s, r, (me + 1) & 3, rest) / 100,
        foe_worth(s, r, (me + 3) & 3, rest) / 100,
    )


@njit
def foe_worth(s, r, seat, rest):
    """Return the worth of a foe's trick to me in solo games: a third of what the foe loses by it."""
    if living_nil(s, seat):
        return nil_swing(s, r, seat) / 3
    bid, made = contract(s, r, seat)
    need = bid - made
    if need <= 0 or need > rest + 1:
        return bag_cost(s, r, seat, False) / 3
    return -20.0 * bid / 3 / (rest + 2)


# The chance to win


@njit
def win_chance(r, hands_left, mine, theirs):
    """Return the chance that the first of two scores wins: certain at the game's end, else by the distances to go."""
    top = max(mine, theirs)
    if top >= r.target or hands_left <= 0 or min(mine, theirs) <= r.floor:
        return 0.5 if mine == theirs else 1.0 * (mine > theirs)
    goal = max(np.float64(r.target), top) + ROOM if r.target < NEVER else top + ROOM + MANY_HANDS * A_HAND
    if hands_left < MANY_HANDS:
        goal = min(goal, top + ROOM + A_HAND * hands_left)
    mine, theirs = steep(goal - mine), steep(goal - theirs)
    return theirs / (mine + theirs)


@njit
def steep(distance):
    """Return a distance to the power 2.5, fitted to the share of games won (docs/log/2026-11.md)."""
    return distance * distance * math.sqrt(distance)
