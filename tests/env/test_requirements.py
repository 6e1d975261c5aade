"""What learning frameworks need of an environment, point by point; `tests/test_aec.py`, `test_gym.py`, `test_vector.py`
go deeper. Each of these requirements, unmet in another environment, has broken some framework's standard loop."""

import copy
import json
import pickle
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
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test, state_test
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from support.envs import AGENT_NAMES, bury, choose, play_on, same
from support.strategies import scaled

from spades_env import Game, IllegalActionError, SpadesVectorEnv, spades_v0
from spades_env.envs.adapters import rllib_env, sb3_vec_env
from spades_env.envs.gym_env import SpadesEnv
from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.game.observe import STATE_LAYOUT


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# 1. The observation is a Dict of exactly two parts, in an order that may be unpacked; the mask is int8.
@pytest.mark.parametrize("env", [spades_v0.env(), spades_v0.raw_env()], ids=("env", "raw_env"))
def test_01_two_parts_and_an_int8_mask(env):
    env.reset(seed=1)
    space = env.observation_space(env.agent_selection)
    assert isinstance(space, Dict)
    assert set(space.spaces) == {"observation", "action_mask"}
    assert space["action_mask"] == Box(0, 1, (70,), np.int8)
    features, mask = env.last()[0].values()
    assert features.shape == space["observation"].shape
    assert mask.dtype == np.int8
    env.step(env.action_space(env.agent_selection).sample(mask))


# 2. Features come as int8 or float32; the mask stands in the observation or in the info, never in both.
@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_02_switches(dtype, mask_in):
    env: Any = spades_v0.env(obs_dtype=dtype, mask_in=mask_in)
    env.reset(seed=1)
    observation, *_, info = env.last()
    features = observation["observation"] if mask_in == "obs" else observation
    assert features.dtype == np.dtype(dtype)
    assert ("action_mask" in info) == (mask_in == "info")
    assert isinstance(observation, np.ndarray) == (mask_in == "info")


# 3. All seats have the same spaces, made once; agents are named in seat order; `agents` is a list of its own.
def test_03_spaces_and_names(rng):
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


# 4. Metadata and render_mode are there from the start; pygame is imported by those who look.
def test_04_metadata():
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


# 5. Any kind of whole number is an action; step returns None; the dead take None.
@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.array])
def test_05_actions(kind, rng):
    env: Any = spades_v0.env(episode="hand")
    env.reset(seed=1)
    assert env.step(kind(57)) is None
    play_on(env, rng, 200)
    assert env.step(None) is None
    with pytest.raises(ValueError, match="None"):
        env.step(kind(57))


# 6. All four end in one step with all four rewards, which stay for everyone to read; flags are plain bools.
def test_06_the_end(rng):
    env: Any = spades_v0.env(episode="hand")
    env.reset(seed=1)
    play_on(env, rng, 200)
    rewards = dict(env.rewards)
    assert len(rewards) == 4
    assert any(rewards.values())
    assert all(value is True for value in env.terminations.values())
    assert all(value is False for value in env.truncations.values())
    assert [env.last()[1]] == [rewards[env.agent_selection]]
    read = {}
    for agent in env.agent_iter():
        read[agent] = env.last()[1]
        env.step(None)
    assert read == rewards


# 7. Every seat may be observed at any time; only the seat to move has a mask; what is hidden stays hidden.
def test_07_observing(rng):
    env: Any = spades_v0.env(episode="hand")
    env.reset(seed=1)
    for moves in (0, 4, 20, 200):
        play_on(env, rng, moves)
        over = any(env.terminations.values())
        for agent in AGENT_NAMES:
            observation = env.observe(agent)
            assert observation["action_mask"].any() == (agent == env.agent_selection and not over)
            assert same(np.flatnonzero(observation["observation"][:54]), env.view(agent).hand)
    bury(env)
    assert all(env.observe(agent)["observation"].any() for agent in AGENT_NAMES)


# 8. Infos are empty, or carry from reset on, for every agent, the same numbers in the same shapes.
@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_08_infos(mask_in, rng):
    env: Any = spades_v0.raw_env(episode="hand", mask_in=mask_in)
    env.reset(seed=1)
    shapes = [{name: (value.shape, value.dtype) for name, value in env.infos[agent].items()} for agent in AGENT_NAMES]
    assert shapes == [shapes[0]] * 4
    assert bool(shapes[0]) == (mask_in == "info")
    while not any(env.terminations.values()):
        play_on(env, rng, 1)
        for agent in AGENT_NAMES:
            assert {name: (value.shape, value.dtype) for name, value in env.infos[agent].items()} == shapes[0]


# 9. Checkers that play without a mask meet no exception; the strict env raises; the learner's env flags.
def test_09_illegal_actions():
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


# 10. Unknown options are ignored; without a seed the env's own generator goes on.
def test_10_resets():
    env: Any = spades_v0.env()
    env.reset(seed=1, options={"options": 1})
    assert isinstance(env.np_random, np.random.Generator)
    env.reset()
    second = env.game_seed
    env.reset(seed=1)
    assert env.game_seed == 1
    env.reset()
    assert env.game_seed == second


