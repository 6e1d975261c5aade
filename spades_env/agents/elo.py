"""Elo differences, as on the ladder: 400 points are odds of ten to one."""

import numpy as np

ELO = 400 / np.log(10)  # points for a unit of log-odds


def elo_of(share: float) -> float:
    """Return the Elo difference at which this share of games is won; infinite for none or all."""
    with np.errstate(divide="ignore"):
        return float(ELO * (np.log(share) - np.log1p(-share)))
