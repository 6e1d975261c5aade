"""What each reason of the coach claims, proved with separate, simple code from the plain data of a view.

    is_true(view, reason, advised)              is everything that the sentence says so?
    is_true(view, reason, advised, instead)     … and does it tell the two actions apart?

A sentence claims what a person reads in it: "your lowest heart" is the lowest of the hand, and what is "still out" is
in somebody else's. Seats are called by their numbers: NAMES.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from support.play.plain import Plain

from spades_env.game.cards import RANKS, action_name
from spades_env.game.view import View
from spades_env.play.texts import Text

NAMES = ["seat 0", "seat 1", "seat 2", "seat 3"]


def name_of(words: Text) -> str:
    """Return a card in a sentence as a name."""
    if words.key.startswith("card."):
        return words.key.removeprefix("card.")
    return words.params["rank"].key.removeprefix("rank.") + words.params["suit"].key.removeprefix("suit.")


def plain(params: Mapping) -> dict:
    """Return the parameters of a sentence with cards and suits as letters, seats as numbers, a side as its seats."""
    p = dict(params)
    for name in {"card", "keep"} & p.keys():
        p[name] = name_of(p[name])
    for name in {"suit", "other"} & p.keys():
        p[name] = p[name].key[-1]
    if "who" in p:
        p["who"] = NAMES.index(p["who"])
    if "side" in p:
        names = p["side"].params.values() if isinstance(p["side"], Text) else [p["side"]]
        p["side"] = [NAMES.index(one) for one in names]
    return p


@lru_cache(maxsize=1)
def _position(view: View) -> Plain:
    return Plain(view)


def is_true(view: View, reason: Text, advised: int, instead: int | None = None) -> bool:
    """Prove a reason for an action, against another one or against any other that is legal."""
    t, p = _position(view), plain(reason.params)
    others = [one for one in view.legal_actions() if one != advised] if instead is None else [instead]
    if reason.key == "why.with":
        reason, stake = reason.params["reason"], reason.params["stake"]
        p = plain(reason.params)
        if not STAKES[stake.key](t, plain(stake.params), p):
            return False
    if reason.key not in CLAIMS:
        return reason.key in NO_FACT
    claim, done = CLAIMS[reason.key], action_name(advised)
    return any(claim(t, p, done, action_name(other)) for other in others)


def _my_nil(t: Plain) -> bool:
    return t.me in t.nils


def _mates_nil(t: Plain, p: dict) -> bool:
    return p["who"] == t.mate and t.mate in t.nils


def _foes_nil(t: Plain, p: dict) -> bool:
    return p["who"] in t.nils and p["who"] not in t.side(t.me)


def _needs(t: Plain, p: dict) -> bool:
    """Does my side lack `count` tricks, that it can still win and that I may win?"""
    helps = not t.data["nils"][t.me] or (t.rules["failed_nil_tricks"] == "partner" and t.me not in t.nils)
    return helps and not t.without_bids and t.need(t.me) == p["count"] > 0 and p["count"] <= t.left


def _made(t: Plain) -> bool:
    """Is my side's bid made, by tricks that count for me, too?"""
    ten = t.rules["ten_points"] is not None and t.bid(t.side(t.me)) >= 10
    return t.need(t.me) <= 0 and not t.data["nils"][t.me] and not ten and not t.without_bids


def _costs(t: Plain) -> bool:
    bags = bool(t.rules["bag_limit"]) and t.rules["bag_penalty"] > 0
    return _made(t) and (bags or t.rules["overtrick_points"] < 0)


def _scores(t: Plain) -> bool:
    return _made(t) and not _costs(t) and t.rules["overtrick_points"] > 0


def _lead(t: Plain, p: dict, a: str) -> bool:
    """Is this a lead of the suit that is named?"""
    return not t.trick and t.suit(a) == p["suit"]


def _top(t: Plain, p: dict, a: str) -> bool:
    """Does no card that is out beat this one in the suit that is named?"""
    return t.suit(a) == p["suit"] and not t.above(a)


