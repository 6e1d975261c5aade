"""Paired trials: the candidates are valued in the same worlds, and their differences tested.

    clear(trial)          forget all worlds, but not the candidates
    add_world(trial)      add a world in which the candidates are worth trial.values
    drop_worse(trial)     drop the candidates that are significantly worse than the best, or promise too little
    answer(trial)         the number of the candidate to play
    means(trial)          the candidates with their means

The same worlds bring all candidates the same luck, so small differences show early. A candidate that is worse than the
best by more than chance can explain is dropped, and so is one whose expected gain is too small to go on for. Unless
another is significantly better, the answer is the favourite.
"""

from math import exp, log, pi, sqrt

import numpy as np

from spades_env._jit import njit
from spades_env.agents.search.candidates import MOST_CANDIDATES
from spades_env.game.state import record_dtype

FEWEST_WORLDS = 6  # before a candidate may be dropped
DOUBT = 3.0  # standard errors by which it must be worse for that
FEWEST_FOR_GAIN = 24  # worlds before a gain is estimated
LOGISTIC = sqrt(3) / pi  # the scale of a logistic distribution whose standard deviation is 1
EQUAL = 1e-9  # smaller differences are rounding errors
NO_FAVOURITE = -1

TRIAL = record_dtype(
    [
        ("x", "u8"),  # the last random number
        ("likely", "i8"),  # are worlds weighed?
        ("at", "i8"),  # the next world of the pool
        ("favourite", "i8"),  # the candidate to play unless another is significantly better
        ("loyalty", "f8"),  # standard errors by which it must be worse than the best for that
        ("least_gain", "f8"),  # a candidate whose expected gain is below this is dropped
        ("num", "i8"),  # number of candidates
        ("actions", "i8", MOST_CANDIDATES),
        ("alive", "i8", MOST_CANDIDATES),  # are they still tried?
        ("values", "f8", MOST_CANDIDATES),  # in the last world
        ("worlds", "i8"),  # tried so far
        ("totals", "f8", MOST_CANDIDATES),  # sums of the values, …
        ("products", "f8", (MOST_CANDIDATES, MOST_CANDIDATES)),  # … and of the products of two candidates' values
        ("gaps", "f8", MOST_CANDIDATES),  # by how much a dropped one was worse
    ],
)


def new_trial() -> np.recarray:
    return np.zeros(1, TRIAL).view(np.recarray)


@njit
def clear(trial):
    trial.worlds = 0
    trial.alive[:] = 1
    trial.totals[:] = 0
    trial.products[:] = 0


@njit
def add_world(trial):
    """Add the values of the candidates that are alive."""
    trial.worlds += 1
    for c in range(trial.num):
        if trial.alive[c]:
            trial.totals[c] += trial.values[c]
            for d in range(c + 1):
                if trial.alive[d]:
                    trial.products[c, d] += trial.values[c] * trial.values[d]


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
def drop_worse(trial):
    """Drop the candidates that are significantly worse than the best, or whose expected gain is too small."""
    if trial.worlds < FEWEST_WORLDS:
        return
    best, usual = leader(trial), trial.favourite
    if usual < 0 or not trial.alive[usual] or surely_worse(trial, usual, best, DOUBT):
        usual = best
    for c in range(trial.num):
        if trial.alive[c] and (surely_worse(trial, c, best, DOUBT) or gains_little(trial, c, usual)):
            trial.alive[c] = 0
            trial.gaps[c] = (trial.totals[best] - trial.totals[c]) / trial.worlds


@njit
def gains_little(trial, c, usual):
    """Is the candidate's expected gain over the usual one below `trial.least_gain`?

    A candidate that turns out to be worse isn't played, so losses count as 0. The true difference is assumed to follow
    a logistic distribution around the mean, with heavier tails than a normal one.
    """
    if c == usual or not trial.least_gain or trial.worlds < FEWEST_FOR_GAIN:
        return False
    gain, variance = difference(trial, c, usual)
    scale = LOGISTIC * sqrt(max(0.0, variance) / (trial.worlds - 1))
    chance = scale * log(1 + exp(-abs(gain) / scale)) if scale > EQUAL else 0.0
    return max(0.0, gain) + chance < trial.least_gain


@njit
def surely_worse(trial, c, best, doubt):
    """Is the candidate worse than the best by more than `doubt` standard errors?"""
    n = trial.worlds
    if n < 2:
        return False
    gap, variance = difference(trial, best, c)
    return gap > EQUAL and gap * gap * (n - 1) > doubt * doubt * variance


@njit
def difference(trial, best, c):
    """Return the mean difference between two candidates over the worlds, and its variance in a single world."""
    n = trial.worlds
    gap = (trial.totals[best] - trial.totals[c]) / n
    both = trial.products[max(best, c), min(best, c)]
    return gap, (trial.products[best, best] + trial.products[c, c] - 2 * both) / n - gap * gap


@njit
def answer(trial):
    """Return the favourite, or the leader if it is significantly better."""
    best = leader(trial)
    c = trial.favourite
    if c < 0 or not trial.alive[c] or surely_worse(trial, c, best, trial.loyalty):
        return best
    return c


def means(trial) -> list[tuple[int, float]]:
    """Return the candidates with their means, the answer first and with the best mean, as it is not surely worse."""
    if not trial.worlds:
        return [(int(trial.actions[0]), 1.0)]
    best = trial.totals[leader(trial)] / trial.worlds
    values = [trial.totals[c] / trial.worlds if trial.alive[c] else best - trial.gaps[c] for c in range(trial.num)]
    chosen = answer(trial)
    values[chosen] = best
    order = sorted(range(trial.num), key=lambda c: c != chosen)
    return [(int(trial.actions[c]), float(min(best, max(0, values[c])))) for c in order]  # equal up to rounding
