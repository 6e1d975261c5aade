"""A table for live seats: every answer is read, counted, replaced if need be, and graded."""

import random

import pytest
from support.agents.chat_server import ScriptedModel
from support.strategies import scaled

from spades_env import Game, agents, words
from spades_env.errors import SpadesError
from spades_env.game.cards import action_name
from spades_env.game.secret_deals import agent_seed
from spades_env.integrations.live_table import LATE, LiveTable
from spades_env.play.coach.regret import RegretJudge


@pytest.mark.parametrize("seats", [(0,), (1, 3), (0, 1, 2), (0, 1, 2, 3)])
def test_answers_of_each_seat_are_counted_apart(seats):
    for seed in range(scaled(5)):
        table, model = LiveTable("match", seats, "random", seed), ScriptedModel(faults=5)
        while not table.over:
            assert table.view.seat in seats
            table.answer(model(words.question(table.view)))
        counts = [table.counts(seat) for seat in seats]
        assert {kind: sum(one[kind] for one in counts) for kind in words.OUTCOMES} == {
            kind: model.counts[kind] for kind in words.OUTCOMES
        }
        assert [sum(one.values()) for one in counts] == [14] * len(seats)
        assert len(table.game.moves) == 56
        assert table.points(0) == -table.points(1) == table.game.results[0].points[0] - table.game.results[0].points[1]
        assert table.reward(0) == table.points(0) / 100


def test_an_answer_that_is_late_is_replaced_as_an_illegal_one():
    tables = [LiveTable("match", (0,), "random", 3) for _ in range(3)]
    moves = [table.answer(answer) for table, answer in zip(tables, (None, "Action: look", "hm"), strict=True)]
    assert [move.outcome for move in moves] == [LATE, words.ILLEGAL, words.UNREADABLE]
    assert len({move.action for move in moves}) == 1
    assert moves[0].action == agents.load("random", seed=agent_seed(3, 4)).act(tables[0].asked[0])
    assert "it is time to bid" in moves[1].why


def test_bots_have_seeds_of_their_own(monkeypatch):
    seeds = []
    real = agents.load
    monkeypatch.setattr(agents, "load", lambda name, seed=0: seeds.append(seed) or real(name, seed))
    LiveTable("match", (1,), "random", seed=3)
    assert len({3, *seeds}) == 5  # the game's would reveal the deal


def test_a_whole_game_pays_the_win():
    table = LiveTable("match target=off max_hands=2", (0, 2), "random", 1, episode="game")
    while not table.over:
        assert table.win(0) == 0
        table.answer(action_name(table.view.legal_actions()[0]))
    assert len(table.game.results) == 2
    assert table.reward(0) == table.win(0) == 1 - table.win(1)


def test_the_regret_of_moves():
    judge = RegretJudge(worlds=8)
    game = Game("match", seed=5)
    view = game.view(game.turn)
    losses = {action: judge.regret(view, action) for action in view.legal_actions()}
    assert losses == {action: RegretJudge(worlds=8).regret(view, action) for action in losses}
    assert 0 in losses.values()
    assert losses[67] > 0.05  # a bid of thirteen
    table = LiveTable("match", (0,), "random", 5, judge=judge)
    while not table.over:
        assert table.answer("bid:13" if table.view.phase == "bid" else None).regret is not None
    assert table.mean_regret(0) == sum(move.regret or 0 for move in table.moves) / 14 > 0


@pytest.mark.parametrize("rules", ["solo", "house", "classic trumps=nyc blind_nil_deficit=0 blind_nil_pass=2"])
def test_moves_of_all_phases_are_graded(rules):
    table, rng = LiveTable(rules, (0, 1, 2, 3), seed=4, judge=RegretJudge(worlds=2)), random.Random(1)
    while not table.over:
        move = table.answer(f"Action: {action_name(rng.choice(table.view.legal_actions()))}")
        assert move.outcome == words.LEGAL
        assert move.regret is not None
        assert 0 <= move.regret <= 1


def test_there_is_no_regret_where_there_is_no_choice():
    game = Game("mirror", seed=1)
    view = game.view(game.turn)
    assert RegretJudge(worlds=2).regret(view, view.legal_actions()[0]) == 0


@pytest.mark.parametrize(
    ("given", "words_of_it"),
    [
        ({"seats": ()}, "seats must be one to four different numbers from 0 to 3, not ()"),
        ({"seats": (0, 4)}, "seats must be one to four different numbers"),
        ({"episode": "match"}, "episode must be one of game, hand, not 'match'"),
        ({"opponents": "roole"}, "unknown agent 'roole'"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_what_is_wrong_is_said(given, words_of_it):
    with pytest.raises(SpadesError) as error:
        LiveTable(**given)
    assert str(error.value).startswith(words_of_it)


def test_nobody_is_asked_when_it_is_over():
    table = LiveTable("match", (0, 1, 2, 3), seed=1)
    while not table.over:
        table.answer(None)
    with pytest.raises(SpadesError, match="the hand is over: nobody is to move"):
        table.answer("Action: AS")