def _above(t: Plain, p: dict, a: str) -> bool:
    """Are `count` higher cards of the suit that is named out?"""
    return t.suit(a) == p["suit"] and len(t.above(a)) == p["count"] > 0


def _drops(t: Plain, p: dict, a: str, b: str) -> bool:
    return t.loses(a) and t.loses(b) and len(t.below(a)) == p["count"] > len(t.below(b))


def _may_ruff(t: Plain, seat: int | None, suit: str) -> bool:
    return suit != "S" and t.out_of(seat, suit) and not t.out_of(seat, "S") and bool(t.left_in("S"))


def _short(t: Plain, p: dict) -> bool:
    """Can the other side spare at most three tricks?"""
    side, need = p["side"], p["count"]
    same = sorted(side) == t.side(side[0]) and t.me not in side and not t.without_bids
    return same and t.need(side[0]) == need > 0 and need <= t.left <= need + 3 and p.get("left", t.left) == t.left


def _all(t: Plain, p: dict) -> bool:
    return _short(t, p) and p["count"] == t.left


def _suits_led(t: Plain, seat: int | None) -> set[str]:
    return {t.suit(trick["cards"][0]) for trick in t.data["tricks_played"] if trick["leader"] == seat}


def _lower(t: Plain, a: str, b: str) -> bool:
    """Is the first card cheaper: lower in the same suit, or no spade?"""
    return t.rank(a) < t.rank(b) if t.suit(a) == t.suit(b) else t.suit(b) == "S"


def _worth(t: Plain, side: list[int]) -> int | None:
    """What a side has once it has made its bid; None where a nil changes that."""
    bid, number = t.bid(side), min(side)
    worth = t.rules["ten_points"] if t.rules["ten_points"] is not None and bid >= 10 else 10 * bid
    worth *= 2 if t.data["blind_contracts"][number] else 1
    return None if any(t.data["nils"][one] for one in side) else t.data["scores"][number] + worth


def _reaches(t: Plain, p: dict, side: list[int]) -> bool:
    return _worth(t, side) == p["points"] >= t.rules["target"] == p["target"]


def _is_bag(t: Plain) -> bool:
    return _costs(t) and t.rules["overtrick_points"] >= 0 and t.bags() != t.rules["bag_limit"]


def _last_bag(t: Plain, p: dict, to: str) -> bool:
    right = t.bags() == p["number"] == t.rules["bag_limit"] and p["points"].params["count"] == t.rules["bag_penalty"]
    return right and _costs(t) and t.rules["overtrick_points"] >= 0 and t.rules["bag_penalty_to"] == to


# Bids


def _bid_of(t: Plain, a: str) -> int | None:
    number = int(a.removeprefix("bid:")) if a.startswith("bid:") else None
    return None if number == 0 and t.rules["nil"] else number


