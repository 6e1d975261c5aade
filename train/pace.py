"""How long the rest of a run takes: the pace of its latest rounds, and what later stages cost beside them.

    pace = Pace(recipe)
    pace.note(number, seconds)       after each round
    pace.left(number + 1)            seconds, or None before there is a pace

The costs are seconds on two cores of a CPU at 512 tables, fitted to runs of `quick` and `standard`: what is foretold
there on a quiet machine was right within a quarter from the second stage on; in the first, which is over in a minute,
within a half. A GPU learns faster beside roll-outs, and how slow a search is that a stage asks nobody knows before it
does; every round that is met corrects the pace.
"""

from collections import deque
from statistics import median_low

from train.recipe import Foresee, Imitate, Recipe, SelfPlay, Stage

LATEST = 9  # rounds; the median passes over those that compile something
FEWEST = 2
WIDTH = 384  # of a policy whose costs these are; playing and learning take less with a narrower one
PLAYING = 0.3  # by the network, as …
BY_OTHERS = 0.3  # … by a teacher that is the rule bot
PASS = 0.7  # of learning over a round's decisions
AS_THEY_LAY = 0.7  # trying every action on the true deal
WORLD = 0.2  # trying all cards in one world more
FITTING, STIRRED = 1.5, 2.0  # times as long where worlds must fit, where these are stirred


def cost(stage: Stage, width: int) -> float:
    """Of one round."""
    share = width / WIDTH
    learning = share * PASS * stage.passes
    if isinstance(stage, Imitate):
        return learning + (BY_OTHERS if stage.player == "agent" else BY_OTHERS + share * PLAYING)
    if isinstance(stage, SelfPlay):
        return learning + share * PLAYING
    return learning + share * PLAYING + AS_THEY_LAY + _worlds(stage)


def _worlds(stage: Foresee) -> float:
    """Of trying cards in more worlds than one."""
    each = WORLD * (FITTING if stage.dealt > 1 else 1) * (STIRRED if stage.stirs else 1)
    return each * stage.worlds if stage.worlds > 1 else 0.0


class Pace:
    """Seconds a unit of cost, as of late."""

    def __init__(self, recipe: Recipe):
        self._costs = [cost(stage, recipe.network.width) for _, stage, _ in recipe.moments()]
        self._latest: deque[float] = deque(maxlen=LATEST)

    def note(self, number: int, seconds: float) -> None:
        """What a round took, evaluations not counted."""
        self._latest.append(seconds / self._costs[number])

    def left(self, rounds: int) -> float | None:
        """Seconds from after so many rounds to the end."""
        if len(self._latest) < FEWEST:
            return None
        return median_low(self._latest) * sum(self._costs[rounds:])
