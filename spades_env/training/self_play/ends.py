"""What every end of a hand is worth to the side to move, computed by the rules.

    write_ends(…)      of the ends that a hand may still have: float32[n, NUM_ENDS]

An end is how many more tricks the side wins, standing nils kept; and for each seat what changes if its nil breaks.
"""

from functools import partial

import numpy as np

from spades_env._jit import JIT_ON, njit
from spades_env.game.scoring import contract, end_hand, living_nil, tricks_of_side
from spades_env.game.state import NO_NIL, PASS, STATE, new_tables
from spades_env.training.rewards import style, worth

NUM_TRICKS_TO_COME = 14
NUM_ENDS = NUM_TRICKS_TO_COME + 4
UNBROKEN = -1


@njit
def write_ends(tables, which, rules, rules_of, before, weights, numbers, out, won):
    """Write the ends of these tables, less the worth before the hand; won: the tricks the side has.

    An end with more tricks than are left is NaN. While bids are made, all are 0.
    """
    scratch = _one_table()
    for j in range(len(which)):
        i = which[j]
        s, r = tables[i], rules[rules_of[i]]
        me = np.int64(s.turn)
        left = 13 - (np.int64(s.num_plays) >> 2)
        won[j] = tricks_of_side(s, r, me & r.side_mask)
        for k in range(NUM_ENDS):
            out[j, k] = np.nan if left < k < NUM_TRICKS_TO_COME else 0.0
        if s.phase < PASS:
            continue
        for k in range(left + 1):
            out[j, k] = _end_worth(s, r, me, k, left - k, UNBROKEN, weights, numbers, scratch) - before[i, me]
        bid, made = contract(s, r, me & r.side_mask)
        needed = min(max(bid - made, 0), left)
        for k in range(4):
            seat = (me + k) & 3
            if living_nil(s, seat):
                broken = _end_worth(s, r, me, needed, left - needed, seat, weights, numbers, scratch) - before[i, me]
                out[j, NUM_TRICKS_TO_COME + k] = broken - out[j, needed]


@njit
def _one_table():
    return np.empty(1, STATE)


if not JIT_ON:
    _one_table = partial(new_tables, 1)


@njit
def _end_worth(s, r, me, mine, theirs, broken, weights, numbers, scratch):
    """Return what the hand is worth to seat `me` if its side wins `mine` more tricks and the others `theirs`.

    broken: the seat whose nil breaks, or UNBROKEN
    """
    scratch[0] = s
    t = scratch[0]
    t.tricks[_taker(t, r, me & r.side_mask)] += mine
    for k in range(r.sides - 1):  # the others' tricks are divided evenly
        share = (theirs + k) // (r.sides - 1)
        t.tricks[_taker(t, r, (me + 1 + k) & r.side_mask)] += share
    if broken != UNBROKEN:
        t.tricks[broken] += 1
    end_hand(t, r)
    return worth(t, r, me, weights, numbers) + style(t, r, me, weights)


@njit
def _taker(s, r, side):
    """Return the seat of a side that wins its tricks: one that has not bid nil, if there is one."""
    for seat in range(side, 4, r.sides):
        if s.nils[seat] == NO_NIL:
            return seat
    return side
