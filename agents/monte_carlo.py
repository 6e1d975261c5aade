"""Flat Monte Carlo: the same worlds and the same chance for every candidate; the best mean is played.

mc:30x30           30 worlds, in each 30 roll-outs for every candidate
mc:200ms           as many worlds as fit into the time: the one form that does not always answer alike
mc:30x30+rule      roll-outs by our rule player instead of by chance
mc:30x30+likely    worlds that fit the bids and cards seen, instead of any
mc:30x30+loyal     what `rule` would do is left only for what is better beyond doubt: a partner one understands
mc:30x30+free      … for whatever has the better mean, be it by a hair

A roll-out goes to the end of the hand and is worth the match equity then. Trials are paired, so a candidate that is
worse than the best beyond doubt is dropped early, and the search ends when one is left. Bids, and the passing of cards,
are always tried with `rule` playing on, in likely worlds (see `agents.trials`).
"""

import numpy as np

from agents.base import Batch, Hint, untried
from agents.candidates import share_with_equals
from agents.compiled import RULE
from agents.likely import DEALT, STIRS, Bench
from agents.names import Word
from agents.playouts import LOOSE
from agents.search import Options, Search, seconds_of, whole_of
from agents.trials import (
    AS_RULE,
    CARD_LOYALTY,
    GREAT_LOYALTY,
    NO_LOYALTY,
    TRIAL,
    Way,
    answer,
    begin,
    go_on,
    means,
    most_worlds,
)
from spades_env._jit import njit
from spades_env.state import PASS

MOST_WORLDS, MOST_ROLLOUTS = 10_000, 10_000
TIMED_WORLDS, TIMED_ROLLOUTS = 8, 10  # between two looks at the clock


class MonteCarlo(Search):
    """The candidate with the best mean over the same worlds."""

    def __init__(
        self, name: str, way: Way, seconds: float | None, seed: int = 0, dealt: int = DEALT, stirs: int = STIRS
    ):
        super().__init__(name, seconds, most_worlds(way), seed)
        self.way, self.dealt, self.stirs = way, dealt, stirs
        self.weighs = seconds is None

    def _worths(self, batch: Batch) -> np.ndarray:
        if not self.weighs:
            return super()._worths(batch)
        out, memory = untried(len(batch)), self._new_memory()
        way, walks = self.way._replace(patient=True), batch.walks(self.seed)
        _weigh_all(*batch.for_kernels, way, walks, self._new_bench(), memory[0], out)
        return out

    def _liked(self, batch: Batch) -> np.ndarray:
        """int64[N]: the actions that are left only for what is surely better, or AS_RULE."""
        return np.full(len(batch), AS_RULE)

    def _new_memory(self) -> np.recarray:
        return np.zeros(1, TRIAL).view(np.recarray)

    def _choose_counted(self, batch: Batch, walks: np.ndarray, bench: Bench, memory, out: np.ndarray) -> None:
        liked = self._liked(batch)
        _choose_all(*batch.for_kernels, self.way, walks, bench, memory[0], liked, out)

    def _begin(self, batch: Batch, i: int, walk: np.uint64, bench: Bench, memory) -> None:
        liked = self._liked(batch.take(np.arange(i, i + 1)))[0]
        begin(batch.tables, i, batch.rules[batch.rules_of[i]], self.way, bench, memory[0], walk, liked)

    def _go_on(self, batch: Batch, i: int, bench: Bench, memory) -> bool:
        return go_on(batch.tables, i, batch.rules[batch.rules_of[i]], self.way, bench, memory[0])

    def _weights(self, memory) -> Hint:
        """Mean match equities."""
        return means(memory[0])


def make(word: Word, seed: int) -> MonteCarlo:
    """The agent of this name."""
    options, seconds = Options.of(word, ("rule", "likely", "loyal", "free")), seconds_of(word)
    playing = RULE if options.rule else LOOSE
    loyalty = GREAT_LOYALTY if options.loyal else NO_LOYALTY if options.free else CARD_LOYALTY
    if seconds is not None:
        way = Way(TIMED_WORLDS, TIMED_ROLLOUTS, playing, options.likely, False, loyalty)
        return MonteCarlo(word.text, way, seconds, seed)
    worlds, times, rollouts = word.setting.partition("x")
    if not times:
        raise word.refuse("it needs the numbers of worlds and roll-outs (mc:30x30) or a time (mc:200ms)")
    numbers = whole_of(word, "worlds", worlds, MOST_WORLDS), whole_of(word, "roll-outs", rollouts, MOST_ROLLOUTS)
    return MonteCarlo(word.text, Way(*numbers, playing, options.likely, False, loyalty), None, seed)


@njit
def _weigh_all(tables, rules, rules_of, way, walks, bench, trial, out):
    for i in range(len(tables)):
        s = tables[i]
        r = rules[rules_of[i]]
        begin(tables, i, r, way, bench, trial, walks[i], AS_RULE)
        go_on(tables, i, r, way, bench, trial)
        for c in range(trial.num):
            out[i, trial.actions[c]] = trial.totals[c] / trial.worlds if trial.worlds else 1.0
        if s.phase >= PASS:
            share_with_equals(s, r, out[i])


@njit
def _choose_all(tables, rules, rules_of, way, walks, bench, trial, liked, out):
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        begin(tables, i, r, way, bench, trial, walks[i], liked[i])
        go_on(tables, i, r, way, bench, trial)
        out[i] = trial.actions[answer(trial)]
