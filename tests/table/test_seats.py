"""A sitting: who sits where, the clock, fairness, and how it is kept."""

import copy
import json
import random

import pytest
from support.play.sittings import (
    SHORT,
    SPADES_FOR_SOUTH,
    Timer,
    by_chance,
    by_rule,
    move,
    new,
    play,
    play_until,
    refuses,
    stand_still,
)
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game.cards import SEATS, cards, deck
from spades_env.play.store.saved import packed, unpacked
from spades_env.play.table.fairness import Proof, ProofError, commit, hand_salt, verify, verify_game
from spades_env.play.table.hands import LATE, PERSON
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import TableError

# Seats


def test_seats_are_left_and_taken_back():
    table = new(SHORT, {0: "Anna"})
    play_until(table, "play")
    table.leave(0)
    with refuses("nobody sits South"):
        table.leave(0)
    left = table.game.cards_played
    play(table, 8)
    assert table.game.cards_played == left + 8
    table.take(0, "Anna")
    play_until(table, "play")
    table.act(0, by_rule(table, 0))
    assert seat_view(table, 0)["seats"][0]["who"] == "Anna"
    assert {deed.by for deed in table.moves if deed.seat == 0} == {"bot", PERSON}


def test_nobody_sees_two_hands_of_a_deal():
    table = new(SHORT, {0: "Anna", 1: "Bela"})
    with refuses("Bela already sits there"):
        table.take(1, "Cleo")
    with refuses("You already have a seat: leave it first"):
        table.take(2, "Anna")
    play(table, 20)
    table.leave(0)
    with refuses("You've seen another hand of this deal: go back to that seat, or wait for the next hand"):
        table.take(2, "Anna")
    table.take(2, "Cleo")
    table.take(0, "Anna")
    table.leave(0)
    while not table.finished:
        move(table)
    table.leave(2)
    table.take(2, "Anna")
    move(table)
    assert table.own_moves(2) == []  # Anna knows South's cards of the first hand
    while table.game.turn != 2:
        move(table)
    number = len(table.moves)
    move(table)
    assert table.own_moves(2) == [number]


def test_settings_of_a_table_that_are_refused():
    with refuses("Seconds for a move must be more than 0, not 0"):
        new(move_seconds=0)


@pytest.mark.parametrize("name", ["", " Anna", "An\nna", "A|B", "x" * 25, 7, None])
def test_names_that_cannot_be_shown(name):
    with refuses("A name has 1 to 24 characters…"):
        new(people={0: name})


# Time


def test_the_sitting_ends_when_the_time_is_up():
    timer = Timer()
    table = new("showdown", now=timer)
    while not table.finished:
        move(table)
    play_until(table, "play")
    assert seat_view(table, 0)["clock"] == {"sitting": 600.0, "move": None, "per_move": None, "running": True}
    timer.time += 599.94
    assert seat_view(table, 0)["clock"]["sitting"] == 0.1
    assert not table.tick()
    timer.time += 0.06
    with refuses("The game is over"):
        table.act(0, by_rule(table, 0))
    outcome = seat_view(table, 0)["outcome"]
    assert (outcome["time_is_up"], len(table.finished)) == (True, 1)
    points = table.game.results[0].points
    assert outcome["margin"] == points[0] - points[1]
    assert table.game.winner == max((0, 1), key=points.__getitem__)
    assert packed(unpacked(json.loads(json.dumps(packed(table))))) == packed(table)


def test_only_people_spend_time():
    timer = Timer()
    table = new("showdown", now=timer, start={"dealer": 0})  # West bids first
    while table.pending:
        timer.time += 100
        table.step()
    assert table.clock.spent == 0
    timer.time += 5
    table.clock.pause()
    timer.time += 1000
    table.clock.resume()
    timer.time += 2
    table.act(0, by_rule(table, 0))
    assert table.clock.spent == 7


def test_a_bot_moves_for_who_is_late():
    timer = Timer()
    table = play_until(new(SHORT, now=timer, move_seconds=30), "play")
    expected = by_rule(table, 0)
    timer.time += 29
    assert not table.tick()
    assert table.late is None
    assert seat_view(table, 0)["clock"] == {"sitting": None, "move": 1.0, "per_move": 30, "running": True}
    timer.time += 1
    question = table.late
    with refuses("Time's up: a bot makes this move"):
        table.act(0, expected)
    assert question
    assert table.tick(question, question.answer())
    assert not table.tick(question, question.answer())
    assert seat_view(table, 0)["events"][-1] == {
        "seat": 0,
        "phase": "play",
        "action": expected,
        "by": LATE,
        "words": seat_view(table, 0)["events"][-1]["words"],
    }
    assert not table.tick()
    play_until(table, "play")
    timer.time += 29
    table.act(0, by_rule(table, 0))


