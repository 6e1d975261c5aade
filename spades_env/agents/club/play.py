"""The card play of `club`, as it is taught at a club table: by the seat's place in the trick.

    club_card(s, r)   the place of the card to play
    club_pass(s, r)   the place of the card to give the partner of a blind nil

Second hand      low, but takes a side suit's high card at once, before it is trumped, and covers a card led high
Third hand       high, unless the partner's card cannot be beaten or is as good
Last hand        wins as cheaply as possible, unless the partner wins already
Out of the suit  trumps unless the partner wins; else throws away a useless card
Partner's nil    takes the trick from it with the cheapest card; plays high if the nil plays later
Another's nil    leaves it the trick that it wins; plays low if the nil plays later
Own nil, or no   plays the highest card that loses; last to play, the highest that wins; throws away what would win most
  tricks wanted  easily
"""

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.club import sight
from spades_env.agents.club.lead import club_lead, least_useful, most_dangerous
from spades_env.agents.club.sight import is_high, lacks, lane_at, over, partner_wins, under
from spades_env.agents.lanes import RANK, lowest, top, unseen, winners
from spades_env.game.engine import legal_cards
from spades_env.game.scoring import living_nil
from spades_env.game.state import NO_NIL, ONE, TRUMP_LANE, TRUMPS

JACK, QUEEN = 9, 10  # ranks
COVERED = 10  # a card of this rank, or a trump, covers a nil that plays behind it
LOW_TRICK = 8  # up to this rank a trick can be left to a nil


@njit
def club_card(s, r):
    """Return the place of the card to play."""
    legal = legal_cards(s, r)
    if not legal & (legal - ONE):
        return np.int64(trailing_zeros(legal))
    if s.num_plays & 3 == 0:
        return club_lead(s, r, legal)
    if living_nil(s, s.turn):
        return _duck(s, r, legal)
    if sight.partner_is_nil(s, r) and _is_exposed(s, r):
        return _cover(s, r, legal)
    if _is_left_to_a_nil(s, r):
        return _leave(s, legal)
    return _take(s, r, legal) if sight.wants_tricks(s, r) else _duck(s, r, legal)


@njit
def club_pass(s, r):
    """Pass a blind nil's most dangerous card; as its partner the lowest, a side suit's if there is one."""
    legal = legal_cards(s, r)
    return most_dangerous(s, r, legal) if s.nils[s.turn] != NO_NIL else np.int64(lowest(legal))


# Nils


@njit
def _is_exposed(s, r):
    """Does the partner's nil win the trick, or may it have to when it plays after me?"""
    if partner_wins(s, r):
        return True
    if s.num_plays & 3 != 1 or lacks(s, s.turn ^ 2, s.led_lane):
        return False
    return s.best_place & RANK < COVERED and not is_high(s, r, s.best_place)


@njit
def _cover(s, r, legal):
    """Play over the partner's nil as cheaply as possible; high before it plays; a trump only on a low card."""
    taking = winners(s, legal)
    if not taking:
        return least_useful(s, r, legal)
    if partner_wins(s, r) or taking & TRUMPS:
        return np.int64(trailing_zeros(taking))
    return _cheapest_equal(s, r, taking)


@njit
def _is_left_to_a_nil(s, r):
    """Does another's nil win the trick, or will it follow to a low card, while tricks can be spared?"""
    foe = sight.nil_foe(s, r)
    if foe < 0:
        return False
    spare = sight.spare_tricks(s, r)
    if living_nil(s, s.best_seat) and not partner_wins(s, r):
        return spare >= sight.TO_SPARE or not sight.bid_wins(s, r)
    yet_to_play = (foe - s.turn) & 3 < 4 - (s.num_plays & 3)
    low = s.best_place >> 4 == s.led_lane and s.best_place & RANK <= LOW_TRICK
    return yet_to_play and low and not lacks(s, foe, s.led_lane) and spare >= sight.TO_SPARE


@njit
def _leave(s, legal):
    """Return the highest card that does not win; else the lowest."""
    losing = legal & ~winners(s, legal)
    side = losing & ~TRUMPS
    if losing & lane_at(16 * s.led_lane):
        return np.int64(top(losing))
    return np.int64(lowest(side if side else losing if losing else legal))


# Tricks


@njit
def _take(s, r, legal):
    taking = winners(s, legal)
    if not taking:
        return least_useful(s, r, legal)
    if s.num_plays & 3 == 3:
        return least_useful(s, r, legal) if partner_wins(s, r) else np.int64(trailing_zeros(taking))
    if not legal & lane_at(16 * s.led_lane):
        return _ruff(s, r, legal, taking)
    return _second(s, r, legal, taking) if s.num_plays & 3 == 1 else _third(s, r, legal, taking)


@njit
def _second(s, r, legal, taking):
    """Play low, unless a card cannot be beaten or a high card was led."""
    best = top(taking)
    ruffed = s.led_lane != TRUMP_LANE and lacks(s, (s.turn + 1) & 3, s.led_lane)
    if is_high(s, r, best) and not ruffed and (s.led_lane != TRUMP_LANE or s.best_place & RANK >= JACK):
        return _cheapest_equal(s, r, taking)
    if s.best_place & RANK >= JACK and trailing_zeros(taking) & RANK > QUEEN:
        return np.int64(trailing_zeros(taking))
    return np.int64(trailing_zeros(legal))


@njit
def _third(s, r, legal, taking):
    """Play high, unless the partner's card is as good."""
    best = top(taking)
    if partner_wins(s, r):
        between = unseen(s, r) & over(s.best_place) & under(best)
        if is_high(s, r, s.best_place) or not between:
            return np.int64(trailing_zeros(legal))
    return _cheapest_equal(s, r, taking)


@njit
def _ruff(s, r, legal, taking):
    safe = is_high(s, r, s.best_place) or s.best_place & RANK > LOW_TRICK or s.best_place >> 4 == TRUMP_LANE
    if partner_wins(s, r) and safe:
        return least_useful(s, r, legal)
    return np.int64(trailing_zeros(taking))


@njit
def _cheapest_equal(s, r, taking):
    """Return the lowest of the cards that are as good as the best of them: no card out lies between."""
    best = top(taking)
    below = unseen(s, r) & under(best)
    if not below:
        return np.int64(trailing_zeros(taking & lane_at(best)))
    return np.int64(trailing_zeros(taking & over(top(below))))


@njit
def _duck(s, r, legal):
    """Play a card that loses if there is one."""
    taking = winners(s, legal)
    losing = legal & ~taking
    if not losing:
        return np.int64(top(taking) if s.num_plays & 3 == 3 else trailing_zeros(taking))
    return np.int64(top(losing)) if losing & lane_at(16 * s.led_lane) else most_dangerous(s, r, losing)
