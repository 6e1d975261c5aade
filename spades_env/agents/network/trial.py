"""A level that tries its cards: its own card is replaced only by one that is significantly better.

NAME+trial:64           in up to 64 likely worlds
NAME+trial:100ms        … in as many as fit into the time: the only form whose answers vary
NAME+believe:64         … in worlds dealt by the odds of the belief network (`beliefs`)
…+solver                of both: last tricks are solved with open cards, as are the ends of rollouts
NAME+against:rule:64    … without random cards in rollouts: against `rule`, whose moves it then knows

The level bids, and passes cards. The card it would play and all others that are not equal are tried in worlds that fit
the bids and cards seen (`worlds.likely`). `rule` plays the rollouts, with some random cards, so that the search doesn't
exploit the exact rollout policy. The level knows many hands, the trial this one; where they disagree, chance must not
decide. A card is dropped once its expected gain over the level's is too small, so clear calls take few worlds.
"""

from collections.abc import Iterator

import numpy as np

from spades_env.agents.base import Agent, Batch
from spades_env.agents.compiled import RULE
from spades_env.agents.network.beliefs import chances, shipped_beliefs
from spades_env.agents.search.compare import ROLLOUTS, STRAYING
from spades_env.agents.search.monte_carlo import TIMED_WORLDS, MonteCarlo
from spades_env.agents.search.trials import TrialSettings
from spades_env.agents.worlds.likely import WorldPool, new_pool

LOYALTY = 1.5  # standard errors by which the level's card must be worse than the best to be replaced
LEAST_GAIN = 8e-4  # match equity: a card whose expected gain is below this is dropped
DEALT_AT_ONCE = 128  # worlds, as most trials end early


class LevelTrial(MonteCarlo):
    """A search whose favourite is the card that a level would play."""

    def __init__(
        self,
        name: str,
        player: Agent,
        worlds: int | None,
        seconds: float | None = None,
        seed: int = 0,
        straying: float = STRAYING,
        solves: bool = False,
    ):
        worlds = worlds or TIMED_WORLDS
        settings = TrialSettings(worlds, ROLLOUTS, RULE, True, False, LOYALTY, LEAST_GAIN, straying, solves)
        super().__init__(name, settings, seconds, seed)
        self.player = player

    def _preferred(self, batch: Batch) -> np.ndarray:
        return self.player._choose(batch)

    def _new_pool(self) -> WorldPool:
        return new_pool(min(self.worlds, DEALT_AT_ONCE), self.exchanges)


class BelievingTrial(LevelTrial):
    """… in worlds dealt by the odds of the belief network."""

    exchanges = 0

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self._net = shipped_beliefs()  # a file that can't be read is named at once

    def _new_pool(self) -> WorldPool:
        pool = super()._new_pool()
        pool.plan[0].by_odds = True
        return pool

    def _choose_counted(self, batch: Batch, walks: np.ndarray, pool: WorldPool, memory, out: np.ndarray) -> None:
        for one in self._ones(batch, pool):
            super()._choose_counted(batch.take(one), walks[one], pool, memory, out[one])

    def _weigh_counted(self, batch: Batch, walks: np.ndarray, pool: WorldPool, memory, out: np.ndarray) -> None:
        for one in self._ones(batch, pool):
            super()._weigh_counted(batch.take(one), walks[one], pool, memory, out[one])

    def _ones(self, batch: Batch, pool: WorldPool) -> Iterator[slice]:
        """Yield the views one by one, as a pool has the chances of one at a time."""
        for i in range(len(batch)):
            self._believe(batch, i, pool)
            yield slice(i, i + 1)

    def _begin(self, batch: Batch, i: int, walk: np.uint64, pool: WorldPool, memory) -> None:
        self._believe(batch, i, pool)
        super()._begin(batch, i, walk, pool, memory)

    def _believe(self, batch: Batch, i: int, pool: WorldPool) -> None:
        pool.plan[0].chances[:] = chances(self._net, batch.take(slice(i, i + 1)))[0]
