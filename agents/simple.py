"""The plain simple player: the weak yardstick. It wins while its side needs tricks, and plays low when it does not.

    simple_card(s, r)   the place of the card to play
    simple_pass(s, r)   the place of the card to give the partner of a blind nil

It needs tricks?        leads a card that nothing left can beat in its suit, else its lowest; takes a trick with its
                        highest card, with its cheapest when last to play or when ruffing; else plays its lowest
It bid nil?             plays the highest card that loses, until a trick was won after all
Its side has its bid?   plays its lowest

No counting, no finesse, no care for the partner but that it leaves a trick to the partner when last to play. "Lowest"
is by rank, trumps last; "highest" is trumps first.
"""

import numpy as np

from spades_env._jit import bit_count, inlined, njit, trailing_zeros
from spades_env.engine import legal_cards
from spades_env.state import LANE, NO_CARDS, NO_NIL, ONE, TRUMP_LANE, TRUMPS

RANK = 15  # a place & RANK is the card's rank in its lane
ALL = ~NO_CARDS


@njit
def simple_card(s, r):
    """The place of the card to play."""
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
    """The place of the card to give: the blind nil bidder its highest, the partner its lowest."""
    legal = legal_cards(s, r)
    return highest(legal) if s.nils[s.turn] != NO_NIL else lowest(legal)


# What the players share


@inlined
def living_nil(s, seat):
    """Has the seat bid nil, and won no trick yet?"""
    return s.nils[seat] != NO_NIL and s.tricks[seat] == 0


@njit
def tricks_wanted(s, r, seat):
    """Tricks that this seat's side still needs for its bid and the seat can win for it; none or less: it has them."""
    if s.nils[seat] != NO_NIL and not r.failed_as_made:
        return 0
    wanted = 0
    for other in range(seat & r.side_mask, 4, r.sides):
        if s.nils[other] == NO_NIL or r.failed_as_made:
            wanted += np.int64(s.bids[other]) - s.tricks[other]
    return wanted


@njit
def winners(s, cards):
    """Those of the cards that would take the trick on the table as it lies now."""
    above = (ALL << np.uint64(s.best_place)) << ONE
    if s.best_place >> 4 == TRUMP_LANE:
        return cards & above
    return cards & ((above & (LANE << np.uint64(16 * s.led_lane))) | TRUMPS)


@njit
def top_trump(r):
    """The place of the best trump there is under these rules."""
    return top(r.cards)


@njit
def highest(cards):
    """The place of the strongest of some cards: the best trump, else the highest rank of any suit."""
    if cards & TRUMPS:
        return top(cards)
    best = -1
    place = -1
    for lane in range(TRUMP_LANE):
        inside = (cards >> np.uint64(16 * lane)) & LANE
        if inside and top(inside) > best:
            best = top(inside)
            place = 16 * lane + best
    return place


@njit
def lowest(cards):
    """The place of the weakest of some cards: the lowest rank of any side suit, else the lowest trump."""
    best = RANK + 1
    place = -1
    for lane in range(TRUMP_LANE):
        inside = (cards >> np.uint64(16 * lane)) & LANE
        if inside and trailing_zeros(inside) < best:
            best = trailing_zeros(inside)
            place = 16 * lane + best
    return place if place >= 0 else trailing_zeros(cards)


@njit
def top(cards):
    """The place of the highest bit; there must be one."""
    for shift in (1, 2, 4, 8, 16, 32):
        cards |= cards >> np.uint64(shift)
    return bit_count(cards) - 1


# What it plays


@njit
def _duck(s, legal):
    """The highest card that loses; leading, or where every card wins, the lowest."""
    losers = legal & ~winners(s, legal)
    return highest(losers) if s.num_plays & 3 and losers else lowest(legal)


@njit
def _lead(s, r, legal):
    """A card that nothing left can beat in its suit, side suits first; else the lowest."""
    out = r.cards & ~(s.played | s.hands[s.turn])
    for lane in range(TRUMP_LANE + 1):
        suit = LANE << np.uint64(16 * lane)
        if legal & suit:
            place = top(legal & suit)
            if not (out & suit) >> np.uint64(place):
                return place
    return lowest(legal)


@njit
def _take(s, r, legal):
    """Win the trick if that can be done, unless the partner has it for sure."""
    taking = winners(s, legal)
    last = s.num_plays & 3 == 3
    if not taking or (last and r.sides == 2 and s.best_seat == (s.turn + 2) & 3):
        return lowest(legal)
    ruffs = taking & TRUMPS and s.led_lane != TRUMP_LANE
    return trailing_zeros(taking) if last or ruffs else top(taking)
