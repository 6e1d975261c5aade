"""Why this action, in words that are true: the first reason that fits, or else what the adviser's figures say.

    explain(view, weighed, kind, names, "Zofia")              why the first action, and not those that are worse
    explain(view, weighed, kind, names, "Zofia", instead=…)   why the first action, and not this one

A reason fits if each of its facts holds, if it tells the best action from the other one, and if the figures bear it
out: it speaks against no action that is as good as the best, and those it speaks against are worth less, on average,
than the others. Beside a single action, one will do that the figures of these two bear out.
"""

from collections.abc import Sequence

from spades_env.agents.base import Hint
from spades_env.agents.measures import CHANCE
from spades_env.game.cards import Action
from spades_env.game.view import View
from spades_env.play.coach import bids, keeping, leads, nils, tricks
from spades_env.play.coach.case import Case, Reason
from spades_env.play.coach.known import Sight
from spades_env.play.coach.stakes import with_stake
from spades_env.play.table.advice import SAME
from spades_env.play.table.seats import Names
from spades_env.play.texts import Text, text

NOTABLE = 0.005  # a loss of the chance to win that is worth a reason
REASONS: dict[str, Sequence[Reason]] = {
    "blind": (),
    "bid": bids.BIDS,
    "pass": leads.PASSES,
    "play": (
        *(*nils.OWN, *nils.PARTNERS, *nils.OTHERS, *tricks.TAKING, *tricks.LEAVING),
        *(*leads.LEADS, *keeping.KEEPING, *tricks.MORE, *keeping.MORE),
    ),
}


def explain(view: View, weighed: Hint, kind: str, names: Names, by: str, instead: Action | None = None) -> Text | None:
    """Return the reason for the best action; None if there is no choice. weighed: best first; kind: of the weights."""
    if len(view.legal_actions()) < 2 or not weighed:
        return None
    sight = Sight(view)
    advised, rest = weighed[0][0], _others(sight, weighed)
    if not rest:
        return text("why.same")
    rivals = [instead] if instead is not None else _rivals(weighed[0][1], rest, kind)
    if not rivals:
        gap = max(weighed[0][1] - weight for _, weight in rest)
        return text("why.close" if gap >= SAME else "why.same")
    case = Case(sight, advised, rivals[0], names, by)
    found = _reason(case, rivals, [weighed[0], *rest], kind)
    if found is None and instead is not None:
        found = _reason(case, rivals, [weighed[0], (instead, dict(weighed).get(instead, 0.0))], kind)
    if found is None and kind != CHANCE and instead is None:
        return None  # that the adviser would choose it is what the hint says anyway
    return found or _figures(dict(weighed), advised, rivals[0], kind, by)


def _others(sight: Sight, weighed: Hint) -> Hint:
    """Return the other actions with their weights, those not weighed with 0; none that is like the best."""
    advised, known = weighed[0][0], dict(weighed)
    actions = [*known, *(one for one in sight.view.legal_actions() if one not in known)] if len(known) < 2 else known
    return [(one, known.get(one, 0.0)) for one in actions if one != advised and not sight.alike(one, advised)]


def _rivals(best: float, rest: Hint, kind: str) -> list[Action]:
    """Return what the best action is compared with, the nearest first: what is notably worse; else the next."""
    if kind == CHANCE:
        return [action for action, weight in rest if best - weight >= NOTABLE]
    if all(weight == 0 for _, weight in rest):  # nothing is known of them
        return [action for action, _ in rest]
    return [action for action, weight in rest if weight < best][:1]


def _reason(case: Case, rivals: list[Action], weighed: Hint, kind: str) -> Text | None:
    """Return the first reason that speaks against a rival, the nearest that it can."""
    unknown = all(weight == 0 for _, weight in weighed[1:])
    for reason in REASONS[case.sight.view.phase]:
        against = {action: words for action, _ in weighed[1:] if (words := reason(case.against(action))) is not None}
        rival = next((rival for rival in rivals if rival in against), None)
        if rival is None or (unknown and 2 * len(against) < len(rivals)):
            continue
        if _is_borne_out(set(against), weighed, kind):
            return with_stake(case.against(rival), against[rival])
    return None


def _is_borne_out(against: set[Action], weighed: Hint, kind: str) -> bool:
    """Are all actions that a reason speaks against worth less than the best, and on average than the others?"""
    worse = [weight for action, weight in weighed if action in against]
    if kind == CHANCE and max(worse) > weighed[0][1] - SAME:
        return False
    others = [weight for action, weight in weighed if action not in against]
    return sum(worse) / len(worse) < sum(others) / len(others)


def _figures(known: dict[Action, float], advised: Action, rival: Action, kind: str, by: str) -> Text:
    """Say what the figures say, and no more."""
    if kind == CHANCE and rival in known:
        return text("why.search" if known[advised] - known[rival] >= NOTABLE else "why.slightly", by=by)
    return text("why.choice", by=by)