def test_no_coming_and_going_makes_a_move_longer():
    timer = Timer()
    table = play_until(new(SHORT, {0: "Anna", 2: "Cleo"}, now=timer, move_seconds=10), "play")
    timer.time += 8
    version = table.version
    table.take(0, "Anna")  # who sits there already
    assert table.version == version
    for seat, person in ((1, "Bela"), (2, None), (1, None), (0, None), (0, "Anna")):
        table.leave(seat) if person is None else table.take(seat, person)
        assert seat_view(table, 0)["clock"]["move"] == 2.0
    assert seat_view(table, 0)["clock"]["running"]
    table.leave(0)
    assert not seat_view(table, 0)["clock"]["running"]
    timer.time += 100
    assert not table.tick()
    table.step()
    table.take(table.game.turn, "Dora")
    assert seat_view(table, 0)["clock"]["move"] == 10.0  # a bot had not begun to spend any


# Fairness


def test_commitments_hold_and_are_opened_in_time():
    table = new("classic target=off max_hands=2", seed=11)
    first = table.commitments
    assert table.proofs() == {"game": [], "hands": []}
    while not table.finished:
        move(table)
    [proof] = table.proofs()["hands"]
    assert proof.commitment == first["hands"][0]
    assert proof.told == f"hand 1: {Game(table.rules, 11).deal}"
    verify(proof)
    play(table)
    proofs = table.proofs()
    assert [p.commitment for p in proofs["hands"]] == table.commitments["hands"]
    [game] = proofs["game"]
    assert (game.commitment, game.told, game.salt) == (first["game"], "seed 11", table.salt)
    verify_game(table.rules, game, proofs["hands"])


def test_known_commitment():
    """Made with sha256sum: printf %s 'salt seed 7'."""
    assert commit("salt", "seed 7") == "5817e6bf7cc6b9a1c1addbc8a603a84720b85d14adc8e27552456ef6184589fd"


def test_what_was_not_committed_is_found_out():
    table = play(new("classic target=off max_hands=2", seed=11))
    proofs = table.proofs()
    [game], [one, two] = proofs["game"], proofs["hands"]
    swapped = one.told.translate(str.maketrans("CD", "DC"))
    for wrong in (Proof(one.commitment, one.salt, swapped), Proof(one.commitment, two.salt, one.told)):
        with refuses("hand 1 does not match the commitment…", ProofError):
            verify(wrong)
    forged = Proof(commit(one.salt, swapped), one.salt, swapped)
    with refuses("the cards of hand 1 are not those that the seed deals", ProofError):
        verify_game(table.rules, game, [forged, two])
    salted = Proof(commit("other", one.told), "other", one.told)
    with refuses("the salt of hand 1 does not follow…", ProofError):
        verify_game(table.rules, game, [salted, two])
    assert hand_salt(game.salt, 0) == one.salt


def test_salts_are_not_shared():
    one, other = new(SHORT), new(SHORT)
    assert one.salt != other.salt
    assert one.commitments != other.commitments
    assert one.key != other.key


def test_a_deal_that_was_given():
    table = new(SHORT, {}, start={"deal": SPADES_FOR_SOUTH})
    play(table)
    proofs = table.proofs()
    verify_game(table.rules, proofs["game"][0], proofs["hands"], given=True)
    with pytest.raises(ProofError, match="seed deals"):
        verify_game(table.rules, proofs["game"][0], proofs["hands"])


# Keeping


@pytest.mark.parametrize("rules", [*Rules.presets(), "classic blind_nil_deficit=0 blind_nil_pass=2 trumps=nyc"])
def test_a_table_is_restored_to_the_letter(rules):
    rng = random.Random(9)
    table = new(rules, {0: "Anna", 3: "Dora"}, bots=["random"] * 4, adviser="random")
    for _ in range(scaled(40)):
        for _ in range(rng.randrange(1, 12)):
            if not table.over:
                move(table, by_chance(rng))
        if not table.over and table.own_moves(0) and rng.random() < 0.3:
            table.takeback(0, rng.choice((1, len(table.own_moves(0)))))
        if seat_view(table, 0)["your_turn"] and rng.random() < 0.5:
            table.ask(0)
        other = unpacked(json.loads(json.dumps(packed(table))), now=stand_still)
        assert packed(other) == packed(table)
        assert other.game.state.tobytes() == table.game.state.tobytes()
        assert other.hands == table.hands
        other.clock.resume()
        for seat in range(4):
            assert seat_view(other, seat) == seat_view(table, seat)
        table = other if rng.random() < 0.5 else table


def test_what_another_version_saved_is_refused():
    saved = packed(new(SHORT))
    with pytest.raises(TableError, match="format 3 cannot be read, this program reads 2"):
        unpacked(saved | {"format": 3})


def test_a_table_can_be_copied():
    table = play(new(SHORT), 10)
    other = copy.deepcopy(table)
    play(other, 5)
    assert len(table.moves) == 10
    assert sorted(cards(" ".join(other.hands[0].start.deal.split("|")))) == sorted(deck("normal"))
    assert SEATS[other.hands[0].start.dealer]
