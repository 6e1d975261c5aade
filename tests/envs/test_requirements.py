"""What learning frameworks need of an environment beyond `aec/`, `gym/` and `vector/`.
Each of these requirements, unmet in another environment, has broken some framework's standard loop."""

import json
import subprocess
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Box, Dict
from pettingzoo.test import parallel_api_test, parallel_seed_test, state_test
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from support.game.envs import AGENT_NAMES, bury, choose, play_on, same
from support.strategies import scaled

from spades_env import IllegalActionError, spades_v0
from spades_env.envs.adapters import rllib_env, sb3_vec_env
from spades_env.envs.gym_env import SpadesEnv


# The observation is a Dict of exactly two parts, in an order that may be unpacked; the mask is int8.
@pytest.mark.parametrize("env", [spades_v0.env(), spades_v0.raw_env()], ids=("env", "raw_env"))
def test_two_parts_and_an_int8_mask(env):
    env.reset(seed=1)
    space = env.observation_space(env.agent_selection)
    assert isinstance(space, Dict)
    assert set(space.spaces) == {"observation", "action_mask"}
    assert space["action_mask"] == Box(0, 1, (70,), np.int8)
    features, mask = env.last()[0].values()
    assert features.shape == space["observation"].shape
    assert mask.dtype == np.int8
    env.step(env.action_space(env.agent_selection).sample(mask))


# Features come as int8 or float32; the mask stands in the observation or in the info, never in both.
@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_switches(dtype, mask_in):
    env: Any = spades_v0.env(obs_dtype=dtype, mask_in=mask_in)
    env.reset(seed=1)
    observation, *_, info = env.last()
    features = observation["observation"] if mask_in == "obs" else observation
    assert features.dtype == np.dtype(dtype)
    assert ("action_mask" in info) == (mask_in == "info")
    assert isinstance(observation, np.ndarray) == (mask_in == "info")


# All seats have the same spaces, made once; agents are named in seat order; `agents` is a list of its own.
def test_spaces_and_names(rng):
    env: Any = spades_v0.raw_env(episode="hand")
    assert env.possible_agents == AGENT_NAMES == ["player_0", "player_1", "player_2", "player_3"]
    first = env.observation_space("player_0")
    env.reset(seed=1)
    assert all(env.observation_space(agent) == first for agent in AGENT_NAMES)
    play_on(env, rng, 200)
    bury(env)
    assert env.observation_space("player_0") is first
    assert env.agents == []
    assert env.possible_agents == AGENT_NAMES
    view = env.view("player_0")
    assert view.rules.side(0) == view.rules.side(2) != view.rules.side(1) == view.rules.side(3)


