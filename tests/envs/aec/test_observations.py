"""What each agent observes: spaces, states, masks, and arrays of its own."""

from typing import Any

import numpy as np
from support.game.envs import BLIND_PASSING, all_rules, bury, ended, makers, play_on, same

from spades_env import spades_v0
from spades_env.envs.aec import AGENTS
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import HANDS, LAYOUT, NUM_FEATURES, STATE_SIZE


@makers
@all_rules
def test_observations_and_states_lie_in_their_spaces(make, rules, rng):
    env = make(rules, episode="hand")
    env.reset(seed=1)
    while True:
        for agent in AGENTS:
            observation = env.observe(agent)
            assert list(observation) == ["observation", "action_mask"]
            assert env.observation_space(agent).contains(observation)
            assert observation["action_mask"].any() == (agent == env.agent_selection and not ended(env))
        assert env.state_space.contains(env.state())
        if ended(env):
            return
        play_on(env, rng, 1)


def test_a_state_is_an_observation_and_all_hands(rng):
    env: Any = spades_v0.raw_env(BLIND_PASSING)
    env.reset(seed=4)
    play_on(env, rng, 30)
    for seat, agent in enumerate(AGENTS):
        state = env.state(agent)
        assert state[:NUM_FEATURES].tolist() == env.observe(agent)["observation"].tolist()
        left = state[HANDS + 54 : HANDS + 108]
        hand = env.unwrapped.view(AGENTS[(seat + 1) % 4]).hand
        assert np.flatnonzero(left).tolist() == hand
    assert env.state().shape == (STATE_SIZE,)
    assert env.state().tolist() == env.state("player_0").tolist()


def test_every_agent_has_its_space_made_once(rng):
    env: Any = spades_v0.raw_env()
    spaces = [env.observation_space(agent) for agent in AGENTS] + [env.action_space(agent) for agent in AGENTS]
    env.reset(seed=1)
    saved = env.get_state()
    play_on(env, rng, 5)
    env.set_state(saved)
    env.reset()
    again = [env.observation_space(agent) for agent in AGENTS] + [env.action_space(agent) for agent in AGENTS]
    assert all(one is other for one, other in zip(spaces, again, strict=True))
    assert len({id(space) for space in spaces}) == len(spaces)  # seeding one must not seed another


def test_observations_are_fresh(rng):
    env: Any = spades_v0.raw_env(mask_in="info")
    env.reset(seed=1)
    first, mask = env.observe("player_0"), env.infos[env.agent_selection]["action_mask"]
    kept, kept_mask = first.copy(), mask.copy()
    play_on(env, rng, 20)
    assert (first == kept).all()
    assert (mask == kept_mask).all()
    assert not np.shares_memory(env.observe("player_0"), env.observe("player_0"))


def test_what_each_agent_sees_is_its_view(rng):
    env: Any = spades_v0.env("solo")
    env.reset(seed=8)
    for _ in range(8):
        play_on(env, rng, 7)
        for agent in AGENTS:
            assert same(env.observe(agent), env.view(agent).observation()._asdict())


@makers
def test_floats_are_the_same_numbers(make, rng):
    ints, floats = make(), make(obs_dtype="float32")
    for env in (ints, floats):
        env.reset(seed=2)
    for action in play_on(ints, rng, 40):
        floats.step(action)
    for agent in AGENTS:
        one, other = ints.observe(agent), floats.observe(agent)
        assert other["observation"].dtype == np.float32
        assert other["action_mask"].dtype == np.int8
        assert same(one, other)
        assert floats.observation_space(agent).contains(other)
    assert floats.state().dtype == np.float32
    assert floats.state_space.contains(floats.state())


@makers
def test_the_mask_may_stand_in_info(make, rng):
    env = make(mask_in="info", episode="hand")
    env.reset(seed=2)
    while not ended(env):
        for agent in AGENTS:
            assert list(env.infos[agent]) == ["action_mask"]
            mask = env.infos[agent]["action_mask"]
            assert mask.dtype == np.int8
            assert same(mask, env.view(agent).action_mask)
            assert env.observation_space(agent).contains(env.observe(agent))
        play_on(env, rng, 1)
    assert bury(env)


@makers
def test_infos_are_empty_by_default(make, rng):
    env = make(episode="hand")
    env.reset(seed=1)
    while not ended(env):
        assert env.infos == {agent: {} for agent in AGENTS}
        play_on(env, rng, 1)
    assert env.infos == {agent: {} for agent in AGENTS}


def test_the_layout_is_what_the_space_says():
    assert sum(block.size for block in LAYOUT.values()) == NUM_FEATURES
    env: Any = spades_v0.raw_env()
    assert env.observation_space("player_0")["observation"].shape == (NUM_FEATURES,)
    assert env.action_space("player_0").n == NUM_ACTIONS
