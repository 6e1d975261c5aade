"""A level that tries its cards: the one it would play is left only for one that surely does better.

NAME+trial:64       in 64 likely worlds
NAME+trial:100ms    … in as many as fit into the time: the one form that does not always answer alike

The level bids, and passes cards. The card it would play and all others that are not alike are tried in worlds that fit
the bids and cards seen (`worlds.pool`). `rule` plays on in every seat, but strays now and then, each time elsewhere, so
that a plan that works only if everybody plays exactly like `rule` is not chosen. The level has learned from many hands,
the trial looks at this one; where they disagree, chance must not decide.
"""

import numpy as np

from agents.base import Agent, Batch
from agents.compiled import RULE
from agents.search.monte_carlo import MonteCarlo
from agents.search.trials import TrialSettings

LOYALTY = 2.0  # standard errors by which the level's card must be worse than the best to be left for it,
DOUBT = 1.5  # … and by which another must be worse than that to be tried no more
STRAYING = 0.3  # share of cards in roll-outs that are any legal one
ROLLOUTS = 4  # in each world: dealing one that fits takes longer than playing it out


class LevelTrial(MonteCarlo):
    """A search whose favourite is the card that a level would play."""

    def __init__(self, name: str, player: Agent, worlds: int, seconds: float | None = None, seed: int = 0):
        settings = TrialSettings(worlds, ROLLOUTS, RULE, True, False, LOYALTY, DOUBT, STRAYING)
        super().__init__(name, settings, seconds, seed)
        self.player = player

    def _preferred(self, batch: Batch) -> np.ndarray:
        return self.player._choose(batch)
