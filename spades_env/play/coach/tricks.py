"""Reasons to take a trick, to leave it, or to keep a card: the bids of both sides, bags, the cards that are left."""

from spades_env.game.cards import SPADES, Card, Side
from spades_env.play.coach.case import Case, one_of, suit
from spades_env.play.coach.known import Sight
from spades_env.play.table.seats import card_text as card
from spades_env.play.table.seats import side_called
from spades_env.play.texts import Text, text

WITHIN_REACH = 2  # tricks that another side may still lose and make its bid
FEW = 2  # higher cards still out


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
    s, tight = case.sight, pressed(case)
    if tight is None or not _takes(case) or not (s.is_last or s.is_highest(case.advised)):
        return None
    return text("why.set", side=called(case, tight), left=s.left, count=s.need_of(tight))


def take_last(case: Case) -> Text | None:
    s = case.sight
    return text("why.take_last", count=s.need) if s.lacks and s.is_last and _takes(case) else None


def take_cheaply(case: Case) -> Text | None:
    """Win with the lower of two cards that both win."""
    s = case.sight
    if s.is_last and s.beats(case.advised) and s.beats(case.instead) and _is_cheaper(s, case.advised, case.instead):
        return text("why.take_cheap", card=card(case.advised))
    return None


def take_with_highest(case: Case) -> Text | None:
    s = case.sight
    if not (s.table and s.lacks and s.beats(case.advised) and s.is_highest(case.advised)) or _is_partners(s):
        return None
    if s.beats(case.instead) and s.is_highest(case.instead):
        return None
    return text("why.take_top", count=s.need, card=card(case.advised), suit=one_of(s.suit(case.advised)))


def ruff(case: Case) -> Text | None:
    s = case.sight
    ruffs = s.led is not None and s.is_void and s.suit(case.advised) == SPADES != s.suit(case.instead)
    if ruffs and s.lacks and s.beats(case.advised) and not _is_partners(s):
        return text("why.ruff", suit=suit(s.led or 0), count=s.need)
    return None


def play_high(case: Case) -> Text | None:
    """Beat the table, also a card of the partner's that is easier to beat, with one that few others beat."""
    s, higher = case.sight, case.sight.higher_out(case.advised)
    if not s.winning or s.is_last or not s.wants or not s.beats(case.advised):
        return None
    mine, same = s.suit(case.advised), s.suit(case.advised) == s.suit(case.instead)
    if _is_partners(s) and (s.suit(s.winning[1]) != mine or s.higher_out(s.winning[1]) <= higher):
        return None
    if same and 1 <= higher <= FEW and higher < s.higher_out(case.instead):
        return text("why.play_high", card=card(case.advised), count=higher)
    return None


# Leaving it


def leave_to_partner(case: Case) -> Text | None:
    s = case.sight
    if s.winning and _is_partners(s) and s.is_beaten(case.advised) and s.beats(case.instead):
        key = "why.partner_has" if s.is_last else "why.partner_wins"
        return text(key, who=case.who(s.partner), card=card(s.winning[1]), keep=card(case.instead))
    return None


def duck(case: Case) -> Text | None:
    """Stay below the winning card while another trick would be a bag."""
    s = case.sight
    if not (s.another_is_a_bag and s.is_beaten(case.advised) and s.beats(case.instead)):
        return None
    if s.next_bag == s.rules.bag_limit and s.rules.bag_penalty_to == "self":
        return text("why.duck_limit", number=s.next_bag, points=s.rules.bag_penalty)
    return text("why.duck")


def drop_high(case: Case) -> Text | None:
    """Throw a card that might win a bag later while it can't win."""
    s, lower = case.sight, case.sight.lower_out(case.advised)
    loses = s.another_is_a_bag and s.is_beaten(case.advised) and s.is_beaten(case.instead)
    if loses and lower > s.lower_out(case.instead):
        return text("why.bag_drop", card=card(case.advised), count=lower)
    return None


