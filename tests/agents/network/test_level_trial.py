"""Levels that try their cards: the manners of every agent, what is kept and what is left, and the strings."""

import random

import numpy as np
import pytest
from support.levels import level_file
from support.redeals import redealt
from support.strategies import scaled
from support.tables import random_position

from spades_env import Game, agents
from spades_env._jit import JIT_ON
from spades_env.agents import Agent, Batch
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.network.trial import LevelTrial
from spades_env.agents.pair import Pair
from spades_env.agents.search.candidates import find_candidates
from spades_env.agents.search.paired import drop_worse, new_trial
from spades_env.agents.search.trials import BY_RULE, favourite
from spades_env.game.state import BID, PASS, PLAY
from spades_env.game.view import View


@pytest.fixture
def level(tmp_path) -> str:
    """A level that knows nothing: it likes one card as well as another."""
    return str(level_file(tmp_path, width=12, suit_width=8))


def thinker(level: str, worlds: int = 6) -> Agent:
    return agents.load(f"{level}+trial:{worlds}", seed=3)


def positions(name: str, count: int) -> list[Game]:
    """Random moments at which somebody is to move, late in a hand where kernels are slow."""
    rng, games = random.Random(name), []
    while len(games) < count:
        game = random_position(rng)
        if not game.over and (JIT_ON or game.cards_played > 40):
            games.append(game)
    return games


def test_legal_and_the_same_alone_and_in_a_batch(level):
    games = positions("legal", scaled(60))
    alone = [thinker(level).act(game.view(game.turn)) for game in games]
    assert thinker(level).act_batch([game.view(game.turn) for game in games]).tolist() == alone
    assert all(action in game.legal_actions() for action, game in zip(alone, games, strict=True))


def test_hidden_cards_do_not_change_an_answer(level):
    rng = random.Random(7)
    for game in positions("hidden", scaled(40)):
        view = game.view(game.turn)
        other = View(game.rules, redealt(game, game.turn, rng), game.turn, game.results, game._compiled)
        assert thinker(level).act(other) == thinker(level).act(view)
        assert thinker(level).hint(other) == thinker(level).hint(view)


def test_hints_agree_with_the_answer(level):
    for game in positions("hints", scaled(40)):
        view = game.view(game.turn)
        assert max(thinker(level).hint(view), key=lambda pair: pair[1])[0] == thinker(level).act(view)


def test_it_bids_as_the_level_does(level):
    rng, player, seen = random.Random(5), agents.load(level), 0
    while seen < scaled(40):
        game = random_position(rng)
        if not game.over and game._s.phase <= BID:
            view, seen = game.view(game.turn), seen + 1
            assert thinker(level).act(view) == player.act(view)


def test_the_card_that_is_liked_is_left_only_for_a_better_one(level):
    """By the means of the same worlds; it is kept beside some that look better, and left for others."""
    agent, kept, left = thinker(level, 40), 0, 0
    assert isinstance(agent, Pair)
    search = agent.second
    assert isinstance(search, LevelTrial)
    search.settings = search.settings._replace(patient=True)  # else some are dropped early
    games = [game for game in positions("kept", scaled(400)) if game._s.phase == PLAY]
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
    for game in positions("favourites", scaled(60)):
        s, rules = game._s, game._compiled[0]
        trial.num = find_candidates(s, rules, x, trial.actions)
        tried = trial.actions[: trial.num].tolist()
        by_rule = favourite(s, rules, trial, x, BY_RULE)
        for action in game.legal_actions():
            like = stands_for(game, action) if s.phase >= PASS else action
            found = favourite(s, rules, trial, x, action)
            assert found == (tried.index(like) if like in tried else by_rule)
        assert -1 <= by_rule < trial.num


def trial_of(*values: list[float], favourite: int = 0, doubt: float = np.inf) -> np.recarray:
    """A trial as it is after some worlds: what each candidate was worth in each."""
    table, trial = np.array(values), new_trial()[0]
    trial.num, trial.worlds, trial.favourite, trial.doubt = *table.shape, favourite, doubt
    trial.weight = trial.squares = trial.worlds
    trial.alive[: len(table)] = 1
    trial.totals[: len(table)] = trial.heavy[: len(table)] = table.sum(1)
    trial.products[: len(table), : len(table)] = table @ table.T
    return trial


FIRST, LAST = [0.5, 0.7] * 8, [0.55, 0.75] * 8
BEHIND = [0.45, 0.75, 0.4, 0.68] * 4  # behind the first by 2.1 standard errors, and the last by 5.7


@pytest.mark.parametrize(
    ("values", "doubt", "alive"),
    [
        ((FIRST, BEHIND), 1.5, [1, 0]),
        ((FIRST, BEHIND), 2.5, [1, 1]),
        ((FIRST, BEHIND), np.inf, [1, 1]),
        ((BEHIND, FIRST), 1.5, [1, 1]),  # the favourite itself
        ((FIRST, LAST), np.inf, [0, 1]),  # always behind by as much: three standard errors, however many
        ((LAST, FIRST), 1.5, [1, 0]),
        ((FIRST, FIRST), 1.5, [1, 1]),
    ],
)
def test_who_is_far_behind_the_favourite_is_tried_no_more(values, doubt, alive):
    trial = trial_of(*values, doubt=doubt)
    drop_worse(trial)
    assert trial.alive[:2].tolist() == alive


def test_a_favourite_that_is_dropped_counts_no_more():
    trial = trial_of(FIRST, BEHIND, LAST, favourite=0, doubt=1.5)
    trial.alive[0] = 0
    trial.totals[2] = trial.totals[1]  # as good as the second now
    drop_worse(trial)
    assert trial.alive[:3].tolist() == [0, 1, 1]


def test_strings(level):
    agent = agents.load(f"{level}+trial:64", seed=2)
    assert isinstance(agent, Pair)
    assert isinstance(agent.second, LevelTrial)
    assert (agent.second.settings.worlds, agent.seed, agent.name) == (64, 2, f"{level}+trial:64")
    timed = agents.load(f"{level}+trial:20ms")
    assert isinstance(timed, Pair)
    assert isinstance(timed.second, LevelTrial)
    assert timed.second.seconds == 0.02
    game = next(one for one in positions("time", 40) if one._s.phase == PLAY and len(one.legal_actions()) > 1)
    assert timed.act(game.view(game.turn)) in game.legal_actions()


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("trial", "worlds must be a whole number from 1 to 10000"),
        ("trial:0", "worlds must be"),
        ("trial:3x3", "worlds must be"),
        ("trial:0ms", "milliseconds must be"),
        ("trial:4+trial:4", "goes with no other option"),
        ("temperature:1+trial:4", "goes with no other option"),
        ("trials:4", "is no option of it"),
    ],
)
def test_strings_that_are_refused(level, option, reason):
    with pytest.raises(agents.AgentError, match=reason) as refused:
        agents.load(f"{level}+{option}")
    assert "\n" not in str(refused.value)
