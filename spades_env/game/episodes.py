"""Episodes and rewards, shared by every environment.

episode   "game": to the end of the game, truncated after `truncate_after` hands; "hand": one hand
reward    "points": after each hand, every seat gets its side's points less the mean of the other sides'
          "win": at the end, the seats of the side that is ahead get 1, the others −1; all get 0 in a draw
reward_scale   what every reward is multiplied by: 0.01 pays a hand in hundreds of points
"""

from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, NamedTuple, get_args

from spades_env._jit import njit
from spades_env.checks import one_of, whole
from spades_env.errors import SpadesError
from spades_env.game.engine import apply, deal_next, mix, next_random, random_action
from spades_env.game.scoring import leading_side
from spades_env.game.state import DRAW, GAME_OVER, GOES_ON, NEVER, OVER

RUNNING, TERMINATED, TRUNCATED = range(3)
Episode = Literal["game", "hand"]
Paid = Literal["points", "win"]
EPISODES = get_args(Episode)
LARGEST_SCALE = 1_000_000  # of rewards, which are float32
REWARDS = get_args(Paid)
# Where an illegal action ends the episode. The price exceeds the loss of almost any single hand, but not that of a lost
# game: a learner that loses by thousands of points needs the mask.
ILLEGAL_REWARDS = {"points": -500.0, "win": -1.0}


@dataclass(frozen=True)
class Terms:
    """When an episode ends and what it pays."""

    episode: Episode = "game"
    reward: Paid = "points"
    truncate_after: int | None = 50
    reward_scale: float = 1.0

    def __post_init__(self):
        one_of("episode", self.episode, EPISODES)
        one_of("reward", self.reward, REWARDS)
        if self.truncate_after is not None:
            object.__setattr__(self, "truncate_after", whole("truncate_after", self.truncate_after, 1, NEVER))
        object.__setattr__(self, "reward_scale", _checked_scale(self.reward_scale))

    @property
    def illegal_reward(self) -> float:
        """What an illegal action costs where it ends the episode."""
        return ILLEGAL_REWARDS[self.reward] * self.reward_scale

    def codes(self, first_hand: int = 0, autoreset: bool = False) -> "Codes":
        """Return the terms as the kernels take them."""
        last = NEVER if self.truncate_after is None else first_hand + self.truncate_after
        return Codes(self.episode == "hand", self.reward == "win", self.reward_scale, min(last, NEVER), autoreset)


def _checked_scale(scale: Any) -> float:
    number: Any = scale if isinstance(scale, Real) and not isinstance(scale, bool) else 0
    if not 0 < number <= LARGEST_SCALE:
        raise SpadesError(f"reward_scale must be a number above 0, such as 0.01, up to {LARGEST_SCALE}, not {scale!r}")
    return float(number)


class Codes(NamedTuple):
    """`Terms` as numbers, for kernels."""

    by_hand: bool
    by_win: bool
    scale: float  # of every reward
    last_hand: int  # how many hands are finished when the episode is truncated
    autoreset: bool = False


@njit
def advance(s, r, action, codes, reward):
    """Let the seat to move act; reward: float32[4] by seat. Return RUNNING, TERMINATED or TRUNCATED."""
    reward[:] = 0
    event = apply(s, r, action)
    return RUNNING if event == GOES_ON else settle(s, r, event, codes, reward)


@njit
def settle(s, r, event, codes, reward):
    """Pay for a finished hand, and end the episode or deal the next hand. reward: float32[4], all 0 before.

    A table whose episode ends is left in phase OVER.
    """
    if not codes.by_win:
        pay_points(s, r, codes.scale, reward)
    if event == GAME_OVER or codes.by_hand:
        s.phase = OVER
        s.winner = leading_side(s, r)
        if codes.by_win:
            pay_win(s, r, codes.scale, reward)
        return TERMINATED
    if s.hand_number + 1 >= codes.last_hand:
        s.phase = OVER
        return TRUNCATED
    deal_next(s, r)
    return RUNNING


@njit
def pay_points(s, r, scale, reward):
    """Pay each seat its side's points in the hand less the mean of the others'."""
    total = 0
    for side in range(r.sides):
        total += s.points[side]
    for seat in range(4):
        own = s.points[seat & r.side_mask]
        reward[seat] = scale * (own - (total - own) / (r.sides - 1))


@njit
def pay_win(s, r, scale, reward):
    for seat in range(4):
        if s.winner != DRAW:
            reward[seat] = scale if seat & r.side_mask == s.winner else -scale


@njit
def play_random(s, r, seats, walks, i, codes, total, reward):
    """Let these seats (bool[4]) play at random, by walks[i], until another is to move; total: their summed rewards."""
    total[:] = 0
    status = RUNNING
    while s.phase != OVER and seats[s.turn]:
        walks[i] = next_random(walks[i])
        status = advance(s, r, random_action(s, r, mix(walks[i])), codes, reward)
        total += reward
    return status


@njit
def next_seed(seed):
    """Return the seed of the next game when none is given."""
    return mix(next_random(seed))