def wait(case: Case) -> Text | None:
    """Keep the highest card of a suit in second place, where the partner still plays."""
    s = case.sight
    second = len(s.table) == 1 and s.partner is not None and not s.has_nil(s.partner) and s.wants
    same = s.suit(case.advised) == s.suit(case.instead)
    if second and same and s.beats(case.instead) and s.is_highest(case.instead) and not s.is_highest(case.advised):
        lane = s.suit(case.instead)
        return text("why.wait", who=case.who(s.partner), keep=card(case.instead), suit=one_of(lane))
    return None


def cannot_win(case: Case) -> Text | None:
    s = case.sight
    same = s.suit(case.advised) == s.suit(case.instead)
    beaten = s.table and all(s.is_beaten(one) for one in s.view.legal_actions())
    if beaten and same and s.is_lowest_held(case.advised) and not s.another_is_a_bag and not s.has_nil(s.me):
        return text("why.cannot_win", suit=one_of(s.suit(case.advised)))
    return None


# Keeping a card


def waste(case: Case) -> Text | None:
    """Don't throw the highest card of a suit under one that beats it."""
    s = case.sight
    if not (s.winning and s.wants and _is_wasted(s, case.instead)) or _is_wasted(s, case.advised):
        return None
    return text("why.waste", keep=card(case.instead), suit=one_of(s.suit(case.instead)), card=card(s.winning[1]))


def keep_guard(case: Case) -> Text | None:
    """Keep the low card that guards one which only one card still beats."""
    s = case.sight
    held = s.held(s.suit(case.instead))
    if not s.wants or s.suit(case.instead) in (SPADES, s.suit(case.advised)) or len(held) != 2:
        return None
    low, high = held
    if case.instead == low and s.higher_out(high) == 1:
        return text("why.guard", keep=card(low), card=card(high))
    return None


def throw_last(case: Case) -> Text | None:
    """Throw the last card of a suit to ruff it afterwards."""
    s, lane = case.sight, case.sight.suit(case.advised)
    if not (s.wants and s.is_void and lane != SPADES and s.held(SPADES)) or s.suit(case.instead) == SPADES:
        return None
    if s.is_single(case.advised) and not s.is_single(case.instead) and not s.is_highest(case.advised):
        return text("why.throw_last", suit=one_of(lane))
    return None


def _takes(case: Case) -> bool:
    """Would the advised card take the lead in a trick that the partner isn't winning, and the other not?"""
    s = case.sight
    return bool(s.table) and not _is_partners(s) and s.beats(case.advised) and not s.beats(case.instead)


def _is_partners(s: Sight) -> bool:
    """Is the partner winning the trick, without a nil to lose?"""
    return s.winning is not None and s.winning[0] == s.partner and not s.has_nil(s.partner)


def _is_wasted(s: Sight, one: Card) -> bool:
    """Is this the highest card of its suit, and beaten all the same?"""
    return s.is_beaten(one) and s.is_highest(one)


def _is_cheaper(s: Sight, one: Card, other: Card) -> bool:
    if s.suit(one) == s.suit(other):
        return s.height(one) < s.height(other)
    return s.suit(other) == SPADES


def pressed(case: Case) -> Side | None:
    """Return another side that can spare at most two of the tricks left."""
    s = case.sight
    if s.every_trick:
        return None
    others = [side for side in range(s.rules.sides) if side != s.side and s.need_of(side) > 0]
    return next((side for side in others if 0 <= s.left - s.need_of(side) <= WITHIN_REACH), None)


def called(case: Case, side: Side) -> str:
    """Return a side by its people's names."""
    return side_called(case.sight.rules, side, case.names, None)


TAKING = (every_trick, take_all, take_to_set, take_last, take_with_highest, ruff, play_high, take_cheaply)
LEAVING = (leave_to_partner, duck, drop_high, wait, cannot_win)
KEEPING = (waste, keep_guard, throw_last)
