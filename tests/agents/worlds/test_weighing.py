"""The values that agents give their actions, for others to learn from: searches, levels that search, pairs."""

import random

import numpy as np
import pytest
from support.agents.levels import level_file
from support.game.redeals import redealt
from support.game.tables import moments
from support.strategies import SCALE, scaled

from spades_env import Game, agents
from spades_env.agents.base import NOT_TRIED, Batch
from spades_env.agents.compiled import RULE
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.network.trial import LOYALTY, ROLLOUTS, STRAYING
from spades_env.agents.search.monte_carlo import MonteCarlo
from spades_env.agents.search.trials import TrialSettings
from spades_env.game.state import BID, PLAY
from spades_env.game.view import View

WEIGHING = (
    "mc:2x2+rule",
    "rule/mc:2x2+rule",
    "mc:2x2+rule/rb",
    "{level}+trial:4",
    "{level}+believe:2+solver",
    "rb/{level}+trial:4",
)
SILENT = (
    "rule",
    "rb/rule",
    "{level}",
    "{level}/rule",
    "mc:5ms",
    "{level}+trial:5ms",
    "ismcts:5",
)


@pytest.fixture
def level(tmp_path) -> str:
    """An untrained level."""
    return str(level_file(tmp_path, seed=1, width=12, suit_width=8))


def has_choice(game: Game) -> bool:
    return len(game.legal_actions()) > 1


def batch_of(games: list[Game]) -> Batch:
    return Batch.of([game.view(game.turn) for game in games])


def worths(agent: agents.Agent, game: Game) -> dict[int, float]:
    """The actions tried at one moment, with their values."""
    [row] = agent.weigh_batch([game.view(game.turn)])
    return {int(action): float(row[action]) for action in np.flatnonzero(row != NOT_TRIED)}


@pytest.mark.parametrize("name", WEIGHING)
def test_of_legal_actions_the_same_alone_and_in_a_batch(level, name):
    agent, games = (
        agents.load(name.format(level=level), seed=3),
        moments("legal", scaled(40), after=40, wanted=has_choice),
    )
    assert agent.weighs
    weighed = agent.weigh_batch(batch_of(games))
    assert (weighed.shape, weighed.dtype) == ((len(games), 70), np.float32)
    for row, game in zip(weighed, games, strict=True):
        tried = np.flatnonzero(row != NOT_TRIED)
        assert set(tried.tolist()) <= set(game.legal_actions())
        assert len(tried)
        assert ((row[tried] >= 0) & (row[tried] <= 1)).all()
        assert agent.weigh_batch([game.view(game.turn)])[0].tolist() == row.tolist()
    assert agent.weigh_batch([]).shape == (0, 70)


@pytest.mark.parametrize("name", WEIGHING)
def test_hidden_cards_do_not_matter(level, name):
    agent, rng = agents.load(name.format(level=level), seed=3), random.Random(2)
    for game in moments("hidden", scaled(15), after=40, wanted=has_choice):
        other = View(game.rules, redealt(game, game.turn, rng), game.turn, game.results, game._compiled)
        assert (agent.weigh_batch([other]) == agent.weigh_batch([game.view(game.turn)])).all()


@pytest.mark.parametrize("name", SILENT)
def test_an_agent_without_trials_or_by_the_clock_values_only_its_choice(level, name):
    agent = agents.load(name.format(level=level), seed=3)
    assert not agent.weighs
    for game in moments("silent", scaled(4), after=40, wanted=has_choice):
        [(action, worth)] = worths(agent, game).items()
        assert action in game.legal_actions()
        assert worth == 1


def test_a_pair_with_an_agent_that_has_another_scale():
    """The oracle values actions in points, so it returns only its choice."""
    agent = agents.load("oracle/mc:2x2+rule", seed=3)
    for game in moments("oracle", scaled(4), after=40, wanted=has_choice):
        row = agent.weigh_batch([game])[0]
        tried = row[row != NOT_TRIED]
        assert len(tried)
        assert ((tried >= 0) & (tried <= 1)).all()


def test_a_pair_asks_the_agent_that_decides():
    bidder, player = (agents.load(name, seed=3) for name in ("rule", "mc:2x2+rule"))
    pair, seen = agents.load("rule/mc:2x2+rule", seed=3), set()
    for game in moments("pair", scaled(60), after=40, wanted=has_choice):
        bidding = game._s.phase <= BID
        expected = bidder if bidding else player
        assert worths(pair, game) == worths(expected, game)
        seen.add(bidding)
    assert len(seen) == 2 or SCALE < 1


# Levels that search


def test_a_trial_leaves_bids_and_passes_to_the_level_and_tries_cards_as_a_search_that_strays(level):
    agent, player = agents.load(f"{level}+trial:8", seed=3), agents.load(level, seed=3)
    assert isinstance(player, NetworkAgent)
    settings = TrialSettings(8, ROLLOUTS, RULE, likely=True, patient=False, loyalty=LOYALTY, straying=STRAYING)
    search = MonteCarlo("mc that strays", settings, None, seed=3)
    for game in moments("trial", scaled(60), after=40, wanted=has_choice):
        worth_of = worths(agent, game)
        if game._s.phase < PLAY:
            assert worth_of == {player.act(game.view(game.turn)): 1}
        else:
            assert worth_of == worths(search, game)
