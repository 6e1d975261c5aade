"""A search by a level against one opponent that it knows: a response, not a player for every table.

NAME+against:otto:8      8 worlds that are likely if the other seats play like the level of `otto`

As `search`, with two differences. Worlds are weighed by the other level's policy, and in the rollouts the other side
plays like that level, while the own side plays like the level that searches. It sees its own cards only.
"""

import numpy as np

from spades_env.agents.base import Batch
from spades_env.agents.network.level import Level
from spades_env.agents.network.playouts import finish_hands
from spades_env.agents.network.search import LevelSearch
from spades_env.agents.network.worlds import likely_worlds


class LevelAgainst(LevelSearch):
    """A search that tries its candidates in this many worlds, against the level `foe`."""

    def __init__(self, name: str, level: Level, foe: Level, worlds: int, seed: int = 0):
        super().__init__(name, level, worlds, seed=seed)
        self.foe = foe

    def _worlds(self, one: Batch, walk: np.uint64) -> tuple[np.recarray, np.ndarray]:
        return likely_worlds(self.foe, one, self.worlds, walk)

    def _finish(self, tables: np.recarray, rules: np.recarray, side: int) -> None:
        finish_hands(self.level, tables, rules, self.foe, side)
