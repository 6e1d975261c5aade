"""Checks of the arguments of `SpadesVectorEnv`: one value for each table, or one for all."""

from collections.abc import Sequence

import numpy as np

from spades_env.checks import LARGEST_SEED, array, random_seed, whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.rules import Rules
from spades_env.game.state import LARGEST_SCORE
from spades_env.vector import kernels
from spades_env.vector.arrays import Tables

Standings = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores, bags, hand numbers


def checked_seeds(seed: int | Sequence[int] | None, num_envs: int) -> np.ndarray:
    """Return the seed of each table: uint64[N]."""
    if seed is None:
        seed = random_seed()
    if isinstance(seed, Sequence) or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != num_envs:
            raise SpadesError(f"seed must be one number or {num_envs}, not {len(seed)}")
        return np.array([whole("seed", value, 0, LARGEST_SEED) for value in seed], np.uint64)
    first = np.uint64(whole("seed", seed, 0, LARGEST_SEED - num_envs + 1))
    return first + np.arange(num_envs, dtype=np.uint64)


def checked_standings(
    at: Tables, rules: list[Rules], which: np.ndarray, scores, bags, hand_numbers
) -> Standings | None:
    """Return the standings that games begin with, zero where none are given; None if they begin at the beginning."""
    if scores is None and bags is None and hand_numbers is None:
        return None
    n = len(rules)
    given = (("scores", scores, (n, 4)), ("bags", bags, (n, 4)), ("hand_numbers", hand_numbers, (n,)))
    scores, bags, hand_numbers = (
        np.zeros(shape, np.int32) if value is None else array(name, value, shape, np.int32)
        for name, value, shape in given
    )
    wrong = kernels.first_impossible(at, which, (scores, bags, hand_numbers))
    if wrong >= 0:
        raise SpadesError(
            f"table {wrong} cannot begin with scores {scores[wrong].tolist()}, bags {bags[wrong].tolist()} and "
            f"{hand_numbers[wrong]} hands finished: scores are within ±{LARGEST_SCORE}, bags below the rules' "
            f"limit ({rules[wrong]}), hands below their number of hands"
        )
    return scores, bags, hand_numbers


def checked_actions(actions, num_envs: int) -> np.ndarray:
    """Return the actions as int64[N]."""
    try:
        actions = np.asarray(actions)
    except ValueError:  # rows of different lengths
        raise SpadesError(f"actions must be int[{num_envs}], not {actions!r:.60}") from None
    if actions.shape != (num_envs,) or actions.dtype.kind not in "iu":
        raise SpadesError(f"actions must be int[{num_envs}], not {actions.dtype}{list(actions.shape)}")
    if actions.dtype.kind == "u":
        actions = np.minimum(actions, NUM_ACTIONS)  # the largest would become negative
    return np.array(actions, np.int64)
