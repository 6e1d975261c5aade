"""What each reason of the coach claims, proved with separate, simple code from the plain data of a view.

    is_true(view, reason, advised)              is everything that the sentence says so?
    is_true(view, reason, advised, instead)     … and does it tell the two actions apart?

A sentence claims what a person reads in it: "your lowest heart" is the lowest of the hand, and what is "still out" is
in somebody else's. Seats are called by their numbers: NAMES.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from support.play.claims.bids import BIDS
from support.play.claims.facts import costs, name_of
from support.play.claims.leads import LEADS
from support.play.claims.nils import NILS
from support.play.claims.tricks import KEEPING, TRICKS
from support.play.plain import Plain

from spades_env.game.cards import action_name
from spades_env.game.view import View
from spades_env.play.texts import Text

NAMES = ["seat 0", "seat 1", "seat 2", "seat 3"]
NO_FACT = {f"why.{key}" for key in ("same", "close", "search", "slightly", "choice")}
OF_CARDS, OF_BIDS = (
    {f"why.{key}": claim for key, claim in found.items()} for found in (NILS | TRICKS | KEEPING | LEADS, BIDS)
)
CLAIMS = OF_CARDS | OF_BIDS


def is_true(view: View, reason: Text, advised: int, instead: int | None = None) -> bool:
    """Prove a reason for an action, against another one or against any other that is legal."""
    t, p = _position(view), plain(reason.params)
    others = [one for one in view.legal_actions() if one != advised] if instead is None else [instead]
    if reason.key == "why.with":
        reason, stake = reason.params["reason"], reason.params["stake"]
        p = plain(reason.params)
        if not STAKES[stake.key](t, plain(stake.params), p | {"key": reason.key, "advised": action_name(advised)}):
            return False
    if reason.key not in CLAIMS:
        return reason.key in NO_FACT
    claim, done = CLAIMS[reason.key], action_name(advised)
    return any(claim(t, p, done, action_name(other)) for other in others)


def plain(params: Mapping) -> dict:
    """Return the parameters of a sentence with cards and suits as letters, seats as numbers, a side as its seats."""
    p = dict(params)
    for name in {"card", "second", "keep"} & p.keys():
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


def _bid_worth(t: Plain, side: list[int]) -> int:
    bid = t.bid(side)
    worth = t.rules["ten_points"] if t.rules["ten_points"] is not None and bid >= 10 else 10 * bid
    return worth * 2 if t.data["blind_contracts"][min(side)] else worth


def _reaches(t: Plain, p: dict, side: list[int]) -> bool:
    """Does a side have these points, the target at least, once it has made its bid, and can no nil change that?"""
    points = t.data["scores"][min(side)] + _bid_worth(t, side)
    nil = any(t.data["nils"][one] for one in side)
    return not nil and points == p["points"] >= t.rules["target"] == p["target"]


def _turns(t: Plain, p: dict, reason: dict) -> object:
    return p["points"] == _bid_worth(t, reason["side"]) and STAKES[p["bag"].key](t, plain(p["bag"].params), reason)


def _named(t: Plain, p: dict, reason: dict) -> bool:
    """Are these all the cards that the reason counts, and can nobody but `who` have them?"""
    cards = [p[name] for name in ("card", "second") if name in p]
    key = reason["key"].removeprefix("why.")
    counted = t.below(reason["advised"]) if key == "nil_drop" else t.above(reason.get("keep", reason["advised"]))
    done = [seat for seat, _ in t.trick]
    able = [
        seat for seat in range(4) if seat != t.me and t.left - (seat in done) and not t.out_of(seat, t.suit(cards[0]))
    ]
    return (
        sorted(cards) == sorted(counted)
        and len(cards) == reason["count"]
        and p.get("who") == (able[0] if len(able) == 1 else None)
    )


def _ends_tally(t: Plain) -> bool:
    return bool(t.rules["bag_limit"]) and t.bags() % t.rules["bag_limit"] == 0


def _is_bag(t: Plain) -> bool:
    return costs(t) and t.rules["overtrick_points"] >= 0 and not _ends_tally(t)


def _last_bag(t: Plain, p: dict, to: str) -> bool:
    right = t.bags() == p["number"] and p["points"].params["count"] == t.rules["bag_penalty"]
    return right and costs(t) and _ends_tally(t) and t.rules["bag_penalty_to"] == to


STAKES: dict[str, Callable[[Plain, dict, dict], object]] = {
    "why.bid_wins": lambda t, p, reason: _reaches(t, p, t.side(t.me)),
    "why.their_bid_wins": lambda t, p, reason: _reaches(t, p, reason["side"]) and t.me not in reason["side"],
    "why.set_turns": _turns,
    **dict.fromkeys(("why.card", "why.cards", "why.card_of", "why.cards_of"), _named),
    "why.costs_point": lambda t, p, reason: costs(t) and t.rules["overtrick_points"] < 0 and not _ends_tally(t),
    "why.is_bag": lambda t, p, reason: _is_bag(t),
    "why.last_bag": lambda t, p, reason: _last_bag(t, p, "self"),
    "why.last_bag_given": lambda t, p, reason: _last_bag(t, p, "opponents"),
}
