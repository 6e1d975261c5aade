"""What `club` knows at the table: which cards are out, who is with it, and what its side is after.

unseen(s, r)            the cards in the others' hands
is_high(s, r, place)    can nothing out beat the card in its suit?
partner_wins(s, r)      is the trick the partner's as it lies?
spare_tricks(s, r)      the tricks left that the side does not need
bid_wins(s, r)          will the side win the game by its bid?
wants_tricks(s, r)      does it go for tricks? While its bid is open, where the others are within two tricks of
                        being set, where overtricks cost nothing, and where they decide the last hand
"""

import numpy as np

from agents.club.bid import best_other, promised
from agents.lanes import ALL
from spades_env._jit import bit_count, njit
from spades_env.cards import NUM_TRICKS
from spades_env.scoring import living_nil, tricks_wanted
from spades_env.state import LANE, NO_NIL, ONE, TRUMPS

WITHIN_REACH = 2  # tricks that set the others
NEAR_LIMIT = 2  # bags
TO_SPARE = 2  # tricks, before a nil is attacked
CLOSE = 13  # points between two sides that overtricks may still turn


@njit
def unseen(s, r):
    """Return the cards in the others' hands."""
    return r.cards & ~(s.played | s.hands[s.turn])


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
    """Can nothing out beat the card in its suit?"""
    return not unseen(s, r) & over(place)


@njit
def lacks(s, seat, lane):
    """Has the seat shown to be out of the suit?"""
    return (np.int64(s.voids[seat]) >> lane) & 1 != 0


@njit
def a_foe_ruffs(s, r, lane):
    """May one of the others trump this side suit?"""
    if not unseen(s, r) & TRUMPS:
        return False
    for i in range(1, 4):
        seat = (s.turn + i) & 3
        if (r.sides == 4 or i != 2) and lacks(s, seat, lane) and not lacks(s, seat, 3):
            return True
    return False


@njit
def partner_wins(s, r):
    """Is the trick the partner's as it lies?"""
    return r.sides == 2 and s.num_plays & 3 != 0 and s.best_seat == s.turn ^ 2


@njit
def partner_is_nil(s, r):
    """Is the partner to be kept from winning a trick?"""
    return r.sides == 2 and living_nil(s, s.turn ^ 2)


@njit
def nil_foe(s, r):
    """Return a seat on another side whose nil lives, clockwise; −1: nobody."""
    for i in range(1, 4):
        seat = (s.turn + i) & 3
        if (r.sides == 4 or i != 2) and living_nil(s, seat):
            return np.int64(seat)
    return np.int64(-1)


@njit
def tricks_left(s):
    """Return the tricks not finished, the one on the table among them."""
    return NUM_TRICKS - (np.int64(s.num_plays) >> 2)


@njit
def spare_tricks(s, r):
    """Return the tricks left that the side does not need."""
    return tricks_left(s) - max(0, tricks_wanted(s, r, np.int64(s.turn)))


@njit
def bid_wins(s, r):
    """Does my side come to the target if it makes its bids?"""
    return promised(s, r, np.int64(s.turn) & r.side_mask) >= r.target


@njit
def wants_tricks(s, r):
    """Does my side go for tricks?"""
    return tricks_wanted(s, r, np.int64(s.turn)) > 0 or _overtricks_pay(s, r) or _may_set(s, r)


@njit
def _overtricks_pay(s, r):
    if r.overtrick_points <= 0:
        return False
    if not r.bags_counted or r.bag_cost + r.bag_gift == 0:
        return True
    side = np.int64(s.turn) & r.side_mask
    if s.hand_number + 1 < r.max_hands or s.bags[side] + NEAR_LIMIT >= r.bag_limit:
        return False
    ahead = promised(s, r, side) - best_other(s, r, np.int64(s.turn))
    return -CLOSE <= ahead <= CLOSE


@njit
def _may_set(s, r):
    """Do two more tricks at most set another side?"""
    left = tricks_left(s)
    for i in range(1, 4 if r.sides == 4 else 2):
        seat = np.int64((s.turn + i) & 3)
        if s.nils[seat] != NO_NIL and r.sides == 2:
            seat ^= 2  # whose bid stands for both
        wanted = tricks_wanted(s, r, seat)
        if 0 < wanted <= left < wanted + WITHIN_REACH:
            return True
    return False


@njit
def count_of(cards, lane):
    """Return how many of the cards are of this suit."""
    return bit_count(cards & (LANE << np.uint64(16 * lane)))
