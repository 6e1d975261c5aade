"""Paired trials: the candidates are valued in the same worlds, and their differences tested.

    clear(trial)                        forget all worlds, but not the candidates
    add_world(trial, weight)            add a world in which the candidates are worth trial.values
    drop_worse(trial)                   drop the candidates that are significantly worse than the best
    answer(trial)                       the number of the candidate to play
    means(trial)                        the candidates with their means

The same worlds bring all candidates the same luck, so small differences show early. A candidate that is worse than the
best by more than chance can explain is dropped. Unless another is significantly better, the answer is the favourite. A
world of weight 2 counts as two worlds.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.agents.search.candidates import MOST_CANDIDATES
from spades_env.game.state import record_dtype

FEWEST_WORLDS = 6  # before a candidate may be dropped
DOUBT = 3.0  # standard errors by which it must be worse for that
EQUAL = 1e-9  # smaller differences are rounding errors
NO_FAVOURITE = -1

TRIAL = record_dtype(
    [
        ("x", "u8"),  # the last random number
        ("likely", "i8"),  # are worlds weighed?
        ("at", "i8"),  # the next world of the pool
        ("favourite", "i8"),  # the candidate to play unless another is significantly better
        ("loyalty", "f8"),  # standard errors by which it must be worse than the best for that
        ("doubt", "f8"),  # standard errors by which another must be worse than the favourite to be dropped
        ("num", "i8"),  # number of candidates
        ("actions", "i8", MOST_CANDIDATES),
        ("alive", "i8", MOST_CANDIDATES),  # are they still tried?
        ("values", "f8", MOST_CANDIDATES),  # in the last world
        ("worlds", "i8"),  # tried so far,
        ("weight", "f8"),  # … the sum of their weights,
        ("squares", "f8"),  # … and of these squared
        ("totals", "f8", MOST_CANDIDATES),  # sums of weight × value, …
        ("heavy", "f8", MOST_CANDIDATES),  # … of weight² × value,
        ("products", "f8", (MOST_CANDIDATES, MOST_CANDIDATES)),  # … and of weight² × the values of two candidates
        ("gaps", "f8", MOST_CANDIDATES),  # by how much a dropped one was worse
    ],
)


def new_trial() -> np.recarray:
    return np.zeros(1, TRIAL).view(np.recarray)


@njit
def clear(trial):
    trial.worlds = 0
    trial.weight = 0
    trial.squares = 0
    trial.alive[:] = 1
    trial.totals[:] = 0
    trial.heavy[:] = 0
    trial.products[:] = 0


@njit
def add_world(trial, weight):
    """Add the values of the candidates that are alive."""
    trial.worlds += 1
    trial.weight += weight
    trial.squares += weight * weight
    for c in range(trial.num):
        if trial.alive[c]:
            value = weight * trial.values[c]
            trial.totals[c] += value
            trial.heavy[c] += weight * value
            for d in range(c + 1):
                if trial.alive[d]:
                    trial.products[c, d] += value * (weight * trial.values[d])


@njit
def num_alive(trial):
    count = 0
    for c in range(trial.num):
        count += trial.alive[c]
    return count


@njit
def leader(trial):
    """Return the candidate with the best mean; of equals the first."""
    best = -1
    for c in range(trial.num):
        if trial.alive[c] and (best < 0 or trial.totals[c] > trial.totals[best] + EQUAL):
            best = c
    return best


@njit
def drop_worse(trial, doubt=DOUBT, fewest=FEWEST_WORLDS):
    """Drop the candidates that are significantly worse than the best."""
    if trial.worlds < fewest:
        return
    best = leader(trial)
    for c in range(trial.num):
        if trial.alive[c] and (surely_worse(trial, c, best, doubt) or is_far_behind(trial, c)):
            trial.alive[c] = 0
            trial.gaps[c] = (trial.totals[best] - trial.totals[c]) / trial.weight


@njit
def is_far_behind(trial, c):
    """Is the candidate worse than the favourite by at least `trial.doubt` standard errors?"""
    favoured = trial.favourite
    there = favoured >= 0 and favoured != c and trial.alive[favoured]
    return there and trial.doubt < np.inf and surely_worse(trial, c, favoured, trial.doubt)


@njit
def surely_worse(trial, c, best, doubt):
    """Is the candidate worse than the best by more than `doubt` standard errors?"""
    n, weight, squares = trial.worlds, trial.weight, trial.squares
    if n < 2:
        return False
    gap = (trial.totals[best] - trial.totals[c]) / weight
    heavy = (trial.heavy[best] - trial.heavy[c]) / squares
    both = trial.products[max(best, c), min(best, c)]
    variance = (trial.products[best, best] + trial.products[c, c] - 2 * both) / squares - gap * (2 * heavy - gap)
    uneven = n * squares / (weight * weight)  # 1 where all weights are equal
    return gap > EQUAL and gap * gap * (n - 1) > doubt * doubt * variance * uneven


@njit
def answer(trial):
    """Return the favourite, or the leader if it is significantly better."""
    best = leader(trial)
    c = trial.favourite
    if c < 0 or not trial.alive[c] or surely_worse(trial, c, best, trial.loyalty):
        return best
    return c


def means(trial, answer_first: bool = True) -> list[tuple[int, float]]:
    """Return the candidates with their means, the answer first and with the best mean, as it is not surely worse."""
    if not trial.worlds:
        return [(int(trial.actions[0]), 1.0)]
    best = trial.totals[leader(trial)] / trial.weight
    values = [trial.totals[c] / trial.weight if trial.alive[c] else best - trial.gaps[c] for c in range(trial.num)]
    order = list(range(trial.num))
    if answer_first:
        chosen = answer(trial)
        values[chosen] = best
        order.sort(key=lambda c: c != chosen)
    return [(int(trial.actions[c]), float(max(0, values[c]))) for c in order]
