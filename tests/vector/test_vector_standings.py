"""The vector environment can begin in the middle of games, as `Game` can."""

import random
from typing import Any

import numpy as np
import pytest
from support.game.envs import all_same, choose_all, same
from support.game.tables import random_rules
from support.strategies import scaled

from spades_env import Game, SpadesVectorEnv
from spades_env.envs.episode_table import EpisodeTable
from spades_env.game.episodes import RUNNING, TERMINATED, TRUNCATED, Terms


def test_a_table_begins_where_the_same_game_does():
    rng = random.Random(11)
    rules = [random_rules(rng, target=500, max_hands=None, floor=None) for _ in range(scaled(20))]
    scores, bags, hands = standings(rng, rules)
    env = SpadesVectorEnv(len(rules), rules, seed=3)
    env.reset(scores=scores, bags=bags, hand_numbers=hands)
    for i, own in enumerate(rules):
        start = {"scores": scores[i, : own.sides].tolist(), "bags": bags[i, : own.sides].tolist()}
        game = Game(own, seed=3 + i, hand_number=int(hands[i]), **start)
        assert env.view(i, game.turn).state.tobytes() == game.view(game.turn).state.tobytes()
        assert np.flatnonzero(env.mask[i]).tolist() == game.legal_actions()


def standings(rng, rules):
    """Return scores, bags and hand numbers that are possible under these rules."""
    scores = np.array([[rng.randrange(-150, 450) for _ in range(4)] for _ in rules], np.int32)
    bags = np.array([[rng.randrange(own.bag_limit or 1) for _ in range(4)] for own in rules], np.int32)
    return scores, bags, np.array([rng.randrange(20) for _ in rules], np.int32)


@pytest.mark.parametrize("at_random", [False, True])
@pytest.mark.parametrize("truncate_after", [1, 2, 5])
def test_episodes_are_truncated_after_as_many_hands_as_at_one_table(truncate_after, at_random):
    """Episodes that begin in the middle of a game, and those that follow by auto-reset."""
    rng = random.Random(12)
    rules = [random_rules(rng, target=500, max_hands=None, floor=None) for _ in range(scaled(12))]
    scores, bags, hands = standings(rng, rules)
    env = SpadesVectorEnv(len(rules), rules, seed=3, truncate_after=truncate_after)
    env.reset(scores=scores, bags=bags, hand_numbers=hands)
    tables = [EpisodeTable(own, Terms(truncate_after=truncate_after)) for own in rules]
    for i, table in enumerate(tables):
        start = {"scores": scores[i, : table.rules.sides].tolist(), "bags": bags[i, : table.rules.sides].tolist()}
        table.begin(np.random.default_rng(), 3 + i, start | {"hand_number": int(hands[i])})
    ends, chooser = np.zeros(len(rules), int), np.random.default_rng(5)
    while ends.min() < 2:
        ends += act(env, tables, None if at_random else choose_all(chooser, env.mask))


def act(env: SpadesVectorEnv, tables: list[EpisodeTable], actions: np.ndarray | None) -> np.ndarray:
    """Move all tables (at random without actions) and the single ones; return which episodes ended."""
    everybody = np.ones(4, bool)
    step = env.play_random(everybody) if actions is None else env.step(actions)
    for i, table in enumerate(tables):
        if actions is None:
            table.play_random(everybody)
        else:
            table.act(actions[i])
        assert same(step.reward[i], table.reward)
        assert step.done[i] == (table.status != RUNNING)
        if step.done[i]:
            assert (env.terminated[i], env.truncated[i]) == (table.status == TERMINATED, table.status == TRUNCATED)
            table.begin(np.random.default_rng(), int(env.seeds[i]))  # a new game, as there
    return step.done.copy()


def test_other_tables_play_on_where_some_begin_in_the_middle():
    env = SpadesVectorEnv(3, seed=1)
    env.reset()
    before = [env.view(i, 0).state.tobytes() for i in range(3)]
    env.reset(which=np.array([False, True, False]), scores=np.full((3, 4), 200, np.int32))
    assert [env.view(i, 0).state.tobytes() == before[i] for i in range(3)] == [True, False, True]
    assert env.scores[:, 0].tolist() == [0, 200, 0]


@pytest.mark.parametrize(
    ("argument", "value"),
    [("bags", [10, 0, 0, 0]), ("bags", [-1, 0, 0, 0]), ("scores", [0, 200_000_000, 0, 0]), ("hand_numbers", -1)],
)
def test_impossible_standings_are_refused(argument, value):
    env = SpadesVectorEnv(2, seed=1)
    array = np.zeros((2,) if argument == "hand_numbers" else (2, 4), np.int32)
    array[1] = value
    standings: dict[str, Any] = {argument: array}
    with pytest.raises(ValueError, match="table 1 cannot begin"):
        env.reset(**standings)
    env.reset(seed=1)
    env.reset(which=np.array([True, False]), **standings)  # tables that play on are not checked


@pytest.mark.parametrize(
    "wrong",
    [
        {"bags": np.full((2, 4), 10, np.int32)},
        {"seed": 9, "scores": np.zeros((2, 3), np.int32)},
        {"seed": 9, "hand_numbers": [1, 1]},
        {"seed": [9, -1]},
        {"which": np.array([True])},
    ],
)
def test_a_refused_reset_has_changed_nothing(wrong: dict[str, Any]):
    env, other = (SpadesVectorEnv(2, seed=1, episode="hand") for _ in range(2))
    with pytest.raises(ValueError, match=r"must be|cannot begin"):
        env.reset(**wrong)
    assert not env.begun
    for each in (env, other):
        each.reset()
        while not each.step(each.random_actions()).done.any():
            pass  # so that there is a reward to keep
    with pytest.raises(ValueError, match=r"must be|cannot begin"):
        env.reset(**wrong)
    assert all_same(pictured(env), pictured(other))
    for each in (env, other):
        each.reset()  # seeds continue from where they were
    assert all_same(pictured(env), pictured(other))


def pictured(env: SpadesVectorEnv) -> list[np.ndarray]:
    """Return copies of the tables, and of what is shown of them."""
    shown = (env.seeds, env.observation, env.mask, env.turn, env.reward, env.done, env.terminated, env.truncated)
    return [env.tables, *(array.copy() for array in shown)]
