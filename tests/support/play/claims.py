"""What each reason of the coach claims, checked with separate, simple code from the plain data of a view.

    true_of(view, reason, advised, instead)     is everything that the sentence says so?

Seats are called by their numbers: NAMES.
"""

from collections.abc import Callable

from spades_env.game.cards import RANKS, TRUMP_ORDERS, action_name, card_name, deck
from spades_env.game.view import View
from spades_env.play.texts import Text

NAMES = ["seat 0", "seat 1", "seat 2", "seat 3"]


class Plain:
    """A position from `view.to_dict()`, with cards as names."""

    def __init__(self, view: View):
        data = self.data = view.to_dict()
        self.order = [card_name(card) for card in TRUMP_ORDERS[view.rules.trumps]][::-1]
        self.me, self.hand = data["seat"], data["hand"]
        self.mate = (self.me + 2) % 4 if view.rules.partners else None
        self.trick = list(zip(self.seats_from(data["table"]), data["table"]["cards"], strict=False))
        played = [card for trick in [*data["tricks_played"], data["table"]] for card in trick["cards"]]
        self.out = [name for card in deck(view.rules.trumps) if (name := card_name(card)) not in played + self.hand]
        self.nils = [seat for seat in range(4) if data["nils"][seat] and data["tricks"][seat] == 0]
        self.left = 13 - len(data["tricks_played"])
        self.rules = data["rules"]

    @staticmethod
    def seats_from(trick):
        return [] if trick["leader"] is None else [(trick["leader"] + i) % 4 for i in range(4)]

    def suit(self, name):
        return "S" if name in self.order else name[1]

    def rank(self, name):
        return self.order.index(name) if name in self.order else RANKS.index(name[0])

    def above(self, name):
        return [one for one in self.out if self.suit(one) == self.suit(name) and self.rank(one) > self.rank(name)]

    def below(self, name):
        return [one for one in self.out if self.suit(one) == self.suit(name) and self.rank(one) < self.rank(name)]

    def of(self, suit):
        return sorted((name for name in self.hand if self.suit(name) == suit), key=self.rank)

    def winner(self, cards=None):
        """Who wins these cards, and with what; by default those on the table."""
        cards = self.trick if cards is None else cards
        led = self.suit(cards[0][1])
        trumps = [play for play in cards if self.suit(play[1]) == "S"]
        return max(trumps or [play for play in cards if self.suit(play[1]) == led], key=lambda play: self.rank(play[1]))

    def takes(self, name):
        return bool(self.trick) and self.winner([*self.trick, (self.me, name)])[0] == self.me

    def later(self):
        there = [seat for seat, _ in self.trick]
        return [seat for seat in range(4) if seat != self.me and seat not in there]

    def side(self, seat):
        return [seat] if self.mate is None else sorted([seat, (seat + 2) % 4])

    def need(self, seat):
        """How many tricks the side of a seat lacks."""
        data, total = self.data, 0
        if _is_without_bids(self):
            return 1
        for one in self.side(seat):
            total += data["bids"][one] or 0
            if not data["nils"][one] or self.rules["failed_nil_tricks"] == "partner":
                total -= data["tricks"][one]
        return total

    def out_of(self, seat, suit):
        return suit in self.data["voids"][seat]

    def bags(self):
        """The number of the next bag of my side."""
        failed = 0
        if self.rules["failed_nil_tricks"] in ("bags", "overtricks"):
            failed = sum(self.data["tricks"][one] for one in self.side(self.me) if self.data["nils"][one])
        own = min(self.side(self.me)) if self.mate is not None else self.me
        return self.data["bags"][own] - self.need(self.me) + failed + 1


def name_of(words: Text) -> str:
    """Return a card in a sentence as a name."""
    if words.key.startswith("card."):
        return words.key.removeprefix("card.")
    return words.params["rank"].key.removeprefix("rank.") + words.params["suit"].key.removeprefix("suit.")


def suit_of(words: Text) -> str:
    return words.key[-1]


def true_of(view: View, reason: Text, advised: int, instead: int) -> bool:
    """Is everything true that the sentence says of this position, and does it tell the two actions apart?"""
    t, p, key = Plain(view), dict(reason.params), reason.key
    for name in ("card", "keep"):
        if name in p:
            p[name] = name_of(p[name])
    if "suit" in p:
        p["suit"] = suit_of(p["suit"])
    if "who" in p:
        p["who"] = NAMES.index(p["who"])
    return bool(CLAIMS[key](t, p, action_name(advised), action_name(instead)))


def _is_without_bids(t: Plain) -> bool:
    return t.rules["first_hand"] == "bids_itself" and t.data["hand_number"] == 0


def _my_nil(t: Plain) -> bool:
    return t.me in t.nils


def _mates_nil(t: Plain, p: dict) -> bool:
    return p["who"] == t.mate and t.mate in t.nils


def _foes_nil(t: Plain, p: dict) -> bool:
    return p["who"] in t.nils and p["who"] not in t.side(t.me)


