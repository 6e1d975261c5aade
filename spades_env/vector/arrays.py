"""The arrays of `SpadesVectorEnv`, grouped as its kernels take them; N tables, F features."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS, NUM_SEATS
from spades_env.game.observe import NUM_FEATURES, OF_RULES, rules_features
from spades_env.game.rules import Rules, RulesSource
from spades_env.game.state import compile_each


class Tables(NamedTuple):
    """The tables and the rules they play by."""

    states: np.ndarray  # STATE[N]
    rules: np.ndarray  # RULES[K], the distinct rules
    rules_of: np.ndarray  # int32[N], the number of each table's rules
    start: np.ndarray  # START[1], where their episodes begin


class Progress(NamedTuple):
    """How far each table is in its episode."""

    seeds: np.ndarray  # uint64[N]
    walks: np.ndarray  # uint64[N], the random generator of each table's random moves
    first_hands: np.ndarray  # int64[N], the number of the hand the episode began with
    status: np.ndarray  # int8[N], RUNNING, TERMINATED or TRUNCATED
    moved: np.ndarray  # bool[N], must the table be shown again?


class Shown(NamedTuple):
    """What the tables look like after a call, as the kernels write it."""

    observation: np.ndarray  # int8[N, F], of the seat to move
    mask: np.ndarray  # int8[N, 70], what it may do; all ones at a table that waits for its reset
    turn: np.ndarray  # int64[N], who is to move
    reward: np.ndarray  # float32[N, 4], by seat, for the action just taken
    done: np.ndarray  # bool[N], did the episode end with it?


class Step(Shown):
    """What a call returns, also by Pgx's words; `ends` are those of the same environment."""

    ends: "Ends"

    @property
    def current_player(self) -> np.ndarray:
        """int64[N]: `turn`."""
        return self.turn

    @property
    def legal_action_mask(self) -> np.ndarray:
        """bool[N, 70]: `mask`, the same memory."""
        return self.mask.view(bool)

    @property
    def rewards(self) -> np.ndarray:
        """float32[N, 4]: `reward`."""
        return self.reward

    @property
    def terminated(self) -> np.ndarray:
        """bool[N], a new array: did the rules end the episode with the action just taken?"""
        return self.done & self.ends.terminated

    @property
    def truncated(self) -> np.ndarray:
        """bool[N], a new array: was the episode cut off after it?"""
        return self.done & self.ends.truncated


class Ends(NamedTuple):
    """What ended episodes looked like."""

    terminated: np.ndarray  # bool[N]
    truncated: np.ndarray  # bool[N]
    observation: np.ndarray  # int8[N, 4, F], of all four seats
    scores: np.ndarray  # int32[N, 4]
    winner: np.ndarray  # int8[N]


class TableRules:
    """The rules of each table; equal ones are compiled once."""

    def __init__(self, rules: RulesSource | Sequence[RulesSource], num_envs: int):
        self.each = _rules_of_each(rules, num_envs)
        self.distinct, self.records, self.numbers = compile_each(self.each)

    def features(self) -> np.ndarray:
        """Return the features that the rules decide, int8[N, R]."""
        return np.stack([rules_features(one) for one in self.distinct])[self.numbers]


def _rules_of_each(rules: RulesSource | Sequence[RulesSource], num_envs: int) -> list[Rules]:
    if not isinstance(rules, list | tuple):
        return [Rules.of(rules)] * num_envs  # pyright: ignore[reportArgumentType] — no other sequence names rules
    if len(rules) != num_envs:
        raise SpadesError(f"rules must be one set of rules or a list of {num_envs}, not of {len(rules)}")
    return [Rules.of(source) for source in rules]


def new_progress(seeds: np.ndarray) -> Progress:
    n = len(seeds)
    return Progress(seeds, np.zeros(n, np.uint64), np.zeros(n, np.int64), np.zeros(n, np.int8), np.ones(n, bool))


def new_step(rules_features: np.ndarray, ends: Ends) -> Step:
    n = len(rules_features)
    observation = np.zeros((n, NUM_FEATURES), np.int8)
    observation[:, OF_RULES] = rules_features
    mask, reward = np.zeros((n, NUM_ACTIONS), np.int8), np.zeros((n, NUM_SEATS), np.float32)
    step = Step(observation, mask, np.zeros(n, np.int64), reward, np.zeros(n, bool))
    step.ends = ends
    return step


def new_ends(rules_features: np.ndarray) -> Ends:
    n = len(rules_features)
    observation = np.zeros((n, NUM_SEATS, NUM_FEATURES), np.int8)
    observation[:, :, OF_RULES] = rules_features[:, None]
    scores, winner = np.zeros((n, NUM_SEATS), np.int32), np.full(n, -1, np.int8)
    return Ends(np.zeros(n, bool), np.zeros(n, bool), observation, scores, winner)
