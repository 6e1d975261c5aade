"""Add to a reason what is at stake: points, the bag that costs a hundred, the cards that can still break a nil."""

from collections.abc import Callable

from spades_env.game.cards import Card, Side
from spades_env.play.coach.case import Case
from spades_env.play.table.seats import card_text
from spades_env.play.table.sheet import bid_points
from spades_env.play.texts import Text, text


def with_stake(case: Case, words: Text) -> Text:
    """Return a reason with what is at stake in it, if that is worth a sentence."""
    for keys, stake in STAKES:
        if words.key.removeprefix("why.") in keys and (more := stake(case)) is not None:
            return text("why.with", reason=words, stake=more)
    return words


def ours(case: Case) -> Text | None:
    points = _with_bid(case, case.sight.side)
    return None if points is None else text("why.bid_wins", points=points, target=case.sight.rules.target)


def theirs(case: Case) -> Text | None:
    side = case.sight.tight
    points = None if side is None else _with_bid(case, side)
    return None if points is None else text("why.their_bid_wins", points=points, target=case.sight.rules.target)


def a_set(case: Case) -> Text | None:
    """Weigh what a set costs the other side against the bag it costs us."""
    bag = another(case) if case.sight.another_costs else None
    if bag is None or case.sight.tight is None:
        return None
    return text("why.set_turns", points=_bid_worth(case, case.sight.tight), bag=bag)


def higher(case: Case) -> Text | None:
    return _named(case, case.sight.above(case.advised))


def higher_kept(case: Case) -> Text | None:
    return _named(case, case.sight.above(case.instead))


def lower(case: Case) -> Text | None:
    return _named(case, case.sight.below(case.advised))


def another(case: Case) -> Text | None:
    """Say what another trick costs."""
    s, rules = case.sight, case.sight.rules
    if not rules.bag_limit or not rules.bag_penalty or s.next_bag % rules.bag_limit:
        return text("why.costs_point" if rules.overtrick_points < 0 else "why.is_bag")
    key = "why.last_bag" if rules.bag_penalty_to == "self" else "why.last_bag_given"
    return text(key, number=s.next_bag, points=text("points", count=rules.bag_penalty))


def _with_bid(case: Case, side: Side) -> int | None:
    """Return the points that a side has once it makes its bid, if that reaches the target and no nil changes it."""
    view, rules = case.sight.view, case.sight.rules
    seats = rules.seats(side)
    if rules.target is None or any(view.nils[seat] for seat in seats):
        return None
    points = view.scores[side] + _bid_worth(case, side)
    return points if points >= rules.target else None


def _bid_worth(case: Case, side: Side) -> int:
    view, rules = case.sight.view, case.sight.rules
    bid = sum(view.bids[seat] or 0 for seat in rules.seats(side))
    return bid_points(rules, bid) * (1 + bool(view.blind_contracts[side]))


def _named(case: Case, found: list[Card]) -> Text | None:
    """Name one or two cards that are out, and their holder if only one seat can have them."""
    if not 1 <= len(found) <= 2:
        return None
    key, named = "why.card", {"card": card_text(found[0])}
    if len(found) == 2:
        key, named = "why.cards", named | {"second": card_text(found[1])}
    holders = case.sight.holders(case.sight.suit(found[0]))
    return text(f"{key}_of", who=case.who(holders[0]), **named) if len(holders) == 1 else text(key, **named)


STAKES: tuple[tuple[frozenset[str], Callable[[Case], Text | None]], ...] = (
    (frozenset({"take_all", "take_last", "take_top", "take_now", "ruff", "lead_top", "lead_sure"}), ours),
    (frozenset({"set", "set_all", "lead_set", "lead_set_all"}), theirs),
    (frozenset({"set", "set_all", "lead_set", "lead_set_all"}), a_set),
    (frozenset({"nil_low_card", "nil_lead", "cover_lead", "set_lead"}), higher),
    (frozenset({"set_keep_low"}), higher_kept),
    (frozenset({"nil_drop"}), lower),
    (frozenset({"duck", "duck_low", "win_high", "bag_drop", "bag_lead"}), another),
)
