"""Reasons to keep a card and play another: a high card, its guard, a spade that may ruff."""

from spades_env.game.cards import SPADES, Card
from spades_env.play.coach.case import Case, one_of, suit
from spades_env.play.coach.known import Sight
from spades_env.play.table.seats import card_text as card
from spades_env.play.texts import Text, text

FEW = 2  # higher cards still out
MANY = 3


def waste(case: Case) -> Text | None:
    """Don't throw the highest card of a suit under one that beats it."""
    s = case.sight
    if not (s.winning and s.wants and _is_wasted(s, case.instead)) or _is_wasted(s, case.advised):
        return None
    if s.beats(case.advised):  # then the trick is what matters
        return None
    return text("why.waste", keep=card(case.instead), suit=one_of(s.suit(case.instead)), card=card(s.winning[1]))


def keep_guard(case: Case) -> Text | None:
    """Keep the low card that guards one which only one card still beats."""
    s = case.sight
    held = s.held(s.suit(case.instead))
    if not s.wants or s.suit(case.instead) in (SPADES, s.suit(case.advised)) or len(held) != 2 or s.beats(case.advised):
        return None
    low, high = held
    if case.instead == low and s.higher_out(high) == 1:
        return text("why.guard", keep=card(low), card=card(high))
    return None


def keep_high(case: Case) -> Text | None:
    """Keep a card that few others beat, a spade also where it would win this trick."""
    s, higher, lane = case.sight, case.sight.higher_out(case.instead), case.sight.suit(case.instead)
    if (
        not s.wants
        or higher >= s.higher_out(case.advised)
        or higher > FEW
        or (lane != SPADES and s.beats(case.instead))
    ):
        return None
    if not higher:
        return text("why.keep_top", keep=card(case.instead), suit=one_of(lane))
    return text("why.keep_high", keep=card(case.instead), suit=suit(lane), count=higher)


def keep_better(case: Case) -> Text | None:
    """Keep the card that no more than half as many others beat, and lead or throw another."""
    s, higher, more = case.sight, case.sight.higher_out(case.instead), case.sight.higher_out(case.advised)
    if not s.wants or s.beats(case.instead) or s.beats(case.advised) or 2 * higher > more:
        return None
    lane = s.suit(case.instead)
    return text("why.keep_better", keep=card(case.instead), suit=suit(lane), count=higher, more=more)


def save_spade(case: Case) -> Text | None:
    """Don't spend a spade on a trick that the partner may still win, or that it can't win."""
    s = case.sight
    if not (s.wants and s.is_void and s.suit(case.advised) != SPADES == s.suit(case.instead)):
        return None
    if s.winning and s.is_beaten(case.instead):
        return text("why.spade_loses", keep=card(case.instead), card=card(s.winning[1]))
    if s.still_to_play(s.partner) and not s.has_nil(s.partner):
        return text("why.spade_waits", who=case.who(s.partner), keep=card(case.instead))
    return None


def throw_last(case: Case) -> Text | None:
    """Throw the last card of a suit to ruff it afterwards."""
    s, lane = case.sight, case.sight.suit(case.advised)
    if not (s.wants and s.is_void and lane != SPADES and s.held(SPADES)) or s.suit(case.instead) == SPADES:
        return None
    if s.is_single(case.advised) and not s.is_single(case.instead) and not s.is_highest(case.advised):
        return text("why.throw_last", suit=one_of(lane))
    return None


def throw_loser(case: Case) -> Text | None:
    """Throw a card that many others beat."""
    s, higher = case.sight, case.sight.higher_out(case.advised)
    discards = s.wants and s.is_void and SPADES not in (s.suit(case.advised), s.suit(case.instead))
    if discards and higher >= MANY and higher > s.higher_out(case.instead):
        return text("why.throw_loser", suit=suit(s.suit(case.advised)), count=higher)
    return None


def _is_wasted(s: Sight, one: Card) -> bool:
    """Is this the highest card of its suit, and beaten all the same?"""
    return s.is_beaten(one) and s.is_highest(one)


KEEPING = (waste, keep_guard, keep_high, save_spade, throw_last, throw_loser)
MORE = (keep_better,)
