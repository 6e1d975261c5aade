"""Reasons where a nil is alive: to keep one's own, to cover the partner's, to set another's."""

from spades_env.game.cards import SPADES
from spades_env.play.coach.case import Case, one_of, suit
from spades_env.play.table.seats import card_text as card
from spades_env.play.texts import Text, text

FEW = 3  # higher cards still out


# One's own


def stay_under(case: Case) -> Text | None:
    s = case.sight
    if s.winning and s.has_nil(s.me) and s.is_beaten(case.advised) and not s.is_beaten(case.instead):
        follows = s.suit(case.advised) == s.led
        return text("why.nil_under", card=card(s.winning[1])) if follows else text("why.nil_no_ruff")
    return None


def drop_high(case: Case) -> Text | None:
    """Throw the card that is hardest to lose while it can't win."""
    s, lower = case.sight, case.sight.lower_out(case.advised)
    loses = s.has_nil(s.me) and s.is_beaten(case.advised) and s.is_beaten(case.instead)
    if loses and lower > s.lower_out(case.instead):
        return text("why.nil_drop", count=lower)
    return None


def stay_low(case: Case) -> Text | None:
    """Play the card that more can still beat, where each would win so far."""
    s, higher = case.sight, case.sight.higher_out(case.advised)
    forced = s.has_nil(s.me) and not s.is_last and all(s.beats(one) for one in s.view.legal_actions())
    if forced and s.suit(case.advised) == s.led == s.suit(case.instead) and higher > s.higher_out(case.instead):
        return text("why.nil_low_card", suit=suit(s.suit(case.advised)), count=higher)
    return None


def lead_low(case: Case) -> Text | None:
    s, higher = case.sight, case.sight.higher_out(case.advised)
    if not s.table and s.has_nil(s.me) and higher > s.higher_out(case.instead):
        return text("why.nil_lead", suit=suit(s.suit(case.advised)), count=higher)
    return None


# The partner's


def save(case: Case) -> Text | None:
    s = case.sight
    held = s.winning and s.winning[0] == s.partner and s.has_nil(s.partner)
    if held and s.beats(case.advised) and not s.beats(case.instead):
        return text("why.nil_save", who=case.who(s.partner))
    return None


def play_high(case: Case) -> Text | None:
    """Beat the table, high, before the partner has to play."""
    s = case.sight
    if not (s.table and s.has_nil(s.partner) and s.still_to_play(s.partner) and s.beats(case.advised)):
        return None
    lower = s.suit(case.instead) == s.suit(case.advised) and s.height(case.instead) < s.height(case.advised)
    return text("why.cover_play", who=case.who(s.partner)) if lower or s.is_beaten(case.instead) else None


def lead_high(case: Case) -> Text | None:
    s, higher, lane = case.sight, case.sight.higher_out(case.advised), case.sight.suit(case.advised)
    if s.table or not s.has_nil(s.partner) or s.is_out_of(s.partner, lane) or higher >= s.higher_out(case.instead):
        return None
    if not higher:
        return text("why.cover_top", who=case.who(s.partner), suit=one_of(lane))
    return text("why.cover_lead", who=case.who(s.partner), suit=suit(lane), count=higher) if higher <= FEW else None


def lead_void(case: Case) -> Text | None:
    """Lead a suit the partner is void in."""
    s, lane, other = case.sight, case.sight.suit(case.advised), case.sight.suit(case.instead)
    if s.table or not s.has_nil(s.partner) or lane == SPADES:
        return None
    if s.is_out_of(s.partner, lane) and not s.is_out_of(s.partner, other):
        return text("why.cover_void", suit=suit(lane), who=case.who(s.partner))
    return None


def keep_cover(case: Case) -> Text | None:
    """Keep a high card for another trick of the nil."""
    s = case.sight
    needs = s.table and s.has_nil(s.partner) and s.winning and s.winning[0] != s.partner and s.is_beaten(case.advised)
    if needs and s.higher_out(case.instead) < s.higher_out(case.advised) and s.higher_out(case.instead) <= FEW:
        return text("why.cover_keep", who=case.who(s.partner), keep=card(case.instead))
    return None


# Another's


def stay_under_nil(case: Case) -> Text | None:
    s = case.sight
    if s.winning and s.winning[0] in s.nil_foes and s.is_beaten(case.advised) and not s.is_beaten(case.instead):
        return text("why.set_under", who=case.who(s.winning[0]))
    return None


def play_low(case: Case) -> Text | None:
    """Play the lowest card before a nil has to play."""
    s = case.sight
    foe = next((seat for seat in s.nil_foes if s.still_to_play(seat)), None)
    follows = s.table and s.suit(case.advised) == s.led == s.suit(case.instead)
    if foe is None or not follows or not s.is_lowest_held(case.advised) or s.is_beaten(case.instead):
        return None
    return text("why.set_low", suit=one_of(s.suit(case.advised)), who=case.who(foe))


def attack(case: Case) -> Text | None:
    """Lead a card that more can beat, in a suit where a nil must follow."""
    s, higher, lane = case.sight, case.sight.higher_out(case.advised), case.sight.suit(case.advised)
    foe = next((seat for seat in s.nil_foes if not s.is_out_of(seat, lane)), None)
    if s.table or foe is None or higher <= s.higher_out(case.instead):
        return None
    top = s.held(lane)[-1]
    if s.is_highest(top) and s.is_lowest_held(case.advised) and not s.alike(case.advised, top):
        return text("why.set_keep", who=case.who(foe), card=card(top))
    return text("why.set_lead", who=case.who(foe), suit=suit(lane), count=higher)


def not_void(case: Case) -> Text | None:
    """Lead no suit in which a nil can throw a card away."""
    s, lane, other = case.sight, case.sight.suit(case.advised), case.sight.suit(case.instead)
    foe = next((seat for seat in s.nil_foes if s.is_out_of(seat, other) and not s.is_out_of(seat, lane)), None)
    if s.table or foe is None:
        return None
    return text("why.set_not_void", who=case.who(foe), suit=suit(other))


def keep_low(case: Case) -> Text | None:
    """Keep the lower of two cards that lose, to set a nil with it."""
    s, higher, lane = case.sight, case.sight.higher_out(case.instead), case.sight.suit(case.instead)
    foe = next((seat for seat in s.nil_foes if not s.is_out_of(seat, lane)), None)
    loses = s.table and s.is_beaten(case.advised) and s.is_beaten(case.instead)
    if foe is None or not loses or lane != s.suit(case.advised) or higher <= s.higher_out(case.advised):
        return None
    return text("why.set_keep_low", who=case.who(foe), keep=card(case.instead), count=higher)


OWN = (stay_under, drop_high, stay_low, lead_low)
PARTNERS = (save, play_high, lead_void, lead_high, keep_cover)
OTHERS = (stay_under_nil, play_low, keep_low, attack, not_void)
