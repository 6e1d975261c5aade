"""The score of a hand, the bags, the end of the game; the only code that knows what counts towards a bid.

contract(s, r, side)           the side's bid, and the tricks that count towards it so far
bid_points(s, r, side, bid)    what a bid of the side scores if made, and costs if failed
tricks_wanted(s, r, seat)      how many more of a seat's tricks its side needs for its bid
living_nil(s, seat)            has the seat bid nil, and won no trick yet?
"""

from collections.abc import Sequence

import numpy as np

from spades_env._jit import inlined, njit
from spades_env.game.bidding import hand_bids_itself
from spades_env.game.cards import NUM_TRICKS
from spades_env.game.rules import Rules
from spades_env.game.state import DRAW, GAME_OVER, HAND_OVER, NIL, NO_NIL, OVER


@njit
def end_hand(s, r):
    """Score a finished hand; return HAND_OVER or GAME_OVER."""
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
    """Write the points and bags of one side, and the points that its bags cost or bring."""
    points, overtricks = bid_results(s, r, side)
    if r.tricks_score:
        won = tricks_of_side(s, r, side)
        if hand_bids_itself(s, r):
            points, overtricks = 10 * won, np.int64(0)
        if won == NUM_TRICKS:
            points += r.slam_points
    s.overtricks[side] = overtricks
    s.points[side] += points + overtricks * r.overtrick_points
    s.bags[side] += overtricks * r.bags_counted
    while s.bags[side] >= r.bag_limit:
        s.bags[side] -= r.bag_limit
        s.points[side] -= r.bag_cost
        for other in range(r.sides):
            if other != side:
                s.points[other] += r.bag_gift


@inlined
def tricks_of_side(s, r, side):
    tricks = np.int64(0)
    for seat in range(side, 4, r.sides):
        tricks += np.int64(s.tricks[seat])
    return tricks


@inlined
def bid_results(s, r, side):
    """Return the points of a side's bids without those of its overtricks, and its overtricks."""
    bid, made = contract(s, r, side)
    points, failed = nil_results(s, r, side)
    worth = bid_points(s, r, side, bid)
    overtricks = failed * r.failed_as_bags
    if made >= bid:
        points += worth
        overtricks += made - bid + failed * r.failed_beside_made
    else:
        points -= worth
    return points, np.int64(overtricks) if bid < r.ten_from else np.int64(0)


@inlined
def bid_points(s, r, side, bid):
    """Return what a bid of the side scores if it is made, and costs if it fails."""
    points = 10 * bid if bid < r.ten_from else np.int64(r.ten_points)
    return 2 * points if s.blind_contract[side & 1] else points


@njit
def game_ends(s, r):
    over = s.hand_number + 1 >= r.max_hands
    for side in range(r.sides):
        over = over or s.scores[side] >= r.target or s.scores[side] <= r.floor
    return over


@njit
def leading_side(s, r):
    """Return the side with the most points, or DRAW."""
    best = 0
    tied = False
    for side in range(1, r.sides):
        if s.scores[side] > s.scores[best]:
            best = side
            tied = False
        elif s.scores[side] == s.scores[best]:
            tied = True
    return DRAW if tied else best


# What counts towards a bid


@inlined
def contract(s, r, side):
    """Return a side's bid so far, and the tricks that count towards it so far.

    In a hand that bids itself a side is always one trick short: every trick counts.
    """
    bid, made = np.int64(0), np.int64(0)
    for seat in range(side, 4, r.sides):
        bid += max(0, np.int64(s.bids[seat]))
        if counts(s, r, seat):
            made += np.int64(s.tricks[seat])
    return (made + 1 if hand_bids_itself(s, r) else bid), made


@inlined
def counts(s, r, seat):
    """Do the tricks of this seat count towards the bid of its side?"""
    return s.nils[seat] == NO_NIL or r.failed_as_made != 0


@inlined
def tricks_wanted(s, r, seat):
    """Return how many more of this seat's tricks the side needs for its bid; 0 or less if none."""
    if not counts(s, r, seat):
        return np.int64(0)
    bid, made = contract(s, r, seat & r.side_mask)
    return bid - made


def contract_of(
    rules: Rules, bids: Sequence[int | None], nils: Sequence[bool], tricks: Sequence[int], side: int
) -> tuple[int, int, int]:
    """Return a side's bid, the tricks of those who bid it, and the tricks of nils that count, from plain values."""
    seats = rules.seats(side)
    bid = sum(bids[seat] or 0 for seat in seats)
    made = sum(tricks[seat] for seat in seats if not nils[seat])
    helped = sum(tricks[seat] for seat in seats if nils[seat]) if rules.failed_nil_tricks == "partner" else 0
    return bid, made, helped


# Nils


@inlined
def living_nil(s, seat):
    """Has the seat bid nil, and won no trick yet?"""
    return s.nils[seat] != NO_NIL and s.tricks[seat] == 0


def living_nils(tables: np.recarray) -> np.ndarray:
    """Return `living_nil` of all seats at many tables: bool[N, 4]."""
    return (tables.nils != NO_NIL) & (tables.tricks == 0)


@inlined
def nil_bonus(s, r, seat):
    return r.nil_bonus if s.nils[seat] == NIL else r.blind_nil_bonus


@inlined
def nil_results(s, r, side):
    """Return the points of a side's nils if the living ones are kept, and the tricks of the failed ones."""
    points, tricks = np.int64(0), np.int64(0)
    for seat in range(side, 4, r.sides):
        if s.nils[seat] != NO_NIL:
            points += -nil_bonus(s, r, seat) if s.tricks[seat] else nil_bonus(s, r, seat)
            tricks += np.int64(s.tricks[seat])
    if r.double_nil_extra and r.sides == 2 and both_keep_nil(s, side):
        points += r.double_nil_extra
    return points, tricks


@inlined
def both_keep_nil(s, side):
    """Have both partners bid nil, not blind, and won no trick yet?"""
    return s.nils[side] == NIL and s.nils[side + 2] == NIL and s.tricks[side] + s.tricks[side + 2] == 0


@inlined
def failed_are_bags(r):
    """Are the tricks of a failed nil overtricks, whatever the bid or beside a kept one?"""
    return r.failed_as_bags != 0 or r.failed_beside_made != 0
