"""Episodes and rewards: when an episode ends, and what each agent is paid."""

from typing import Any

import numpy as np
import pytest
from support.game.envs import ALL_RULES, all_rules, bury, choose, ended, makers, play_on
from support.strategies import scaled

from spades_env import Game, spades_v0
from spades_env.envs.aec import AGENTS


@makers
@all_rules
def test_the_end_of_an_episode(make, rules, rng):
    env = make(rules, episode="hand")
    env.reset(seed=5)
    play_on(env, rng, 200)
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert env.truncations == dict.fromkeys(AGENTS, False)
    assert all(type(value) is bool for value in [*env.terminations.values(), *env.truncations.values()])
    assert set(env.rewards) == set(AGENTS)
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-3)
    assert env._cumulative_rewards == env.rewards  # a hand pays once
    final = dict(env.rewards)
    for agent in AGENTS:
        assert env.agent_selection == agent
        observation, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (final[agent], True, False)
        assert not observation["action_mask"].any()
        assert env.step(None) is None
        assert all(env.observe(each)["observation"].any() for each in AGENTS)
    assert env.agents == []


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.array])
@makers
def test_a_dead_agent_takes_none_only(make, kind, rng):
    env = make(episode="hand")
    env.reset(seed=5)
    play_on(env, rng, 200)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(kind(57))
    assert bury(env) == list(AGENTS)


@makers
def test_all_are_truncated_at_once(make, rng):
    env = make(truncate_after=2)
    env.reset(seed=6)
    assert len(play_on(env, rng, 1000)) > 100
    assert env.truncations == dict.fromkeys(AGENTS, True)
    assert env.terminations == dict.fromkeys(AGENTS, False)
    assert any(env.rewards.values())
    assert bury(env) == list(AGENTS)


def test_truncation_counts_the_hands_of_this_env(rng):
    """A game that starts at hand 7 also lasts two hands."""
    env: Any = spades_v0.raw_env(truncate_after=2)
    env.reset(seed=6, options={"hand_number": 7})
    play_on(env, rng, 1000)
    assert env.truncations["player_0"]
    assert env.view("player_0").hand_number == 8


@all_rules
@pytest.mark.parametrize("reward", ["points", "win"])
def test_rewards_are_those_of_the_game(rules, reward, rng):
    """Every seat is paid the points of the Game when a hand is scored, and sees them in its next `last`."""
    env: Any = spades_v0.raw_env(rules, reward=reward, truncate_after=10)
    hands = 0
    while hands < scaled(25):
        env.reset()
        game = Game(env.rules, env.game_seed)
        waiting = dict.fromkeys(AGENTS, 0.0)  # paid since the agent's last step
        while not ended(env):
            agent = env.agent_selection
            observation, paid, *_ = env.last()
            assert paid == pytest.approx(waiting[agent])
            assert observation["action_mask"].tolist() == game.action_mask.tolist()
            action = choose(rng, observation["action_mask"])
            finished = len(game.results)
            game.apply(action)
            env.step(action)
            expected = expected_rewards(game, finished, reward, ended(env))
            assert [env.rewards[each] for each in AGENTS] == pytest.approx(expected, abs=1e-3)
            waiting[agent] = 0.0
            waiting = {each: waiting[each] + env.rewards[each] for each in AGENTS}
        assert game.over == env.terminations["player_0"]
        hands += len(game.results)
        bury(env)


def expected_rewards(game: Game, finished: int, reward: str, is_end: bool) -> list[float]:
    """Return the rewards by seat, from a Game after its last move."""
    sides = [game.rules.side(seat) for seat in range(4)]
    if reward == "win":
        if not game.over or game.winner is None or not is_end:
            return [0.0] * 4
        return [1.0 if side == game.winner else -1.0 for side in sides]
    if len(game.results) == finished:
        return [0.0] * 4
    points = game.results[-1].points
    others = game.rules.sides - 1
    return [points[side] - (sum(points) - points[side]) / others for side in sides]


def test_a_won_hand_is_a_won_episode(rng):
    env: Any = spades_v0.raw_env(episode="hand", reward="win")
    for seed in range(scaled(20)):
        env.reset(seed=seed)
        play_on(env, rng, 200)
        scores = env.view("player_0").scores
        ahead = (scores[0] > scores[1]) - (scores[0] < scores[1])
        assert [env.rewards[agent] for agent in AGENTS] == [ahead, -ahead, ahead, -ahead]


@makers
def test_soak(make, rng):
    """Check masks and the sums of rewards over many hands under all rules."""
    hands = 0
    for rules in ALL_RULES:
        env = make(rules, truncate_after=5)
        for _ in range(scaled(12)):
            env.reset()
            total = dict.fromkeys(AGENTS, 0.0)
            for agent in env.agent_iter():
                observation, reward, terminated, truncated, _ = env.last()
                total[agent] += reward
                assert observation["action_mask"].sum() == len(env.view(agent).legal_actions())
                env.step(None if terminated or truncated else choose(rng, observation["action_mask"]))
            scores = env.view("player_0").scores
            expected = [side_lead(scores, side) for side in range(len(scores))]
            assert list(total.values()) == pytest.approx([expected[seat % len(scores)] for seat in range(4)], abs=1e-2)
            hands += env.view("player_0").hand_number + 1
    assert hands >= scaled(12) * len(ALL_RULES)


def side_lead(scores: list[int], side: int) -> float:
    """Return a side's points minus the mean of the others'."""
    return scores[side] - (sum(scores) - scores[side]) / (len(scores) - 1)
