"""Gymnasium's vector environment: each table against the single environment, in all auto-reset modes."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from support.game.envs import ALL_RULES, BLIND_PASSING, InBatches, LastLegal, all_same, choose_all, first_legal, same
from support.strategies import scaled

from spades_env import IllegalActionError
from spades_env.envs.gym_env import SpadesEnv
from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.episodes import ILLEGAL_REWARDS, next_seed
from spades_env.vector.env import STAY

all_modes = pytest.mark.parametrize("mode", AutoresetMode)


AGENTS = {
    "random": "random",
    "callable": first_legal,
    "objects": (LastLegal(), InBatches()),
    "mixed": (InBatches(), "random"),
}


@pytest.mark.parametrize("opponents", AGENTS)
@pytest.mark.parametrize("illegal", ["random", "terminate"])
@all_modes
def test_each_table_is_a_single_env(mode, opponents, illegal, rng):
    n = len(ALL_RULES)
    options = {"seat": 1, "opponents": AGENTS[opponents], "truncate_after": 2, "illegal": illegal}
    envs = SpadesGymVectorEnv(n, list(ALL_RULES), autoreset_mode=mode, **options)
    singles = [SpadesEnv(rules, **options) for rules in ALL_RULES]
    observations, infos = envs.reset(seed=30)
    present = [single.reset(seed=30 + i) for i, single in enumerate(singles)]
    ended = np.zeros(n, bool)
    for _ in range(scaled(120)):
        for i, (observation, info) in enumerate(present):
            assert same({name: array[i] for name, array in observations.items()}, observation)
            assert same({name: infos[name][i] for name in info}, info)
            assert envs.observation_space.contains(observations)
        if mode == AutoresetMode.DISABLED and ended.any():
            observations, infos = envs.reset(options={"reset_mask": ended})
            for i, (observation, info) in enumerate(present):
                present[i] = (observation, info | {"illegal": False})
                if ended[i]:
                    present[i] = singles[i].reset(seed=int(envs.seeds[i]))
            ended[:] = False
            continue
        actions = np.where(rng.random(n) < 0.03, rng.integers(-3, 75, n), choose_all(rng, observations["action_mask"]))
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        for i, single in enumerate(singles):
            if mode == AutoresetMode.NEXT_STEP and ended[i]:
                present[i] = single.reset(seed=int(envs.seeds[i]))
                assert (rewards[i], terminations[i], truncations[i]) == (0, False, False)
                continue
            *outcome, info = single.step(actions[i])
            observation, reward, terminated, truncated = outcome
            assert (rewards[i], terminations[i], truncations[i]) == (pytest.approx(reward), terminated, truncated)
            present[i] = (observation, info)
            if mode == AutoresetMode.SAME_STEP and (terminated or truncated):
                assert infos["_final_obs"][i]
                assert same(infos["final_obs"][i], observation)
                assert same({name: infos["final_info"][name][i] for name in info}, info)
                present[i] = single.reset(seed=int(envs.seeds[i]))
            elif mode == AutoresetMode.SAME_STEP:
                assert "_final_obs" not in infos or not infos["_final_obs"][i]
        ended = terminations | truncations


@all_modes
def test_like_gymnasiums_own_vector_env(mode, rng):
    """Compare keys, shapes, dtypes and spaces with SyncVectorEnv."""
    options = {"episode": "hand", "opponents": first_legal}
    ours = SpadesGymVectorEnv(3, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: SpadesEnv(**options)] * 3, autoreset_mode=mode)
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "num_envs"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.metadata == theirs.metadata | {"render_modes": ["ansi", "rgb_array"]}
    one, other = ours.reset(seed=[4, 5, 6]), theirs.reset(seed=[4, 5, 6])
    assert alike(one, other)
    for _ in range(15):
        actions = choose_all(rng, one[0]["action_mask"])
        one, other = ours.step(actions), theirs.step(actions)
        ends = one[2] | one[3]
        assert same(ends, other[2] | other[3])
        if ends.any() and mode == AutoresetMode.SAME_STEP:  # the next games differ, these ends don't
            assert same(one[4]["final_info"], other[4]["final_info"])
            assert all(same(a, b) for a, b in zip(one[4]["final_obs"], other[4]["final_obs"], strict=True) if b)
        assert alike(one, other)
        if ends.any():
            ours.reset(options={"reset_mask": ends})
            return
    raise AssertionError("the hand did not end")


def alike(one, other) -> bool:
    """Are keys, dtypes and shapes the same?"""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[name], other[name]) for name in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return (one.dtype, one.shape) == (other.dtype, other.shape)


@all_modes
def test_make_vec(mode):
    envs: Any = gymnasium.make_vec("Spades-v0", 5, rules="solo", autoreset_mode=mode)
    assert isinstance(envs.unwrapped, SpadesGymVectorEnv)
    assert envs.metadata["autoreset_mode"] is mode
    assert envs.num_envs == 5
    envs.reset(seed=1)
    envs.close()
    envs.close()
    assert gymnasium.make_vec("Spades-v0", 2, vectorization_mode="sync").reset(seed=1)[0]["action_mask"].any()
    assert gymnasium.make_vec("Spades-v0").metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


@all_modes
def test_a_mode_by_its_names(mode):
    for named in (mode, mode.name, mode.value):
        assert SpadesGymVectorEnv(2, autoreset_mode=named).autoreset_mode is mode


def test_partial_resets(rng):
    envs = SpadesGymVectorEnv(4, autoreset_mode="Disabled", episode="hand")
    with pytest.raises(ResetNeeded):
        envs.step(np.full(4, 57))
    with pytest.raises(ResetNeeded, match="first reset"):
        envs.reset(options={"reset_mask": np.array([True, False, False, False])})
    envs.reset(seed=[7, None, None, 8])
    assert envs.seeds[[0, 3]].tolist() == [7, 8]
    observations, _ = envs.reset(seed=1)
    for _ in range(5):
        observations, *_ = envs.step(choose_all(rng, observations["action_mask"]))
    which = np.array([False, True, False, True])
    again, _ = envs.reset(seed=[7, 8, None, None], options={"reset_mask": which, "unknown": 1})
    assert same(again["observation"][~which], observations["observation"][~which])
    assert envs.seeds.tolist() == [1, 8, 3, next_seed(np.uint64(4))]
    single, _ = SpadesEnv(episode="hand").reset(seed=8)
    assert same(again["observation"][1], single["observation"])


@pytest.mark.parametrize("seed", [np.int64(7), np.array(7)])
def test_a_seed_is_any_whole_number(seed):
    envs, plain = SpadesGymVectorEnv(2), SpadesGymVectorEnv(2)
    assert same(envs.reset(seed=seed)[0], plain.reset(seed=7)[0])
    assert envs.np_random.random() == plain.np_random.random()
    assert same(SpadesEnv().reset(seed=seed)[0], SpadesEnv().reset(seed=7)[0])


def test_an_ended_table_must_be_reset_where_nobody_else_does_it(rng):
    envs = SpadesGymVectorEnv(2, autoreset_mode=AutoresetMode.DISABLED, episode="hand")
    observations, _ = envs.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        observations, _, terminations, truncations, _ = envs.step(choose_all(rng, observations["action_mask"]))
        ended = terminations | truncations
    with pytest.raises(ResetNeeded, match=r"tables \[.*\] have ended"):
        envs.step(np.full(2, 57))
    again, _ = envs.reset(options={"reset_mask": ~ended})  # the other one: this one keeps what it shows
    assert same(again["observation"][ended], observations["observation"][ended])
    assert again["action_mask"][ended].all()
    envs.reset(options={"reset_mask": ended})
    envs.step(choose_all(rng, envs.action_masks()))


@pytest.mark.parametrize(
    ("seed", "options", "words"),
    [
        (-1, None, "seed"),
        ([1], None, "seed"),
        ([None], None, "seed"),
        ([1, 2.5], None, "seed"),
        (1, {"reset_mask": [True, False]}, "reset_mask"),
        (1, {"reset_mask": np.ones(3, bool)}, "reset_mask"),
        (1, {"reset_mask": np.ones(2, int)}, "reset_mask"),
        (1, {"dealer": 1}, "dealer cannot be an option here"),
        (1, 5, "options must be a dict or None, not 5"),
        (1, [], "options must be a dict"),
    ],
)
def test_a_bad_reset_says_so(seed, options, words):
    envs = SpadesGymVectorEnv(2)
    envs.reset(seed=3)
    with pytest.raises(ValueError, match=words):
        envs.reset(seed=seed, options=options)
    assert envs.seeds.tolist() == [3, 4]
    envs.step(np.array([57, 57]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"autoreset_mode": "never"}, "one of NEXT_STEP, SAME_STEP, DISABLED, not 'never'"),
        ({"illegal": "ignore"}, "illegal"),
        ({"render_mode": "human"}, "render_mode"),
        ({"obs_dtype": "int16"}, "obs_dtype"),
        ({"obs_dtype": "floaty"}, "obs_dtype"),
        ({"seat": -1}, "seat"),
    ],
)
def test_a_bad_argument_to_gymnasium_says_so(options, words):
    with pytest.raises(ValueError, match=words):
        SpadesGymVectorEnv(**{"num_envs": 2} | options)


def test_illegal_actions_raise_if_wanted():
    envs = SpadesGymVectorEnv(3, illegal="raise")
    observations, _ = envs.reset(seed=1)
    for wrong in (0, -1, 70):
        with pytest.raises(IllegalActionError, match="table 1: South cannot"):
            envs.step(np.array([57, wrong, 57]))
        assert same(envs.action_masks(), observations["action_mask"])
    *_, infos = envs.step(np.array([57, 57, 57]))
    assert not infos["illegal"].any()
    with pytest.raises(ValueError, match=r"int\[3\]"):
        envs.step(np.array([57.0, 57, 57]))


def test_thrown_out():
    envs = SpadesGymVectorEnv(3, illegal="terminate", reward="win")
    envs.reset(seed=1)
    observations, rewards, terminations, _, infos = envs.step(np.array([57, 0, 57]))
    assert terminations.tolist() == infos["illegal"].tolist() == [False, True, False]
    assert rewards.tolist() == [0, ILLEGAL_REWARDS["win"], 0]
    assert observations["action_mask"][1].all()


@pytest.mark.parametrize("answer", [STAY, 0, 99, None, 57.5])
def test_an_opponent_with_an_illegal_action_is_named(answer):
    envs = SpadesGymVectorEnv(4, "showdown", opponents=lambda view: answer)
    with pytest.raises(IllegalActionError, match=r"the agent at North answered .* at table 0: North cannot"):
        envs.reset(seed=1)
    with pytest.raises(ResetNeeded):
        envs.step(np.full(4, 57))


def test_batches_are_answered_at_once():
    agent = InBatches()
    envs = SpadesGymVectorEnv(50, opponents=agent, episode="hand")
    envs.reset(seed=1)
    assert agent.calls <= 6  # not one for each of some hundred moves


def test_copy_or_not(rng):
    for copies in (True, False):
        envs = SpadesGymVectorEnv(3, copy=copies, autoreset_mode="SameStep", truncate_after=1)
        first, infos = envs.reset(seed=1)
        kept = copy.deepcopy((first, infos))
        second, second_infos = first, infos
        for _ in range(40):
            second, *_, second_infos = envs.step(choose_all(rng, envs.action_masks()))
        assert same(first, kept[0]) == copies
        assert same(infos, kept[1])
        assert np.shares_memory(first["observation"], second["observation"]) != copies
        assert not np.shares_memory(infos["action_mask"], second_infos["action_mask"])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_gymnasiums_play_on(copied):
    envs = SpadesGymVectorEnv(4, BLIND_PASSING, opponents=("random", InBatches()), truncate_after=2)
    envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(9):
        envs.step(choose_all(rng, envs.action_masks()))
    twin = copied(envs)
    for _ in range(60):
        actions = choose_all(rng, envs.action_masks())
        assert all_same(list(envs.step(actions)), list(twin.step(actions)))


def test_flat_and_floats():
    envs = SpadesGymVectorEnv(3, flat=True, obs_dtype="float32", seat=3)
    observations, _ = envs.reset(seed=1)
    assert observations.dtype == np.float32
    assert envs.observation_space.contains(observations)
    assert same(observations[2], envs.view(2).features)
    assert envs.action_masks().shape == (3, NUM_ACTIONS)


def test_pictures_of_all_tables():
    pytest.importorskip("pygame")
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray)):
        envs = SpadesGymVectorEnv(2, render_mode=mode)  # pyright: ignore
        envs.reset(seed=1)
        frames = envs.render()
        assert [type(frame) for frame in frames] == [kind] * 2
