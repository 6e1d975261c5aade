"""Claims about bids."""

from support.play.claims.facts import Claim, name_of
from support.play.plain import Plain

from spades_env.game.cards import RANKS
from spades_env.play.texts import Text


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


BIDS: dict[str, Claim] = {
    "bid": lambda t, p, a, b: _bid_of(t, a) == _whole(t) and _holds(t, p["parts"]),
    "bid_count": lambda t, p, a, b: _bid_of(t, a) == _whole(t) and _tricks_counted(t, p),
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
