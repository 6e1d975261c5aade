"""What the rule bot reckons with (all others ask agents.equity): the worth of a score, small tables of probabilities.

win_chance(r, hands_left, mine, theirs)     from two scores to a chance between 0 and 1
MISSES[n][k]                                none of k cards lies in one of n equal hands
SWING[rest][need][their_need][i]            what winning a trick changes, that many tricks being still to come after
                                            it: the chance that we make our bid, that they make theirs, our
                                            overtricks, theirs; i says how far our hopes exceed our need
"""

import math

import numpy as np

from spades_env._jit import njit
from spades_env.state import NEVER

MOST_NEED = 7  # in SWING: more is as bad
MARGIN_ZERO, MARGIN_STEP = 3, 0.75  # index i stands for hopes of need + (i − MARGIN_ZERO) × MARGIN_STEP
MARGINS = 8
SCATTER = 0.8  # how far tricks scatter, against the toss of a coin for each: players steer towards their bids
LEAST_SCATTER = 0.25
ROOM = 50.0  # points beyond the target, or the best score, from which the ways still to go are measured
A_HAND = 60.0  # points of a good hand, where hands end the game
MANY_HANDS = 10

MISSES = np.array([[1.0] + [0.0 if n < 2 else (1 - 1 / n) ** k for k in range(1, 20)] for n in range(4)])


def _swings() -> np.ndarray:
    """float64[13, MOST_NEED + 1, MOST_NEED + 1, MARGINS, 4]: tricks scatter about the hopes like a normal curve."""
    out = np.zeros((13, MOST_NEED + 1, MOST_NEED + 1, MARGINS, 4))
    for rest, need, i in np.ndindex(13, MOST_NEED + 1, MARGINS):
        hope = min(max(need + (i - MARGIN_ZERO) * MARGIN_STEP, 0), rest)
        share = hope / rest if rest else 0.0
        scatter = max(LEAST_SCATTER, SCATTER * math.sqrt(rest * max(share * (1 - share), 0.05)))
        out[rest, need, :, i, 0] = _between(need - 1, need - 1, hope, scatter) if 0 < need <= rest + 1 else 0
        out[rest, need, :, i, 2] = _between(need, rest, hope, scatter) if need <= rest else 0
        for theirs in range(min(rest + 1, MOST_NEED) + 1):
            out[rest, need, theirs, i, 1] = -_between(theirs - 1, theirs - 1, rest - hope, scatter) if theirs else 0
            out[rest, need, theirs, i, 3] = -_between(theirs, rest, rest - hope, scatter) if theirs <= rest else 0
    return out


def _between(low: int, high: int, mean: float, scatter: float) -> float:
    """The chance of a whole number from low to high, 0 and what is beyond counted to the ends."""
    below = 0.0 if low <= 0 else (1 + math.erf((low - 0.5 - mean) / scatter / math.sqrt(2))) / 2
    return (1 + math.erf((high + 0.5 - mean) / scatter / math.sqrt(2))) / 2 - below


SWING = _swings()


@njit
def win_chance(r, hands_left, mine, theirs):
    """How likely the first of two scores wins: certain at the game's end, else by the ways still to go."""
    top = max(mine, theirs)
    if top >= r.target or hands_left <= 0 or min(mine, theirs) <= r.floor:
        return 0.5 if mine == theirs else 1.0 * (mine > theirs)
    goal = max(np.float64(r.target), top) + ROOM if r.target < NEVER else top + ROOM + MANY_HANDS * A_HAND
    if hands_left < MANY_HANDS:
        goal = min(goal, top + ROOM + A_HAND * hands_left)
    mine, theirs = steep(goal - mine), steep(goal - theirs)
    return theirs / (mine + theirs)


@njit
def steep(way):
    """A way still to go, to the power 2.5: so its share is the share of games won (see LOG.md)."""
    return way * way * math.sqrt(way)
