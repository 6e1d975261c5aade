"""Match equity: each side's expected share of the win, from 0 to 1, once a hand is scored.

    equity(s, r, side)   s: a table as `apply` leaves it after the last card of a hand; the shares sum to 1

A finished game is worth 1 to its winner; a draw is shared. Otherwise the shares follow from the sides' standings, their
scores less the expected cost of their bags:

    share = e^(standing / spread) / sum over sides

The spread grows with the hands left, to `max_hands` or to the target, with the value of nils and blind bids and the
cost of bags, and most of all with the leader's tally. (Of leads of 100 to 199 points from 450 on, 94 % were won with up
to two bags, 64 % with nine.)

The numbers are fitted to games of `rule` with itself, separately for each way of bidding (training/fit/equity.py). Log
loss on 20,000 fresh games each (a coin toss: 0.693, under `solo` 1.386):

    match   0.527    pagat   0.529    showdown   0.519    solo   0.862
    house   0.520    mirror  0.571    whiz       0.532    suicide   0.560
"""

from math import exp, sqrt
from typing import NamedTuple

from spades_env._jit import njit
from spades_env.agents.fitted import load_fitted
from spades_env.game.state import OVER

MOST_HANDS = 60.0
DEAREST_NIL = 400.0  # a higher bonus makes nils no more frequent
LARGEST_EXPONENT = 700.0  # of a float


class Numbers(NamedTuple):
    """The fitted numbers."""

    hand: float  # points: the spread of a hand without bags and nils
    bags: float  # the spread of bags to come, as a share of the penalty for ten
    leader: float  # the spread of the leader's full tally, as a share of the penalty
    nils: float  # the spread of nils, as a share of their bonus
    tally: float  # the cost of a full tally of bags, as a share of the penalty
    stride: float  # points that the leader gains in a hand
    last_hands: float  # hands still to play where the leader is at the target
    blinds: float = 0.5  # the spread of blind bids, as a share of what they score more


_TABLES = load_fitted("equity")
_ROWS = zip(*(_TABLES[name].tolist() for name in Numbers._fields), strict=True)
LEARNED = tuple(Numbers(*row) for row in _ROWS)  # for each way of bidding, in the order of CHOICES


@njit
def equity(s, r, side):
    return final_share(s, r, side) if s.phase == OVER else likely_share(s, r, side, LEARNED[r.bidding])


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
    """Return the side's expected share of a game that is not over."""
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
    """Return the score less the expected cost of the bags, which grows with the square of the tally."""
    if not r.bags_counted:
        return 1.0 * s.scores[side]
    full = s.bags[side] / r.bag_limit
    return s.scores[side] - k.tally * (r.bag_cost + r.bag_gift) * full * full


@njit
def fullness(s, r, side):
    """Return how full the leader's tally of bags is; in solo games, where several may lead, half full."""
    return s.bags[side] / r.bag_limit if r.sides == 2 else 0.5


@njit
def hands_left(s, r, highest, k):
    """Return the expected number of hands left."""
    to_target = max(0.0, r.target - highest) / k.stride + k.last_hands
    return max(1.0, min(to_target, r.max_hands - s.hand_number - 1.0, MOST_HANDS))


@njit
def variance(r, hands, full, k):
    """Return the squared spread: of tricks, blind bids and nils by hand, of the leader's bags and of those to come."""
    nil = k.nils * r.nil_bonus * r.zero_is_nil
    often = min(1.0 * r.nil_bonus, DEAREST_NIL) / 100  # a higher bonus makes nils more frequent
    penalty = 1.0 * (r.bag_cost + r.bag_gift) * r.bags_counted
    bags = penalty * penalty * (k.bags * k.bags * 10 / r.bag_limit * (hands - 1) + k.leader * k.leader * full)
    seats = 2.0 / r.sides  # one seat spreads them half as much as two
    blind = k.blinds * 10 * r.blind_bid
    tricks = k.hand * k.hand + blind * blind
    return tricks * hands + (nil * nil * often * hands + bags) * seats * seats
