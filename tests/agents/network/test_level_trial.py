"""Levels that try their cards: what is kept and what is left, and the strings."""

import numpy as np
import pytest
from support.agents.levels import level_file
from support.game.tables import moments
from support.strategies import scaled

from spades_env import Game, agents
from spades_env._jit import JIT_ON
from spades_env.agents import Agent, Batch
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.network.trial import DEALT_AT_ONCE, LevelTrial
from spades_env.agents.pair import Pair
from spades_env.agents.search.candidates import find_candidates
from spades_env.agents.search.paired import new_trial
from spades_env.agents.search.trials import BY_RULE, favourite
from spades_env.game.state import BID, PASS, PLAY


@pytest.fixture
def level(tmp_path) -> str:
    """A level that knows nothing: it likes one card as well as another."""
    return str(level_file(tmp_path, width=12, suit_width=8))


def thinker(level: str, worlds: int = 6) -> Agent:
    return agents.load(f"{level}+trial:{worlds}", seed=3)


def choice_of_cards(seed: str) -> Game:
    """Return a game whose seat to move has several legal cards."""
    return moments(seed, 1, after=40, wanted=lambda game: game._s.phase == PLAY and len(game.legal_actions()) > 1)[0]


def test_it_bids_as_the_level_does(level):
    player = agents.load(level)
    for game in moments("bids", scaled(40), wanted=lambda game: game._s.phase <= BID):
        view = game.view(game.turn)
        assert thinker(level).act(view) == player.act(view)


def test_the_card_that_is_liked_is_left_only_for_a_better_one(level):
    """By the means of the same worlds; it is kept beside some that look better, and left for others."""
    agent, kept, left = thinker(level, 40), 0, 0
    assert isinstance(agent, Pair)
    search = agent.second
    assert isinstance(search, LevelTrial)
    search.settings = search.settings._replace(patient=True)  # else some are dropped early
    games = [game for game in moments("kept", scaled(400), after=40) if game._s.phase == PLAY]
    batch = Batch.of([game.view(game.turn) for game in games])
    means, preferred, chosen = search.weigh_batch(batch), search._preferred(batch), search._choose(batch)
    for i, game in enumerate(games):
        stands = stands_for(game, preferred[i])
        if chosen[i] == stands:
            kept += means[i, stands] < means[i].max() - 1e-6
        elif means[i, stands] >= 0:  # tried, and no card that no partner forgives
            left += 1
            assert means[i, chosen[i]] > means[i, stands]
    assert (kept and left) or not JIT_ON


def stands_for(game: Game, card: int) -> int:
    """The card that is tried for this one."""
    rules = game._compiled[0]
    distinct = np.uint64(distinct_cards(game._s, rules))
    return int(rules.card_at[lowest_equal(distinct, np.int64(rules.place[card]))])


def test_whatever_is_liked_its_like_is_the_favourite():
    """Where it is tried; else the favourite is what `rule` would do."""
    trial, x = new_trial()[0], np.uint64(1)
    for game in moments("favourites", scaled(60), after=40):
        s, rules = game._s, game._compiled[0]
        trial.num = find_candidates(s, rules, x, trial.actions)
        tried = trial.actions[: trial.num].tolist()
        by_rule = favourite(s, rules, trial, x, BY_RULE)
        for action in game.legal_actions():
            like = stands_for(game, action) if s.phase >= PASS else action
            found = favourite(s, rules, trial, x, action)
            assert found == (tried.index(like) if like in tried else by_rule)
        assert -1 <= by_rule < trial.num


@pytest.mark.skipif(not JIT_ON, reason="many worlds need the compiler")
def test_worlds_beyond_those_dealt_at_once_are_dealt_anew(level):
    agent = thinker(level, DEALT_AT_ONCE + 2)
    assert isinstance(agent, Pair)
    search = agent.second
    assert isinstance(search, LevelTrial)
    game = choice_of_cards("anew")
    batch, pool, memory = Batch.of([game.view(game.turn)]), search._new_pool(), search._new_memory()
    assert pool.drawn == DEALT_AT_ONCE
    search.settings = search.settings._replace(patient=True)
    search._begin(batch, 0, np.uint64(5), pool, memory)
    first = pool.worlds["hands"].copy()
    search._go_on(batch, 0, pool, memory)
    assert memory.trial[0].worlds == DEALT_AT_ONCE + 2
    assert (pool.worlds["hands"] != first).any()
    assert pool.draws.sum() == DEALT_AT_ONCE - 2


def test_strings(level):
    agent = agents.load(f"{level}+trial:64", seed=2)
    assert isinstance(agent, Pair)
    assert isinstance(agent.second, LevelTrial)
    assert (agent.second.settings.worlds, agent.seed, agent.name) == (64, 2, f"{level}+trial:64")
    timed = agents.load(f"{level}+trial:20ms")
    assert isinstance(timed, Pair)
    assert isinstance(timed.second, LevelTrial)
    assert timed.second.seconds == 0.02
    for options in ("+believe:4+solver", "+solver+trial:4"):
        solving = agents.load(level + options)
        assert isinstance(solving, Pair)
        assert isinstance(solving.second, LevelTrial)
        assert solving.second.settings.solves
    exact = agents.load(f"{level}+against:rule:16")
    assert isinstance(exact, Pair)
    assert isinstance(exact.second, LevelTrial)
    assert (exact.second.settings.worlds, exact.second.settings.straying) == (16, 0.0)
    game = choice_of_cards("time")
    assert timed.act(game.view(game.turn)) in game.legal_actions()


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("trial", "determinizations must be a whole number from 1 to 10000"),
        ("trial:0", "determinizations must be"),
        ("trial:3x3", "determinizations must be"),
        ("trial:0ms", "milliseconds must be"),
        ("trial:4+trial:4", r"unknown or repeated \+trial:4"),
        ("temperature:1+trial:4", "goes with no other option"),
        (
            "trials:4",
            r"unknown .* \+trials:4; .*\+ending:N, \+hunt:K, \+trial:K, \+believe:K, \+solver, \+against:rule:K$",
        ),
        ("search:8", r"unknown or repeated \+search:8; expected .*\+trial:K"),
        ("against:8", r"\+against:8 must name rule and a number of determinizations"),
        ("against:club:8", "must name rule and a number of determinizations"),
        ("against:rule:0", "determinizations must be a whole number from 1"),
        ("against:rule:8+ending:2", "goes with no other option"),
        ("trial:4+solver+ending:2", r"\+trial goes with no other option"),
        ("trial:4+solver:6", r"\+solver takes no setting, not '6'"),
        ("trial:4+solver+solver", r"unknown or repeated \+solver"),
        ("solver", r"\+solver goes with \+trial or \+believe"),
        ("against:rule:8+solver", r"\+solver goes with \+trial or \+believe"),
        ("hunt:8+solver", r"\+solver goes with \+trial or \+believe"),
    ],
)
def test_strings_that_are_refused(level, option, reason):
    with pytest.raises(agents.AgentError, match=reason) as refused:
        agents.load(f"{level}+{option}")
    assert "\n" not in str(refused.value)
