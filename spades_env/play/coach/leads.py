"""Reasons for a lead while no nil decides it, and for a card to pass."""

from spades_env.game.cards import SPADES
from spades_env.play.coach.case import Case, one_of, suit
from spades_env.play.coach.tricks import called, pressed
from spades_env.play.table.seats import card_text as card
from spades_env.play.texts import Text, text


def lead_highest(case: Case) -> Text | None:
    s = case.sight
    if not s.table and s.wants and s.is_highest(case.advised) and not s.is_highest(case.instead):
        about = {"card": card(case.advised), "suit": one_of(s.suit(case.advised))}
        return text("why.lead_every", **about) if s.every_trick else text("why.lead_top", **about, count=s.need)
    return None


def lead_highest_to_set(case: Case) -> Text | None:
    """Lead the highest card of a suit against a side that can hardly spare a trick."""
    s, tight, lane = case.sight, pressed(case), case.sight.suit(case.advised)
    if s.table or tight is None or not s.is_highest(case.advised) or s.is_highest(case.instead):
        return None
    about = {"card": card(case.advised), "suit": one_of(lane), "side": called(case, tight)}
    return text("why.lead_set", **about, left=s.left, count=s.need_of(tight))


def let_partner_ruff(case: Case) -> Text | None:
    s, lane = case.sight, case.sight.suit(case.advised)
    if s.table or s.partner is None or not s.wants or s.has_nil(s.partner):
        return None
    if s.may_ruff(s.partner, lane) and not s.may_ruff(s.partner, s.suit(case.instead)):
        return text("why.partner_ruffs", suit=suit(lane), who=case.who(s.partner))
    return None


def avoid_ruff(case: Case) -> Text | None:
    """Don't lead a suit that another side may ruff."""
    s, lane, other = case.sight, case.sight.suit(case.advised), case.sight.suit(case.instead)
    foe = next((seat for seat in s.foes if s.may_ruff(seat, other)), None)
    if s.table or not s.wants or foe is None or any(s.may_ruff(seat, lane) for seat in s.foes):
        return None
    return text("why.foe_ruffs", suit=suit(other), who=case.who(foe))


def draw_spades(case: Case) -> Text | None:
    s = case.sight
    own, out = len(s.held(SPADES)), case.sight.trumps_out
    if not s.table and s.wants and s.suit(case.advised) == SPADES != s.suit(case.instead) and own > out > 0:
        return text("why.draw", own=own, count=out)
    return None


def lead_single(case: Case) -> Text | None:
    """Lead the only card of a suit to ruff it afterwards."""
    s, lane = case.sight, case.sight.suit(case.advised)
    if s.table or not s.wants or lane == SPADES or not s.held(SPADES):
        return None
    if s.is_single(case.advised) and not s.is_single(case.instead):
        return text("why.lead_single", suit=one_of(lane))
    return None


def lead_low_against_bags(case: Case) -> Text | None:
    s, higher = case.sight, case.sight.higher_out(case.advised)
    if not s.table and s.another_is_a_bag and higher > s.higher_out(case.instead):
        return text("why.bag_lead", suit=suit(s.suit(case.advised)), count=higher)
    return None


def pass_high(case: Case) -> Text | None:
    """Pass the card that endangers a blind nil most."""
    s = case.sight
    worse = s.lower_out(case.advised) > s.lower_out(case.instead)
    if s.has_nil(s.me) and s.is_highest_held(case.advised) and worse:
        return text("why.pass_high", card=card(case.advised), suit=one_of(s.suit(case.advised)))
    return None


def pass_low(case: Case) -> Text | None:
    """Pass a low card to a partner's blind nil."""
    s = case.sight
    lower = s.height(case.advised) < s.height(case.instead)
    if s.has_nil(s.partner) and not s.has_nil(s.me) and s.is_lowest_held(case.advised) and lower:
        return text("why.pass_low", card=card(case.advised), suit=one_of(s.suit(case.advised)), who=case.who(s.partner))
    return None


LEADS = (
    lead_highest,
    lead_highest_to_set,
    let_partner_ruff,
    avoid_ruff,
    draw_spades,
    lead_single,
    lead_low_against_bags,
)
PASSES = (pass_high, pass_low)
