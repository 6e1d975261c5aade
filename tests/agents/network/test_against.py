"""Searches against one opponent that they know: hidden cards, who plays whom in the rollouts, the strings."""

import random

import pytest
from support.levels import level_file, random_level
from support.redeals import redealt
from support.strategies import scaled
from support.tables import random_position

from spades_env import Game, agents
from spades_env._jit import JIT_ON
from spades_env.agents.lanes import distinct_cards
from spades_env.agents.network.against import LevelAgainst
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.network.playouts import finish_hands
from spades_env.agents.network.trial import LevelTrial
from spades_env.agents.pair import Pair
from spades_env.game.state import compile_rules
from spades_env.game.view import View

WORLDS = 4 if JIT_ON else 2


def responder() -> LevelAgainst:
    return LevelAgainst("anyhow", random_level(1, width=12, suit_width=8), random_level(2, width=12), WORLDS, seed=5)


def positions(name: str, count: int) -> list[Game]:
    """Random moments at which somebody is to move, late in a hand where kernels are slow."""
    rng, games = random.Random(name), []
    while len(games) < count:
        game = random_position(rng)
        if not game.over and (JIT_ON or game.cards_played > 30):
            games.append(game)
    return games


def test_legal_and_the_same_again():
    for game in positions("against", scaled(20)):
        view = game.view(game.turn)
        action = responder().act(view)
        assert action in game.legal_actions()
        assert responder().act(view) == action


def test_hidden_cards_do_not_change_an_answer():
    rng = random.Random(7)
    for game in positions("hidden", scaled(20)):
        view = game.view(game.turn)
        other = View(game.rules, redealt(game, game.turn, rng), game.turn, game.results, game._compiled)
        assert responder().act(other) == responder().act(view)


def test_in_the_rollouts_each_side_plays_its_level():
    own, foe = random_level(4, width=12, heed=0.01), random_level(5, width=12)
    for game in positions("sides", scaled(12)):
        rules, table, finished = compile_rules(game.rules), game.state, len(game.results)
        side = game.turn & int(rules.side_mask[0])
        finish_hands(own, table, rules, foe, side)
        while len(game.results) == finished:
            distinct = int(distinct_cards(game._s, game._compiled[0])) if game.phase in ("play", "pass") else 0
            lowest = int(game._compiled[0].card_at[distinct.bit_length() - 1])
            level = own if game.turn & int(rules.side_mask[0]) == side else foe
            player = NetworkAgent("anyhow", level)
            game.apply(lowest if distinct.bit_count() == 1 else player.act(game.view(game.turn)))
        assert game.results[-1].points == table.points[0, : game.rules.sides].tolist()


def test_strings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    level_file(tmp_path, "x.safetensors", seed=1)
    level_file(tmp_path, "y.safetensors", seed=2)
    known = agents.load("x.safetensors+against:y.safetensors:4")
    assert isinstance(known, LevelAgainst)
    assert known.worlds == 4
    assert (known.level.tensors["bids.bias"] != known.foe.tensors["bids.bias"]).any()
    by_rule = agents.load("x.safetensors+against:rule:16")
    assert isinstance(by_rule, Pair)
    assert isinstance(by_rule.second, LevelTrial)
    assert (by_rule.second.settings.worlds, by_rule.second.settings.straying) == (16, 0.0)


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("against:rule", "must name rule or a level, and worlds"),
        ("against:club:8", "must name rule or a level, and worlds"),
        ("against:z.safetensors:8", "no such file"),
        ("against:rule:0", "worlds must be a whole number from 1"),
        ("against:rule:8+ending:2", "goes with no other option"),
    ],
)
def test_strings_that_are_refused(tmp_path, monkeypatch, option, reason):
    monkeypatch.chdir(tmp_path)
    level_file(tmp_path, "x.safetensors")
    with pytest.raises(agents.AgentError, match=reason) as refused:
        agents.load(f"x.safetensors+{option}")
    assert "\n" not in str(refused.value)
