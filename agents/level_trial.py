"""A level that tries its cards: the one it would play is left only for one that surely does better.

NAME+trial:64       in 64 likely worlds
NAME+trial:100ms    … in as many as fit into the time: the one form that does not always answer alike

The level bids, and passes cards. The card it would play and all others that are not alike are then tried in worlds that
fit the bids and cards seen (`agents.likely`), `rule` playing on in every seat, but straying now and then, each time
elsewhere: so a plan that fails unless everybody plays just like `rule` finds no favour. The level knows what many hands
have taught, the trial what this one tells; where they disagree, chance must not decide.
"""

import numpy as np

from agents.base import Agent, Batch
from agents.compiled import RULE
from agents.level import Level
from agents.monte_carlo import MOST_WORLDS, TIMED_WORLDS, MonteCarlo
from agents.names import Word
from agents.network import NetworkAgent
from agents.pair import with_cards
from agents.search import only_option, seconds_of, whole_of
from agents.trials import Way

OPTION = "trial:"
LOYALTY = 2.0  # standard errors by which the level's card must be worse than the best to be left for it,
DOUBT = 1.5  # … and by which another must be worse than that to be tried no more
STRAYING = 0.3  # share of cards in roll-outs that are any legal one
ROLLOUTS = 4  # in each world: to deal one that fits takes longer than to play on


class LevelTrial(MonteCarlo):
    """A search whose favourite is what a level would play."""

    def __init__(self, name: str, player: Agent, worlds: int, seconds: float | None = None, seed: int = 0):
        super().__init__(name, Way(worlds, ROLLOUTS, RULE, True, False, LOYALTY, DOUBT, STRAYING), seconds, seed)
        self.player = player

    def _liked(self, batch: Batch) -> np.ndarray:
        return self.player._choose(batch)


def make(word: Word, level: Level, seed: int) -> Agent:
    """The level of this word that tries its cards as its option says."""
    asked = only_option(word, OPTION)
    seconds = seconds_of(asked)
    worlds = whole_of(asked, "worlds", asked.setting, MOST_WORLDS) if seconds is None else TIMED_WORLDS
    player = NetworkAgent(word.text, level, None, seed)
    return with_cards(word.text, player, LevelTrial(word.text, player, worlds, seconds, seed))
