"""PettingZoo's contract: its own tests, registration, arguments, and nothing before the first reset."""

from typing import Any

import gymnasium
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test
from support.game.envs import all_rules, makers
from support.strategies import scaled

from spades_env import Rules, RulesError, spades_v0


def test_nothing_is_done_or_seen_before_the_first_reset():
    env = spades_v0.raw_env()
    for early in (
        lambda: env.step(54),
        lambda: env.observe("player_0"),
        lambda: env.view("player_0"),
        env.state,
        gymnasium.make("spades_env:Spades-v0").unwrapped.view,  # pyright: ignore[reportAttributeAccessIssue]
    ):
        with pytest.raises(ResetNeeded, match="reset"):
            early()


@makers
@all_rules
def test_api(make, rules):
    api_test(make(rules, episode="hand"), num_cycles=20)


@makers
@pytest.mark.parametrize("options", [{"mask_in": "info"}, {"obs_dtype": "float32"}, {"truncate_after": 1}])
def test_api_with_other_switches(make, options):
    api_test(make(episode="hand", **options), num_cycles=20)


@makers
@all_rules
def test_seeds(make, rules):
    seed_test(lambda: make(rules, episode="hand"), num_cycles=scaled(200))


@makers
def test_rendering(make):
    pytest.importorskip("pygame")
    render_test(lambda render_mode: make(render_mode=render_mode))  # pyright: ignore[reportArgumentType] — its hint is wrong


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
@pytest.mark.parametrize("name", ["spades-v0", "spades_v0", "spades", "spades_env/spades_v0", "spades_env/spades-v0"])
def test_registered(name):
    env: Any = pettingzoo.make("aec", name, rules="solo")
    env.reset(seed=3)
    assert env.unwrapped.rules == Rules.preset("solo")
    assert env.unwrapped.game_seed == 3
    assert env.unwrapped.metadata["name"] == "spades_v0"  # as PettingZoo's own games write theirs
    assert pettingzoo.spec("aec", name).id in ("spades-v0", "spades_env/spades-v0")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"episode": "match"}, "episode must be one of game, hand"),
        ({"reward": "chips"}, "reward must be one of points, win"),
        ({"truncate_after": 0}, "truncate_after"),
        ({"render_mode": "3d"}, "render_mode"),
        ({"obs_dtype": "float64"}, "obs_dtype"),
        ({"mask_in": "both"}, "mask_in"),
        ({"render_seat": 4}, "render_seat"),
        ({"rules": "cutthroat"}, "unknown preset"),
    ],
)
def test_a_bad_argument_says_so(options, words):
    with pytest.raises(ValueError, match=words):
        spades_v0.env(**options)
    assert issubclass(RulesError, ValueError)


def test_env_takes_its_arguments_in_the_order_of_raw_env():
    made: Any = spades_v0.env("solo", "hand", "win", 3, "ansi")
    raw = made.unwrapped
    assert (raw.rules, raw.terms.episode, raw.terms.reward) == (Rules.preset("solo"), "hand", "win")
    assert (raw.terms.truncate_after, made.render_mode) == (3, "ansi")