def _wants(t: Plain, p: dict) -> bool:
    if _is_without_bids(t) and "count" in p:
        return False
    helps = not t.data["nils"][t.me] or (t.rules["failed_nil_tricks"] == "partner" and t.me not in t.nils)
    return t.need(t.me) > 0 and helps and p.get("count", t.need(t.me)) == t.need(t.me)


def _made(t: Plain) -> bool:
    bid = sum(t.data["bids"][one] or 0 for one in t.side(t.me))
    no_bags = t.rules["ten_points"] is not None and bid >= 10
    penalty = t.rules["bag_limit"] and t.rules["bag_penalty"] > 0
    return t.need(t.me) <= 0 and not t.data["nils"][t.me] and penalty and not no_bags


def _out_above(t: Plain, p: dict, a: str, b: str) -> bool:
    return t.suit(a) == p["suit"] and len(t.above(a)) == p["count"] > len(t.above(b)) and not t.trick


def _few_above(t: Plain, p: dict, a: str, b: str) -> bool:
    return t.suit(a) == p["suit"] and len(t.above(a)) == p["count"] < len(t.above(b)) and not t.trick


def _drops(t: Plain, p: dict, a: str, b: str) -> bool:
    lower = len(t.below(a)) == p["count"] > len(t.below(b))
    return p["card"] == a and bool(t.trick) and not t.takes(a) and not t.takes(b) and lower


def _may_ruff(t: Plain, seat: int | None, suit: str) -> bool:
    return suit != "S" and t.out_of(seat, suit) and not t.out_of(seat, "S")


def _short(t: Plain, p: dict) -> bool:
    """Can the other side spare at most two tricks?"""
    side = [NAMES.index(one) for one in (p["side"].params.values() if t.mate is not None else [p["side"]])]
    return (
        t.me not in side and t.need(side[0]) == p["count"] > 0 and p["count"] <= t.left == p["left"] <= p["count"] + 2
    )


def _set(t: Plain, p: dict, a: str, b: str) -> bool:
    return _short(t, p) and t.takes(a) and not t.takes(b) and (not t.later() or not t.above(a))


