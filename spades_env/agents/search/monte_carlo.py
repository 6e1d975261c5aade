"""Flat Monte Carlo search: all candidates are tried in the same worlds, and the best mean is played.

mc:30x30           30 worlds, in each 30 rollouts for every candidate
mc:200ms           as many worlds as fit into the time: the only form whose answers may differ from call to call
mc:30x30+rule      rollouts by `rule`, instead of random ones
mc:30x30+likely    worlds that fit the bids and cards seen, instead of any
mc:30x30+loyal     what `rule` would do, unless another action is better beyond doubt: easier for a partner to read
mc:30x30+free      the best mean, however small the difference

The value of a rollout is the match equity at the end of the hand. Trials are paired: a candidate that is significantly
worse than the best is dropped early, and the search ends when one is left. Bids and passes are always tried with `rule`
playing on, in likely worlds (see `agents.search.trials`).
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit
from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import Batch, Hint, untried
from spades_env.agents.compiled import RULE
from spades_env.agents.lanes import share_with_equals
from spades_env.agents.search import trials
from spades_env.agents.search.agent import Search, read_options
from spades_env.agents.search.paired import answer, means
from spades_env.agents.search.playouts import LOOSE
from spades_env.agents.search.trials import BY_RULE, TrialMemory, TrialSettings, begin, go_on, new_memory
from spades_env.agents.worlds.likely import WorldPool
from spades_env.game.state import PASS

MOST_ROLLOUTS = 10_000
TIMED_WORLDS, TIMED_ROLLOUTS = 8, 10  # between two looks at the clock


class Starts(NamedTuple):
    """Where the searches of a batch start."""

    walks: np.ndarray  # uint64[N]: their first random numbers
    preferred: np.ndarray  # int64[N]: the actions to play unless another is significantly better, or BY_RULE


class MonteCarlo(Search):
    """Plays the candidate with the best mean over the same worlds."""

    def __init__(self, name: str, settings: TrialSettings, seconds: float | None, seed: int = 0):
        super().__init__(name, seconds, trials.most_worlds(settings), seed)
        self.settings = settings
        self.weighs = seconds is None

    def _worths(self, batch: Batch) -> np.ndarray:
        if not self.weighs:
            return super()._worths(batch)
        out = untried(len(batch))
        self._weigh_counted(batch, batch.walks(self.seed), self._new_pool(), self._new_memory(), out)
        return out

    def _preferred(self, batch: Batch) -> np.ndarray:
        """Return int64[N]: the actions to play unless another is significantly better, or BY_RULE."""
        return np.full(len(batch), BY_RULE)

    def _new_memory(self) -> TrialMemory:
        return new_memory(self.settings)

    def _choose_counted(self, batch: Batch, walks: np.ndarray, pool: WorldPool, memory, out: np.ndarray) -> None:
        starts = Starts(walks, self._preferred(batch))
        _choose_all(*batch.for_kernels, self.settings, starts, pool, memory, out)

    def _weigh_counted(self, batch: Batch, walks: np.ndarray, pool: WorldPool, memory, out: np.ndarray) -> None:
        _weigh_all(*batch.for_kernels, self.settings._replace(patient=True), walks, pool, memory, out)

    def _begin(self, batch: Batch, i: int, walk: np.uint64, pool: WorldPool, memory) -> None:
        preferred = self._preferred(batch.take(np.arange(i, i + 1)))[0]
        begin(batch.tables, i, batch.rules[batch.rules_of[i]], self.settings, pool, memory, walk, preferred)

    def _go_on(self, batch: Batch, i: int, pool: WorldPool, memory) -> bool:
        return go_on(batch.tables, i, batch.rules[batch.rules_of[i]], self.settings, pool, memory)

    def _weights(self, memory) -> Hint:
        return means(memory.trial[0])


def make(name: AgentName, seed: int) -> MonteCarlo:
    options, seconds = read_options(name, "rule", "likely", "loyal", "free"), name.seconds(name.setting)
    playing = RULE if "rule" in options else LOOSE
    loyalty = trials.NO_LOYALTY if "free" in options else trials.CARD_LOYALTY
    loyalty = trials.GREAT_LOYALTY if "loyal" in options else loyalty
    worlds, times, rollouts = name.setting.partition("x")
    if seconds is not None:
        numbers = TIMED_WORLDS, TIMED_ROLLOUTS
    elif times:
        numbers = name.worlds(worlds), name.whole("rollouts", rollouts, MOST_ROLLOUTS)
    else:
        raise name.refuse("it needs the numbers of determinizations and rollouts (mc:30x30) or a time (mc:200ms)")
    return MonteCarlo(name.text, TrialSettings(*numbers, playing, "likely" in options, False, loyalty), seconds, seed)


@njit
def _weigh_all(tables, rules, rules_of, settings, walks, pool, memory, out):
    trial = memory.trial[0]
    for i in range(len(tables)):
        s = tables[i]
        r = rules[rules_of[i]]
        begin(tables, i, r, settings, pool, memory, walks[i], BY_RULE)
        go_on(tables, i, r, settings, pool, memory)
        for c in range(trial.num):
            out[i, trial.actions[c]] = trial.totals[c] / trial.worlds if trial.worlds else 1.0
        if s.phase >= PASS:
            share_with_equals(s, r, out[i])


@njit
def _choose_all(tables, rules, rules_of, settings, starts, pool, memory, out):
    trial = memory.trial[0]
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        begin(tables, i, r, settings, pool, memory, starts.walks[i], starts.preferred[i])
        go_on(tables, i, r, settings, pool, memory)
        out[i] = trial.actions[answer(trial)]
