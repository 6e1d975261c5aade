"""Flat Monte Carlo: candidates are tried in the same worlds with the same random numbers; the best mean is played.

mc:30x30           30 worlds, in each 30 roll-outs for every candidate
mc:200ms           as many worlds as fit into the time: the only form that may answer differently when asked again
mc:30x30+rule      our rule player makes the roll-outs, instead of chance
mc:30x30+likely    worlds that fit the bids and cards seen, instead of any
mc:30x30+loyal     what `rule` would do is left only for what is better beyond doubt: a partner one understands
mc:30x30+free      … for whatever has the better mean, however little

A roll-out goes to the end of the hand and is worth the match equity then. Trials are paired: a candidate that is worse
than the best beyond doubt is dropped early, and the search ends when one is left. Bids, and the passing of cards, are
always tried with `rule` playing on, in likely worlds (see `agents.search.trials`).
"""

import numpy as np

from agents.agent_name import AgentName
from agents.base import Batch, Hint, untried
from agents.compiled import RULE
from agents.lanes import share_with_equals
from agents.search.agent import Options, Search
from agents.search.paired import answer, means, new_trial
from agents.search.playouts import LOOSE
from agents.search.trials import (
    BY_RULE,
    CARD_LOYALTY,
    GREAT_LOYALTY,
    NO_LOYALTY,
    TrialSettings,
    begin,
    go_on,
    most_worlds,
)
from agents.worlds.pool import DEALT, EXCHANGES, Pool
from spades_env._jit import njit
from spades_env.state import PASS

MOST_WORLDS, MOST_ROLLOUTS = 10_000, 10_000
TIMED_WORLDS, TIMED_ROLLOUTS = 8, 10  # between two looks at the clock


class MonteCarlo(Search):
    """Plays the candidate with the best mean over the same worlds."""

    def __init__(
        self,
        name: str,
        settings: TrialSettings,
        seconds: float | None,
        seed: int = 0,
        dealt: int = DEALT,
        exchanges: int = EXCHANGES,
    ):
        super().__init__(name, seconds, most_worlds(settings), seed)
        self.settings, self.dealt, self.exchanges = settings, dealt, exchanges
        self.weighs = seconds is None

    def _worths(self, batch: Batch) -> np.ndarray:
        if not self.weighs:
            return super()._worths(batch)
        out, memory = untried(len(batch)), self._new_memory()
        patient, walks = self.settings._replace(patient=True), batch.walks(self.seed)
        _weigh_all(*batch.for_kernels, patient, walks, self._new_pool(), memory[0], out)
        return out

    def _preferred(self, batch: Batch) -> np.ndarray:
        """int64[N]: the actions that are left only for what is surely better, or BY_RULE."""
        return np.full(len(batch), BY_RULE)

    def _new_memory(self) -> np.recarray:
        return new_trial()

    def _choose_counted(self, batch: Batch, walks: np.ndarray, pool: Pool, memory, out: np.ndarray) -> None:
        preferred = self._preferred(batch)
        _choose_all(*batch.for_kernels, self.settings, walks, pool, memory[0], preferred, out)

    def _begin(self, batch: Batch, i: int, walk: np.uint64, pool: Pool, memory) -> None:
        preferred = self._preferred(batch.take(np.arange(i, i + 1)))[0]
        begin(batch.tables, i, batch.rules[batch.rules_of[i]], self.settings, pool, memory[0], walk, preferred)

    def _go_on(self, batch: Batch, i: int, pool: Pool, memory) -> bool:
        return go_on(batch.tables, i, batch.rules[batch.rules_of[i]], self.settings, pool, memory[0])

    def _weights(self, memory) -> Hint:
        """Return mean match equities."""
        return means(memory[0])


def make(word: AgentName, seed: int) -> MonteCarlo:
    """Return the agent that the word names."""
    options, seconds = Options.of(word, ("rule", "likely", "loyal", "free")), word.seconds(word.setting)
    playing = RULE if options.rule else LOOSE
    loyalty = GREAT_LOYALTY if options.loyal else NO_LOYALTY if options.free else CARD_LOYALTY
    if seconds is not None:
        settings = TrialSettings(TIMED_WORLDS, TIMED_ROLLOUTS, playing, options.likely, False, loyalty)
        return MonteCarlo(word.text, settings, seconds, seed)
    worlds, times, rollouts = word.setting.partition("x")
    if not times:
        raise word.refuse("it needs the numbers of worlds and roll-outs (mc:30x30) or a time (mc:200ms)")
    numbers = word.whole("worlds", worlds, MOST_WORLDS), word.whole("roll-outs", rollouts, MOST_ROLLOUTS)
    return MonteCarlo(word.text, TrialSettings(*numbers, playing, options.likely, False, loyalty), None, seed)


@njit
def _weigh_all(tables, rules, rules_of, settings, walks, pool, trial, out):
    for i in range(len(tables)):
        s = tables[i]
        r = rules[rules_of[i]]
        begin(tables, i, r, settings, pool, trial, walks[i], BY_RULE)
        go_on(tables, i, r, settings, pool, trial)
        for c in range(trial.num):
            out[i, trial.actions[c]] = trial.totals[c] / trial.weight if trial.worlds else 1.0
        if s.phase >= PASS:
            share_with_equals(s, r, out[i])


@njit
def _choose_all(tables, rules, rules_of, settings, walks, pool, trial, preferred, out):
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        begin(tables, i, r, settings, pool, trial, walks[i], preferred[i])
        go_on(tables, i, r, settings, pool, trial)
        out[i] = trial.actions[answer(trial)]
