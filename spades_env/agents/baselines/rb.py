"""RB, the rule bidder of the literature: points for high cards and length, a nil if no suit has a liability.

    rb_bid(s, r)   the number to bid: 0 (a nil) to 13

Points         each ace 1; each king with another card 1; the queen of spades 1 among three spades or more, or with
               only the ace; 1 for each spade beyond three; fewer than two spades −1; exactly three: 1 for each side
               suit of at most one card
Nil instead    fewer than four spades without ace and king, and no suit with a liability: its lowest card above a 5, its
               second lowest above an 8, or its third lowest above a 10

Nil is never bid where it earns nothing. Where the rules do not allow a bid, the nearest is made. Where jokers or deuces
are trumps, "ace", "king" and "queen of spades" are the three best trumps, trump ranks are counted from the lowest, and
as every hand has about one trump more, length is counted from one more.
"""

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.agents.baselines.legal import nearest_bid, nil_is_open
from spades_env.agents.lanes import top_trump
from spades_env.game.cards import NUM_TRICKS
from spades_env.game.state import LANE, ONE, TRUMP_LANE, TRUMPS

FIVE, EIGHT, TEN = 3, 6, 8  # ranks in a lane
NIL_SPADES = 3  # at most
ACE = 12  # the rank of a side suit's ace


@njit
def rb_bid(s, r):
    hand = s.hands[s.turn]
    if r.nil_bonus > 0 and nil_is_open(s, r) and _nil_hand(r, hand):
        return np.int64(0)
    return nearest_bid(s, r, min(13, max(1, _points(r, hand))))


@njit
def holds(hand, place):
    return (hand >> np.uint64(place)) & ONE != 0


@njit
def extra_trumps(r):
    """Return how many more trumps a hand has than in the plain game, rounded."""
    return (bit_count(r.cards & TRUMPS) - NUM_TRICKS + 2) >> 2


@njit
def _nil_hand(r, hand):
    ace = top_trump(r)
    if bit_count(hand & TRUMPS) > NIL_SPADES or holds(hand, ace) or holds(hand, ace - 1):
        return False
    for lane in range(TRUMP_LANE + 1):
        if _liability((hand >> np.uint64(16 * lane)) & LANE):
            return False
    return True


@njit
def _liability(suit):
    """Is the lowest card of a suit above a 5, the second above an 8, or the third above a 10?"""
    for limit in (FIVE, EIGHT, TEN):
        if not suit:
            return False
        if trailing_zeros(suit) > limit:
            return True
        suit &= suit - ONE
    return False


@njit
def _points(r, hand):
    ace = top_trump(r)
    spades = bit_count(hand & TRUMPS)
    points = _high_cards(hand, ace, spades)
    singles = 0
    for lane in range(TRUMP_LANE):
        length = bit_count(hand & (LANE << np.uint64(16 * lane)))
        points += _high_cards(hand, 16 * lane + ACE, length)
        singles += length <= 1
    if holds(hand, ace - 2) and (spades >= 3 or (spades == 2 and holds(hand, ace))):
        points += 1
    length = spades - extra_trumps(r)
    if length < 2:
        return points - 1
    return points + (singles if length == 3 else length - 3 if length > 3 else 0)


@njit
def _high_cards(hand, ace, length):
    return np.int64(holds(hand, ace)) + np.int64(holds(hand, ace - 1) and length > 1)
