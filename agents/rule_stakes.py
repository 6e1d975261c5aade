"""What it is worth to win a trick, as `rule` reckons: what that changes of the chance to win the game.

    side_prices(s, r, us, k)          what bids, bags and nils are worth to a side until a nil breaks
    stakes(s, r, me, hope, prices, k) what it is worth that I win it, my partner, the left neighbour, the right one

It may make or break a bid, theirs or ours, or be a bag; won by a living nil it breaks it. Where each plays for itself
points count, in hundreds, not the chance to win.
"""

from typing import NamedTuple

import numpy as np

from agents.rule_odds import MARGIN_STEP, MARGIN_ZERO, MARGINS, MOST_NEED, SWING, win_chance
from agents.simple import living_nil
from spades_env._jit import inlined, njit
from spades_env.state import NIL, NO_NIL

LEAST_POINT = 1e-5  # of the chance to win: a point is never worth nothing


class Prices(NamedTuple):
    """What bids, bags and nils are worth to a side, as changes of the chance to win: the same until a nil breaks."""

    bid: np.int64
    their_bid: np.int64
    make: float  # what it is worth to make our bid,
    break_them: float  # … to break theirs;
    bag: float  # what a bag costs us,
    their_bag: float  # … and one of theirs brings
    nils: tuple[float, float, float, float]  # what each living nil is worth to those who bid it, by seat


NO_PRICES = Prices(np.int64(0), np.int64(0), 0.0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0))


@njit
def side_prices(s, r, us, k):
    """The prices of a side; where each plays for itself there are none."""
    if r.sides == 4:
        return NO_PRICES
    them = us ^ 1
    bid, hope_nil = contract(s, r, us)
    their_bid, their_nil = contract(s, r, them)
    hands_left = np.int64(r.max_hands) - s.hand_number - 1
    ours = np.float64(s.scores[us]) + hope_nil
    theirs = np.float64(s.scores[them]) + their_nil
    up, down = ours + 10 * bid, ours - 10 * bid
    their_up, their_down = theirs + 10 * their_bid, theirs - 10 * their_bid
    both = win_chance(r, hands_left, up, their_up)
    only_us = win_chance(r, hands_left, up, their_down)
    only_them = win_chance(r, hands_left, down, their_up)
    nobody = win_chance(r, hands_left, down, their_down)
    make = k.they_make * (both - only_them) + (1 - k.they_make) * (only_us - nobody)
    break_them = k.they_make * (only_us - both) + (1 - k.they_make) * (nobody - only_them)
    point = (win_chance(r, hands_left, up + 10, their_up) - win_chance(r, hands_left, up - 10, their_up)) / 20
    point = max(point, LEAST_POINT)
    last = hands_left <= 0 or max(up, their_up) >= r.target
    bag, their_bag = bag_cost(s, r, us, last) * point, bag_cost(s, r, them, last) * point
    nils = (
        nil_stake(s, r, us, 0, hands_left, up, their_up, both),
        nil_stake(s, r, us, 1, hands_left, up, their_up, both),
        nil_stake(s, r, us, 2, hands_left, up, their_up, both),
        nil_stake(s, r, us, 3, hands_left, up, their_up, both),
    )
    return Prices(bid, their_bid, make, break_them, bag, their_bag, nils)


@njit
def contract(s, r, side):
    """A side's bid, and the points its nils stand to bring."""
    bid, nils = np.int64(0), 0.0
    for seat in range(side, 4, r.sides):
        if s.nils[seat] == NO_NIL:
            bid += s.bids[seat]
        else:
            bonus = r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus
            nils += -bonus if s.tricks[seat] else bonus
    return bid, nils


@njit
def nil_stake(s, r, us, seat, hands_left, up, their_up, both):
    """What a living nil is worth to those who bid it; 0 for any other seat."""
    if not living_nil(s, seat):
        return 0.0
    points = nil_points(s, r, seat)
    if seat & 1 == us:
        worth = both - win_chance(r, hands_left, up - points, their_up)
    else:
        worth = win_chance(r, hands_left, up, their_up - points) - both
    return max(worth, points * LEAST_POINT)


