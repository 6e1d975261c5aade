"""Play hands with a function that chooses, and get them back as one trajectory for each seat.

    env = SpadesVectorEnv(64, "match", episode="hand", start="situations", reward_scale=0.01)
    env.reset()
    hands = play_hands(env, choose)                     a hand at every table
    hands.observation[t, 64 * seat + table]             what that seat saw in its turn t
    hands = hands.map(torch.from_numpy)                 the same memory as tensors

Seats have different numbers of turns where rules let some look, pass cards or bid for their partner. Trajectories are
as long as the longest; `played` says which turns there were.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS
from spades_env.vector.arguments import checked_actions
from spades_env.vector.env import STAY, SpadesVectorEnv

MOST_TURNS = 18  # of a seat in a hand: a look, a bid, three cards to pass, thirteen to play

Chooser = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]


@dataclass(frozen=True)
class Trajectories:
    """A hand at each of N tables, by seat: T turns of M = 4 N seats. Row `seat * N + table` is of that seat there.

    Attributes:
        observation: int8[T, M, 824].
        mask: bool[T, M, 70], the legal actions.
        action: int64[T, M].
        kept: What else the chooser returned, each array [T, M, …].
        played: bool[T, M], false after a seat's last turn. There everything is 0.
        reward: float32[M], of the whole hand.

    Examples:
        >>> from spades_env import SpadesVectorEnv
        >>> from spades_env.rollout import play_hands
        >>> env = SpadesVectorEnv(8, "match", episode="hand", seed=0)
        >>> step = env.reset()
        >>> hands = play_hands(env, lambda *seen: env.random_actions())
        >>> hands.advantages(0 * hands.action.astype("float32"), trace=1.0)[5].tolist() == hands.reward.tolist()
        True
    """

    observation: Any
    mask: Any
    action: Any
    kept: tuple[Any, ...]
    played: Any
    reward: Any

    @property
    def free(self) -> Any:
        """bool[T, M]: was there more than one legal action? A forced one teaches nothing."""
        return self.mask.sum(-1) > 1

    def map(self, function: Callable[[np.ndarray], Any]) -> "Trajectories":
        """Return the same trajectories with each array replaced by `function(array)`, such as `torch.from_numpy`."""
        names = ("observation", "mask", "action", "played", "reward")
        return replace(
            self,
            kept=tuple(map(function, self.kept)),
            **{name: function(getattr(self, name)) for name in names},
        )

    def advantages(self, values: Any, trace: float = 0.95) -> Any:
        """Return generalised advantage estimates without discount, as the reward comes with the last card.

        Args:
            values: float32[T, M], what was expected before each turn. NumPy's or torch's, as the trajectories are.
            trace: The λ of GAE.

        Returns:
            float32[T, M]. The target of a value is `advantages + values`.
        """
        out, carried, following = 0 * values, 0 * self.reward, self.reward
        for t in reversed(range(len(values))):
            played = self.played[t]
            carried = (following - values[t] + trace * carried) * played
            out[t], following = carried, values[t] * played + following * ~played
        return out


def play_hands(env: SpadesVectorEnv, choose: Chooser) -> Trajectories:
    """Play a hand at every table, or what is left of it.

    Args:
        env: Tables that have been reset and begin new episodes by themselves.
        choose: Called with `observation` (int8[N, 824]), `mask` (bool[N, 70]) and `turn` (int64[N]) of the seats to
            move. It returns actions, int[N], or a tuple of actions and what is to be kept beside them, arrays or
            CPU tensors [N, …]. Tables that have finished are asked, too; their answers are ignored. The arrays
            change with the next step.

    Returns:
        The trajectories of all seats. The next hand may be played at once.

    Raises:
        SpadesError: The tables don't begin new episodes by themselves.
        IllegalActionError: An action is illegal.

    Examples:
        >>> from spades_env import SpadesVectorEnv
        >>> from spades_env.rollout import play_hands
        >>> env = SpadesVectorEnv(8, "match", episode="hand", seed=0)
        >>> step = env.reset()
        >>> hands = play_hands(env, lambda observation, mask, turn: (mask.argmax(1), turn))
        >>> hands.observation.shape, hands.kept[0][0, 8:16].tolist()  # West's first turns
        ((14, 32, 824), [1, 1, 1, 1, 1, 1, 1, 1])
    """
    if not env.autoreset:
        raise SpadesError("hands are played where new episodes begin by themselves, not with autoreset=False")
    n = env.num_envs
    turns, reward, playing, begun = _Turns(n), np.zeros((n, NUM_SEATS), np.float32), np.ones(n, bool), env.hand_numbers
    while playing.any():
        seen = env.observation, env.mask.view(bool), env.turn
        answer = choose(*seen)
        actions, *kept = answer if isinstance(answer, tuple) else (answer,)
        actions = checked_actions(np.asarray(actions), n)
        turns.add(playing, env.turn, [*seen[:2], actions, *map(np.asarray, kept)])
        env.step(np.where(playing, actions, STAY))
        reward += env.reward  # tables that wait get none
        playing &= ~env.done & (env.hand_numbers == begun)
    return turns.sorted_by_seat(reward)


class _Turns:
    """What every seat of every table has done so far: arrays [MOST_TURNS, 4, N, …]."""

    def __init__(self, tables: int):
        self.tables, self.count = np.arange(tables), np.zeros((NUM_SEATS, tables), np.int64)
        self.parts: list[np.ndarray] = []

    def add(self, playing: np.ndarray, turn: np.ndarray, now: list[np.ndarray]) -> None:
        """Keep a turn of the seats to move, where a table is playing; now: arrays [N, …]."""
        if not self.parts:
            self.parts = [np.zeros((MOST_TURNS, *self.count.shape, *one.shape[1:]), one.dtype) for one in now]
        table, seat = self.tables[playing], turn[playing]
        for part, one in zip(self.parts, now, strict=True):
            part[self.count[seat, table], seat, table] = one[playing]
        self.count[seat, table] += 1

    def sorted_by_seat(self, reward: np.ndarray) -> Trajectories:
        turns, count = int(self.count.max()), self.count.ravel()
        observation, mask, action, *kept = (
            part.reshape(MOST_TURNS, len(count), *part.shape[3:])[:turns] for part in self.parts
        )
        played = np.arange(turns)[:, None] < count
        return Trajectories(observation, mask, action, tuple(kept), played, reward.T.ravel())
