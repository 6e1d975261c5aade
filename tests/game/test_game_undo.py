"""Game: undo, the end by the clock, and copies of games and views."""

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from support.game.tables import (
    SUITS_DEALT,
    bid_all,
    finished,
    pagat,
    play,
    play_hand,
    random_game,
    random_position,
    record_bytes,
    same,
    table_bytes,
)
from support.strategies import scaled

from spades_env import Game, IllegalActionError, Rules
from spades_env.game.cards import BID_ZERO

UNTYPED: Any = Game  # takes anything


# Undo


def replayed(game: Game, start: dict, moves: list[int]) -> Game:
    fresh = Game(game.rules, **start)
    for action in moves:
        fresh.apply(action)
    return fresh


def test_undo_to_every_decision():
    rng = random.Random(33)
    for _ in range(scaled(4)):
        game = random_game(rng, max_hands=2, target=None, floor=None)
        start = {"seed": game.seed, "deal": game.hands if game.deal_given else None, "dealer": game.dealer}
        start |= {"scores": game.scores, "bags": game.bags, "hand_number": game.hand_number}
        tables, results = [], []
        while not game.over and len(game.moves) < 150:
            tables.append(table_bytes(game))
            results.append(list(game.results))
            play(game, rng, 1)
        moves = game.moves
        while game.moves:
            number = len(game.moves) - 1
            assert game.undo() == [moves[number]]
            assert table_bytes(game) == tables[number]
            assert (game.results, game.moves) == (results[number], moves[:number])
            if number % 20 == 0:
                same(game, replayed(game, start, moves[:number]))


def test_undo_many_and_play_on_otherwise():
    rng = random.Random(34)
    for _ in range(scaled(10)):
        rules = Rules.preset(rng.choice(Rules.presets()), max_hands=2)
        game = Game(rules, seed=5)
        play(game, rng, rng.choice((20, 70, 300)))
        moves, back = game.moves, rng.randint(1, len(game.moves))
        assert game.undo(back) == moves[len(moves) - back :]
        same(game, replayed(game, {"seed": 5}, moves[: len(moves) - back]))
        play(game, rng, rng.choice((5, 70)))
        same(game, replayed(game, {"seed": 5}, game.moves))


def test_undo_from_the_end_of_the_game():
    game = finished()
    assert (game.over, len(game.results)) == (True, 1)
    [last] = game.undo()
    assert (game.over, game.phase, game.results, game.winner) == (False, "play", [], None)
    game.apply(last)
    same(game, finished())


@pytest.mark.parametrize("count", [0, -1, 3, 2**70, None, 1.0, True, "1"])
def test_undo_that_cannot_be(count):
    game = bid_all(pagat(), 3, 4)
    before = table_bytes(game)
    with pytest.raises(ValueError, match=r"undone|count"):
        game.undo(count)
    assert table_bytes(game) == before
    assert game.moves == [BID_ZERO + 3, BID_ZERO + 4]
    assert game.undo(2) == [BID_ZERO + 3, BID_ZERO + 4]
    with pytest.raises(ValueError, match="1 actions cannot be undone: 0 were made"):
        game.undo()


# Time


def test_time_up_needs_a_time_limit():
    with pytest.raises(ValueError, match="time_limit_s"):
        pagat().time_up()
    game = Game({"base": "showdown", "max_hands": 1}, seed=1)
    play(game, random.Random(1), 1000)
    before = table_bytes(game)
    with pytest.raises(ValueError, match="over"):
        game.time_up()
    assert table_bytes(game) == before


@pytest.mark.parametrize(
    ("rules", "scores", "winner"),
    [
        ("showdown", [20, 10], 0),
        ("showdown", [10, 20], 1),
        ("showdown", [-5, -5], None),
        ("showdown tie=extra_hand", [5, 5], None),
        ("solo time_limit_s=60", [1, 2, 3, -4], 2),
        ("solo time_limit_s=60", [3, 2, 3, -4], None),
    ],
)
def test_time_up_gives_the_game_to_the_highest_score(rules, scores, winner):
    game = Game(rules, scores=scores, seed=4)
    play(game, random.Random(1), 30)
    game.time_up()
    assert (game.over, game.phase, game.winner, game.timed_out) == (True, "over", winner, True)
    assert (game.scores, game.results, game.legal_actions()) == (scores, [], [])
    with pytest.raises(IllegalActionError, match="over"):
        game.apply(BID_ZERO)
    with pytest.raises(ValueError, match="over"):
        game.time_up()


def test_undo_after_the_time_was_up():
    game = Game("showdown", seed=4)
    play(game, random.Random(1), 30)
    other = copy.deepcopy(game)
    game.time_up()
    assert game.undo() == []
    same(game, other)
    game.time_up()
    assert game.undo(3) == other.undo(2)
    same(game, other)
    assert (game.over, game.timed_out, game.winner) == (False, False, None)
    play(game, random.Random(1), 3)


def test_a_time_up_before_any_move_can_be_taken_back():
    game = Game("showdown", seed=1)
    before = table_bytes(game)
    game.time_up()
    assert game.undo() == []
    assert not game.over
    assert table_bytes(game) == before


# Copies


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_copies_of_a_game(duplicate):
    rng = random.Random(35)
    for _ in range(scaled(6)):
        game = random_position(rng, time_limit_s=60)
        if rng.random() < 0.3 and not game.over:
            game.time_up()
        other = duplicate(game)
        assert type(other) is Game
        same(other, game)
        assert (other.rules, other.seed, other.deal_given) == (game.rules, game.seed, game.deal_given)
        before = table_bytes(game), game.record()
        if not other.over:
            play(other, rng, 5)
        elif other.moves:
            other.undo()
        assert (table_bytes(game), game.record()) == before


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda view: pickle.loads(pickle.dumps(view))])
def test_copies_of_a_view(duplicate):
    rng = random.Random(36)
    for _ in range(scaled(10)):
        game = random_position(rng)
        for seat in range(4):
            view = game.view(seat)
            other = duplicate(view)
            assert (repr(other), other.seat, other.rules, other.results) == (repr(view), seat, game.rules, game.results)
            assert record_bytes(other.state) == record_bytes(view.state)
            assert other.features.tobytes() == view.features.tobytes()
            assert other.legal_actions() == view.legal_actions()


@pytest.mark.parametrize("seat", [4, -1, None, "South", 1.0, True])
def test_no_view_of_a_seat_that_is_not(seat):
    with pytest.raises(ValueError, match="seat must be a whole number from 0 to 3"):
        pagat().view(seat)


def test_a_view_of_a_numpy_seat():
    assert UNTYPED("pagat", deal=SUITS_DEALT).view(np.int64(2)).hand == SUITS_DEALT[2]


def test_a_view_cannot_change_the_game():
    game = Game("classic max_hands=2 target=off", seed=3)
    play_hand(game, random.Random(1))
    view = game.view(0)
    view.results[0].points[0] = 999
    view.compiled_rules[0].target = 1
    view.state[0].scores[0] = 999
    assert view.results == game.results
    assert 999 not in (*game.results[0].points, *game.scores)
    assert game._compiled[0].target == Game("classic max_hands=2 target=off")._compiled[0].target
