"""Rewards of your own: a function of finished hands.

def reward(hands):                       hands: OpenHands
    return hands.tables["tricks"] - 3.25              float32[N, 4], by seat
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from spades_env.game.rules import Rules
from spades_env.import_path import error_line
from spades_env.training.recipe import RecipeError, Reward
from spades_env.training.recipe.imports import imported_function

KEY = "reward.function"


class Worth(NamedTuple):
    """For every seat: its side's points above the others (in hundreds), and its chance of winning; float64[N, 4]."""

    points: np.ndarray
    winning: np.ndarray


class OpenHands(NamedTuple):
    """N finished hands, with all cards open.

    tables    STATE[N] after the last card, before the next deal. The fields are those of game/state.py: bids,
              nils and tricks by seat; scores, bags, points and overtricks by side
    rules     the distinct rules
    rules_of  int32[N], the number of each table's rules
    before    what the scores were worth before the hand: `points` and `winning`, float64[N, 4] by seat
    after     … and after it
    usual     float64[N, 4]: the reward by the weights in [reward]
    """

    tables: np.recarray
    rules: tuple[Rules, ...]
    rules_of: np.ndarray
    before: Worth
    after: Worth
    usual: np.ndarray


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