def _whole(t: Plain) -> int:
    return min(13, (t.counted + 60) // 100)


def _others(t: Plain) -> list[int | None]:
    """What the others have bid; 0 for one whose partner bid for both."""
    blind, three = t.data["blind_contracts"], [seat for seat in range(4) if seat != t.me]
    return [0 if t.data["bids"][one] is None and blind[min(t.side(one))] else t.data["bids"][one] for one in three]


def _sums(t: Plain, p: dict) -> bool:
    others = _others(t)
    return None not in others and p["others"] == sum(one or 0 for one in others) and p["counted"] == _whole(t)


def _holds(t: Plain, parts: Text) -> bool:
    """Are all cards held that a count names?"""
    if parts.key == "count.cards":
        ranks = parts.params["ranks"]
        found = [*ranks.params.values()] if ranks.key == "count.beside" else [ranks]
        while found and found[0].key == "count.beside":
            found[:1] = found[0].params.values()
        return all(one.key[-1] + parts.params["suit"].key[-1] in t.hand for one in found)
    if parts.key.startswith("card"):
        return name_of(parts) in t.hand
    if parts.key in ("count.void", "count.ruff"):
        return len(t.of(parts.params["suit"].key[-1])) <= 2 and bool(t.of("S"))
    if parts.key == "count.long":
        return parts.params["count"] < len(t.of("S"))
    return parts.key == "count.nothing" or all(_holds(t, one) for one in parts.params.values())


def _tricks_counted(t: Plain, p: dict) -> bool:
    return p["tricks"] == f"{t.counted / 100:.1f}"


def _lows(t: Plain) -> bool:
    return all(RANKS.index(t.of(suit)[0][0]) <= RANKS.index("5") for suit in "CDH" if t.of(suit))


def _is_nil(t: Plain, a: str) -> bool:
    return a == "bid:0" and t.rules["nil"]


def _enough(t: Plain, p: dict, a: str) -> bool:
    """Does this bid reach the target with the partner's, and one less not?"""
    bid, theirs = _bid_of(t, a) or 0, t.data["bids"][t.mate]
    ten, score = t.rules["ten_points"], t.data["scores"][min(t.side(t.me))]
    points = [
        score + (ten if ten is not None and bids >= 10 else 10 * bids) for bids in (bid + theirs, bid + theirs - 1)
    ]
    return points[0] == p["points"] >= t.rules["target"] == p["target"] > points[1]


NO_FACT = {f"why.{key}" for key in ("same", "close", "search", "slightly", "choice")}
STAKES: dict[str, Callable[[Plain, dict, dict], object]] = {
    "why.bid_wins": lambda t, p, reason: _reaches(t, p, t.side(t.me)),
    "why.their_bid_wins": lambda t, p, reason: _reaches(t, p, reason["side"]) and t.me not in reason["side"],
    "why.costs_point": lambda t, p, reason: _costs(t) and t.rules["overtrick_points"] < 0,
    "why.is_bag": lambda t, p, reason: _is_bag(t),
    "why.last_bag": lambda t, p, reason: _last_bag(t, p, "self"),
    "why.last_bag_given": lambda t, p, reason: _last_bag(t, p, "opponents"),
}
Claim = Callable[[Plain, dict, str, str], object]
NILS: dict[str, Claim] = {
    "nil_under": lambda t, p, a, b: (
        _my_nil(t) and t.winner()[1] == p["card"] and t.suit(a) == t.suit(t.trick[0][1]) and t.loses(a) and t.takes(b)
    ),
    "nil_no_ruff": lambda t, p, a, b: (
        _my_nil(t) and t.suit(a) != t.suit(t.trick[0][1]) and t.suit(b) == "S" and t.loses(a) and t.takes(b)
    ),
    "nil_drop": lambda t, p, a, b: _my_nil(t) and _drops(t, p, a, b),
    "nil_low_card": lambda t, p, a, b: (
        _my_nil(t) and t.later() and not any(t.loses(one) for one in t.legal if t.suit(one) == p["suit"])
        and t.takes(a) and _above(t, p, a) and t.suit(b) == p["suit"] and len(t.above(b)) < p["count"]
    ),
    "nil_lead": lambda t, p, a, b: _my_nil(t) and not t.trick and _above(t, p, a) and len(t.above(b)) < p["count"],
    "nil_save": lambda t, p, a, b: _mates_nil(t, p) and t.winner()[0] == t.mate and t.takes(a) and t.loses(b),
    "cover_play": lambda t, p, a, b: (
        _mates_nil(t, p) and t.mate in t.later() and t.takes(a) and (t.loses(b) or _lower(t, b, a))
    ),
    "cover_top": lambda t, p, a, b: _mates_nil(t, p) and _lead(t, p, a) and not t.above(a) and t.above(b),
    "cover_lead": lambda t, p, a, b: (
        _mates_nil(t, p) and _lead(t, p, a) and _above(t, p, a) and p["count"] <= 3 and len(t.above(b)) > p["count"]
    ),
    "cover_void": lambda t, p, a, b: (
        _mates_nil(t, p) and _lead(t, p, a) and t.out_of(t.mate, p["suit"]) and not t.out_of(t.mate, t.suit(b))
    ),
    "cover_keep": lambda t, p, a, b: (
        _mates_nil(t, p) and p["keep"] == b and t.loses(a) and t.winner()[0] != t.mate
        and len(t.above(b)) <= 3 and len(t.above(b)) < len(t.above(a))
    ),
    "set_under": lambda t, p, a, b: _foes_nil(t, p) and t.winner()[0] == p["who"] and t.loses(a) and t.takes(b),
    "set_low": lambda t, p, a, b: (
        _foes_nil(t, p) and p["who"] in t.later() and t.of(p["suit"])[0] == a and t.suit(b) == p["suit"] and t.takes(b)
    ),
    "set_keep": lambda t, p, a, b: (
        _foes_nil(t, p) and not t.trick and p["card"] in t.hand and t.above(a) and not t.above(p["card"])
        and t.of(t.suit(p["card"]))[0] == a and not t.out_of(p["who"], t.suit(a)) and len(t.above(a)) > len(t.above(b))
    ),
    "set_keep_low": lambda t, p, a, b: (
        _foes_nil(t, p) and p["keep"] == b and len(t.above(b)) == p["count"] > len(t.above(a)) and t.loses(a)
        and t.loses(b) and t.suit(a) == t.suit(b) and not t.out_of(p["who"], t.suit(b))
    ),
    "set_lead": lambda t, p, a, b: (
        _foes_nil(t, p) and _lead(t, p, a) and _above(t, p, a) and len(t.above(b)) < p["count"]
        and not t.out_of(p["who"], p["suit"])
    ),
    "set_not_void": lambda t, p, a, b: (
        _foes_nil(t, p) and not t.trick and t.suit(b) == p["suit"] != t.suit(a) and t.out_of(p["who"], p["suit"])
        and not t.out_of(p["who"], t.suit(a))
    ),
}  # fmt: skip
TRICKS: dict[str, Claim] = {
    "every_trick": lambda t, p, a, b: t.without_bids and t.takes(a) and t.loses(b),
    "take_all": lambda t, p, a, b: _needs(t, {"count": t.left}) and t.takes(a) and t.loses(b),
    "set": lambda t, p, a, b: _short(t, p) and t.takes(a) and t.loses(b),
    "set_all": lambda t, p, a, b: _all(t, p) and t.takes(a) and t.loses(b),
    "take_last": lambda t, p, a, b: _needs(t, p) and not t.later() and t.takes(a) and t.loses(b),
    "take_cheap": lambda t, p, a, b: p["card"] == a and not t.later() and t.takes(a) and t.takes(b) and _lower(t, a, b),
    "take_low": lambda t, p, a, b: p["keep"] == b and t.takes(a) and t.takes(b) and _lower(t, a, b),
    "take_top": lambda t, p, a, b: _needs(t, p) and t.takes(a) and _top(t, p, a) and (t.loses(b) or t.above(b)),
    "take_now": lambda t, p, a, b: _needs(t, p) and p["left"] == t.left and t.takes(a) and t.loses(b),
    "over": lambda t, p, a, b: _scores(t) and t.takes(a) and t.loses(b),
    "ruff": lambda t, p, a, b: (
        _needs(t, p) and not t.of(p["suit"]) and t.suit(t.trick[0][1]) == p["suit"] and t.takes(a)
        and t.suit(a) == "S" != t.suit(b)
    ),
    "play_high": lambda t, p, a, b: (
        p["card"] == b and t.suit(a) == p["suit"] and (not t.trick or (t.takes(a) and t.suit(b) == p["suit"]))
        and t.later() and len(t.above(a)) == p["count"] < p["more"] == len(t.above(b))
    ),
    "play_top": lambda t, p, a, b: (
        p["card"] == b and _top(t, p, a) and len(t.above(b)) == p["count"] > 0 and t.later()
        and (not t.trick or (t.takes(a) and t.suit(b) == p["suit"]))
    ),
    "partner_has": lambda t, p, a, b: (
        not t.later() and t.winner() == (p["who"], p["card"]) and p["who"] == t.mate and p["keep"] == b
        and t.loses(a) and t.takes(b)
    ),
    "partner_wins": lambda t, p, a, b: (
        t.later() and t.winner() == (p["who"], p["card"]) and p["who"] == t.mate and p["keep"] == b
        and t.loses(a) and t.takes(b)
    ),
    "duck": lambda t, p, a, b: _costs(t) and t.loses(a) and t.takes(b),
    "duck_low": lambda t, p, a, b: (
        _costs(t) and t.takes(a) and t.takes(b) and t.later() and _above(t, p, a) and t.suit(b) == p["suit"]
        and t.suit(t.trick[0][1]) == p["suit"] and len(t.above(b)) < p["count"]
    ),
    "win_high": lambda t, p, a, b: (
        _costs(t) and not t.later() and p["card"] == b and t.takes(a) and t.takes(b) and _lower(t, b, a)
    ),
    "bag_drop": lambda t, p, a, b: _costs(t) and _drops(t, p, a, b),
    "bag_lead": lambda t, p, a, b: _costs(t) and _lead(t, p, a) and _above(t, p, a) and len(t.above(b)) < p["count"],
    "wait": lambda t, p, a, b: (
        len(t.trick) == 1 and p["who"] == t.mate in t.later() and p["keep"] == b and _top(t, p, b) and _lower(t, a, b)
    ),
    "second_low": lambda t, p, a, b: (
        len(t.trick) == 1 and p["who"] == t.mate in t.later() and p["keep"] == b and len(t.above(b)) == p["count"] > 0
        and _lower(t, a, b) and t.takes(b)
    ),
    "give_up": lambda t, p, a, b: (
        t.need(t.me) == p["need"] > p["count"] == t.left and not t.without_bids and t.loses(a) and t.takes(b)
    ),
    "can_spare": lambda t, p, a, b: (
        _needs(t, p) and p["left"] == t.left >= 2 * p["count"] and t.loses(a) and t.takes(b)
    ),
    "cannot_win": lambda t, p, a, b: (
        t.trick and not any(map(t.takes, t.legal)) and t.of(p["suit"])[0] == a and t.suit(b) == p["suit"]
    ),
    "lose_low": lambda t, p, a, b: (
        p["keep"] == b and t.winner()[1] == p["card"] and t.loses(a) and t.loses(b) and t.rank(a) < t.rank(b)
        and t.suit(a) == t.suit(b)
    ),
}  # fmt: skip
KEEPING: dict[str, Claim] = {
    "waste": lambda t, p, a, b: p["keep"] == b and _top(t, p, b) and t.loses(b) and t.winner()[1] == p["card"],
    "guard": lambda t, p, a, b: (
        t.of(t.suit(b)) == [b, p["card"]] and p["keep"] == b and len(t.above(p["card"])) == 1 and t.suit(a) != t.suit(b)
    ),
    "keep_top": lambda t, p, a, b: p["keep"] == b and _top(t, p, b) and t.above(a),
    "keep_high": lambda t, p, a, b: (
        p["keep"] == b and _above(t, p, b) and p["count"] <= 2 and len(t.above(a)) > p["count"]
    ),
    "keep_better": lambda t, p, a, b: (
        p["keep"] == b and t.suit(b) == p["suit"] and len(t.above(b)) == p["count"] < p["more"] == len(t.above(a))
    ),
    "spade_loses": lambda t, p, a, b: (
        t.winner()[1] == p["card"] and t.suit(b) == "S" != t.suit(a) and t.loses(b) and t.suit(p["card"]) == "S"
    ),
    "spade_waits": lambda t, p, a, b: (
        p["keep"] == b and p["who"] == t.mate in t.later() and t.suit(b) == "S" != t.suit(a)
    ),
    "throw_last": lambda t, p, a, b: (
        t.of(p["suit"]) == [a] and t.of("S") and t.trick and t.suit(a) != "S" and t.of(t.suit(b)) != [b]
    ),
    "throw_loser": lambda t, p, a, b: t.loses(a) and _above(t, p, a) and len(t.above(b)) < p["count"],
}  # fmt: skip
LEADS: dict[str, Claim] = {
    "lead_top": lambda t, p, a, b: _needs(t, p) and _lead(t, p, a) and not t.above(a) and t.above(b),
    "lead_sure": lambda t, p, a, b: (
        _needs(t, p) and _lead(t, p, a) and all(t.winner([(t.me, a), (-1, one)])[0] == t.me for one in t.out)
        and not t.left_in("S") and t.above(b)
    ),
    "lead_every": lambda t, p, a, b: (
        (t.without_bids or _scores(t)) and _lead(t, p, a) and not t.above(a) and t.above(b)
    ),
    "lead_set": lambda t, p, a, b: _short(t, p) and _lead(t, p, a) and not t.above(a) and t.above(b),
    "lead_set_all": lambda t, p, a, b: _all(t, p) and _lead(t, p, a) and not t.above(a) and t.above(b),
    "lead_near": lambda t, p, a, b: (
        _lead(t, p, a) and _above(t, p, a) and p["count"] <= 2 and len(t.above(b)) > p["count"]
    ),
    "partner_ruffs": lambda t, p, a, b: (
        p["who"] == t.mate and _lead(t, p, a) and _may_ruff(t, t.mate, p["suit"])
        and not _may_ruff(t, t.mate, t.suit(b))
    ),
    "partner_led": lambda t, p, a, b: (
        p["who"] == t.mate and _lead(t, p, a) and p["suit"] in _suits_led(t, t.mate)
        and t.suit(b) not in _suits_led(t, t.mate)
    ),
    "foe_ruffs": lambda t, p, a, b: (
        p["who"] not in t.side(t.me) and not t.trick and t.suit(b) == p["suit"] != t.suit(a)
        and _may_ruff(t, p["who"], p["suit"])
    ),
    "short": lambda t, p, a, b: (
        not t.trick and t.suit(b) == p["suit"] != t.suit(a) and len(t.left_in(p["suit"])) == p["count"] < 3
        and p["suit"] != "S" and t.left_in("S")
    ),
    "leave": lambda t, p, a, b: (
        not t.trick and t.suit(b) == p["suit"] != t.suit(a) and t.of(p["suit"])[-1] == p["card"]
        and 1 <= len(t.above(p["card"])) == p["count"] <= 2
    ),
    "draw": lambda t, p, a, b: (
        not t.trick and t.suit(a) == "S" != t.suit(b) and len(t.of("S")) == p["own"] > p["count"] == len(t.left_in("S"))
    ),
    "draw_first": lambda t, p, a, b: (
        not t.trick and t.suit(a) == "S" != t.suit(b) and p["count"] == len(t.left_in("S")) > 0
        and p["card"] in t.hand and t.suit(p["card"]) != "S" and not t.above(p["card"])
    ),
    "keep_spades": lambda t, p, a, b: (
        not t.trick and t.suit(b) == "S" != t.suit(a) and not t.of(p["suit"]) and t.left_in(p["suit"])
    ),
    "low_spade": lambda t, p, a, b: (
        not t.trick and p["card"] == b and t.suit(b) == "S" != t.suit(a) and len(t.above(b)) == p["count"] > 0
    ),
    "lead_short": lambda t, p, a, b: (
        _lead(t, p, a) and p["suit"] != "S" and t.of("S") and len(t.of(p["suit"])) == p["count"] <= 2
        and len(t.of(t.suit(b))) > p["count"]
    ),
    "lead_long": lambda t, p, a, b: (
        _lead(t, p, a) and len(t.of(p["suit"])) == p["count"] and t.suit(b) != p["suit"]
        and all(len(t.of(other)) < p["count"] for other in "CDHS" if other != p["suit"])
    ),
    "lead_safe": lambda t, p, a, b: (
        _lead(t, p, a) and t.suit(b) == p["other"] and t.left_in("S") and "S" not in (p["suit"], p["other"])
        and len(t.left_in(p["suit"])) == p["more"] > p["fewer"] == len(t.left_in(p["other"]))
    ),
    "pass_high": lambda t, p, a, b: _my_nil(t) and t.of(p["suit"])[-1] == a and len(t.below(a)) > len(t.below(b)),
    "pass_low": lambda t, p, a, b: _mates_nil(t, p) and t.of(p["suit"])[0] == a and t.rank(a) < t.rank(b),
}  # fmt: skip
BIDS: dict[str, Claim] = {
    "bid": lambda t, p, a, b: _bid_of(t, a) == _whole(t) and _holds(t, p["parts"]),
    "bid_over": lambda t, p, a, b: (_bid_of(t, a) or 0) > _whole(t) and _tricks_counted(t, p) and _holds(t, p["parts"]),
    "bid_over_nothing": lambda t, p, a, b: (_bid_of(t, a) or 0) > _whole(t) and _tricks_counted(t, p),
    "bid_under": lambda t, p, a, b: (
        (_bid_of(t, a) or 0) < _whole(t) and _tricks_counted(t, p) and _holds(t, p["parts"])
    ),
    "bid_trumps": lambda t, p, a, b: (
        t.rules["bidding"] in ("mirror", "whiz") and _bid_of(t, a) == p["count"] == len(t.of("S"))
    ),
    "bid_board": lambda t, p, a, b: (
        p["board"] == t.rules["least_bid"] and _whole(t) < (_bid_of(t, a) or 0)
        and _bid_of(t, a) == min(filter(None, (_bid_of(t, one) for one in t.legal)))
    ),
    "bid_less": lambda t, p, a, b: (
        _sums(t, p) and (_bid_of(t, a) or 0) < _whole(t) and p["sum"] == p["others"] + _whole(t)
    ),
    "bid_more": lambda t, p, a, b: _sums(t, p) and (_bid_of(t, a) or 0) > _whole(t),
    "bid_enough": lambda t, p, a, b: _enough(t, p, a),
    "nil_low": lambda t, p, a, b: _is_nil(t, a) and t.of("S")[-1] == p["card"] and t.rank(p["card"]) <= 7 and _lows(t),
    "nil_no_spade": lambda t, p, a, b: _is_nil(t, a) and not t.of("S") and _lows(t),
    "nil_count": lambda t, p, a, b: _is_nil(t, a) and _tricks_counted(t, p) and t.counted < 200,
    "nil_behind": lambda t, p, a, b: (
        _is_nil(t, a) and p["points"] == t.rules["nil_bonus"] <= p["count"]
        and p["count"] == max(t.data["scores"]) - t.data["scores"][min(t.side(t.me))]
    ),
    "nil_covered": lambda t, p, a, b: _is_nil(t, a) and p["who"] == t.mate and t.data["bids"][t.mate] == p["bid"] >= 4,
    "no_nil_high": lambda t, p, a, b: _is_nil(t, b) and t.of("S")[-1] == p["card"] in t.order[-3:],
    "no_nil_long": lambda t, p, a, b: _is_nil(t, b) and p["count"] == len(t.of("S")) >= 4,
}  # fmt: skip
OF_CARDS, OF_BIDS = (
    {f"why.{key}": claim for key, claim in found.items()} for found in (NILS | TRICKS | KEEPING | LEADS, BIDS)
)
CLAIMS = OF_CARDS | OF_BIDS
