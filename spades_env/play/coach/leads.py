"""Reasons for a lead while no nil decides it, and for a card to pass."""

from spades_env.game.cards import SPADES
from spades_env.play.coach.case import Case, one_of, suit
from spades_env.play.coach.tricks import setting
from spades_env.play.table.seats import card_text as card
from spades_env.play.texts import Text, text

FEW = 2  # higher cards still out
OTHERS = 3  # seats: with fewer cards of a suit out, one of them has none
SHORT = 2  # cards of a suit
MANY = 2  # cards: fewer make no difference worth a word
MOST = 2  # spades out for each one held: more can't be drawn


def lead_highest(case: Case) -> Text | None:
    s, lane = case.sight, case.sight.suit(case.advised)
    if s.table or not s.wants or not s.is_highest(case.advised) or s.is_highest(case.instead):
        return None
    if s.every_trick or s.another_scores:
        return text("why.lead_every", suit=one_of(lane))
    if not s.lacks:
        return None
    key = "why.lead_sure" if lane != SPADES and not s.trumps_out else "why.lead_top"
    return text(key, suit=one_of(lane), count=s.need)


def lead_highest_to_set(case: Case) -> Text | None:
    """Lead the highest card of a suit against a side that can't spare many tricks."""
    s, side = case.sight, case.sight.tight
    if s.table or side is None or not s.is_highest(case.advised) or s.is_highest(case.instead):
        return None
    return setting(case, side, "why.lead_set", suit=one_of(s.suit(case.advised)))


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
    """Lead spades when holding most of them, or before they ruff a winner."""
    s, out = case.sight, case.sight.trumps_out
    if s.table or not s.wants or s.suit(case.advised) != SPADES or s.suit(case.instead) == SPADES or not out:
        return None
    own = len(s.held(SPADES))
    if own > out:
        return text("why.draw", own=own, count=out)
    tops = (s.held(lane)[-1] for lane in range(SPADES) if s.held(lane))
    winner = next((one for one in tops if s.is_highest(one)), None)
    if winner is None or out > MOST * own:
        return None
    return text("why.draw_first", count=out, card=card(winner))


def lead_near_top(case: Case) -> Text | None:
    s, higher = case.sight, case.sight.higher_out(case.advised)
    if s.table or not s.wants or not 1 <= higher <= FEW or higher >= s.higher_out(case.instead):
        return None
    return text("why.lead_near", suit=suit(s.suit(case.advised)), count=higher)


def leave_alone(case: Case) -> Text | None:
    """Let others lead the suit of a high card that isn't the highest."""
    s, lane, other = case.sight, case.sight.suit(case.advised), case.sight.suit(case.instead)
    if s.table or not s.wants or SPADES in (lane, other) or lane == other or _guarded(case, lane) is not None:
        return None
    high = _guarded(case, other)
    return None if high is None else text("why.leave", suit=suit(other), card=card(high), count=s.higher_out(high))


def _guarded(case: Case, lane: int) -> int | None:
    """Return the highest card held of a suit if few are higher, and lower ones guard it."""
    held = case.sight.held(lane)
    higher = case.sight.higher_out(held[-1])
    return held[-1] if 1 <= higher <= FEW and higher < len(held) else None


def keep_spades(case: Case) -> Text | None:
    """Keep spades for a suit that is not held, or because others have higher ones."""
    s, higher = case.sight, case.sight.higher_out(case.instead)
    if s.table or not s.wants or s.suit(case.advised) == SPADES or s.suit(case.instead) != SPADES:
        return None
    void = next((lane for lane in range(SPADES) if not s.held(lane) and s.count_out(lane)), None)
    if void is not None:
        return text("why.keep_spades", suit=suit(void))
    return text("why.low_spade", count=higher, card=card(case.instead)) if higher else None


def avoid_short(case: Case) -> Text | None:
    """Don't lead a suit of which so few are out that one of the others has none."""
    s, lane, other = case.sight, case.sight.suit(case.advised), case.sight.suit(case.instead)
    short = other != SPADES and s.count_out(other) < OTHERS
    if s.table or not s.wants or not s.trumps_out or not short or (lane != SPADES and s.count_out(lane) < OTHERS):
        return None
    out = s.count_out(other)
    return text("why.short", suit=suit(other), count=out) if out else text("why.short_none", suit=suit(other))


def lead_short(case: Case) -> Text | None:
    """Lead the only card of a suit, or of a short one, to ruff it afterwards."""
    s, lane, other = case.sight, case.sight.suit(case.advised), case.sight.suit(case.instead)
    own, out = len(s.held(lane)), s.count_out(lane)
    if s.table or not s.wants or lane == SPADES or not s.held(SPADES) or not out or own >= len(s.held(other)):
        return None
    return text("why.lead_short", suit=suit(lane), count=own) if own <= SHORT else None


def lead_partners(case: Case) -> Text | None:
    """Lead the suit that the partner has led."""
    s, lane = case.sight, case.sight.suit(case.advised)
    if s.table or not s.wants or s.partner is None or lane == SPADES:
        return None
    led = {s.suit(trick[0][1]) for trick in s.view.tricks_played if trick[0][0] == s.partner}
    if lane in led and s.suit(case.instead) not in led:
        return text("why.partner_led", suit=suit(lane), who=case.who(s.partner))
    return None


def lead_long(case: Case) -> Text | None:
    s, lane = case.sight, case.sight.suit(case.advised)
    longest = max(len(s.held(other)) for other in range(SPADES + 1) if other != lane)
    own = len(s.held(lane))
    if s.table or not s.wants or lane in (SPADES, s.suit(case.instead)) or own <= longest:
        return None
    return text("why.lead_long", suit=suit(lane), count=own)


def lead_safe(case: Case) -> Text | None:
    """Lead a suit of which more cards are out, so that fewer seats are likely to be out of it."""
    s, lane, other = case.sight, case.sight.suit(case.advised), case.sight.suit(case.instead)
    if s.table or not s.wants or SPADES in (lane, other) or not s.trumps_out:
        return None
    more, fewer = s.count_out(lane), s.count_out(other)
    if more < fewer + MANY:
        return None
    return text("why.lead_safe", suit=suit(lane), other=suit(other), more=more, fewer=fewer)


def lead_low_against_bags(case: Case) -> Text | None:
    s, higher = case.sight, case.sight.higher_out(case.advised)
    if not s.table and s.another_costs and higher > s.higher_out(case.instead):
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
    lead_near_top,
    avoid_short,
    leave_alone,
    keep_spades,
    lead_short,
    lead_partners,
    lead_long,
    lead_safe,
    lead_low_against_bags,
)
PASSES = (pass_high, pass_low)
