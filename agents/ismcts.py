"""Tree search over what can be seen: one tree of everybody's actions, a new world for every iteration.

ismcts:2500           so many iterations
ismcts:200ms          as many as fit into the time: the one form that does not always answer alike
ismcts:2500+rule      roll-outs by our rule player instead of by chance
ismcts:2500+likely    worlds that fit the bids and cards seen, instead of any

The action tried most is the answer; `agents.tree` says how the tree grows. There is none before play: bids, and the
passing of cards, are decided by paired trials (`agents.trials`), one world for every 25 iterations.
"""

from typing import NamedTuple

import numpy as np

from agents import trials
from agents.base import Batch, Hint
from agents.candidates import MOST_CANDIDATES
from agents.compiled import RULE
from agents.likely import Bench
from agents.names import Word
from agents.playouts import LOOSE
from agents.search import Options, Search, seconds_of, whole_of
from agents.tree import NODE, TREE, Way, grow, most_visited, plant
from spades_env._jit import njit
from spades_env.state import PLAY

MOST_ITERATIONS = 1_000_000
TIMED_ITERATIONS = 200  # between two looks at the clock
ITERATIONS_A_WORLD = 25  # of the trials before play


class Memory(NamedTuple):
    """What a search keeps of a question: its tree, or its trials."""

    tree: np.recarray  # TREE[1]
    nodes: np.recarray  # NODE[N]
    trial: np.recarray  # TRIAL[1]


class Ismcts(Search):
    """The card that the tree search tries most."""

    def __init__(self, name: str, way: Way, seconds: float | None, seed: int = 0):
        worlds = max(1, way.iterations // ITERATIONS_A_WORLD)
        super().__init__(name, seconds, worlds, seed)
        self.way = way
        self.before_play = trials.Way(worlds, 1, RULE, True, False)

    def _new_memory(self) -> Memory:
        size = MOST_CANDIDATES + 2 + (self.way.iterations if self.way.counted else MOST_ITERATIONS)
        tree, nodes, trial = np.zeros(1, TREE), np.zeros(size, NODE), np.zeros(1, trials.TRIAL)
        return Memory(tree.view(np.recarray), nodes.view(np.recarray), trial.view(np.recarray))

    def _choose_counted(self, batch: Batch, walks: np.ndarray, bench: Bench, memory: Memory, out: np.ndarray) -> None:
        ways = self.way, self.before_play
        _choose_all(*batch.for_kernels, *ways, walks, bench, memory, out)

    def _begin(self, batch: Batch, i: int, walk: np.uint64, bench: Bench, memory: Memory) -> None:
        r = batch.rules[batch.rules_of[i]]
        begin(batch.tables, i, r, self.way, self.before_play, bench, memory, walk)

    def _go_on(self, batch: Batch, i: int, bench: Bench, memory: Memory) -> bool:
        r = batch.rules[batch.rules_of[i]]
        return go_on(batch.tables, i, r, self.way, self.before_play, bench, memory)

    def _weights(self, memory: Memory) -> Hint:
        """Shares of the visits; before play mean match equities."""
        count = int(memory.tree.num_candidates[0])
        if not count:
            return trials.means(memory.trial[0])
        actions, visits = memory.tree.actions[0], memory.nodes.visits[1 : count + 1]
        shares = visits / visits.sum() if count > 1 else [1.0]
        return [(int(actions[c]), float(shares[c])) for c in range(count)]


def make(word: Word, seed: int) -> Ismcts:
    """The agent of this name."""
    options, seconds = Options.of(word), seconds_of(word)
    playing = RULE if options.rule else LOOSE
    if seconds is not None:
        return Ismcts(word.text, Way(TIMED_ITERATIONS, playing, options.likely, False), seconds, seed)
    if not word.setting:
        raise word.refuse("it needs a number of iterations (ismcts:2500) or a time (ismcts:200ms)")
    iterations = whole_of(word, "iterations", word.setting, MOST_ITERATIONS)
    return Ismcts(word.text, Way(iterations, playing, options.likely, True), None, seed)


@njit
def _choose_all(tables, rules, rules_of, way, before_play, walks, bench, memory, out):
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        begin(tables, i, r, way, before_play, bench, memory, walks[i])
        go_on(tables, i, r, way, before_play, bench, memory)
        if tables[i].phase == PLAY:
            out[i] = memory.tree[0].actions[most_visited(memory.tree[0], memory.nodes) - 1]
        else:
            out[i] = memory.trial[0].actions[trials.answer(memory.trial[0])]


@njit
def begin(views, i, r, way, before_play, bench, memory, x):
    """Position i is asked about: nothing is tried yet."""
    if views[i].phase == PLAY:
        plant(views, i, r, way, bench, memory.tree[0], memory.nodes, x)
    else:
        memory.tree[0].num_candidates = 0
        trials.begin(views, i, r, before_play, bench, memory.trial[0], x, trials.AS_RULE)


@njit
def go_on(views, i, r, way, before_play, bench, memory):
    """The number of trials that the way says; may the search go on?"""
    if views[i].phase == PLAY:
        return grow(views, i, r, way, bench, memory.tree[0], memory.nodes)
    return trials.go_on(views, i, r, before_play, bench, memory.trial[0])