# 11. Copies keep the deal and the generator, through wrappers too.
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()]
)
def test_11_copies(copied, rng):
    env: Any = spades_v0.env()
    env.reset(seed=1)
    play_on(env, rng, 23)
    twin = copied(env)
    assert same(env.state(), twin.state())
    for action in play_on(env, rng, 100):
        twin.step(action)
    assert same(env.state(), twin.state())
    env.reset()
    twin.reset()
    assert env.game_seed == twin.game_seed
    moment = env.get_state()
    play_on(env, rng, 10)
    env.set_state(moment)
    assert same(env.state(), twin.state())


# 12. Central critics get the whole table.
def test_12_state(rng):
    env: Any = spades_v0.env()
    env.reset(seed=1)
    play_on(env, rng, 9)
    assert env.state_space.contains(env.state())
    hands = env.state()[STATE_LAYOUT["hands"].place].reshape(4, 54)
    assert [np.flatnonzero(hand).tolist() for hand in hands] == [env.view(agent).hand for agent in AGENT_NAMES]


# 13. One seat as an ordinary environment: masks wherever a framework looks for them, rewards of the others' moves too.
@pytest.mark.parametrize("flat", [False, True])
def test_13_one_seat(flat, rng):
    env: Any = gymnasium.make("Spades-v0", flat=flat, episode="hand")
    observation, info = env.reset(seed=1)
    rewards, ended = [], False
    while not ended:
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == bool
        assert info["action_mask"].dtype == np.int8
        assert same(masks, info["action_mask"])
        assert isinstance(env.observation_space, Box if flat else Dict)
        assert flat or same(observation["action_mask"], info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(choose(rng, masks))
        rewards.append(reward)
        ended = terminated or truncated
    points = env.unwrapped.view().scores
    assert sum(rewards) == points[0] - points[1]


# 14. Every call gives new arrays; only the batched environments reuse theirs, and Gymnasium's only on request.
def test_14_fresh_arrays():
    check_env(gymnasium.make("Spades-v0").unwrapped, skip_render_check=True)
    for copies in (True, False):
        envs = SpadesGymVectorEnv(2, copy=copies)
        first, second = envs.reset(seed=1)[0], envs.reset(seed=2)[0]
        assert np.shares_memory(first["observation"], second["observation"]) != copies


# 15. Masks given to a learner are never empty, not even at the end.
def test_15_masks_are_never_empty(rng):
    env = SpadesEnv(episode="hand")
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        observation, _, ended, _, info = env.step(choose(rng, info["action_mask"]))
        assert observation["action_mask"].any()
    assert info["action_mask"].all()
    for autoreset in (True, False):
        tables = SpadesVectorEnv(9, episode="hand", seed=1, autoreset=autoreset)
        step = tables.reset()
        for _ in range(70):
            assert step.mask.any(axis=1).all()
            step = tables.step(tables.random_actions())


# 16. A vector environment with all auto-reset modes, and adapters for frameworks with their own vector API.
@pytest.mark.parametrize("mode", AutoresetMode)
def test_16_vector_environment(mode, rng):
    envs: Any = gymnasium.make_vec("Spades-v0", 4, autoreset_mode=mode, episode="hand")
    assert envs.metadata["autoreset_mode"] is mode
    assert envs.single_action_space.n == 70
    assert envs.observation_space["action_mask"].shape == (4, 70)
    envs.reset(seed=[4, 3, 2, 1])
    observations, infos = envs.reset(seed=1)
    ended = np.zeros(4, bool)
    while not ended.any():
        actions = np.array([choose(rng, mask) for mask in observations["action_mask"]])
        observations, _, terminations, truncations, infos = envs.step(actions)
        ended = terminations | truncations
    assert ("final_obs" in infos) == ("final_info" in infos) == (mode == AutoresetMode.SAME_STEP)
    envs.reset(options={"reset_mask": ended})


@pytest.mark.parametrize("flat", [True, False])
def test_16_stable_baselines(flat, monkeypatch, rng):
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


def test_16_rllib(rng):
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


# 17. Registered where people look for environments; importing the package is all it takes.
def test_17_registered():
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


# 18. PettingZoo's test plays one episode: ours plays many, and asks more of masks and of sums.
def test_18_soak(rng):
    hands = 0
    while hands < scaled(200):
        env: Any = spades_v0.env(truncate_after=6)
        env.reset()
        game = Game(seed=env.game_seed)
        total = dict.fromkeys(AGENT_NAMES, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            total[agent] += reward
            if terminated or truncated:
                env.step(None)
                continue
            assert same(np.flatnonzero(observation["action_mask"]), game.legal_actions())
            action = choose(rng, observation["action_mask"])
            game.apply(action)
            env.step(action)
        lead = sum(result.points[0] - result.points[1] for result in game.results)
        assert list(total.values()) == [lead, -lead, lead, -lead]
        hands += len(game.results)


# 19. What PettingZoo's test says about Dict observations is ignored, by name; any other warning is an error.
def test_19_warnings_are_errors():
    with pytest.raises(UserWarning, match="something else"):
        warnings.warn("something else", stacklevel=1)
    warnings.warn("Observation is not a NumPy array", stacklevel=1)
