"""Match equity: what the scores are worth once a hand is scored: each side's share of the win, from 0 to 1.

    equity(s, r, side)   s as apply left it after the last card of a hand; the shares of all sides sum to 1

A game that is over is worth 1 to its winner; a draw is shared. Else the shares follow from the sides' standings, that
is their scores with what the tallies of bags are likely to cost or bring:

    share = e^(standing / spread) / sum over sides        spread = SPREAD · √(hands left + LAST_HAND)

Leads are worth more the fewer hands are left; these are those to `max_hands`, or those that the leader needs to the
target. The numbers are fitted to 100,000 games of a points bidder with the simple player under five rule sets (log loss
0.523 under `pagat`; the published measure, inverse distances to 50 points beyond the target, has 0.599, a coin 0.693).
"""

from math import exp, sqrt

from spades_env._jit import njit
from spades_env.state import OVER

SPREAD = 43.0  # points by which a hand sways a lead, with partners
SOLO_SPREAD = 33.0  # … each for itself
LAST_HAND = 0.4
GAIN = 70.0  # points a hand, of who will reach the target
LOSS = 20.0  # points a hand, of who will reach the floor
MOST_HANDS = 30.0
LARGEST_EXPONENT = 700.0  # of a float


@njit
def equity(s, r, side):
    """The side's share of the win."""
    if s.phase == OVER:
        return final_share(s, r, side)
    mine = standing(s, r, side)
    highest = lowest = mine
    for other in range(r.sides):
        theirs = standing(s, r, other)
        highest = max(highest, theirs)
        lowest = min(lowest, theirs)
    spread = (SPREAD if r.sides == 2 else SOLO_SPREAD) * sqrt(hands_left(s, r, highest, lowest) + LAST_HAND)
    total = 0.0
    for other in range(r.sides):
        total += exp(min(LARGEST_EXPONENT, (standing(s, r, other) - mine) / spread))
    return 1.0 / total


@njit
def final_share(s, r, side):
    """Of a game that is over: those with the best score share the win."""
    best = s.scores[side]
    equals = 0
    for other in range(r.sides):
        if s.scores[other] > best:
            return 0.0
        equals += s.scores[other] == best
    return 1.0 / equals


@njit
def standing(s, r, side):
    """The score, less half of what a full tally does, by the square of how full it is."""
    if not r.bags_counted:
        return 1.0 * s.scores[side]
    full = s.bags[side] / r.bag_limit
    return s.scores[side] - (r.bag_cost + r.bag_gift) * full * full / 2


@njit
def hands_left(s, r, highest, lowest):
    """About how many hands the game will last."""
    hands = min((r.target - highest) / GAIN, (lowest - r.floor) / LOSS)
    return max(0.0, min(hands, r.max_hands - s.hand_number - 1.0, MOST_HANDS))
