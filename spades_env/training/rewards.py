"""Compute the reward of a hand for each seat.

    worth = worths(tables, rules, rules_of)                   before the hand, and after it
    counts = style_counts_of(finished, rules, rules_of)       events that a style rewards, by seat
    reward = reward_of(before, after, counts, weights)

A hand's reward is a weighted sum of two changes:

    points   the score, less the likely cost of the bags so far (equity.standing), less the mean of the other sides';
             in hundreds. A bag costs about ten points in the long run, more the fuller the tally
    equity   the chance of winning the game from that score (agents/equity.py)

Points teach at any score; the chance of winning makes the bids respond to it.

A style is a weighted sum of events (reward shaping):

    bold     paid for every trick that the seat itself bids, up to six; a nil is none
    nil      paid for a nil that it bids, blind or not
    bags     charged for every bag that its side takes, where bags are counted, on top of their cost in the rules
    hunt     paid for every nil of another side that fails
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit
from spades_env.agents.equity import LEARNED, equity, standing
from spades_env.game.state import NO_NIL, OVER
from spades_env.training.recipe import Reward

POINTS_UNIT = 100.0
NUM_STYLE_COUNTS = 4  # tricks bid, nils bid, own bags, failed nils of others
BOLDEST = 6  # tricks: in a lost game a bid of thirteen would be rewarded at no cost


class Weights(NamedTuple):
    """The numbers of a recipe's [reward], for kernels."""

    points: float = 0.0
    equity: float = 0.0
    bold: float = 0.0
    nil: float = 0.0
    bags: float = 0.0
    hunt: float = 0.0

    @classmethod
    def of(cls, reward: Reward) -> "Weights":
        return cls(**{name: getattr(reward, name) for name in cls._fields})

    @property
    def style(self) -> np.ndarray:
        return np.array([self.bold, self.nil, -self.bags, self.hunt], np.float32)


class Worth(NamedTuple):
    """For every seat: its side's points above the others (in hundreds), and its chance of winning; float32[N, 4]."""

    points: np.ndarray
    equity: np.ndarray


@njit
def worths_of_seats(tables, rules, rules_of, points, chances):
    """Write both worths of every seat of every table."""
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        for seat in range(4):
            points[i, seat] = points_above(tables[i], r, seat)
            chances[i, seat] = equity(tables[i], r, seat & r.side_mask)


@njit
def points_above(s, r, seat):
    """Return the lead of the seat's side over the mean of the others, in hundreds of points."""
    mine = standing(s, r, seat & r.side_mask, LEARNED)
    others = -mine
    for side in range(r.sides):
        others += standing(s, r, side, LEARNED)
    return (mine - others / (r.sides - 1)) / POINTS_UNIT


@njit
def worth_to(s, r, seat, k):
    """Return what a finished hand is worth to a seat, style included; s is the state after the last card."""
    bid, nils, bags, hunted = style_counts(s, r, seat)
    style = k.bold * bid + k.nil * nils - k.bags * bags + k.hunt * hunted
    return k.points * points_above(s, r, seat) + k.equity * equity(s, r, seat & r.side_mask) + style


@njit
def style_counts(s, r, seat):
    """Return tricks bid, nils bid, bags of the seat's side, and nils of other sides that failed in a finished hand."""
    side = seat & r.side_mask
    hunted = 0
    for other in range(4):
        hunted += (other & r.side_mask) != side and s.nils[other] != NO_NIL and s.tricks[other] > 0
    nil = s.nils[seat] != NO_NIL
    bags = np.int64(s.overtricks[side]) if r.bags_counted else 0
    bid = max(0, np.int64(s.bids[seat]))  # where nobody bids, or the partner bids for both, there is none
    return 0 if nil else min(bid, BOLDEST), int(nil), bags, hunted


@njit
def write_style_counts(tables, rules, rules_of, out):
    """Write the same for every seat of every table: out is float32[N, 4, 4]."""
    for i in range(len(tables)):
        for seat in range(4):
            bid, nils, bags, hunted = style_counts(tables[i], rules[rules_of[i]], seat)
            out[i, seat, 0], out[i, seat, 1], out[i, seat, 2], out[i, seat, 3] = bid, nils, bags, hunted


def worths(tables: np.recarray, rules: np.recarray, rules_of: np.ndarray) -> Worth:
    """Return what the scores are worth to every seat, between hands or when the game is over.

    A hand that is already dealt counts as one of those left.
    """
    scored = tables.copy()
    scored.hand_number -= tables.phase != OVER
    return worths_after(scored, rules, rules_of)


def worths_after(finished: np.recarray, rules: np.recarray, rules_of: np.ndarray) -> Worth:
    """Return what the scores are worth after the last card of a hand, before the next deal."""
    worth = Worth(*(np.empty((len(finished), 4), np.float32) for _ in range(2)))
    worths_of_seats(finished, rules, rules_of, *worth)
    return worth


def style_counts_of(finished: np.recarray, rules: np.recarray, rules_of: np.ndarray) -> np.ndarray:
    """Return the style counts of every seat in finished hands: float32[N, 4, 4]."""
    counts = np.zeros((len(finished), 4, NUM_STYLE_COUNTS), np.float32)
    write_style_counts(finished, rules, rules_of, counts)
    return counts


def reward_of(before: Worth, after: Worth, counts: np.ndarray, weights: Weights) -> np.ndarray:
    """Return the weighted changes plus the weighted style counts (float32[N, 4, 4]): float32[N, 4]."""
    changed = weights.points * (after.points - before.points) + weights.equity * (after.equity - before.equity)
    return changed + counts @ weights.style
