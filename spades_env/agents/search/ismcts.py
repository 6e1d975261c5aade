"""Information-set Monte Carlo tree search: one tree of all seats' actions, a new world for every iteration.

ismcts:2500           2500 iterations
ismcts:200ms          as many as fit into the time: the only form whose answers may differ from call to call
ismcts:2500+rule      rollouts by `rule`, instead of random ones
ismcts:2500+likely    worlds that fit the bids and cards seen, instead of any

The answer is the action tried most; `tree` grows the tree. Bids and passes are decided without a tree, by paired trials
(`trials`) in one world for every 25 iterations.
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit
from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import CHANCE, CHOICE, Batch, Hint
from spades_env.agents.compiled import RULE
from spades_env.agents.search import trials
from spades_env.agents.search.agent import Search, read_options
from spades_env.agents.search.candidates import MOST_CANDIDATES
from spades_env.agents.search.paired import answer, means
from spades_env.agents.search.playouts import LOOSE
from spades_env.agents.search.tree import NODE, TREE, TreeSettings, grow, most_visited, plant
from spades_env.agents.worlds.likely import WorldPool
from spades_env.game.state import PLAY

MOST_ITERATIONS = 1_000_000
TIMED_ITERATIONS = 200  # between two looks at the clock
ITERATIONS_A_WORLD = 25  # of the trials before play


class IsmctsSettings(NamedTuple):
    """The settings for play and for the phases before it."""

    play: TreeSettings
    before_play: trials.TrialSettings


class Memory(NamedTuple):
    """The memory of one search: its tree or its trials."""

    tree: np.recarray  # TREE[1]
    nodes: np.recarray  # NODE[N]
    trials: trials.TrialMemory


class Ismcts(Search):
    """Plays the card that the tree search tries most."""

    def __init__(self, name: str, settings: TreeSettings, seconds: float | None, seed: int = 0):
        worlds = max(1, settings.iterations // ITERATIONS_A_WORLD)
        super().__init__(name, seconds, worlds, seed)
        self.settings = IsmctsSettings(settings, trials.TrialSettings(worlds, 1, RULE, True, False))

    def _new_memory(self) -> Memory:
        settings = self.settings.play
        size = MOST_CANDIDATES + 2 + (settings.iterations if settings.counted else MOST_ITERATIONS)
        tree, nodes = np.zeros(1, TREE), np.zeros(size, NODE)
        return Memory(tree.view(np.recarray), nodes.view(np.recarray), trials.new_memory(self.settings.before_play))

    def _choose_counted(
        self, batch: Batch, walks: np.ndarray, pool: WorldPool, memory: Memory, out: np.ndarray
    ) -> None:
        _choose_all(*batch.for_kernels, self.settings, walks, pool, memory, out)

    def _begin(self, batch: Batch, i: int, walk: np.uint64, pool: WorldPool, memory: Memory) -> None:
        begin(batch.tables, i, batch.rules[batch.rules_of[i]], self.settings, pool, memory, walk)

    def _go_on(self, batch: Batch, i: int, pool: WorldPool, memory: Memory) -> bool:
        return go_on(batch.tables, i, batch.rules[batch.rules_of[i]], self.settings, pool, memory)

    def _weights(self, memory: Memory) -> Hint:
        """Return shares of the visits; for bids and passes, mean match equities."""
        count = int(memory.tree.num_candidates[0])
        if not count:
            return means(memory.trials.trial[0])
        actions, visits = memory.tree.actions[0], memory.nodes.visits[1 : count + 1]
        shares = visits / visits.sum() if count > 1 else [1.0]
        return [(int(actions[c]), float(shares[c])) for c in range(count)]

    def _hint_measure(self, batch: Batch) -> str:
        return CHOICE if batch.tables.phase[0] == PLAY else CHANCE


def make(name: AgentName, seed: int) -> Ismcts:
    options, seconds = read_options(name, "rule", "likely"), name.seconds(name.setting)
    if not name.setting:
        raise name.refuse("it needs a number of iterations (ismcts:2500) or a time (ismcts:200ms)")
    counted = seconds is None
    iterations = name.whole("iterations", name.setting, MOST_ITERATIONS) if counted else TIMED_ITERATIONS
    playing = RULE if "rule" in options else LOOSE
    return Ismcts(name.text, TreeSettings(iterations, playing, "likely" in options, counted), seconds, seed)


@njit
def _choose_all(tables, rules, rules_of, settings, walks, pool, memory, out):
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        begin(tables, i, r, settings, pool, memory, walks[i])
        go_on(tables, i, r, settings, pool, memory)
        if tables[i].phase == PLAY:
            out[i] = memory.tree[0].actions[most_visited(memory.tree[0], memory.nodes) - 1]
        else:
            trial = memory.trials.trial[0]
            out[i] = trial.actions[answer(trial)]


@njit
def begin(views, i, r, settings, pool, memory, x):
    if views[i].phase == PLAY:
        plant(views, i, r, settings.play, pool, memory.tree[0], memory.nodes, x)
    else:
        memory.tree[0].num_candidates = 0
        trials.begin(views, i, r, settings.before_play, pool, memory.trials, x, trials.BY_RULE)


@njit
def go_on(views, i, r, settings, pool, memory):
    """Make the number of trials that the settings say; is the choice still open?"""
    if views[i].phase == PLAY:
        return grow(views, i, r, settings.play, pool, memory.tree[0], memory.nodes)
    return trials.go_on(views, i, r, settings.before_play, pool, memory.trials)
