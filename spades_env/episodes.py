"""What an episode is, and what it pays: shared by every environment.

episode   "game": to the end of the game, cut off (truncated) after `truncate_after` hands; "hand": one hand
reward    "points": each hand pays a side's points less the mean of the other sides', to each of its seats
          "win": a terminated episode pays 1 to the seats of the side that is ahead, −1 to the others, 0 in a draw
"""

from dataclasses import dataclass

import numpy as np

from spades_env._jit import njit
from spades_env.checks import one_of, whole
from spades_env.engine import apply, deal_next, mix, next_random, random_action
from spades_env.scoring import leading_side
from spades_env.state import DRAW, GAME_OVER, GOES_ON, NEVER, OVER

RUNNING, TERMINATED, TRUNCATED = range(3)
EPISODES = ("game", "hand")
REWARDS = ("points", "win")
# Where an illegal action ends an episode. No way out of a lost hand; but whoever loses whole games by thousands of
# points may find it cheaper than to play on: such learners need the mask.
ILLEGAL_REWARDS = {"points": -500.0, "win": -1.0}


@dataclass(frozen=True)
class Terms:
    """When an episode ends and what it pays, checked."""

    episode: str = "game"
    reward: str = "points"
    truncate_after: int | None = 50

    def __post_init__(self):
        one_of("episode", self.episode, EPISODES)
        one_of("reward", self.reward, REWARDS)
        if self.truncate_after is not None:
            object.__setattr__(self, "truncate_after", whole("truncate_after", self.truncate_after, 1, NEVER))

    def codes(self, first_hand: int = 0) -> tuple[bool, bool, int]:
        """Return what `advance` takes: by hand? by win? the hand number at which to truncate."""
        last = NEVER if self.truncate_after is None else first_hand + self.truncate_after
        return self.episode == "hand", self.reward == "win", min(last, NEVER)


@njit
def advance(s, r, action, by_hand, by_win, last_hand, reward):
    """Let the seat to move act; reward: float32[4] by seat. Returns RUNNING, TERMINATED or TRUNCATED."""
    reward[:] = 0
    event = apply(s, r, action)
    return RUNNING if event == GOES_ON else settle(s, r, event, by_hand, by_win, last_hand, reward)


@njit
def settle(s, r, event, by_hand, by_win, last_hand, reward):
    """Pay for a finished hand, and end the episode or deal the next hand. reward: float32[4], all 0 before.

    An episode that ends leaves its table in phase OVER.
    """
    if not by_win:
        pay_points(s, r, reward)
    if event == GAME_OVER or by_hand:
        s.phase = OVER
        s.winner = leading_side(s, r)
        if by_win:
            pay_win(s, r, reward)
        return TERMINATED
    if s.hand_number + 1 >= last_hand:
        s.phase = OVER
        return TRUNCATED
    deal_next(s, r)
    return RUNNING


@njit
def pay_points(s, r, reward):
    """Pay each seat its side's points in the hand less the mean of the others'."""
    total = 0
    for side in range(r.sides):
        total += s.points[side]
    for seat in range(4):
        own = s.points[seat & r.side_mask]
        reward[seat] = own - (total - own) / (r.sides - 1)


@njit
def pay_win(s, r, reward):
    """Pay the winners 1, the others −1; nothing in a draw."""
    for seat in range(4):
        if s.winner != DRAW:
            reward[seat] = 1 if seat & r.side_mask == s.winner else -1


@njit
def play_random(s, r, seats, walks, i, by_hand, by_win, last_hand, total, reward):
    """Let these seats (bool[4]) play at random, by walks[i], until another is to move; total: all they were paid."""
    total[:] = 0
    status = RUNNING
    while s.phase != OVER and seats[s.turn]:
        walks[i] = next_random(walks[i])
        status = advance(s, r, random_action(s, r, mix(walks[i])), by_hand, by_win, last_hand, reward)
        total += reward
    return status


@njit
def next_seed(seed):
    """Return the seed of the game that follows one with this seed, where nobody names one."""
    return mix(next_random(seed))


def seeds_from(seed: int, count: int) -> np.ndarray:
    """Return uint64[count]: seed, seed + 1, …"""
    return np.arange(count, dtype=np.uint64) + np.uint64(seed)
