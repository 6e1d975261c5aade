"""The agents in the other seats: random ones, functions, objects and levels by name."""

import sys
import types
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from support.game.envs import BLIND_PASSING, LastLegal, episode, first_legal, same_episodes

from spades_env import IllegalActionError
from spades_env.envs.gym_env import SpadesEnv
from spades_env.envs.gym_vector import SpadesGymVectorEnv


def test_random_opponents_follow_the_seed():
    def play(*seeds) -> list[list]:
        env = SpadesEnv(truncate_after=3)
        return [episode(env, np.random.default_rng(5), seed) for seed in seeds]

    one, other, third = play(3, 4, 3)
    assert same_episodes(one, third)
    assert not same_episodes(one, other)
    assert all(same_episodes(a, b) for a, b in zip(play(3, None, None), play(3, None, None), strict=True))


def test_each_agent_plays_its_seat():
    asked = []

    def listening(name):
        def act(view):
            asked.append((name, view.seat))
            return first_legal(view)

        return act

    left, right, partner = map(listening, ("left", "right", "partner"))
    env = SpadesEnv("solo", 1, [left, right], partner, episode="hand")
    episode(env, np.random.default_rng(1), seed=1)
    assert set(asked) == {("left", 2), ("partner", 3), ("right", 0)}
    asked.clear()
    episode(SpadesEnv("classic", 3, (left, right)), np.random.default_rng(1), seed=1, moves=3)
    assert set(asked) == {("left", 0), ("left", 1), ("right", 2)}


def test_random_and_other_agents_mix(rng):
    for opponents, partner in (("random", first_legal), (first_legal, "random"), (("random", LastLegal()), None)):
        env = SpadesEnv(BLIND_PASSING, 2, opponents, partner, truncate_after=2)
        one, other = (episode(env, np.random.default_rng(2), seed=9) for _ in range(2))
        assert same_episodes(one, other)


def test_agents_see_views_only():
    def curious(view):
        seat = view.seat
        assert view.state.hands[0][[other for other in range(4) if other != seat]].sum() == 0
        assert not view.state.seed[0]
        return first_legal(view)

    episode(SpadesEnv(opponents=curious), np.random.default_rng(1), seed=1, moves=40)


@pytest.mark.parametrize("answer", [0, -1, 99, None])
def test_an_opponent_with_an_illegal_action_is_named(answer):
    env = SpadesEnv("showdown", opponents=(first_legal, lambda view: answer), partner=first_legal)
    with pytest.raises(IllegalActionError, match="the agent at East answered"):
        env.reset(seed=1)  # West deals: North and East bid before the learner
    with pytest.raises(ResetNeeded):
        env.step(57)


def test_an_agent_that_breaks_down_stops_the_episode():
    def broken(view):
        raise ZeroDivisionError

    env = SpadesEnv("showdown", opponents=broken)
    with pytest.raises(ZeroDivisionError):
        env.reset(seed=1)
    with pytest.raises(ResetNeeded):
        env.step(57)


@pytest.fixture
def agents(monkeypatch):
    """Provide a package `agents` that knows one agent, and records the names it is asked for."""
    package: Any = types.ModuleType("spades_env.agents")
    package.loaded = []

    def check_name(name):
        if name != "milly":
            raise ValueError(f"no agent is named {name!r}")

    def load(name, seed=None):
        check_name(name)
        package.loaded.append(seed)
        return LastLegal()

    package.check_name, package.load = check_name, load
    monkeypatch.setitem(sys.modules, "spades_env.agents", package)
    return package


def test_agents_by_name(agents):
    env = SpadesEnv(opponents="milly", partner="random")
    assert not agents.loaded
    env.reset()
    assert len(set(agents.loaded)) == 2
    env.reset()
    assert len(agents.loaded) == 2
    env.reset(seed=1)
    seeded = agents.loaded[2:]
    env.reset(seed=1)
    assert agents.loaded[4:] == seeded
    plain = SpadesEnv(opponents=LastLegal(), partner="random")
    one, other = (episode(each, np.random.default_rng(1), seed=4) for each in (env, plain))
    assert same_episodes(one, other)


def test_an_unknown_name_is_refused_when_the_env_is_made(agents):
    for make in (SpadesEnv, SpadesGymVectorEnv):
        with pytest.raises(ValueError, match="no agent is named 'nobody'"):
            make(partner="nobody")


def test_our_package_refuses_an_unknown_name_at_once():
    with pytest.raises(ValueError, match="unknown agent 'ruler' \\(did you mean 'rule'"):
        gymnasium.make("Spades-v0", opponents="bis/ruler")
    gymnasium.make("Spades-v0", opponents="bis/rule", partner="Milly")


class WithTwo:
    """An agent with two arguments, as PettingZoo calls one."""

    def act(self, observation, agent):
        return 57


@pytest.mark.parametrize(
    "opponents", [WithTwo(), WithTwo().act, lambda: 57, LastLegal], ids=["object", "method", "lambda", "class"]
)
def test_an_agent_must_take_a_view(opponents):
    with pytest.raises(ValueError, match=r"must take a view alone, and .* takes"):
        SpadesEnv(opponents=opponents)


def test_an_agent_may_take_optional_arguments():
    for opponent in (lambda view, seed=0: first_legal(view), lambda *views: first_legal(*views), max):
        SpadesEnv(opponents=opponent)
