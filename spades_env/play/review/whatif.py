"""What other moves would have been worth, in points. Each is tried in the same worlds; `rule` plays the hands out.

    lost = compare(view, yours, theirs, worlds=64, seed=0)
    lost.points, lost.error      by how much theirs is better, and the standard error of that

It never sees hidden cards: worlds are guesses at them, weighted by how well they fit what was bid and played. Points
are the side's own minus the mean of the others', with a bag at what it costs in the long run.
"""

from dataclasses import dataclass

import numpy as np

from spades_env.agents.base import Batch
from spades_env.agents.compiled import RULE
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.search.playouts import finish_hand
from spades_env.agents.solver.outcomes import RULES_PRICE, UNIT, worth
from spades_env.agents.worlds.likely import draw_all, new_pool, next_drawn, prepare_worlds
from spades_env.game.cards import Action
from spades_env.game.engine import apply
from spades_env.game.state import GOES_ON
from spades_env.game.view import View


@dataclass(frozen=True)
class PointLoss:
    """The points that a move has lost, with their standard error."""

    points: float
    error: float


def compare(view: View, yours: Action, theirs: Action, worlds: int, seed: int = 0) -> PointLoss:
    values = values_in_worlds(view, (yours, theirs), worlds, seed)
    gaps = values[:, 1] - values[:, 0]
    error = gaps.std(ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else np.nan
    return PointLoss(float(gaps.mean()), float(error))


def values_in_worlds(view: View, actions: tuple[Action, ...], worlds: int, seed: int = 0) -> np.ndarray:
    """Return float64[worlds, actions]: the value of each action in each world, in points."""
    batch = Batch.of([view])
    tables, r, pool = batch.tables, batch.rules[0], new_pool(worlds)
    walk = prepare_worlds(tables, 0, r, True, pool, batch.walks(seed)[0])
    walk, at = np.uint64(draw_all(pool, np.uint64(walk))), 0
    values = np.empty((worlds, len(actions)))
    for row in values:
        at, walk = next_drawn(pool, r, at, np.uint64(walk))
        for i, action in enumerate(actions):
            row[i] = _value(pool.tables, r, action, view.rules.side(view.seat), np.uint64(walk))
    return values


def alike(view: View, one: Action, other: Action) -> bool:
    """Are these cards equal: may others hold no card between them?"""
    if view.phase != "play":
        return False
    s, r = view.state[0], view.compiled_rules[0]
    distinct = np.uint64(distinct_cards(s, r))
    first, second = (int(lowest_equal(distinct, np.int64(r.place[card]))) for card in (one, other))
    return first == second


def _value(tables: np.recarray, r: np.record, action: Action, side: int, walk: np.uint64) -> float:
    """Return the value of the action in the world tables[0]; tables[1] is scratch."""
    tables[1] = tables[0]
    if apply(tables[1], r, action) == GOES_ON:
        finish_hand(tables[1], r, RULE, walk)
    return worth(tables[1], tables[0], r, side, RULES_PRICE) / UNIT
