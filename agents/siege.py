"""How a nil is besieged: its opponents lead low and stay low, its partner plays high; nobody cares for a bid.

    siege_card(s, r, nil)   the place of the card that the seat to move plays while the nil of seat `nil` lives

Whoever learns about nils from simple players alone, who do not attack them, bids far too many. Here is the other
extreme to learn from; it is nobody's way to play a game.
"""

import numpy as np

from agents.simple import highest, lowest, simple_card, winners
from spades_env._jit import njit
from spades_env.engine import legal_cards
from spades_env.state import LANE, TRUMP_LANE, TRUMPS


@njit
def siege_card(s, r, nil):
    """The place of the card to play."""
    if s.turn == nil:
        return simple_card(s, r)
    legal = legal_cards(s, r)
    if r.sides == 2 and s.turn == (nil + 2) & 3:
        return _cover(s, legal, nil)
    if s.num_plays & 3 == 0:
        return lowest(_not_void(s, legal, nil))
    return _attack(s, legal, nil)


@njit
def has_played(s, seat):
    """Does a card of this seat lie in the trick on the table?"""
    return (seat - s.leader) & 3 < s.num_plays & 3


@njit
def _cover(s, legal, nil):
    """The partner: high before the nil and over it, low where the nil is safe."""
    if s.num_plays & 3 == 0:
        return highest(legal)
    taking = winners(s, legal)
    done = has_played(s, nil)
    if not taking or (done and s.best_seat != nil):
        return lowest(legal)
    return lowest(taking) if done else highest(taking)


@njit
def _not_void(s, legal, nil):
    """The cards of suits that the nil may still hold; all of them if there are none."""
    kept = legal
    for lane in range(TRUMP_LANE + 1):
        if (np.int64(s.voids[nil]) >> lane) & 1:
            kept &= ~(LANE << np.uint64(16 * lane))
    return kept if kept else legal


@njit
def _attack(s, legal, nil):
    """An opponent: under the nil, low before it, rid of high cards where nothing can be done."""
    if not legal & (LANE << np.uint64(16 * s.led_lane)):
        sides = legal & ~TRUMPS
        return highest(sides) if sides else lowest(legal)
    if not has_played(s, nil):
        return lowest(legal)
    losers = legal & ~winners(s, legal)
    return highest(losers) if s.best_seat == nil and losers else highest(legal)
