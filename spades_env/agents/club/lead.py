"""What `club` leads and what it throws away: every card is rated, and the one with most points is played.

    club_lead(s, r, legal)        the place of the card to lead
    least_useful(s, r, cards)     the place of the card to throw away while tricks are wanted
    most_dangerous(s, r, cards)   … while they are not: the one that would win most easily

Partner's nil    a suit that the partner is out of, then the highest cards
Another's nil    low cards of suits in which the nil must follow, as long as tricks can be spared
Wanting tricks   high cards of suits with many cards out; a suit that the partner trumps; trumps from the top when long
                 in them, but not the partner's last ones; else low from a short suit, not away from a king
Wanting none     the card that most cards out beat
"""

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.agents.club import sight
from spades_env.agents.club.sight import count_of, is_high, lacks, lane_at, over, under
from spades_env.agents.lanes import RANK, top, unseen
from spades_env.game.scoring import living_nil
from spades_env.game.state import ONE, TRUMP_LANE, TRUMPS

COVER, ATTACK, TAKE, DUCK, DISCARD, DISARM = range(6)  # what a card is played for
FEW_OUT = 4  # a high card in a suit with fewer cards out will be trumped


@njit
def club_lead(s, r, legal):
    """Return the place of the card to lead."""
    if living_nil(s, s.turn):
        return _best(s, r, legal, DUCK)
    if sight.partner_is_nil(s, r):
        return _best(s, r, legal, COVER)
    if sight.nil_foe(s, r) >= 0 and sight.spare_tricks(s, r) >= sight.TO_SPARE:
        return _best(s, r, legal, ATTACK)
    return _best(s, r, legal, TAKE if sight.wants_tricks(s, r) else DUCK)


@njit
def least_useful(s, r, cards):
    """Return a card to throw away: low, best of a suit that is nearly gone, and no guard of a high card."""
    return _best(s, r, cards, DISCARD)


@njit
def most_dangerous(s, r, cards):
    """Return the card that would win most easily: high trumps, then high cards with few lower ones beside them."""
    return _best(s, r, cards, DISARM)


@njit
def _best(s, r, cards, purpose):
    """Return the place of the card with most points; of equals the lowest."""
    best, most = np.int64(0), np.int64(-(1 << 40))
    while cards:
        place = np.int64(trailing_zeros(cards))
        points = _points(s, r, place, purpose)
        if points > most:
            best, most = place, points
        cards &= cards - ONE
    return best


@njit
def _points(s, r, place, purpose):
    if purpose == DISCARD:
        return -_use(s, r, place)
    if purpose == DISARM:
        return _danger(s, place)
    if purpose == COVER:
        return _cover(s, r, place)
    if purpose == ATTACK:
        return _attack(s, r, place)
    if purpose == DUCK:
        return _duck(s, r, place)
    return _take_trump(s, r, place) if place >> 4 == TRUMP_LANE else _take(s, r, place)


@njit
def _cover(s, r, place):
    """Rate suits that the partner is out of, then high cards that it can play under."""
    rank = place & RANK
    if lacks(s, s.turn ^ 2, place >> 4):
        return 100 - rank
    higher = bit_count(unseen(s, r) & over(place))
    return 4 * rank - 10 * higher


@njit
def _attack(s, r, place):
    """Rate low cards of suits in which the nil must follow."""
    lower = bit_count(unseen(s, r) & under(place))
    if lacks(s, sight.nil_foe(s, r), place >> 4):
        return -100 - lower
    return -4 * lower - (place & RANK) - 2 * count_of(s.hands[s.turn], place >> 4)


@njit
def _duck(s, r, place):
    """Rate cards that many of those out beat and few stay under."""
    higher, lower = bit_count(unseen(s, r) & over(place)), bit_count(unseen(s, r) & under(place))
    ruffed = sight.foe_has_trumps(s, r, place >> 4)
    return (20 if higher else 0) + 2 * min(higher, 4) - 3 * lower + (5 if ruffed else 0)


@njit
def _take(s, r, place):
    """Rate a card of a side suit: will it win, will the partner trump it, or will another side?"""
    lane, rank = place >> 4, place & RANK
    ruffed = sight.foe_has_trumps(s, r, lane)
    out = count_of(unseen(s, r), lane)
    if is_high(s, r, place):
        return 60 + 2 * out - (50 if ruffed else 30 if out < FEW_OUT else 0)
    if r.sides == 2 and lacks(s, s.turn ^ 2, lane) and not lacks(s, s.turn ^ 2, TRUMP_LANE) and not ruffed:
        return 45 - rank
    return _low_lead(s, r, place) - (20 if ruffed else 0)


@njit
def _low_lead(s, r, place):
    """Rate a card that wins nothing at once: short suits to trump later are good, leading away from a king is bad."""
    hand = s.hands[s.turn]
    suit = hand & lane_at(place)
    points = -(place & RANK)
    if bit_count(suit) <= 2 and bit_count(hand & TRUMPS) >= 2:
        points += 8
    if bit_count(unseen(s, r) & over(top(suit))) == 1:
        points -= 8 if place == top(suit) else 5
    return points


@njit
def _take_trump(s, r, place):
    """Rate a trump: with many of them, draw them from the top as long as another side has some."""
    mine, out = count_of(s.hands[s.turn], TRUMP_LANE), count_of(unseen(s, r), TRUMP_LANE)
    if not is_high(s, r, place):
        return -20 - (place & RANK)
    if not sight.foe_has_trumps(s, r, sight.ANY_SUIT):
        return -40 if out else 50
    return 70 if 2 * mine >= out else 25 if sight.spare_tricks(s, r) > 1 else 55


@njit
def _use(s, r, place):
    hand, rank = s.hands[s.turn], place & RANK
    suit = hand & lane_at(place)
    if place >> 4 == TRUMP_LANE:
        return 40 + rank
    if is_high(s, r, place):
        return 25 + rank
    higher = bit_count(unseen(s, r) & over(top(suit)))
    guards = higher and bit_count(suit) == higher + 1 and higher <= 2
    short = bit_count(suit) <= 2 and hand & TRUMPS
    return rank + (9 if guards else 0) - (3 if short else 0)


@njit
def _danger(s, place):
    rank, lower = place & RANK, bit_count(s.hands[s.turn] & under(place))
    return 2 * rank - min(lower, 4) + (rank if place >> 4 == TRUMP_LANE else 8)
