"""Copies that play on, and pictures of the table."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from support.game.envs import BLIND_PASSING, InBatches, choose, episode, same_episodes

from spades_env.envs.gym_env import SpadesEnv


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("wrapped", [False, True])
def test_copies_play_on_by_themselves(copied, wrapped):
    options = {"rules": BLIND_PASSING, "opponents": (InBatches(), "random"), "truncate_after": 2}
    env: Any = gymnasium.make("Spades-v0", **options) if wrapped else SpadesEnv(**options)
    rng = np.random.default_rng(3)
    episode(env, rng, seed=7, moves=9)
    twin = copied(env)
    one, other = (play_on(each, np.random.default_rng(4)) for each in (env, twin))
    assert same_episodes(one, other)
    env.reset()
    twin.reset()
    assert env.unwrapped.game_seed == twin.unwrapped.game_seed


def play_on(env, rng) -> list:
    seen = [env.step(choose(rng, env.unwrapped.action_masks()))]
    while not (seen[-1][2] or seen[-1][3]):
        seen.append(env.step(choose(rng, seen[-1][-1]["action_mask"])))
    return seen


def test_render():
    pytest.importorskip("pygame")
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray), ("human", type(None))):
        env = SpadesEnv(seat=2, render_mode=mode)  # pyright: ignore
        env.reset(seed=1)
        env.step(57)
        assert isinstance(env.render(), kind)
        twin = copy.deepcopy(env)
        env.close()
        env.close()
        assert isinstance(twin.render(), kind)
        twin.close()


def test_render_without_a_mode_warns():
    env = SpadesEnv()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
