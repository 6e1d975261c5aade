"""Compare actions in worlds: each is tried in the same determinizations that fit what was bid and played.

    found = compare(view, [card("KS"), card("2S")], worlds=128)
    found.means                 the mean match equity of each action
    found.difference(0, 1)      how far the first is above the second, and the standard error of that
    found.answer                the number of the best action; that of `usual` unless another is significantly better

Rollouts are those of a level that tries its cards: `rule` plays at all seats, with some random cards, and last tricks
are solved (`trials`). It never sees hidden cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spades_env.agents.agent_name import MOST_WORLDS
from spades_env.agents.base import AgentError, Batch
from spades_env.agents.compiled import RULE
from spades_env.agents.search import paired
from spades_env.agents.search.candidates import MOST_CANDIDATES, find_candidates
from spades_env.agents.search.trials import BY_RULE, TrialSettings, go_on, most_worlds, new_memory, prepare
from spades_env.agents.worlds.likely import new_pool
from spades_env.checks import LARGEST_SEED, whole
from spades_env.game.cards import Action
from spades_env.game.view import View

LOYALTY = 2.0  # standard errors by which the usual action must be worse than the best to be replaced
STRAYING = 0.3  # share of random cards in rollouts
ROLLOUTS = 4  # in each world: dealing one that fits takes longer than a rollout


@dataclass(frozen=True)
class Comparison:
    """What some actions of one seat are worth, each tried in all worlds. means: float64[N], match equities."""

    actions: tuple[Action, ...]
    means: np.ndarray
    answer: int
    trial: np.record  # TRIAL (search/paired.py)

    def difference(self, best: int, other: int) -> tuple[float, float]:
        """Return how far one action is above another, by their numbers, and the standard error of that."""
        for number in (best, other):
            whole("the number of an action", number, 0, len(self.actions) - 1)
        gap, variance = paired.difference(self.trial, best, other)
        return float(gap), float(np.sqrt(max(0.0, variance) / max(1, self.trial.worlds - 1)))


def candidates(view: View) -> list[Action]:
    """Return the actions that a search tries: cards of which no two are alike, bids near that of `rule`, and nil."""
    if not view.legal_actions():
        raise AgentError("candidates are those of the seat to move: ask for game.view(game.turn)")
    found = np.zeros(MOST_CANDIDATES, np.int64)
    count = find_candidates(view.state[0], view.compiled_rules[0], np.uint64(0), found)
    return found[:count].tolist()


def compare(
    view: View, actions: Sequence[Action], usual: Action | None = None, worlds: int = 128, seed: int = 0
) -> Comparison:
    """Try legal actions of the seat to move in the same determinizations.

    Args:
        view: Of the seat to move.
        actions: From two to MOST_CANDIDATES, all legal; `candidates(view)` returns those that a search tries.
        usual: The action to prefer unless another is significantly better; by default what `rule` would do.
        worlds: How many determinizations.
        seed: Of the determinizations and the rollouts.

    Returns:
        What each action is worth, in match equity, and `answer`, the number of the action to choose.

    Raises:
        SpadesError: There are too few actions, too many, the same twice, or illegal ones, or a number is out of range.

    Examples:
        >>> from spades_env import Game
        >>> from spades_env.agents.search.compare import candidates, compare
        >>> game = Game("classic", seed=7)
        >>> view = game.view(game.turn)
        >>> found = compare(view, candidates(view), worlds=16)
        >>> gap, error = found.difference(0, 1)
    """
    if not isinstance(view, View):
        raise AgentError(f"actions are compared by what a seat sees, such as game.view(game.turn), not by {view!r:.60}")
    worlds, seed = whole("worlds", worlds, 1, MOST_WORLDS), whole("seed", seed, 0, LARGEST_SEED)
    legal = set(view.legal_actions())
    if not 2 <= len(actions) <= MOST_CANDIDATES or len(set(actions)) < len(actions) or not set(actions) <= legal:
        raise AgentError(f"2 to {MOST_CANDIDATES} different legal actions can be compared, not {list(actions)}")
    if usual is not None and usual not in legal:
        raise AgentError(f"usual must be a legal action, not {usual!r}")
    settings = TrialSettings(worlds, ROLLOUTS, RULE, True, True, LOYALTY, straying=STRAYING, solves=True)
    batch, memory = Batch.of([view]), new_memory(settings)
    trial = memory.trial[0]
    trial.num = len(actions)
    trial.actions[: len(actions)] = actions
    arguments = batch.tables, 0, batch.rules[0], settings, new_pool(most_worlds(settings)), memory
    prepare(*arguments, batch.walks(seed)[0], BY_RULE if usual is None else usual)
    go_on(*arguments)
    return Comparison(tuple(actions), trial.totals[: trial.num] / trial.worlds, int(paired.answer(trial)), trial)
