"""Rewards of your own: a function of finished hands.

def reward(hands):                       hands: OpenHands
    return hands.tables["tricks"] - 3.25              float32[N, 4], by seat
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from spades_env.import_path import error_line
from spades_env.training.recipe import RecipeError, Reward
from spades_env.training.recipe.imports import imported_function
from spades_env.training.rewards import OpenHands

KEY = "reward.function"


def own_rewards(reward: Reward, hands: OpenHands) -> np.ndarray:
    """Return what the function in [reward] pays for each hand, float32[N, 4]."""
    said = f"{KEY} = {reward.function!r}"
    try:
        paid = np.asarray(reward_function(reward.function)(hands), np.float32)
    except RecipeError:
        raise
    except Exception as error:
        raise RecipeError(f"{said} failed: {error_line(error)}") from error
    if paid.shape != hands.usual.shape or not np.isfinite(paid).all():
        wrong = "numbers that are not finite" if paid.shape == hands.usual.shape else f"the shape {list(paid.shape)}"
        raise RecipeError(f"{said} returned {wrong}: it must return float32[{len(hands.tables)}, 4], a reward by seat")
    return paid


@cache
def reward_function(path: str) -> Callable[[OpenHands], np.ndarray]:
    return imported_function(KEY, path, "a training.OpenHands")
