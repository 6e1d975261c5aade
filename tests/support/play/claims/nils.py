"""Claims about nils: the seat's own, its partner's and an opponent's, and the cards passed for them."""

from support.play.claims.facts import Claim, above, drops, foes_nil, lead, lower, mates_nil, my_nil

NILS: dict[str, Claim] = {
    "nil_under": lambda t, p, a, b: (
        my_nil(t) and t.winner()[1] == p["card"] and t.suit(a) == t.suit(t.trick[0][1]) and t.loses(a) and t.takes(b)
    ),
    "nil_no_ruff": lambda t, p, a, b: (
        my_nil(t) and t.suit(a) != t.suit(t.trick[0][1]) and t.suit(b) == "S" and t.loses(a) and t.takes(b)
    ),
    "nil_drop": lambda t, p, a, b: my_nil(t) and drops(t, p, a, b),
    "nil_low_card": lambda t, p, a, b: (
        my_nil(t) and t.later() and not any(t.loses(one) for one in t.legal if t.suit(one) == p["suit"])
        and t.takes(a) and above(t, p, a) and t.suit(b) == p["suit"] and len(t.above(b)) < p["count"]
    ),
    "nil_lead": lambda t, p, a, b: my_nil(t) and not t.trick and above(t, p, a) and len(t.above(b)) < p["count"],
    "nil_save": lambda t, p, a, b: mates_nil(t, p) and t.winner()[0] == t.mate and t.takes(a) and t.loses(b),
    "cover_play": lambda t, p, a, b: (
        mates_nil(t, p) and t.mate in t.later() and t.takes(a) and (t.loses(b) or lower(t, b, a))
    ),
    "cover_top": lambda t, p, a, b: mates_nil(t, p) and lead(t, p, a) and not t.above(a) and t.above(b),
    "cover_lead": lambda t, p, a, b: (
        mates_nil(t, p) and lead(t, p, a) and above(t, p, a) and p["count"] <= 3 and len(t.above(b)) > p["count"]
    ),
    "cover_void": lambda t, p, a, b: (
        mates_nil(t, p) and lead(t, p, a) and t.out_of(t.mate, p["suit"]) and not t.out_of(t.mate, t.suit(b))
    ),
    "cover_keep": lambda t, p, a, b: (
        mates_nil(t, p) and p["keep"] == b and t.loses(a) and t.winner()[0] != t.mate
        and len(t.above(b)) <= 3 and len(t.above(b)) < len(t.above(a))
    ),
    "set_under": lambda t, p, a, b: foes_nil(t, p) and t.winner()[0] == p["who"] and t.loses(a) and t.takes(b),
    "set_low": lambda t, p, a, b: (
        foes_nil(t, p) and p["who"] in t.later() and t.of(p["suit"])[0] == a and t.suit(b) == p["suit"] and t.takes(b)
    ),
    "set_keep": lambda t, p, a, b: (
        foes_nil(t, p) and not t.trick and p["card"] in t.hand and t.above(a) and not t.above(p["card"])
        and t.of(t.suit(p["card"]))[0] == a and not t.out_of(p["who"], t.suit(a)) and len(t.above(a)) > len(t.above(b))
    ),
    "set_keep_low": lambda t, p, a, b: (
        foes_nil(t, p) and p["keep"] == b and len(t.above(b)) == p["count"] > len(t.above(a)) and t.loses(a)
        and t.loses(b) and t.suit(a) == t.suit(b) and not t.out_of(p["who"], t.suit(b))
    ),
    "set_lead": lambda t, p, a, b: (
        foes_nil(t, p) and lead(t, p, a) and above(t, p, a) and len(t.above(b)) < p["count"]
        and not t.out_of(p["who"], p["suit"])
    ),
    "set_not_void": lambda t, p, a, b: (
        foes_nil(t, p) and not t.trick and t.suit(b) == p["suit"] != t.suit(a) and t.out_of(p["who"], p["suit"])
        and not t.out_of(p["who"], t.suit(a))
    ),
    "pass_high": lambda t, p, a, b: my_nil(t) and t.of(p["suit"])[-1] == a and len(t.below(a)) > len(t.below(b)),
    "pass_low": lambda t, p, a, b: mates_nil(t, p) and t.of(p["suit"])[0] == a and t.rank(a) < t.rank(b),
}  # fmt: skip
