"""Actions: any whole number, and what happens to an illegal one."""

from typing import Any

import numpy as np
import pytest
from support.game.envs import bury, makers, snapshot

from spades_env import IllegalActionError, spades_v0
from spades_env.envs.aec import AGENTS
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.game.episodes import ILLEGAL_REWARDS


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8, np.array])
@makers
def test_any_whole_number_is_an_action(make, kind):
    env = make()
    env.reset(seed=1)
    turn = env.agent_selection
    assert env.step(kind(57)) is None
    assert env.agent_selection != turn
    assert env.view(turn).bids[AGENTS.index(turn)] == 3


@pytest.mark.parametrize("action", [0, 53, BLIND_NIL, LOOK, -1, 70, 10**30, None, "0", 57.0, np.array([57])])
def test_raw_env_refuses_and_nothing_has_moved(action):
    env: Any = spades_v0.raw_env()
    env.reset(seed=1)
    before = snapshot(env)
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert snapshot(env) == before
    env.step(BID_ZERO + 3)


def test_raw_env_says_why():
    env: Any = spades_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"cannot play the .*: it is time to bid"):
        env.step(0)


@pytest.mark.parametrize("reward", ["points", "win"])
def test_env_ends_the_episode_at_an_illegal_action(reward):
    env: Any = spades_v0.env(reward=reward)
    env.reset(seed=1)
    culprit = env.agent_selection
    env.step(0)
    assert all(env.terminations.values())
    assert env.rewards == {agent: ILLEGAL_REWARDS[reward] * (agent == culprit) for agent in AGENTS}
    assert bury(env) == list(AGENTS)
    env.reset(seed=1)
    assert not any(env.terminations.values())
    env.step(57)


def test_env_refuses_a_number_outside_the_action_space():
    env: Any = spades_v0.env()
    env.reset(seed=1)
    with pytest.raises(AssertionError):
        env.step(70)
