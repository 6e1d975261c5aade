"""Elo differences, and the sequential test of them that engine developers know as SPRT.

    test = arena.Sprt(0, 10)
    arena.play("standard", "zofia", sprt=test).as_dict()["sprt"]  # ends by itself
    test.llr(np.array([9, 0, 31, 2, 30])), test.bounds

Elo is that of the ladder: 400 points are odds of ten to one. What is counted are pairs, the two games of a deal: how
many brought 0, ½, 1, 1½ and 2 points. So the luck that both games share is no evidence (the pentanomial model).
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from spades_env.errors import SpadesError

ELO = 400 / np.log(10)  # points for a unit of log-odds
SHARES = np.array([0, 0.25, 0.5, 0.75, 1])  # of a pair's points
MOST_ELO = 2000
FIRST_LOOK, GROWTH = 32, 8  # deals before the first look; then one more look for each eighth of those played
HALVINGS = 40


def elo_of(share: float) -> float:
    """Return the Elo difference at which this share of games is won; infinite for none or all."""
    with np.errstate(divide="ignore"):
        return float(ELO * (np.log(share) - np.log1p(-share)))


def share_of(elo: float) -> float:
    return float(1 / (1 + np.exp(-elo / ELO)))


def looks(deals: int) -> Iterator[range]:
    """Split the deals of a match where a sequential test looks at what is played; threads don't matter."""
    end = 0
    while end < deals:
        start, end = end, min(deals, end + max(FIRST_LOOK, end // GROWTH))
        yield range(start, end)


@dataclass(frozen=True)
class Sprt:
    """A test of H0, A is `elo0` stronger than B, against H1, A is `elo1` stronger.

    Args:
        elo0: The difference under H0.
        elo1: The difference under H1, above `elo0`.
        alpha: How often H1 may be accepted at `elo0`.
        beta: How often H0 may be accepted at `elo1`.

    Examples:
        >>> from spades_env.agents import arena
        >>> test = arena.Sprt(0, 100)
        >>> result = arena.play("rule", "random", games=1000, sprt=test)
        >>> test.accepted(result.pairs)
        'H1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self):
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            ends = f"from {-MOST_ELO} to {MOST_ELO}, the lower first"
            raise SpadesError(f"a sequential test is of two Elo differences {ends}, not {self.elo0} and {self.elo1}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise SpadesError(f"{name} must be between 0 and 0.5, not {value}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald)."""
        return float(np.log(self.beta / (1 - self.alpha))), float(np.log((1 - self.beta) / self.alpha))

    def llr(self, pairs: np.ndarray) -> np.ndarray:
        """Return the log-likelihood ratio of H1 to H0, float[...]. pairs: int[..., 5], of 0, ½, 1, 1½ and 2 points.

        Each hypothesis gets the likeliest distribution of pairs whose mean is its own (a generalized SPRT).
        """
        return _misfit(pairs, share_of(self.elo0)) - _misfit(pairs, share_of(self.elo1))

    def accepted(self, pairs: np.ndarray) -> str | None:
        """Return "H0" or "H1", or None while neither is accepted."""
        llr, (low, high) = self.llr(pairs), self.bounds
        return "H0" if llr <= low else "H1" if llr >= high else None

    def as_dict(self, pairs: np.ndarray) -> dict:
        """Return the test and what it says of these pairs as plain data."""
        found = {"llr": float(self.llr(pairs)), "bounds": list(self.bounds), "accepted": self.accepted(pairs)}
        return asdict(self) | found


def _misfit(pairs: np.ndarray, share: float) -> np.ndarray:
    """Return the log-likelihood that the pairs lose if their mean has to be this share, float[...].

    The likeliest weights are n / N / (1 + t (x − share)), with the t that makes the sum of n log(1 + t (x − share))
    largest; that sum is lost. t ends where a weight of 0 or of 2 points would be negative. There that result has what
    is left of the weight, though no pair had it: so nothing need be added to counts of 0.
    """
    from_share = SHARES - share
    low, high = (np.full((*pairs.shape[:-1], 1), end) for end in (-1 / (1 - share), 1 / share))
    for _ in range(HALVINGS):
        t = (low + high) / 2
        rises = (pairs * from_share / (1 + t * from_share)).sum(axis=-1, keepdims=True) > 0
        low, high = np.where(rises, t, low), np.where(rises, high, t)
    return (pairs * np.log1p((low + high) / 2 * from_share)).sum(axis=-1)
