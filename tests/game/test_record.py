"""Records: every game can be written, and read back exactly."""

import copy
import random
import re

import pytest
from support.game.tables import (
    GOLDEN,
    hand_start,
    play,
    play_hand,
    random_game,
    random_position,
    record_bytes,
    table_bytes,
)
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game import record
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK


def check_round_trip(game: Game) -> None:
    """Check that the record, replayed, gives the same game and the same record."""
    record = game.record()
    other = Game.replay(record)
    assert other.record() == record
    assert table_bytes(other) == table_bytes(game)
    assert (other.rules, other.seed, other.moves) == (game.rules, game.seed, game.moves)
    assert (other.results, other.timed_out, other.deal_given) == (game.results, game.timed_out, game.deal_given)
    assert repr(other) == repr(game)


# True records


def test_golden_record():
    game = Game(Rules(trumps="nyc", blind_nil_deficit=0, blind_nil_pass=1, target=None, max_hands=1), seed=7)
    for action in (BLIND_NIL, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 5, LOOK, BID_ZERO):
        game.apply(action)
    for move in Game.replay(GOLDEN).moves[7:]:
        game.apply(move)
    assert game.record() == GOLDEN
    assert game.winner == 0
    check_round_trip(game)


def test_the_record_in_the_docstring_is_one():
    game, dice = Game("classic blind_nil_deficit=0 blind_nil_pass=2", seed=7), random.Random(1)
    while not game.results:
        legal, east = game.legal_actions(), game.turn == 3
        chosen = {
            "blind": BLIND_NIL if east else LOOK,
            "bid": BID_ZERO + dice.choice((3, 4)) if game.phase == "bid" else 0,
            "pass": legal[-1 if east else 0],
            "play": legal[0] if east or game.phase != "play" else dice.choice(legal),
        }
        game.apply(chosen[game.phase])
    lines = [line[4:] for line in (record.__doc__ or "").splitlines() if line.startswith("    ")]
    assert len(lines) > 12
    for line in lines:
        assert line in ("…", "winner: West & East") or line in game.record().splitlines()


def test_random_positions_round_trip():
    rng = random.Random(40)
    for _ in range(scaled(100)):
        check_round_trip(random_position(rng))


def test_every_moment_of_a_game_round_trips():
    rng = random.Random(41)
    for _ in range(scaled(2)):
        game = random_game(rng, partners=True, blind_nil_deficit=0, blind_nil_pass=2, max_hands=2, target=None)
        for _ in range(90):
            check_round_trip(game)
            play(game, rng, 1)


def test_whole_games_round_trip():
    rng = random.Random(42)
    for _ in range(scaled(8)):
        game = random_game(rng, target=None, floor=None, max_hands=3)
        play(game, rng, 10_000)
        assert game.over
        check_round_trip(game)
        assert re.search(r"\n\n(draw|winner: .+)\n$", game.record())


@pytest.mark.parametrize(
    "start",
    [
        {"deal": True},
        {"dealer": True},
        {"scores": [-120, 30]},
        {"bags": [0, 9]},
        {"hand_number": 3},
        {"hand_number": 4},
        {"deal": True, "dealer": True, "scores": [-7, 0], "bags": [1, 0], "hand_number": 12},
    ],
)
def test_unusual_starts_round_trip(start):
    for seed in range(4):
        options = dict(start)
        if "deal" in options:
            options["deal"] = Game("classic", seed=100 + seed).hands
        dealers = range(4) if "dealer" in options else [None]
        for dealer in dealers:
            if dealer is not None:
                options["dealer"] = dealer
            game = Game("classic", seed=seed, **options)
            play(game, random.Random(seed), 20)
            check_round_trip(game)


def test_a_dealer_out_of_turn_is_told_in_later_hands_too():
    first = Game("pagat", seed=1).dealer
    for hand_number in range(6):
        check_round_trip(Game("pagat", seed=1, hand_number=hand_number, dealer=first))


def test_a_plain_start_is_not_told():
    record = Game("showdown", seed=3).record()
    assert record.startswith("spades record 2\nrules: showdown\nseed: 3\n\nhand 1, dealer West\n")
    assert "start" not in record


def test_time_up_at_every_moment_round_trips():
    rng = random.Random(43)
    game = Game("showdown blind_nil_deficit=0 blind_nil_pass=1", seed=4)
    for _ in range(90):
        other = copy.deepcopy(game)
        other.time_up()
        check_round_trip(other)
        assert "\ntime is up\n" in other.record()
        play(game, rng, 1)


def test_a_record_after_undo_is_that_of_a_game_without():
    rng = random.Random(44)
    for _ in range(scaled(10)):
        game = random_game(rng)
        play(game, rng, 70)
        if game.moves:
            game.undo(rng.randint(1, len(game.moves)))
        check_round_trip(game)


def test_the_later_hands_of_a_game_are_told_as_they_began():
    game = Game("pagat", seed=9)
    play_hand(game, random.Random(1))
    record = game.record()
    play(game, random.Random(2), 10)
    assert game.record().startswith(record)
    assert hand_start(game).record() == record


@pytest.mark.parametrize(
    "written",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n  \n",
        lambda text: text.replace("\n", "  \t\n"),
    ],
)
def test_line_ends_and_blanks_at_them_do_not_matter(written):
    assert Game.replay(written(GOLDEN)).record() == GOLDEN


def test_a_replayed_game_goes_on():
    game = Game("pagat", seed=9)
    play(game, random.Random(1), 30)
    other = Game.replay(game.record())
    for each in (game, other):
        play(each, random.Random(2), 100)
    assert record_bytes(other._table) == record_bytes(game._table)
    assert other.undo(120) == game.undo(120)
    assert other.record() == game.record()
