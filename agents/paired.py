"""Paired trials: what each of several actions is worth in the same worlds, and which is best beyond doubt.

    trials = Paired(actions, loyalty)      the favourite first
    trials.add(values, weights)            float64[worlds, alive], float64[worlds]: so many worlds more
    trials.answer(), trials.means()

A weight says how many worlds a world stands for. An action that is worse than the best by more than chance can do is
tried no more; the favourite is the answer as long as none is better by more than `loyalty` standard errors.
"""

import numpy as np

DOUBT = 2.5  # standard errors by which an action must be worse to be dropped
EQUAL = 1e-9  # a difference that is none


class Paired:
    """The worth of actions in worlds tried so far; a dropped one keeps its gap to the best of then.

    patient: none is dropped.
    """

    def __init__(self, actions: np.ndarray, loyalty: float, patient: bool = False):
        self.actions, self.loyalty, self.patient = actions, loyalty, patient
        self._values = np.empty((0, len(actions)))
        self._weights = np.empty(0)
        self._alive = np.arange(len(actions))
        self._gaps = np.zeros(len(actions))

    @property
    def open(self) -> bool:
        """Is there anything to choose?"""
        return len(self._alive) > 1

    def alive(self) -> np.ndarray:
        """int64[A]: the actions that are still tried."""
        return self.actions[self._alive]

    def add(self, values: np.ndarray, weights: np.ndarray) -> None:
        """What these are worth in more worlds."""
        rows = np.full((len(values), len(self.actions)), np.nan)
        rows[:, self._alive] = values
        self._values = np.concatenate([self._values, rows])
        self._weights = np.concatenate([self._weights, weights])
        best = self._best()
        for c in self._alive.tolist():
            self._gaps[c] = self._gap(c, best)
        if not self.patient:
            self._alive = np.array([c for c in self._alive.tolist() if not self._surely_worse(c, best, DOUBT)])

    def answer(self) -> int:
        """The favourite, or one that is surely better."""
        if not len(self._weights):
            return int(self.actions[0])
        best = self._best()
        left = 0 not in self._alive or self._surely_worse(0, best, self.loyalty)
        return int(self.actions[best if left else 0])

    def means(self) -> list[tuple[int, float]]:
        """The actions with their means, the answer first: within doubt it is as good as the best."""
        if not len(self._weights):
            return [(int(self.actions[0]), 1.0)]
        answer = self.answer()
        others = [(action, value) for action, value in self.worths().items() if action != answer]
        return [(answer, self._highest()), *others]

    def worths(self) -> dict[int, float]:
        """The means alone, after some worlds."""
        highest = self._highest()
        return {int(a): float(max(0.0, highest - gap)) for a, gap in zip(self.actions, self._gaps, strict=True)}

    def _highest(self) -> float:
        return self._mean(self._values[:, self._best()])

    def _best(self) -> int:
        """The best mean; of equals the one liked better."""
        means = np.array([self._mean(self._values[:, c]) for c in self._alive])
        return int(self._alive[np.flatnonzero(means >= means.max() - EQUAL)[0]])

    def _mean(self, numbers: np.ndarray) -> float:
        return float(numbers @ self._weights / self._weights.sum())

    def _gap(self, c: int, best: int) -> float:
        """By how much it is worse than the best."""
        return self._mean(self._values[:, best] - self._values[:, c])

    def _surely_worse(self, c: int, best: int, doubt: float) -> bool:
        """Is it worse than the best by more than so many standard errors?"""
        n, gap = len(self._weights), self._gap(c, best)
        if n < 2 or gap <= EQUAL:
            return False
        off = self._values[:, best] - self._values[:, c] - gap
        variance = ((self._weights * off) ** 2).sum() / self._weights.sum() ** 2 * n / (n - 1)
        return gap * gap > doubt * doubt * variance
