"""Copies: by deepcopy, pickle, clone and state."""

import copy
import pickle
from typing import Any

import pytest
from support.game.envs import BLIND_PASSING, bury, play_on, snapshot

from spades_env import spades_v0


def by_deepcopy(env):
    return copy.deepcopy(env)


def by_pickle(env):
    return pickle.loads(pickle.dumps(env))


def by_clone(env):
    return env.clone()


def by_state(env):
    """Restore the state in another env with the same arguments."""
    other = spades_v0.env(BLIND_PASSING)
    other.reset()
    other.set_state(env.get_state())
    return other


@pytest.mark.parametrize("copied", [by_deepcopy, by_pickle, by_clone, by_state])
@pytest.mark.parametrize("moves", [0, 3, 10, 37])
def test_copies_play_on_by_themselves(copied, moves, rng):
    env: Any = spades_v0.env(BLIND_PASSING)
    env.reset(seed=21)
    play_on(env, rng, moves)
    twin = copied(env)
    before = snapshot(env.unwrapped)
    assert snapshot(twin.unwrapped) == before
    made = play_on(twin, rng, 60)
    assert snapshot(env.unwrapped) == before
    for action in made:
        env.step(action)
    assert snapshot(env.unwrapped) == snapshot(twin.unwrapped)
    for each in (env, twin):
        each.reset()
    assert env.unwrapped.game_seed == twin.unwrapped.game_seed


def test_a_copy_amid_the_steps_of_dead_agents(rng):
    env: Any = spades_v0.env(episode="hand")
    env.reset(seed=2)
    play_on(env, rng, 200)
    env.step(None)
    twin = by_pickle(env)
    assert bury(twin) == bury(env) == ["player_1", "player_2", "player_3"]


def test_a_saved_state_restores_that_moment(rng):
    env: Any = spades_v0.env()
    env.reset(seed=2)
    play_on(env, rng, 20)
    moment, then = env.get_state(), snapshot(env.unwrapped)
    for _ in range(3):
        play_on(env, rng, 100)
        env.set_state(moment)
        assert snapshot(env.unwrapped) == then
