"""A simple card player, the weak yardstick: it wins while its side needs tricks, and plays low when it does not.

    simple_card(s, r)   the place of the card to play
    simple_pass(s, r)   the place of the card to give the partner of a blind nil

It needs tricks         it leads a card that is the highest left of its suit, else its lowest; it takes a trick with its
                        highest card, with its cheapest when last to play or when ruffing; else it plays its lowest
It bid nil              it plays the highest card that loses, until it has won a trick after all
Its side has its bid    it plays its lowest

It does not count or finesse. Only when last to play does it leave the trick to its partner. "Lowest" is by rank, trumps
last; "highest" is trumps first.
"""

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.lanes import highest, lowest, top, unseen, winners
from spades_env.game.engine import legal_cards
from spades_env.game.scoring import living_nil, tricks_wanted
from spades_env.game.state import LANE, NO_NIL, TRUMP_LANE, TRUMPS


@njit
def simple_card(s, r):
    legal = legal_cards(s, r)
    if living_nil(s, s.turn):
        return _duck(s, legal)
    if tricks_wanted(s, r, np.int64(s.turn)) <= 0:
        return lowest(legal)
    if s.num_plays & 3 == 0:
        return _lead(s, r, legal)
    return _take(s, r, legal)


@njit
def simple_pass(s, r):
    legal = legal_cards(s, r)
    return highest(legal) if s.nils[s.turn] != NO_NIL else lowest(legal)


# What it plays


@njit
def _duck(s, legal):
    losers = legal & ~winners(s, legal)
    return highest(losers) if s.num_plays & 3 and losers else lowest(legal)


@njit
def _lead(s, r, legal):
    """Return the highest card left of a suit, side suits first; else the lowest."""
    out = unseen(s, r)
    for lane in range(TRUMP_LANE + 1):
        suit = LANE << np.uint64(16 * lane)
        if legal & suit:
            place = top(legal & suit)
            if not (out & suit) >> np.uint64(place):
                return place
    return lowest(legal)


@njit
def _take(s, r, legal):
    """Win the trick if possible, unless the partner is sure of it."""
    taking = winners(s, legal)
    last = s.num_plays & 3 == 3
    if not taking or (last and r.sides == 2 and s.best_seat == (s.turn + 2) & 3):
        return lowest(legal)
    ruffs = taking & TRUMPS and s.led_lane != TRUMP_LANE
    return trailing_zeros(taking) if last or ruffs else top(taking)