Claim = Callable[[Plain, dict, str, str], object]
CLAIMS: dict[str, Claim] = {
    "why.nil_under": lambda t, p, a, b: _my_nil(t) and t.winner()[1] == p["card"] and not t.takes(a) and t.takes(b),
    "why.nil_no_ruff": lambda t, p, a, b: (
        _my_nil(t) and t.suit(a) != t.suit(t.trick[0][1]) and t.suit(b) == "S" and not t.takes(a) and t.takes(b)
    ),
    "why.nil_drop": lambda t, p, a, b: _my_nil(t) and _drops(t, p, a, b),
    "why.nil_lead": lambda t, p, a, b: _my_nil(t) and _out_above(t, p, a, b),
    "why.nil_save": lambda t, p, a, b: _mates_nil(t, p) and t.winner()[0] == t.mate and t.takes(a) and not t.takes(b),
    "why.cover_play": lambda t, p, a, b: (
        _mates_nil(t, p)
        and t.mate in t.later()
        and t.takes(a)
        and (not t.takes(b) or (t.suit(a) == t.suit(b) and t.rank(a) > t.rank(b)))
    ),
    "why.cover_top": lambda t, p, a, b: (
        _mates_nil(t, p) and not t.trick and p["card"] == a and t.suit(a) == p["suit"] and not t.above(a) and t.above(b)
    ),
    "why.cover_lead": lambda t, p, a, b: _mates_nil(t, p) and _few_above(t, p, a, b),
    "why.cover_void": lambda t, p, a, b: (
        _mates_nil(t, p)
        and not t.trick
        and t.suit(a) == p["suit"]
        and t.out_of(t.mate, p["suit"])
        and not t.out_of(t.mate, t.suit(b))
    ),
    "why.set_under": lambda t, p, a, b: _foes_nil(t, p) and t.winner()[0] == p["who"] and not t.takes(a) and t.takes(b),
    "why.set_low": lambda t, p, a, b: (
        _foes_nil(t, p) and p["who"] in t.later() and t.of(p["suit"])[0] == a and t.suit(b) == p["suit"] and t.takes(b)
    ),
    "why.set_keep": lambda t, p, a, b: (
        _foes_nil(t, p)
        and not t.trick
        and p["card"] in t.hand
        and p["card"] != a
        and not t.above(p["card"])
        and t.suit(a) == t.suit(p["card"])
        and len(t.above(a)) > len(t.above(b))
    ),
    "why.set_lead": lambda t, p, a, b: _foes_nil(t, p) and _out_above(t, p, a, b),
    "why.every_trick": lambda t, p, a, b: _is_without_bids(t) and t.takes(a) and not t.takes(b),
    "why.take_all": lambda t, p, a, b: _wants(t, p) and t.need(t.me) == t.left and t.takes(a) and not t.takes(b),
    "why.set": _set,
    "why.take_last": lambda t, p, a, b: _wants(t, p) and not t.later() and t.takes(a) and not t.takes(b),
    "why.take_cheap": lambda t, p, a, b: (
        p["card"] == a
        and not t.later()
        and t.takes(a)
        and t.takes(b)
        and (t.suit(a) != "S" == t.suit(b) or (t.suit(a) == t.suit(b) and t.rank(a) < t.rank(b)))
    ),
    "why.take_top": lambda t, p, a, b: (
        _wants(t, p)
        and p["card"] == a
        and t.suit(a) == p["suit"]
        and t.takes(a)
        and not t.above(a)
        and (not t.takes(b) or t.above(b))
    ),
    "why.ruff": lambda t, p, a, b: (
        _wants(t, p)
        and not t.of(p["suit"])
        and t.suit(t.trick[0][1]) == p["suit"]
        and t.suit(a) == "S" != t.suit(b)
        and t.takes(a)
    ),
    "why.play_high": lambda t, p, a, b: (
        p["card"] == a and len(t.above(a)) == p["count"] < len(t.above(b)) and t.takes(a) and t.suit(a) == t.suit(b)
    ),
    "why.partner_has": lambda t, p, a, b: (
        not t.later()
        and t.winner() == (t.mate, p["card"])
        and p["who"] == t.mate
        and p["keep"] == b
        and not t.takes(a)
        and t.takes(b)
    ),
    "why.partner_wins": lambda t, p, a, b: (
        t.later()
        and t.winner() == (t.mate, p["card"])
        and p["who"] == t.mate
        and p["keep"] == b
        and not t.takes(a)
        and t.takes(b)
    ),
    "why.duck_limit": lambda t, p, a, b: (
        _made(t)
        and t.bags() == p["number"] == t.rules["bag_limit"]
        and p["points"] == t.rules["bag_penalty"]
        and t.rules["bag_penalty_to"] == "self"
        and not t.takes(a)
        and t.takes(b)
    ),
    "why.duck": lambda t, p, a, b: _made(t) and not t.takes(a) and t.takes(b),
    "why.bag_drop": lambda t, p, a, b: _made(t) and _drops(t, p, a, b),
    "why.bag_lead": lambda t, p, a, b: _made(t) and _out_above(t, p, a, b),
    "why.cannot_win": lambda t, p, a, b: (
        t.trick
        and not any(t.takes(one) for one in t.data["legal_actions"])
        and t.of(p["suit"])[0] == a
        and t.suit(b) == p["suit"]
    ),
    "why.waste": lambda t, p, a, b: (
        p["keep"] == b and t.suit(b) == p["suit"] and not t.above(b) and not t.takes(b) and t.winner()[1] == p["card"]
    ),
    "why.guard": lambda t, p, a, b: (
        t.of(t.suit(b)) == [b, p["card"]] and p["keep"] == b and len(t.above(p["card"])) == 1 and t.suit(a) != t.suit(b)
    ),
    "why.throw_last": lambda t, p, a, b: (
        t.of(p["suit"]) == [a] and t.of("S") and t.trick and not t.of(t.suit(t.trick[0][1])) and t.of(t.suit(b)) != [b]
    ),
    "why.wait": lambda t, p, a, b: (
        len(t.trick) == 1
        and p["who"] == t.mate
        and t.mate in t.later()
        and p["keep"] == b
        and not t.above(b)
        and t.suit(b) == p["suit"] == t.suit(a)
        and t.above(a)
    ),
    "why.lead_set": lambda t, p, a, b: (
        not t.trick and p["card"] == a and t.suit(a) == p["suit"] and not t.above(a) and t.above(b) and _short(t, p)
    ),
    "why.lead_every": lambda t, p, a, b: (
        _is_without_bids(t) and not t.trick and p["card"] == a and t.suit(a) == p["suit"] and not t.above(a)
    ),
    "why.lead_top": lambda t, p, a, b: (
        _wants(t, p) and not t.trick and p["card"] == a and t.suit(a) == p["suit"] and not t.above(a) and t.above(b)
    ),
    "why.partner_ruffs": lambda t, p, a, b: (
        p["who"] == t.mate
        and not t.trick
        and t.suit(a) == p["suit"]
        and _may_ruff(t, t.mate, p["suit"])
        and not _may_ruff(t, t.mate, t.suit(b))
    ),
    "why.foe_ruffs": lambda t, p, a, b: (
        p["who"] not in t.side(t.me)
        and not t.trick
        and t.suit(b) == p["suit"]
        and _may_ruff(t, p["who"], p["suit"])
        and t.suit(a) != p["suit"]
    ),
    "why.draw": lambda t, p, a, b: (
        not t.trick
        and t.suit(a) == "S" != t.suit(b)
        and len(t.of("S")) == p["own"]
        and p["count"] == sum(t.suit(one) == "S" for one in t.out) < p["own"]
    ),
    "why.lead_single": lambda t, p, a, b: (
        not t.trick and t.of(p["suit"]) == [a] and t.of("S") and t.of(t.suit(b)) != [b]
    ),
    "why.pass_high": lambda t, p, a, b: (
        _my_nil(t) and p["card"] == a and t.of(p["suit"])[-1] == a and len(t.below(a)) > len(t.below(b))
    ),
    "why.pass_low": lambda t, p, a, b: (
        _mates_nil(t, p) and p["card"] == a and t.of(p["suit"])[0] == a and t.rank(a) < t.rank(b)
    ),
}
