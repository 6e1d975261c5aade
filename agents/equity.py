"""Match equity: what the scores are worth once a hand is scored: each side's share of the win, from 0 to 1.

    equity(s, r, side)   s as apply left it after the last card of a hand; the shares of all sides sum to 1

A game that is over is worth 1 to its winner; a draw is shared. Else the shares follow from the sides' standings, that
is their scores with what the tallies of bags are likely to cost or bring:

    share = e^(standing / spread) / sum over sides

The spread grows with the hands left, those to `max_hands` or to the target, and with what nils bring and bags cost;
most of all with the leader's tally. (Of leads of 100 to 199 points from 450 on, 94 % were won with up to two bags, 64 %
with nine.) A floor makes no difference that shows.

The numbers are fitted to 20,000 games of `rule` with itself under each of 17 rule sets (train/fit/equity.py is the
recipe). Log loss on 8,000 fresh games each, beside that of the numbers before, from games of weak bidders, and a coin:

    classic without blind nil   0.518   0.579   0.693
    pagat                       0.535   0.612   0.693
    showdown                    0.521   0.531   0.693
    solo                        0.874   0.875   1.386
    all 17, mean                0.575   0.633   0.815
"""

from math import exp, sqrt
from typing import NamedTuple

from agents.fitted import load_fitted
from spades_env._jit import njit
from spades_env.state import OVER

MOST_HANDS = 60.0
DEAREST_NIL = 400.0  # beyond it nils are bid no more often
LARGEST_EXPONENT = 700.0  # of a float


class Numbers(NamedTuple):
    """What is learned."""

    hand: float  # points: the spread of a hand, but for bags and nils
    bags: float  # … that bags to come add, of the penalty for ten
    leader: float  # … that the leader's full tally adds, of the penalty
    nils: float  # … that nils add, of their bonus
    tally: float  # what a full tally of bags costs, of the penalty
    stride: float  # points by which the leader nears the target in a hand
    last_hands: float  # still to play where the leader is at the target


LEARNED = Numbers(**{name: float(number) for name, number in load_fitted(__file__).items()})


@njit
def equity(s, r, side):
    """Return the side's share of the win, from 0 to 1."""
    return final_share(s, r, side) if s.phase == OVER else likely_share(s, r, side, LEARNED)


@njit
def final_share(s, r, side):
    """Return the side's share of a finished game: those with the best score share the win."""
    best = s.scores[side]
    equals = 0
    for other in range(r.sides):
        if s.scores[other] > best:
            return 0.0
        equals += s.scores[other] == best
    return 1.0 / equals


@njit
def likely_share(s, r, side, k):
    """Return the share that the side is likely to have of a game that goes on."""
    mine = highest = standing(s, r, side, k)
    full = fullness(s, r, side)
    for other in range(r.sides):
        theirs = standing(s, r, other, k)
        if theirs > highest:
            highest, full = theirs, fullness(s, r, other)
    spread = sqrt(variance(r, hands_left(s, r, highest, k), full, k))
    total = 0.0
    for other in range(r.sides):
        total += exp(min(LARGEST_EXPONENT, (standing(s, r, other, k) - mine) / spread))
    return 1.0 / total


@njit
def standing(s, r, side, k):
    """Return the score, less what the tally of bags is likely to cost, by the square of how full it is."""
    if not r.bags_counted:
        return 1.0 * s.scores[side]
    full = s.bags[side] / r.bag_limit
    return s.scores[side] - k.tally * (r.bag_cost + r.bag_gift) * full * full


@njit
def fullness(s, r, side):
    """Return how full the leader's tally of bags is; half full if there are several rivals, as each may lead."""
    return s.bags[side] / r.bag_limit if r.sides == 2 else 0.5


@njit
def hands_left(s, r, highest, k):
    """Return about how many hands the game will last."""
    to_target = max(0.0, r.target - highest) / k.stride + k.last_hands
    return max(1.0, min(to_target, r.max_hands - s.hand_number - 1.0, MOST_HANDS))


@njit
def variance(r, hands, full, k):
    """Return the square of the spread: of tricks and nils, hand by hand; of the leader's bags and those to come."""
    nil = k.nils * r.nil_bonus * r.zero_is_nil
    often = min(1.0 * r.nil_bonus, DEAREST_NIL) / 100  # a dearer nil is bid more often
    penalty = 1.0 * (r.bag_cost + r.bag_gift) * r.bags_counted
    bags = penalty * penalty * (k.bags * k.bags * 10 / r.bag_limit * (hands - 1) + k.leader * k.leader * full)
    seats = 2.0 / r.sides  # a seat alone spreads them half as much as two
    return k.hand * k.hand * hands + (nil * nil * often * hands + bags) * seats * seats
