"""What a hand is worth to those who played it.

    worth = worths(tables, rules, rules_of)     before the hand, and after it
    deeds = deeds_of_seats(finished, …)         what each seat did in it
    reward = reward_of(before, after, deeds, weights)

A hand pays what it changes, in two coins:

    points   the score less what the tally of bags is likely to cost, by the square of how full it is (equity.standing),
             less the mean of the other sides'; in hundreds. A bag so costs about ten points in the long run, more the
             fuller the tally
    equity   the chance of winning the game from that score (agents/equity.py)

Points teach at any score; the chance of winning makes the bids respond to it.

Who shall play in a style of its own is also paid for deeds that it likes, and charged for those that it does not:

    bold     for every trick that the seat itself bids, up to six; a nil is none
    nil      for a nil that it bids, blind or not
    bags     charged for every bag that its side takes, where bags are counted, beside what the rules make of it
    hunt     for every nil of another side that fails
"""

from dataclasses import asdict
from typing import NamedTuple

import numpy as np

from agents.equity import LEARNED, equity, standing
from spades_env._jit import njit
from spades_env.state import NO_NIL, OVER
from train.recipe import Reward

POINTS_UNIT = 100.0
NUM_DEEDS = 4
BOLDEST = 6  # tricks: where the game is lost anyway, thirteen would look bold for nothing


class Weights(NamedTuple):
    """What a recipe's [reward] says, for kernels."""

    points: float = 0.0
    equity: float = 0.0
    bold: float = 0.0
    nil: float = 0.0
    bags: float = 0.0
    hunt: float = 0.0

    @classmethod
    def of(cls, reward: Reward) -> "Weights":
        """Out of a recipe, number by number."""
        return cls(**asdict(reward))

    @property
    def deeds(self) -> np.ndarray:
        """float32[4]: what each kind of deed pays."""
        return np.array([self.bold, self.nil, -self.bags, self.hunt], np.float32)


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
def worth_to(s, r, seat, k):
    """All in one, for one seat; s as apply left it after the last card."""
    bid, nils, bags, hunted = deeds_of(s, r, seat)
    liked = k.bold * bid + k.nil * nils - k.bags * bags + k.hunt * hunted
    return k.points * points_above(s, r, seat) + k.equity * equity(s, r, seat & r.side_mask) + liked


@njit
def deeds_of(s, r, seat):
    """What a seat did in a finished hand: tricks bid, nils bid, its side's bags, nils of other sides that failed."""
    side = seat & r.side_mask
    hunted = 0
    for other in range(4):
        hunted += (other & r.side_mask) != side and s.nils[other] != NO_NIL and s.tricks[other] > 0
    nil = s.nils[seat] != NO_NIL
    bags = np.int64(s.overtricks[side]) if r.bags_counted else 0
    return 0 if nil else min(np.int64(s.bids[seat]), BOLDEST), int(nil), bags, hunted


@njit
def deeds_of_seats(tables, rules, rules_of, out):
    """The same for every seat of every table: out is float32[N, 4, 4]."""
    for i in range(len(tables)):
        for seat in range(4):
            bid, nils, bags, hunted = deeds_of(tables[i], rules[rules_of[i]], seat)
            out[i, seat, 0], out[i, seat, 1], out[i, seat, 2], out[i, seat, 3] = bid, nils, bags, hunted


def worths(tables: np.recarray, rules: np.recarray, rules_of: np.ndarray) -> Worth:
    """What the scores are worth to every seat, between hands or when the game is over.

    Where the next hand is dealt already it is one of those left, as `equity` counts them.
    """
    scored = tables.copy()
    scored.hand_number -= tables.phase != OVER
    points, chances = (np.empty((len(tables), 4), np.float32) for _ in range(2))
    worths_of_seats(scored, rules, rules_of, points, chances)
    return Worth(points, chances)


def reward_of(before: Worth, after: Worth, deeds: np.ndarray, weights: Weights) -> np.ndarray:
    """float32[N, 4]: what the hand changed, and what the deeds in it pay (float32[N, 4, 4])."""
    changed = weights.points * (after.points - before.points) + weights.equity * (after.equity - before.equity)
    return changed + deeds @ weights.deeds
