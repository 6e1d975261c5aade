"""Reasons to take a trick or to leave it: the bids of both sides, and what is still to come."""

from spades_env.game.cards import SPADES, Card, Side
from spades_env.play.coach.case import Case, one_of, suit
from spades_env.play.coach.known import Sight
from spades_env.play.table.seats import card_text as card
from spades_env.play.table.seats import side_called
from spades_env.play.texts import Text, text

# Taking


def every_trick(case: Case) -> Text | None:
    """Take any trick in a hand without bids."""
    return text("why.every_trick") if case.sight.every_trick and _takes(case) else None


def take_all(case: Case) -> Text | None:
    s = case.sight
    if _takes(case) and s.lacks and s.need == s.left:
        return text("why.take_all")
    return None


def take_to_set(case: Case) -> Text | None:
    """Take a trick that another side can hardly do without."""
    side = case.sight.hard_pressed
    return None if side is None or not _takes(case) else setting(case, side, "why.set")


def take_from_others(case: Case) -> Text | None:
    """Take a trick that another side can spare, but not many of them."""
    side = case.sight.tight
    return None if side is None or not _takes(case) else setting(case, side, "why.set")


def take_last(case: Case) -> Text | None:
    s = case.sight
    return text("why.take_last", count=s.need) if s.lacks and s.is_last and _takes(case) else None


def take_cheaply(case: Case) -> Text | None:
    """Win with the lower of two cards that both win."""
    s = case.sight
    if not (s.table and s.beats(case.advised) and s.beats(case.instead) and _is_cheaper(s, case.advised, case.instead)):
        return None
    if s.is_last:
        return text("why.take_cheap", card=card(case.advised))
    return text("why.take_low", keep=card(case.instead)) if s.wants and not _is_second(s) else None


def take_with_highest(case: Case) -> Text | None:
    s = case.sight
    if not (s.table and s.lacks and s.beats(case.advised) and s.is_highest(case.advised)) or s.is_partners:
        return None
    if s.beats(case.instead) and s.is_highest(case.instead):
        return None
    return text("why.take_top", count=s.need, suit=one_of(s.suit(case.advised)))


def ruff(case: Case) -> Text | None:
    s = case.sight
    ruffs = s.led is not None and s.is_void and s.suit(case.advised) == SPADES != s.suit(case.instead)
    if ruffs and s.lacks and s.beats(case.advised) and not s.is_partners:
        return text("why.ruff", suit=suit(s.led or 0), count=s.need)
    return None


def play_high(case: Case) -> Text | None:
    """Lead or overtake with the card that is harder to beat, even where the partner is winning with an easier one."""
    s, higher, more = case.sight, case.sight.higher_out(case.advised), case.sight.higher_out(case.instead)
    lane, same = s.suit(case.advised), s.suit(case.advised) == s.suit(case.instead)
    if (s.table and not same) or higher >= more or s.is_last or not s.wants or s.is_beaten(case.advised):
        return None
    takes_over = s.winning and s.is_partners and s.is_beaten(case.instead)
    if takes_over and s.winning and (s.suit(s.winning[1]) != lane or s.higher_out(s.winning[1]) <= higher):
        return None
    if not higher:
        return text("why.play_top", suit=one_of(lane), count=more, card=card(case.instead))
    if higher > 1 and more < 2 * higher:  # too small a difference to be a reason
        return None
    return text("why.play_high", count=higher, suit=suit(lane), more=more, card=card(case.instead))


def take_now(case: Case) -> Text | None:
    s = case.sight
    return text("why.take_now", count=s.need, left=s.left) if s.lacks and _takes(case) else None


def take_over(case: Case) -> Text | None:
    """Take a trick above the bid where it scores and costs nothing."""
    s = case.sight
    return text("why.over") if s.another_scores and _takes(case) else None


# Leaving it


def leave_to_partner(case: Case) -> Text | None:
    s = case.sight
    if s.winning and s.is_partners and s.is_beaten(case.advised) and s.beats(case.instead):
        key = "why.partner_has" if s.is_last else "why.partner_wins"
        return text(key, who=case.who(s.partner), card=card(s.winning[1]), keep=card(case.instead))
    return None


def duck(case: Case) -> Text | None:
    """Stay below the winning card while another trick would cost points."""
    s = case.sight
    return text("why.duck") if s.another_costs and s.is_beaten(case.advised) and s.beats(case.instead) else None


