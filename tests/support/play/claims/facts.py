"""What claims of several kinds rest on: nils, bids still to make, and cards that are higher or lower."""

from collections.abc import Callable

from support.play.plain import Plain

from spades_env.play.texts import Text

Claim = Callable[[Plain, dict, str, str], object]


def name_of(words: Text) -> str:
    """Return a card in a sentence as a name."""
    if words.key.startswith("card."):
        return words.key.removeprefix("card.")
    return words.params["rank"].key.removeprefix("rank.") + words.params["suit"].key.removeprefix("suit.")


def my_nil(t: Plain) -> bool:
    return t.me in t.nils


def mates_nil(t: Plain, p: dict) -> bool:
    return p["who"] == t.mate and t.mate in t.nils


def foes_nil(t: Plain, p: dict) -> bool:
    return p["who"] in t.nils and p["who"] not in t.side(t.me)


def needs(t: Plain, p: dict) -> bool:
    """Does my side lack `count` tricks, that it can still win and that I may win?"""
    helps = not t.data["nils"][t.me] or (t.rules["failed_nil_tricks"] == "partner" and t.me not in t.nils)
    return helps and not t.without_bids and t.need(t.me) == p["count"] > 0 and p["count"] <= t.left


def _made(t: Plain) -> bool:
    """Is my side's bid made, by tricks that count for me, too?"""
    ten = t.rules["ten_points"] is not None and t.bid(t.side(t.me)) >= 10
    return t.need(t.me) <= 0 and not t.data["nils"][t.me] and not ten and not t.without_bids


def costs(t: Plain) -> bool:
    bags = bool(t.rules["bag_limit"]) and t.rules["bag_penalty"] > 0
    return _made(t) and (bags or t.rules["overtrick_points"] < 0)


def scores(t: Plain) -> bool:
    return _made(t) and not costs(t) and t.rules["overtrick_points"] > 0


def short(t: Plain, p: dict) -> bool:
    """Can the other side spare at most three tricks?"""
    side, need = p["side"], p["count"]
    same = sorted(side) == t.side(side[0]) and t.me not in side and not t.without_bids
    return same and t.need(side[0]) == need > 0 and need <= t.left <= need + 3 and p.get("left", t.left) == t.left


def all_needed(t: Plain, p: dict) -> bool:
    return short(t, p) and p["count"] == t.left


def lead(t: Plain, p: dict, a: str) -> bool:
    """Is this a lead of the suit that is named?"""
    return not t.trick and t.suit(a) == p["suit"]


def top(t: Plain, p: dict, a: str) -> bool:
    """Does no card that is out beat this one in the suit that is named?"""
    return t.suit(a) == p["suit"] and not t.above(a)


def above(t: Plain, p: dict, a: str) -> bool:
    """Are `count` higher cards of the suit that is named out?"""
    return t.suit(a) == p["suit"] and len(t.above(a)) == p["count"] > 0


def drops(t: Plain, p: dict, a: str, b: str) -> bool:
    return t.loses(a) and t.loses(b) and len(t.below(a)) == p["count"] > len(t.below(b))


def lower(t: Plain, a: str, b: str) -> bool:
    """Is the first card cheaper: lower in the same suit, or no spade?"""
    return t.rank(a) < t.rank(b) if t.suit(a) == t.suit(b) else t.suit(b) == "S"
