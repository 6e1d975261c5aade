"""Claims about leads."""

from support.play.claims.facts import Claim, above, all_needed, lead, needs, scores, short
from support.play.plain import Plain


def _may_ruff(t: Plain, seat: int | None, suit: str) -> bool:
    return suit != "S" and t.out_of(seat, suit) and not t.out_of(seat, "S") and bool(t.left_in("S"))


def _suits_led(t: Plain, seat: int | None) -> set[str]:
    return {t.suit(trick["cards"][0]) for trick in t.data["tricks_played"] if trick["leader"] == seat}


LEADS: dict[str, Claim] = {
    "lead_top": lambda t, p, a, b: needs(t, p) and lead(t, p, a) and not t.above(a) and t.above(b),
    "lead_sure": lambda t, p, a, b: (
        needs(t, p) and lead(t, p, a) and all(t.winner([(t.me, a), (-1, one)])[0] == t.me for one in t.out)
        and not t.left_in("S") and t.above(b)
    ),
    "lead_every": lambda t, p, a, b: (
        (t.without_bids or scores(t)) and lead(t, p, a) and not t.above(a) and t.above(b)
    ),
    "lead_set": lambda t, p, a, b: short(t, p) and lead(t, p, a) and not t.above(a) and t.above(b),
    "lead_set_all": lambda t, p, a, b: all_needed(t, p) and lead(t, p, a) and not t.above(a) and t.above(b),
    "lead_near": lambda t, p, a, b: (
        lead(t, p, a) and above(t, p, a) and p["count"] <= 2 and len(t.above(b)) > p["count"]
    ),
    "partner_ruffs": lambda t, p, a, b: (
        p["who"] == t.mate and lead(t, p, a) and _may_ruff(t, t.mate, p["suit"])
        and not _may_ruff(t, t.mate, t.suit(b))
    ),
    "partner_led": lambda t, p, a, b: (
        p["who"] == t.mate and lead(t, p, a) and p["suit"] in _suits_led(t, t.mate)
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
    "short_none": lambda t, p, a, b: (
        not t.trick and t.suit(b) == p["suit"] not in (t.suit(a), "S") and not t.left_in(p["suit"]) and t.left_in("S")
    ),
    "leave": lambda t, p, a, b: (
        not t.trick and t.suit(b) == p["suit"] != t.suit(a) and t.of(p["suit"])[-1] == p["card"]
        and 1 <= len(t.above(p["card"])) == p["count"] <= 2
    ),
    "draw": lambda t, p, a, b: (
        not t.trick and t.suit(a) == "S" != t.suit(b) and len(t.of("S")) == p["own"] > p["count"] == len(t.left_in("S"))
    ),
    "draw_first": lambda t, p, a, b: (
        not t.trick and t.suit(a) == "S" != t.suit(b) and 2 * len(t.of("S")) >= p["count"] == len(t.left_in("S")) > 0
        and p["card"] in t.hand and t.suit(p["card"]) != "S" and not t.above(p["card"])
    ),
    "keep_spades": lambda t, p, a, b: (
        not t.trick and t.suit(b) == "S" != t.suit(a) and not t.of(p["suit"]) and t.left_in(p["suit"])
    ),
    "low_spade": lambda t, p, a, b: (
        not t.trick and p["card"] == b and t.suit(b) == "S" != t.suit(a) and len(t.above(b)) == p["count"] > 0
    ),
    "lead_short": lambda t, p, a, b: (
        lead(t, p, a) and p["suit"] != "S" and t.of("S") and len(t.of(p["suit"])) == p["count"] <= 2
        and t.left_in(p["suit"]) and len(t.of(t.suit(b))) > p["count"]
    ),
    "lead_long": lambda t, p, a, b: (
        lead(t, p, a) and len(t.of(p["suit"])) == p["count"] and t.suit(b) != p["suit"]
        and all(len(t.of(other)) < p["count"] for other in "CDHS" if other != p["suit"])
    ),
    "lead_safe": lambda t, p, a, b: (
        lead(t, p, a) and t.suit(b) == p["other"] and t.left_in("S") and "S" not in (p["suit"], p["other"])
        and len(t.left_in(p["suit"])) == p["more"] > p["fewer"] == len(t.left_in(p["other"]))
    ),
}  # fmt: skip