def duck_low(case: Case) -> Text | None:
    """Play the card that more can still beat, where each would win so far."""
    s, higher = case.sight, case.sight.higher_out(case.advised)
    both = s.another_costs and not s.is_last and s.beats(case.advised) and s.beats(case.instead)
    if both and s.suit(case.advised) == s.led == s.suit(case.instead) and higher > s.higher_out(case.instead):
        return text("why.duck_low", count=higher, suit=suit(s.suit(case.advised)))
    return None


def win_high(case: Case) -> Text | None:
    """Win a trick that can't be lost with the card that would win another one."""
    s = case.sight
    both = s.is_last and s.another_costs and s.beats(case.advised) and s.beats(case.instead)
    if both and _is_cheaper(s, case.instead, case.advised):
        return text("why.win_high", card=card(case.instead))
    return None


def drop_high(case: Case) -> Text | None:
    """Throw a card that might win a trick later while it can't win."""
    s, lower = case.sight, case.sight.lower_out(case.advised)
    loses = s.another_costs and s.is_beaten(case.advised) and s.is_beaten(case.instead)
    if loses and lower > s.lower_out(case.instead):
        return text("why.bag_drop", count=lower)
    return None


def wait(case: Case) -> Text | None:
    """Stay low in second place, where the partner still plays."""
    s = case.sight
    same = s.suit(case.advised) == s.suit(case.instead) and s.height(case.advised) < s.height(case.instead)
    if not (_is_second(s) and s.wants and same and s.beats(case.instead)):
        return None
    higher, about = s.higher_out(case.instead), {"who": case.who(s.partner), "keep": card(case.instead)}
    if not higher:
        return text("why.wait", **about, suit=one_of(s.suit(case.instead)))
    return text("why.second_low", **about, count=higher)


def give_up(case: Case) -> Text | None:
    """Leave a trick that saves no bid any more."""
    s = case.sight
    lost = s.counts and not s.every_trick and s.need > s.left
    if lost and s.is_beaten(case.advised) and s.beats(case.instead):
        return text("why.give_up", count=s.left, need=s.need)
    return None


def can_spare(case: Case) -> Text | None:
    """Leave a trick while many more can be won."""
    s = case.sight
    if s.lacks and 2 * s.need <= s.left and s.is_beaten(case.advised) and s.beats(case.instead):
        return text("why.can_spare", count=s.need, left=s.left)
    return None


def cannot_win(case: Case) -> Text | None:
    s = case.sight
    same = s.suit(case.advised) == s.suit(case.instead)
    beaten = s.table and all(s.is_beaten(one) for one in s.view.legal_actions())
    if beaten and same and s.is_lowest_held(case.advised) and not s.another_costs and not s.has_nil(s.me):
        return text("why.cannot_win", suit=one_of(s.suit(case.advised)))
    return None


def lose_low(case: Case) -> Text | None:
    """Lose with the lower of two cards that are beaten."""
    s = case.sight
    if not (s.winning and s.wants and s.is_beaten(case.advised) and s.is_beaten(case.instead)):
        return None
    if s.suit(case.advised) == s.suit(case.instead) and s.height(case.advised) < s.height(case.instead):
        return text("why.lose_low", keep=card(case.instead), card=card(s.winning[1]))
    return None


def _takes(case: Case) -> bool:
    """Would the advised card take the lead in a trick that the partner isn't sure to win, and the other not?"""
    s = case.sight
    safe = s.winning and s.is_partners and (s.is_last or s.is_highest(s.winning[1]))
    return bool(s.table) and not safe and s.beats(case.advised) and not s.beats(case.instead)


def _is_second(s: Sight) -> bool:
    """Is this the second seat of a trick, with a partner still to play who may win it?"""
    return len(s.table) == 1 and s.partner is not None and not s.has_nil(s.partner)


def _is_cheaper(s: Sight, one: Card, other: Card) -> bool:
    if s.suit(one) == s.suit(other):
        return s.height(one) < s.height(other)
    return s.suit(other) == SPADES


def setting(case: Case, side: Side, key: str, **about: Text) -> Text:
    """Say how many tricks another side lacks, or that it lacks all that are left."""
    s, need = case.sight, case.sight.need_of(side)
    called = side_called(s.rules, side, case.names, None)
    if need == s.left:
        return text(f"{key}_all", side=called, count=need, **about)
    return text(key, side=called, left=s.left, count=need, **about)


TAKING = (every_trick, take_all, take_to_set, take_last, take_with_highest, ruff, take_cheaply)
MORE = (play_high, lose_low, take_now, take_over, take_from_others, can_spare)
LEAVING = (leave_to_partner, duck, duck_low, win_high, drop_high, wait, give_up, cannot_win)