@inlined
def nils_left(s):
    """The seats whose nil still lives, a bit each: while they are the same, prices hold."""
    left = 0
    for seat in range(4):
        left |= living_nil(s, seat) << seat
    return left


@inlined
def stakes(s, r, me, hope, p, k):
    """What it is worth that I, my partner, the left, the right foe win the trick, at the prices of my side."""
    if r.sides == 4:
        return solo_stakes(s, r, me, hope, k)
    made, their_made = takings(s, r, me & 1), takings(s, r, (me & 1) ^ 1)
    rest = 12 - (s.num_plays >> 2)
    need, their_need = max(p.bid - made, 0), max(p.their_bid - their_made, 0)
    own_share = s.bids[me] + (13 - p.bid - p.their_bid) / 4 - s.tricks[me]
    surplus = hope - own_share if s.nils[me] == NO_NIL else 0.0
    margin = our_hope(p.bid, made, p.their_bid, rest, k.trust * surplus) - need
    for_us, for_them = swing(rest, need, their_need, margin, p, k)
    mine = seat_worth(s, r, me, for_us + for_them, for_them, p)
    partners = seat_worth(s, r, me ^ 2, for_us + for_them, for_them, p)
    return mine, partners, p.nils[(me + 1) & 3], p.nils[(me + 3) & 3]


@inlined
def takings(s, r, side):
    """The tricks that count for a side's bid."""
    made = np.int64(0)
    for seat in range(side, 4, r.sides):
        if s.nils[seat] == NO_NIL or r.failed_as_made:
            made += s.tricks[seat]
    return made


@inlined
def our_hope(bid, made, their_bid, rest, surplus):
    """How many of the tricks after this one a side may hope for, by the bids and its own cards."""
    hope = bid + (13 - bid - their_bid) / 2 - made + surplus
    return min(max(hope / (rest + 1), 0.0), 1.0) * rest


@inlined
def swing(rest, need, their_need, margin, p, k):
    """What it changes to win the trick, by what it does to our bid and bags, and to theirs."""
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
    """Points that one more bag costs a side; in a game's last hand only those of this very bag count."""
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


@inlined
def seat_worth(s, r, seat, trick, idle, p):
    """What a trick of one of our seats is worth, its nil considered."""
    if s.nils[seat] == NO_NIL:
        return trick
    if s.tricks[seat] == 0:
        return idle - p.nils[seat]
    if r.failed_as_made:
        return trick
    return idle - p.bag if r.failed_as_bags or r.failed_beside_made else idle


@njit
def nil_points(s, r, seat):
    """The points between a nil kept and broken."""
    return 2.0 * (r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus)


@njit
def solo_stakes(s, r, me, hope, k):
    """The same where each plays for itself: the foes' bids count for a third each."""
    bid, _ = contract(s, r, me)
    rest = 12 - (s.num_plays >> 2)
    need = bid - takings(s, r, me)
    margin = min(max(hope / (rest + 1), 0.0), 1.0) * rest - need
    bag = bag_cost(s, r, me, False)
    prices = Prices(bid, np.int64(0), 20.0 * bid, 0.0, bag, 0.0, NO_PRICES.nils)
    mine, _ = swing(rest, need, MOST_NEED, margin, prices, k)
    if s.nils[me] != NO_NIL:
        mine = -nil_points(s, r, me) if s.tricks[me] == 0 else -bag
    return (
        mine / 100,
        foe_worth(s, r, (me + 2) & 3, rest) / 100,
        foe_worth(s, r, (me + 1) & 3, rest) / 100,
        foe_worth(s, r, (me + 3) & 3, rest) / 100,
    )


@njit
def foe_worth(s, r, seat, rest):
    """What a foe's trick is worth to me when each plays for itself: a third of what it loses by it."""
    if living_nil(s, seat):
        return nil_points(s, r, seat) / 3
    need = np.int64(s.bids[seat]) - s.tricks[seat]
    if need <= 0 or need > rest + 1:
        return bag_cost(s, r, seat, False) / 3
    return -20.0 * s.bids[seat] / 3 / (rest + 2)
