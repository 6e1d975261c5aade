"""The vector environment begins in the middle of games, as `Game` does."""

import random
from typing import Any

import numpy as np
import pytest
from strategies import scaled
from tables import random_rules

from spades_env import Game, SpadesVectorEnv


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
    """Scores, bags and hand numbers that games under these rules may have."""
    scores = np.array([[rng.randrange(-150, 450) for _ in range(4)] for _ in rules], np.int32)
    bags = np.array([[rng.randrange(own.bag_limit or 1) for _ in range(4)] for own in rules], np.int32)
    return scores, bags, np.array([rng.randrange(20) for _ in rules], np.int32)


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
