"""Gymnasium's contract: its own checks, registration, spaces, fresh arrays and wrappers."""

import copy
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from support.game.envs import all_rules, all_seats, episode, same

from spades_env.envs.gym_env import SpadesEnv


@pytest.mark.parametrize("options", [{}, {"flat": True}, {"obs_dtype": "float32"}, {"illegal": "terminate"}])
@all_rules
def test_check_env(rules, options):
    env: Any = gymnasium.make("Spades-v0", rules=rules, **options).unwrapped
    check_env(env, skip_render_check=True)


@pytest.mark.parametrize("render_mode", SpadesEnv.metadata["render_modes"])
def test_check_env_with_pictures(render_mode):
    pytest.importorskip("pygame")
    check_env(gymnasium.make("Spades-v0", render_mode=render_mode).unwrapped)


def test_checks_pass_on_a_plain_install():
    """Without pygame, environments render text only and name what is missing for pictures."""
    code = """
import sys
sys.modules["pygame"] = None
import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import render_test
from spades_env import spades_v0
check_env(gymnasium.make("spades_env:Spades-v0").unwrapped)
render_test(lambda render_mode: spades_v0.raw_env(render_mode=render_mode))
assert spades_v0.raw_env.metadata["render_modes"] == ["ansi"]
assert gymnasium.make_vec("spades_env:Spades-v0", num_envs=1).metadata["render_modes"] == ["ansi"]
env = spades_v0.raw_env(render_mode="rgb_array")
env.reset(seed=1)
try:
    env.render()
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "pictures of the table need pygame: pip install spades-env[render]\n"


@pytest.mark.parametrize(
    "make",
    [
        "import gymnasium; env = gymnasium.make('spades_env:Spades-v0', rules='solo')",
        "import spades_env, gymnasium; env = gymnasium.make('Spades-v0', rules='solo')",
    ],
)
def test_registered(make):
    code = f"""
import sys
import spades_env
assert not [name for name in sys.modules if name.endswith(("gym_env", "gym_vector", "spades_v0"))]
{make}
env.reset(seed=1)
assert env.unwrapped.game_seed == 1
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_the_environment_is_an_attribute_of_the_package():
    code = """
import spades_env
assert spades_env.spades_v0.env()
assert not hasattr(spades_env, "spades_v1")
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


@all_rules
@all_seats
def test_everything_lies_in_its_space(rules, seat, rng):
    for flat in (False, True):
        env = SpadesEnv(rules, seat, episode="hand", flat=flat)
        for i, (observation, *outcome, info) in enumerate(episode(env, rng, seed=1)):
            assert env.observation_space.contains(observation)
            assert list(info) == ["action_mask", "illegal"]
            assert info["action_mask"].dtype == np.int8
            assert type(info["illegal"]) is bool
            assert info["action_mask"].any()
            if not flat:
                assert list(observation) == ["observation", "action_mask"]
                assert same(observation["action_mask"], info["action_mask"])
            if i:
                assert [type(value) for value in outcome] == [float, bool, bool]


def test_flat_observations_are_the_features(rng):
    plain = episode(SpadesEnv(episode="hand"), np.random.default_rng(1), seed=3)
    flat = episode(SpadesEnv(episode="hand", flat=True, obs_dtype="float32"), np.random.default_rng(1), seed=3)
    for (one, *_), (other, *_) in zip(plain, flat, strict=True):
        assert other.dtype == np.float32
        assert same(one["observation"], other)


def test_arrays_are_fresh(rng):
    env = SpadesEnv()
    seen = episode(env, rng, seed=3, moves=5)
    arrays = [array for step in seen for array in (*step[0].values(), step[-1]["action_mask"])]
    kept = copy.deepcopy(arrays)
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])
    env.reset()
    assert all(same(array, before) for array, before in zip(arrays, kept, strict=True))


def test_wrappers_reach_what_learners_need():
    env: Any = gymnasium.make("Spades-v0")
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    assert same(masks, info["action_mask"])
    assert env.get_wrapper_attr("view")().seat == 0
