"""What a hand is worth to those who played it.

    worth = worths(tables, rules, rules_of)     before the hand, and after it
    reward = reward_of(before, after, weights)

A hand pays what it changes, in two coins:

    points   the score less what the tally of bags is likely to cost, by the square of how full it is (equity.standing),
             less the mean of the other sides'; in hundreds. A bag so costs about ten points in the long run, more the
             fuller the tally
    equity   the chance of winning the game from that score (agents/equity.py)

Points teach at any score; the chance of winning makes the bids respond to it.
"""

from typing import NamedTuple

import numpy as np

from agents.equity import LEARNED, equity, standing
from spades_env._jit import njit
from spades_env.state import OVER

POINTS_UNIT = 100.0


class Worth(NamedTuple):
    """Of every seat: its side's points above the others (in hundreds), and its chance of winning; float32[N, 4]."""

    points: np.ndarray
    equity: np.ndarray


@njit
def worths_of_seats(tables, rules, rules_of, points, chances):
    """Both coins for every seat of every table."""
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        for seat in range(4):
            points[i, seat] = points_above(tables[i], r, seat)
            chances[i, seat] = equity(tables[i], r, seat & r.side_mask)


@njit
def points_above(s, r, seat):
    """By how many hundred points the seat's side stands above the others' mean."""
    mine = standing(s, r, seat & r.side_mask, LEARNED)
    others = -mine
    for side in range(r.sides):
        others += standing(s, r, side, LEARNED)
    return (mine - others / (r.sides - 1)) / POINTS_UNIT


@njit
def worth_to(s, r, seat, points_weight, equity_weight):
    """Both coins in one, for one seat."""
    return points_weight * points_above(s, r, seat) + equity_weight * equity(s, r, seat & r.side_mask)


def worths(tables: np.recarray, rules: np.recarray, rules_of: np.ndarray) -> Worth:
    """What the scores are worth to every seat, between hands or when the game is over.

    Where the next hand is dealt already it is one of those left, as `equity` counts them.
    """
    scored = tables.copy()
    scored.hand_number -= tables.phase != OVER
    points, chances = (np.empty((len(tables), 4), np.float32) for _ in range(2))
    worths_of_seats(scored, rules, rules_of, points, chances)
    return Worth(points, chances)


def reward_of(before: Worth, after: Worth, points_weight: float, equity_weight: float) -> np.ndarray:
    """float32[N, 4]: what the hand changed."""
    return points_weight * (after.points - before.points) + equity_weight * (after.equity - before.equity)
