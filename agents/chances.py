"""What the rule bot reckons with: the worth of a score, and small tables of probabilities.

win_chance(r, hands_left, mine, theirs)   from two scores to a chance between 0 and 1
MISSES[n][k]                              none of k cards lies in one of n equal hands
EXACTLY[k][R][p][x], AT_LEAST[…]          of R tricks to come, a side that may hope for p/20 of them takes x
"""

import math

import numpy as np

from spades_env._jit import njit
from spades_env.state import NEVER

STEPS = 20  # of p
SPREADS = (
    0.6,
    0.8,
    1.0,
    1.25,
    1.5,
)  # how far tricks scatter, against the toss of a coin for each: players steer towards their bids
MOST = 14

MISSES = np.array([[1.0] + [0.0 if n < 2 else (1 - 1 / n) ** k for k in range(1, 20)] for n in range(4)])


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """float64[len(SPREADS), 14, STEPS + 1, 16] twice: normal curves over the whole numbers 0 … R."""
    exactly, at_least = np.zeros((2, len(SPREADS), MOST, STEPS + 1, MOST + 2))
    for k, spread in enumerate(SPREADS):
        for tricks in range(MOST):
            for step in range(STEPS + 1):
                share = step / STEPS
                deviation = max(0.25, spread * math.sqrt(tricks * share * (1 - share)))
                weights = [math.exp(-(((x - tricks * share) / deviation) ** 2) / 2) for x in range(tricks + 1)]
                exactly[k, tricks, step, : tricks + 1] = np.array(weights) / sum(weights)
                at_least[k, tricks, step] = exactly[k, tricks, step, ::-1].cumsum()[::-1]
    return exactly, at_least


EXACTLY, AT_LEAST = _tables()


@njit
def win_chance(r, hands_left, mine, theirs):
    """How likely the first of two scores wins, after a hand: certain at the game's end, else by the ways still to go."""
    top = max(mine, theirs)
    if top >= r.target or hands_left <= 0 or min(mine, theirs) <= r.floor:
        return 0.5 if mine == theirs else 1.0 * (mine > theirs)
    goal = max(np.float64(r.target) if r.target < NEVER else 0.0, top) + 50.0
    if hands_left < 10:
        goal = min(goal, top + 50.0 + 60.0 * hands_left) if r.target < NEVER else top + 50.0 + 60.0 * hands_left
    elif r.target == NEVER:
        goal = top + 650.0
    return (goal - theirs) / (2 * goal - mine - theirs)
