"""Claims about taking tricks, losing them, and keeping cards for later ones."""

from support.play.claims.facts import Claim, above, all_needed, costs, drops, lead, lower, needs, scores, short, top

TRICKS: dict[str, Claim] = {
    "every_trick": lambda t, p, a, b: t.without_bids and t.takes(a) and t.loses(b),
    "take_all": lambda t, p, a, b: needs(t, {"count": t.left}) and t.takes(a) and t.loses(b),
    "set": lambda t, p, a, b: short(t, p) and t.takes(a) and t.loses(b),
    "set_all": lambda t, p, a, b: all_needed(t, p) and t.takes(a) and t.loses(b),
    "take_last": lambda t, p, a, b: needs(t, p) and not t.later() and t.takes(a) and t.loses(b),
    "take_cheap": lambda t, p, a, b: p["card"] == a and not t.later() and t.takes(a) and t.takes(b) and lower(t, a, b),
    "take_low": lambda t, p, a, b: p["keep"] == b and t.takes(a) and t.takes(b) and lower(t, a, b),
    "take_top": lambda t, p, a, b: needs(t, p) and t.takes(a) and top(t, p, a) and (t.loses(b) or t.above(b)),
    "take_now": lambda t, p, a, b: needs(t, p) and p["left"] == t.left and t.takes(a) and t.loses(b),
    "over": lambda t, p, a, b: scores(t) and t.takes(a) and t.loses(b),
    "ruff": lambda t, p, a, b: (
        needs(t, p) and not t.of(p["suit"]) and t.suit(t.trick[0][1]) == p["suit"] and t.takes(a)
        and t.suit(a) == "S" != t.suit(b)
    ),
    "play_high": lambda t, p, a, b: (
        p["card"] == b and t.suit(a) == p["suit"] and (not t.trick or (t.takes(a) and t.suit(b) == p["suit"]))
        and t.later() and len(t.above(a)) == p["count"] < p["more"] == len(t.above(b))
    ),
    "play_top": lambda t, p, a, b: (
        p["card"] == b and top(t, p, a) and len(t.above(b)) == p["count"] > 0 and t.later()
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
    "duck": lambda t, p, a, b: costs(t) and t.loses(a) and t.takes(b),
    "duck_low": lambda t, p, a, b: (
        costs(t) and t.takes(a) and t.takes(b) and t.later() and above(t, p, a) and t.suit(b) == p["suit"]
        and t.suit(t.trick[0][1]) == p["suit"] and len(t.above(b)) < p["count"]
    ),
    "win_high": lambda t, p, a, b: (
        costs(t) and not t.later() and p["card"] == b and t.takes(a) and t.takes(b) and lower(t, b, a)
    ),
    "bag_drop": lambda t, p, a, b: costs(t) and drops(t, p, a, b),
    "bag_lead": lambda t, p, a, b: costs(t) and lead(t, p, a) and above(t, p, a) and len(t.above(b)) < p["count"],
    "wait": lambda t, p, a, b: (
        len(t.trick) == 1 and p["who"] == t.mate in t.later() and p["keep"] == b and top(t, p, b) and lower(t, a, b)
    ),
    "second_low": lambda t, p, a, b: (
        len(t.trick) == 1 and p["who"] == t.mate in t.later() and p["keep"] == b and len(t.above(b)) == p["count"] > 0
        and lower(t, a, b) and t.takes(b)
    ),
    "give_up": lambda t, p, a, b: (
        t.need(t.me) == p["need"] > p["count"] == t.left and not t.without_bids and t.loses(a) and t.takes(b)
    ),
    "can_spare": lambda t, p, a, b: (
        needs(t, p) and p["left"] == t.left >= 2 * p["count"] and t.loses(a) and t.takes(b)
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
    "waste": lambda t, p, a, b: (
        p["keep"] == b and top(t, p, b) and t.loses(a) and t.loses(b) and t.winner()[1] == p["card"]
    ),
    "guard": lambda t, p, a, b: (
        t.of(t.suit(b)) == [b, p["card"]] and p["keep"] == b and len(t.above(p["card"])) == 1 and t.suit(a) != t.suit(b)
        and (not t.trick or t.loses(a))
    ),
    "keep_top": lambda t, p, a, b: p["keep"] == b and top(t, p, b) and t.above(a),
    "keep_high": lambda t, p, a, b: (
        p["keep"] == b and above(t, p, b) and p["count"] <= 2 and len(t.above(a)) > p["count"]
    ),
    "keep_better": lambda t, p, a, b: (
        p["keep"] == b and t.suit(b) == p["suit"] and len(t.above(b)) == p["count"] <= p["more"] // 2
        and p["more"] == len(t.above(a))
    ),
    "spade_loses": lambda t, p, a, b: (
        p["keep"] == b and t.winner()[1] == p["card"] and t.suit(b) == "S" != t.suit(a) and t.loses(b)
        and t.suit(p["card"]) == "S"
    ),
    "spade_waits": lambda t, p, a, b: (
        p["keep"] == b and p["who"] == t.mate in t.later() and t.suit(b) == "S" != t.suit(a)
    ),
    "throw_last": lambda t, p, a, b: (
        t.of(p["suit"]) == [a] and t.of("S") and t.trick and t.suit(a) != "S" and t.of(t.suit(b)) != [b]
    ),
    "throw_loser": lambda t, p, a, b: t.loses(a) and above(t, p, a) and len(t.above(b)) < p["count"],
}  # fmt: skip