# Metadata and render_mode are there from the start; pygame is imported by those who look.
def test_metadata():
    code = """
import sys
from spades_env import spades_v0
from spades_env.envs.gym_env import SpadesEnv
for env in (spades_v0.env(), SpadesEnv()):
    assert env.render_mode is None
    assert env.metadata["render_modes"] == ["ansi", "rgb_array", "human"]
    assert env.metadata["render_fps"] > 0
    env.reset(seed=1)
    env.close()
assert spades_v0.env().metadata["name"] == "spades_v0"
assert spades_v0.env().metadata["is_parallelizable"] is False
assert spades_v0.env(render_mode="ansi").render_mode == "ansi"
assert "pygame" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


# Checkers that play without a mask meet no exception; the strict env raises; the learner's env flags.
def test_illegal_actions():
    env: Any = spades_v0.env()
    assert isinstance(env, OrderEnforcingWrapper)
    assert isinstance(env.env, AssertOutOfBoundsWrapper)
    assert isinstance(env.env.env, TerminateIllegalWrapper)
    env.reset(seed=1)
    env.step(0)
    assert all(env.terminations.values())
    strict: Any = spades_v0.raw_env()
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError):
        strict.step(0)
    learner = SpadesEnv()
    _, info = learner.reset(seed=1)
    assert info["illegal"] is False
    assert learner.step(0)[-1]["illegal"] is True
    state_test(spades_v0.env(), parallel(), num_cycles=scaled(20))
    parallel_seed_test(parallel, num_cycles=scaled(20))
    parallel_api_test(parallel(), num_cycles=scaled(200))


def parallel():
    return turn_based_aec_to_parallel(spades_v0.env())


# Adapters for frameworks with their own vector API.
@pytest.mark.parametrize("flat", [True, False])
def test_stable_baselines(flat, monkeypatch, rng):
    stand_in_for_stable_baselines(monkeypatch)
    envs = sb3_vec_env(3, "solo", flat=flat, episode="hand", truncate_after=None)
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("no_such_thing")
    assert envs.get_attr("render_mode") == [None] * 3
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    envs.seed(5)
    observations = envs.reset()
    single, _ = SpadesEnv("solo", flat=flat).reset(seed=6)
    assert same(observations[1] if flat else {name: array[1] for name, array in observations.items()}, single)
    ended = 0
    for _ in range(20):
        masks = np.stack(envs.env_method("action_masks"))
        assert masks.shape == (3, 70)
        assert same(envs.env_method("action_masks", indices=[2])[0], masks[2])
        observations, rewards, dones, infos = envs.step(np.array([choose(rng, mask) for mask in masks]))
        assert rewards.dtype == np.float32
        assert [("terminal_observation" in info) for info in infos] == dones.tolist()
        assert not any(info["TimeLimit.truncated"] or info["illegal"] for info in infos)
        assert all(envs.observation_space.contains(infos[i]["terminal_observation"]) for i in np.flatnonzero(dones))
        ended += dones.sum()
    assert ended
    with pytest.raises(AttributeError, match="share one environment"):
        envs.set_attr("seat", 2)
    envs.close()


def test_stable_baselines_asks_for_a_picture_of_each_table(monkeypatch):
    stand_in_for_stable_baselines(monkeypatch)
    envs = sb3_vec_env(2, "match", episode="hand", render_mode="rgb_array")
    envs.reset()
    assert [image.ndim for image in envs.get_images()] == [3, 3]
    envs.close()


def stand_in_for_stable_baselines(monkeypatch) -> None:
    """As much of its base class as the adapter needs, to test the adapter without torch."""

    class VecEnv:
        get_attr: Callable
        step_async: Callable
        step_wait: Callable

        def __init__(self, num_envs, observation_space, action_space):
            self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
            self.render_mode = self.get_attr("render_mode")[0]
            self._reset_seeds()

        def _reset_seeds(self):
            self._seeds = [None] * self.num_envs

        def _get_indices(self, indices):
            return range(self.num_envs) if indices is None else indices

        def seed(self, seed):
            self._seeds = [seed + i for i in range(self.num_envs)]

        def step(self, actions):
            self.step_async(actions)
            return self.step_wait()

    for name in ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    vars(sys.modules["stable_baselines3.common.vec_env"])["VecEnv"] = VecEnv


def test_rllib(rng):
    for fixed in ({"mask_in": "info"}, {"obs_dtype": "int8"}):
        with pytest.raises(ValueError, match="cannot be chosen here"):
            rllib_env(**fixed)
    env: Any = rllib_env("solo", episode="hand")
    env.reset(seed=1)
    while env.agents:
        observation, _, terminated, _, _ = env.last()
        assert list(observation) == ["observations", "action_mask"]
        assert observation["observations"].dtype == np.float32
        assert env.observation_space(env.agent_selection).contains(observation)
        assert env.observation_space(env.agent_selection) is env.observation_space(env.agent_selection)
        env.step(None if terminated else choose(rng, observation["action_mask"]))


# Registered where people look for environments; importing the package is all it takes.
def test_registered():
    code = """
import json
import gymnasium
env = gymnasium.make("spades_env:Spades-v0")
names = [type(env.unwrapped).__name__, type(gymnasium.make_vec("Spades-v0", 2)).__name__]
import pettingzoo
if hasattr(pettingzoo, "register"):
    names.append(str(pettingzoo.make("aec", "spades-v0").unwrapped.metadata["name"]))
print(json.dumps(names))
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, capture_output=True, text=True)
    expected = ["SpadesEnv", "SpadesGymVectorEnv"] + ["spades_v0"] * hasattr(pettingzoo, "register")
    assert json.loads(run.stdout) == expected
    assert callable(spades_v0.env)
    assert callable(spades_v0.raw_env)


# What PettingZoo's test says about Dict observations is ignored, by name; any other warning is an error.
def test_warnings_are_errors():
    with pytest.raises(UserWarning, match="something else"):
        warnings.warn("something else", stacklevel=1)
    warnings.warn("Observation is not a NumPy array", stacklevel=1)
