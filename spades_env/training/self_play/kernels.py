"""Kernels of the loop: which tables have a choice, samples of actions, advantages."""

import numpy as np

from spades_env._jit import njit
from spades_env.game.cards import NUM_ACTIONS
from spades_env.vector.env import STAY


@njit
def find_choices(mask, playing, actions, which):
    """Write forced actions, STAY where the hand is over; list the tables with a choice, and return their number."""
    n = 0
    for i in range(len(mask)):
        count, last = 0, STAY
        if playing[i]:
            for action in range(NUM_ACTIONS):
                if mask[i, action]:
                    count += 1
                    last = action
        actions[i] = last
        if count > 1:
            which[n] = i
            n += 1
    return n


@njit
def sample_actions(logits, legal, uniform, actions, log_probs):
    """Sample a legal action of every row of logits, float32[n, 54 or 70], by uniform numbers; rows without one stay."""
    count = logits.shape[1]
    chance = np.empty(count)
    for k in range(len(logits)):
        top = -np.inf
        for action in range(count):
            if legal[k, action]:
                top = max(top, logits[k, action])
        total = 0.0
        for action in range(count):
            chance[action] = np.exp(logits[k, action] - top) if legal[k, action] else 0.0
            total += chance[action]
        if total == 0:
            continue
        left, drawn = uniform[k] * total, -1
        for action in range(count):
            if legal[k, action]:
                drawn = action
                left -= chance[action]
                if left < 0:
                    break
        actions[k] = drawn
        log_probs[k] = np.log(chance[drawn] / total)


@njit
def advantages(row_of, seat, zero_sum, value, reward, lam, target_lam, advantage, target):
    """Write generalised advantage estimates and the critic's targets, without discount.

    row_of     int64[steps, N]: the row of each table's decision at each step, −1 where there was no choice
    seat       int64[M]: who decided
    zero_sum   bool[N]: whether the rewards of the two sides are one number with two signs
    value      float32[M], of the decider's side; reward: float64[N, 4]

    In a game of two sides the value is one number with two signs: all decisions make one sequence. Where each plays
    for itself, or a style pays each seat on its own, each seat's decisions make one.
    """
    for i in range(row_of.shape[1]):
        if zero_sum[i]:
            _advantages_of_one(row_of[:, i], seat, -1, value, reward[i], lam, target_lam, advantage, target)
        else:
            for one in range(4):
                _advantages_of_one(row_of[:, i], seat, one, value, reward[i], lam, target_lam, advantage, target)


@njit
def _advantages_of_one(rows, seat, only, value, reward, lam, target_lam, advantage, target):
    after, ahead, target_ahead = reward[max(only, 0)], 0.0, 0.0
    for t in range(len(rows) - 1, -1, -1):
        row = rows[t]
        if row < 0 or (only >= 0 and seat[row] != only):
            continue
        sign = -1.0 if only < 0 and seat[row] & 1 else 1.0
        now = sign * value[row]
        step = after - now
        ahead = step + lam * ahead
        target_ahead = step + target_lam * target_ahead
        advantage[row] = sign * ahead
        target[row] = sign * (now + target_ahead)
        after = now
