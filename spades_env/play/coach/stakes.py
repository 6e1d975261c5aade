"""What a reason is worth in points: a bid that reaches the target, the bag that costs a hundred."""

from collections.abc import Callable

from spades_env.game.cards import Side
from spades_env.play.coach.case import Case
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


def another(case: Case) -> Text | None:
    """Say what another trick costs."""
    s, rules = case.sight, case.sight.rules
    if rules.overtrick_points < 0:
        return text("why.costs_point")
    if s.next_bag != rules.bag_limit:
        return text("why.is_bag")
    key = "why.last_bag" if rules.bag_penalty_to == "self" else "why.last_bag_given"
    return text(key, number=s.next_bag, points=text("points", count=rules.bag_penalty))


def _with_bid(case: Case, side: Side) -> int | None:
    """Return the points that a side has once it makes its bid, if that reaches the target and no nil changes it."""
    view, rules = case.sight.view, case.sight.rules
    seats = rules.seats(side)
    if rules.target is None or any(view.nils[seat] for seat in seats):
        return None
    worth = bid_points(rules, sum(view.bids[seat] or 0 for seat in seats)) * (1 + bool(view.blind_contracts[side]))
    points = view.scores[side] + worth
    return points if points >= rules.target else None


STAKES: tuple[tuple[frozenset[str], Callable[[Case], Text | None]], ...] = (
    (frozenset({"take_all", "take_last", "take_top", "take_now", "ruff", "lead_top", "lead_sure"}), ours),
    (frozenset({"set", "set_all", "lead_set", "lead_set_all"}), theirs),
    (frozenset({"duck", "duck_low", "win_high", "bag_drop", "bag_lead"}), another),
)
