"""What `club` sees at the table: which cards are out, who has bid nil, and whether its side wants tricks.

is_high(s, r, place)    is the card safe from all higher ones of its suit?
partner_wins(s, r)      does the partner's card win the trick so far?
spare_tricks(s, r)      the tricks left that the side does not need
bid_wins(s, r)          does the side reach the target if it makes its bids?
wants_tricks(s, r)      yes while its bid is open, while two tricks may set another side, where overtricks cost
                        nothing, and where they decide the last hand
"""

import numpy as np

from spades_env._jit import bit_count, njit
from spades_env.agents.club.bid import best_other, promised
from spades_env.agents.lanes import ALL, unseen
from spades_env.game.cards import NUM_TRICKS
from spades_env.game.scoring import contract, living_nil, tricks_wanted
from spades_env.game.state import LANE, NO_NIL, ONE, TRUMP_LANE, TRUMPS

ANY_SUIT = -1
WITHIN_REACH = 2  # tricks that set the others
NEAR_LIMIT = 2  # bags
TO_SPARE = 2  # tricks, before a nil is attacked
CLOSE = 13  # points between two sides that overtricks may still turn


@njit
def lane_at(place):
    """Return the suit of a place, as cards."""
    return LANE << np.uint64(place & 48)


@njit
def over(place):
    """Return the places above this one in its suit."""
    return lane_at(place) & ((ALL << np.uint64(place)) << ONE)


@njit
def under(place):
    """Return the places below this one in its suit."""
    return lane_at(place) & ((ONE << np.uint64(place)) - ONE)


@njit
def is_high(s, r, place):
    return not unseen(s, r) & over(place)


@njit
def lacks(s, seat, lane):
    """Has the seat shown that it is out of the suit?"""
    return (np.int64(s.voids[seat]) >> lane) & 1 != 0


@njit
def foe_has_trumps(s, r, void):
    """May a seat of another side have trumps? Only those out of the suit `void` count, unless it is ANY_SUIT."""
    if not unseen(s, r) & TRUMPS:
        return False
    for i in range(1, 4):
        seat = (s.turn + i) & 3
        if (r.sides == 4 or i != 2) and (void == ANY_SUIT or lacks(s, seat, void)) and not lacks(s, seat, TRUMP_LANE):
            return True
    return False


@njit
def partner_wins(s, r):
    return r.sides == 2 and s.num_plays & 3 != 0 and s.best_seat == s.turn ^ 2


@njit
def partner_is_nil(s, r):
    """Must the partner be kept from winning a trick?"""
    return r.sides == 2 and living_nil(s, s.turn ^ 2)


@njit
def nil_foe(s, r):
    """Return the next seat of another side with a living nil; −1 if there is none."""
    for i in range(1, 4):
        seat = (s.turn + i) & 3
        if (r.sides == 4 or i != 2) and living_nil(s, seat):
            return np.int64(seat)
    return np.int64(-1)


@njit
def tricks_left(s):
    """Return the tricks not yet complete, the one on the table included."""
    return NUM_TRICKS - (np.int64(s.num_plays) >> 2)


@njit
def spare_tricks(s, r):
    return tricks_left(s) - max(0, tricks_wanted(s, r, np.int64(s.turn)))


@njit
def bid_wins(s, r):
    return promised(s, r, np.int64(s.turn) & r.side_mask) >= r.target


@njit
def wants_tricks(s, r):
    return tricks_wanted(s, r, np.int64(s.turn)) > 0 or _overtricks_pay(s, r) or _may_set(s, r)


@njit
def _overtricks_pay(s, r):
    if r.overtrick_points <= 0:
        return False
    side = np.int64(s.turn) & r.side_mask
    if contract(s, r, side)[0] >= r.ten_from:
        return False
    if not r.bags_counted or r.bag_cost + r.bag_gift == 0:
        return True
    if s.hand_number + 1 < r.max_hands or s.bags[side] + NEAR_LIMIT >= r.bag_limit:
        return False
    ahead = promised(s, r, side) - best_other(s, r, np.int64(s.turn))
    return -CLOSE <= ahead <= CLOSE


@njit
def _may_set(s, r):
    """Can at most two more tricks set another side?"""
    left = tricks_left(s)
    for i in range(1, 4 if r.sides == 4 else 2):
        seat = np.int64((s.turn + i) & 3)
        if s.nils[seat] != NO_NIL and r.sides == 2:
            seat ^= 2  # the bidder of the two
        wanted = tricks_wanted(s, r, seat)
        if 0 < wanted <= left < wanted + WITHIN_REACH:
            return True
    return False


@njit
def count_of(cards, lane):
    return bit_count(cards & (LANE << np.uint64(16 * lane)))
