"""Resets: seeds, options, and bad ones of either."""

from typing import Any

import numpy as np
import pytest
from support.game.envs import all_rules, choose, makers, mask_of, snapshot

from spades_env import Game, spades_v0
from spades_env.envs.aec import AGENTS


@makers
@all_rules
def test_a_seed_names_the_game(make, rules, rng):
    env = make(rules)
    for seed in (0, 7, np.int64(7), 2**64 - 1):
        env.reset(seed=seed)
        game = Game(rules, int(seed))
        play_both(env, game, rng, 30)


def play_both(env, game: Game, rng, moves: int) -> None:
    """Make the same random moves in the env and the Game, and compare their views."""
    for _ in range(moves):
        assert env.agent_selection == AGENTS[game.turn]
        assert mask_of(env).tolist() == game.action_mask.tolist()
        for seat, agent in enumerate(AGENTS):
            assert env.view(agent).features.tolist() == game.view(seat).features.tolist()
        action = choose(rng, game.action_mask)
        env.step(action)
        game.apply(action)


def test_without_a_seed_the_generator_goes_on():
    def games(env) -> list[int]:
        seeds = []
        for seed in (11, None, None, 11, None):
            env.reset(seed=seed)
            seeds.append(env.unwrapped.game_seed)
        return seeds

    one, other = games(spades_v0.env()), games(spades_v0.raw_env())
    assert one == other
    assert one[0] == one[3] == 11
    assert one[1] == one[4]
    assert len(set(one)) == 3


def test_unseeded_envs_differ():
    seeds = set()
    for _ in range(5):
        env: Any = spades_v0.env()
        env.reset()
        seeds.add(env.game_seed)
        assert isinstance(env.np_random, np.random.Generator)
    assert len(seeds) == 5


@makers
def test_reset_options(make, rng):
    deal = Game(seed=99).hands
    setup = {"deal": deal, "dealer": 2, "scores": [120, -30], "bags": [3, 9], "hand_number": 4}
    env = make()
    env.reset(seed=5, options=setup | {"unknown": object(), "rules": "classic nil_bonus=50"})
    play_both(env, Game("classic nil_bonus=50", seed=5, **setup), rng, 100)
    env.reset(seed=5)  # options hold for one game
    play_both(env, Game(seed=5), rng, 10)


def test_the_seed_option_names_the_game_alone():
    env: Any = spades_v0.raw_env()
    env.reset(seed=1, options={"seed": 5})
    assert env.game_seed == 5
    env.reset()
    after_option = env.game_seed
    env.reset(seed=1)
    env.reset()
    assert env.game_seed == after_option  # the generator is that of seed 1


@makers
@pytest.mark.parametrize(
    ("seed", "options", "words"),
    [
        (-1, None, "seed"),
        (2**64, None, "seed"),
        (1.5, None, "seed"),
        (True, None, "seed"),
        (1, {"dealer": 4}, "dealer"),
        (1, {"scores": [1]}, "scores"),
        (1, {"deal": [[0] * 13] * 4}, "twice"),
        (1, {"rules": "cutthroat"}, "unknown preset"),
        (1, 5, "options must be a dict or None, not 5"),
        (1, [("dealer", 1)], "options must be a dict"),
        (1, False, "options must be a dict"),
    ],
)
def test_a_bad_reset_says_so(make, seed, options, words):
    env = make()
    env.reset(seed=3)
    before = snapshot(env)
    with pytest.raises(ValueError, match=words):
        env.reset(seed=seed, options=options)
    assert snapshot(env.unwrapped) == before
