"""What a hand pays to each seat.

    pay = RewardWeights(points=0.3, winning=3.0)
    write_worths(tables, rules, rules_of, pay, numbers, out)      what scores are worth, before the hand and after it
    write_styles(finished, rules, rules_of, pay, out)             what the style adds

A hand's reward is the change of what the scores are worth:

    points    the score, less the likely cost of the bags so far (equity.standing), less the mean of the other sides';
              in hundreds. A bag costs about ten points in the long run, more the fuller the tally: paid when it is
              taken, not all at the limit, it is no lottery
    winning   the chance of winning the game from that score (agents/equity.py), by numbers fitted to games of the run

Points teach at any score; the chance of winning makes the bids respond to it. A style is a weighted sum of events:

    bold     paid for every trick that the seat itself bids, up to six; a nil is none
    nil      paid for a nil that it bids, blind or not
    bags     charged for every bag that its side takes, where bags are counted, on top of their cost in the rules
    hunt     paid for every nil of another side that fails
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit
from spades_env.agents.equity import Numbers, final_share, likely_share, standing
from spades_env.game.rules import Rules
from spades_env.game.state import NO_NIL, OVER
from spades_env.training.recipe import Reward

POINTS_UNIT = 100.0
BOLDEST = 6  # tricks: in a lost game a bid of thirteen would be rewarded at no cost
GUESS = Numbers(hand=60.0, bags=0.5, leader=0.5, nils=0.5, tally=1.0, stride=60.0, last_hands=1.0)  # before any game


class RewardWeights(NamedTuple):
    """The weights of a hand's reward: of a hundred points, the chance of winning, and a style."""

    points: float
    winning: float
    bold: float = 0.0
    nil: float = 0.0
    bags: float = 0.0
    hunt: float = 0.0

    @classmethod
    def of(cls, reward: Reward) -> "RewardWeights":
        return cls(**{name: getattr(reward, name) for name in cls._fields})


class Worth(NamedTuple):
    """For every seat: its side's points above the others (in hundreds), and its chance of winning; float64[N, 4]."""

    points: np.ndarray
    winning: np.ndarray


class OpenHands(NamedTuple):
    """N finished hands, with all cards open: what a reward of your own is called with.

    Attributes:
        tables: STATE[N] after the last card, before the next deal. The fields are those of game/state.py: bids, nils
            and tricks by seat; scores, bags, points and overtricks by side.
        rules: The distinct rules.
        rules_of: int32[N], the number of each table's rules.
        before: What the scores were worth before the hand: `points` and `winning`, float64[N, 4] by seat.
        after: What they are worth after it.
        usual: float64[N, 4], the reward by the weights in [reward].

    Examples:
        >>> def tricks(hands):
        ...     return hands.tables["tricks"] - 3.25  # float[N, 4], by seat
    """

    tables: np.recarray
    rules: tuple[Rules, ...]
    rules_of: np.ndarray
    before: Worth
    after: Worth
    usual: np.ndarray


@njit
def worth(s, r, seat, weights, numbers):
    """Return what the scores are worth to a seat: its side's lead, bags charged for, and its chance of winning."""
    side = seat & r.side_mask
    mine = standing(s, r, side, numbers)
    others = -mine
    for other in range(r.sides):
        others += standing(s, r, other, numbers)
    value = weights.points * (mine - others / (r.sides - 1)) / POINTS_UNIT
    if weights.winning:
        share = final_share(s, r, side) if s.phase == OVER else likely_share(s, r, side, numbers)
        value += weights.winning * share
    return value


@njit
def style(s, r, seat, weights):
    """Return what a finished hand pays for its style; s is the table after the last card."""
    bid, nils, bags, hunted = style_counts(s, r, seat)
    return weights.bold * bid + weights.nil * nils - weights.bags * bags + weights.hunt * hunted


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
def write_worths(tables, rules, rules_of, weights, numbers, out):
    """Write what the scores are worth to every seat once a hand is finished, float64[N, 4]."""
    for i in range(len(tables)):
        for seat in range(4):
            out[i, seat] = worth(tables[i], rules[rules_of[i]], seat, weights, numbers)


@njit
def write_styles(tables, rules, rules_of, weights, out):
    """Write what finished hands pay every seat for its style, float64[N, 4]."""
    for i in range(len(tables)):
        for seat in range(4):
            out[i, seat] = style(tables[i], rules[rules_of[i]], seat, weights)


@njit
def write_shares(tables, rules, rules_of, out):
    """Write every side's share of finished games, float64[N, 4]."""
    for i in range(len(tables)):
        r = rules[rules_of[i]]
        for side in range(r.sides):
            out[i, side] = final_share(tables[i], r, side)
