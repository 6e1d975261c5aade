"""The score of a hand, the tally of bags, the end of the game."""

import numpy as np

from spades_env._jit import njit
from spades_env.state import DRAW, GAME_OVER, HAND_OVER, NIL, NO_NIL, OVER


@njit
def end_hand(s, r):
    """The thirteenth trick is taken: score, and see whether the game is over."""
    s.points[:] = 0
    for side in range(r.sides):
        score_side(s, r, side)
    for side in range(r.sides):
        s.scores[side] += s.points[side]
    if not game_ends(s, r):
        return HAND_OVER
    s.winner = leading_side(s, r)
    if s.winner == DRAW and r.extra_hand:
        return HAND_OVER
    s.phase = OVER
    return GAME_OVER


@njit
def score_side(s, r, side):
    """The points of one side, and what its bags do to all sides."""
    bid = 0
    made = 0
    failed = 0
    points = 0
    for seat in range(side, 4, r.sides):
        if s.nils[seat] == NO_NIL:
            bid += np.int64(s.bids[seat])
            made += np.int64(s.tricks[seat])
        else:
            bonus = r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus
            points += -bonus if s.tricks[seat] else bonus
            failed += np.int64(s.tricks[seat])
    made += failed * r.failed_as_made
    overtricks = failed * r.failed_as_bags
    if made >= bid:
        points += 10 * bid
        overtricks += made - bid + failed * r.failed_beside_made
    else:
        points -= 10 * bid
    s.overtricks[side] = overtricks
    s.points[side] += points + overtricks * r.overtrick_points
    s.bags[side] += overtricks * r.bags_counted
    while s.bags[side] >= r.bag_limit:
        s.bags[side] -= r.bag_limit
        s.points[side] -= r.bag_cost
        for other in range(r.sides):
            if other != side:
                s.points[other] += r.bag_gift


@njit
def game_ends(s, r):
    """Has a side reached the target or the floor, or is the last hand played?"""
    over = s.hand_number + 1 >= r.max_hands
    for side in range(r.sides):
        over = over or s.scores[side] >= r.target or s.scores[side] <= r.floor
    return over


@njit
def leading_side(s, r):
    """The side with the most points, or DRAW."""
    best = 0
    tied = False
    for side in range(1, r.sides):
        if s.scores[side] > s.scores[best]:
            best = side
            tied = False
        elif s.scores[side] == s.scores[best]:
            tied = True
    return DRAW if tied else best
