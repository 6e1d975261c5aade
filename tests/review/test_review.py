"""Afterwards: a hand step by step, the same deal again, a sitting as text."""

import json
import random
from functools import cache

import pytest
from support.play.sittings import (
    FOUR,
    SHORT,
    SPADES_FOR_SOUTH,
    Timer,
    by_chance,
    by_rule,
    dealt,
    move,
    play,
    refuses,
    stand_still,
)
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game.cards import card, card_name
from spades_env.game.rules import RulesSource
from spades_env.play.review.hand_review import again, steps
from spades_env.play.store.saved import packed, unpacked
from spades_env.play.store.sitting_text import SittingError, _check, read, read_finished, write
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table, TableError


def new(rules: RulesSource = SHORT, people=None, **options) -> Table:
    return Table(rules, people=people, **{"seed": 7, "now": stand_still} | options)


# Step by step


def test_steps_show_all_cards():
    table = play(new("classic blind_nil_deficit=0 blind_nil_pass=1 target=off max_hands=1", {}, bots=["random"] * 4))
    [hand] = table.finished
    told = steps(table.rules, hand)
    assert len(told) == len(hand.moves) + 1
    assert [step["number"] for step in told] == list(range(len(told)))
    held = [sorted(card(name) for lane in lanes for name in lane) for lanes in told[0]["hands"]]
    assert held == [sorted(cards) for cards in dealt(hand)]
    for step in told[:-1]:
        assert step["move"]["action"] in step["legal"]
        assert step["move"]["seat"] == step["turn"]
        gone = sum(step["tricks"]) * 4 + len(step["trick"])
        assert sum(len(lane) for lanes in step["hands"] for lane in lanes) == 52 - gone
    assert told[-1]["result"]["tricks"] == hand.result.tricks if hand.result else False
    assert json.loads(json.dumps(told)) == told


def test_steps_of_a_hand_that_goes_on():
    table = play(new(), 9)
    told = steps(table.rules, table.hands[0])
    assert len(told) == 10
    assert (told[-1]["move"], told[-1]["turn"]) == (None, table.game.turn)


# The same deal again


def test_the_same_deal_again():
    table = play(new())
    replay = again(table, 0, {0: "Anna"})
    assert not replay.counted
    assert replay.hands[0].start == table.finished[0].start
    play(replay)
    assert [(hand.moves, hand.result) for hand in replay.finished] == [
        (hand.moves, hand.result) for hand in table.finished
    ]
    later = play(again(table, 1, {0: "Anna"}))
    assert later.finished[0] == table.finished[1]


def test_the_same_deal_from_another_seat():
    table = play(new())
    replay = again(table, 1, {3: "Anna"})
    assert seat_view(replay, 3)["seats"][0]["who"] == "Anna"
    assert replay.game.hands == [sorted(hand) for hand in dealt(table.finished[1])]
    while not seat_view(replay, 3)["your_turn"]:
        replay.step()
    replay.act(3, "bid:13")
    play(replay)
    assert replay.finished[0].result != table.finished[1].result


def test_a_deal_from_a_later_move():
    """A decision is made anew: what was done before it stays, and the bots don't see what was done afterwards."""
    table = play(new(people={0: "Anna", 2: "Ben"}), person=by_chance(random.Random(1)))
    hand = table.finished[0]
    at = [number for number, made in enumerate(hand.moves) if made.seat == 0][4]
    replay = again(table, 0, {0: "Anna"}, moves=at)
    assert [made.action for made in replay.moves] == [made.action for made in hand.moves[:at]]
    assert replay.game.turn == 0
    assert replay.own_moves(0) == []
    assert unpacked(packed(replay)).moves == replay.moves
    view = seat_view(replay, 0)
    assert view["your_turn"]
    assert view["rules"].pop("trumps")  # all spades, in any hand
    hidden = [card_name(one) for seat in (1, 2, 3) for one in replay.game.hands[seat]]
    assert [name for name in hidden if f'"{name}"' in json.dumps(view)] == []
    play(replay)
    assert replay.finished[0].start == hand.start


def test_what_bots_make_of_a_deal():
    """The same whenever they are asked, and what was made of it where they sat there themselves."""
    table, bots = play(new(), person=by_chance(random.Random(1))), ["rule"] * 4
    theirs = play(again(table, 0, {}, bots)).finished[0].result
    assert theirs == play(again(table, 0, {}, bots)).finished[0].result != table.finished[0].result
    assert play(again(play(new()), 0, {}, bots)).finished[0].result == play(new()).finished[0].result


def test_what_cannot_be_played_again():
    with refuses("Hand 1 is not finished: there is nothing to play again"):
        again(new(), 0, {})
    table = play(new())
    moves = len(table.finished[0].moves)
    with refuses(f"Hand 1 has {moves} moves: it can't be played on after {moves} of them"):
        again(table, 0, {}, moves=moves)


# As text


VARIANTS = (*Rules.presets(), "classic blind_nil_deficit=0 blind_nil_pass=2 trumps=nyc")


@cache
def finished_sittings() -> dict[str, Table]:
    """Sittings of all kinds, played to their end."""
    rng, found = random.Random(2), {}
    for name in VARIANTS:
        rules = Rules.parse(name).replace(target=None, max_hands=3)
        table = new(rules, {0: "Anna", 3: "Dora Ü."}, bots=["rule", "random", "rb", "bis"])
        while not table.over:
            if table.own_moves(0) and rng.random() < 0.02:
                table.takeback(0, len(table.own_moves(0)))
            if seat_view(table, 0)["your_turn"] and rng.random() < 0.1:
                table.ask(0)
            move(table, by_chance(rng))
        found[name] = table
    timer = Timer()
    found["time is up"] = play(new("showdown", FOUR, now=timer), 30)
    timer.time += 600
    assert found["time is up"].tick()
    found["claim"] = new(
        "classic target=off max_hands=1", start={"deal": SPADES_FOR_SOUTH, "dealer": 1, "scores": [5, -5]}
    )
    found["claim"].act(0, "bid:13")
    while found["claim"].step():
        pass
    found["claim"].claim(0)
    return found


def finished(name: str) -> Table:
    return finished_sittings()[name]


LOST = ("key", "version", "counted", "clock", "hinted", "start", "sat")  # not in the text, or told otherwise there


@pytest.mark.parametrize("name", [*VARIANTS, "time is up", "claim"])
def test_a_sitting_is_read_as_it_was_written(name):
    table = finished(name)
    text = write(table)
    other = read(text)
    assert write(other) == text
    assert not other.counted
    kept = [{key: value for key, value in packed(t).items() if key not in LOST} for t in (table, other)]
    assert kept[0] == kept[1]
    assert other.hands == table.hands
    assert other.commitments == table.commitments
    assert read(text.replace("\n", "\r\n") + "\n\n").hands == table.hands


def test_the_head_of_a_sitting():
    table = finished("claim")
    assert write(table).splitlines()[:10] == [
        "spades sitting 1",
        "South: rule | You",
        "West: rule",
        "North: rule",
        "East: rule",
        "adviser: rule",
        f"salt: {table.salt}",
        f"hand 1 by: pbbbp{'c' * 51}",
        "hints: none",
        "takebacks: none",
    ]
    assert "hints: hand " in write(finished("classic"))
    assert "takebacks: hand " in write(finished("classic"))


def test_hidden_cards_are_not_written():
    with refuses("The record shows all cards: you can have it when the game is over"):
        write(play(new(), 30))


def test_a_game_record_is_read_too():
    game = finished("pagat").game
    table = read(game.record())
    assert table.game.record() == game.record()
    assert {deed.by for deed in table.moves} == {"bot"}
    unfinished = Game("classic", seed=3)
    for _ in range(20):
        unfinished.apply(unfinished.legal_actions()[0])
    table = read(unfinished.record())
    table.take(0, "Anna")
    assert play(table).over


def test_only_finished_hands_of_games_that_are_over_can_be_looked_at():
    with refuses("The game in this text isn't over: …", SittingError):
        read_finished(Game("classic", seed=3).record())
    game = Game("showdown", seed=3)
    game.time_up()
    with refuses("No hand of the game in this text was finished: …", SittingError):
        read_finished(game.record())


def test_damaged_sittings_are_refused():
    rng = random.Random(4)
    for text in (write(finished("classic")), write(finished("time is up"))):
        for _ in range(scaled(150)):
            at = rng.randrange(len(text))
            damaged = text[:at] + rng.choice(["", "x", "0", "\n", "é", text[at : at + 1] * 2]) + text[at + 1 :]
            if damaged.split() != text.split():
                with pytest.raises(SittingError, match=r"saved game is damaged|look like a saved game"):
                    read(damaged)
        for count in range(0, len(text.splitlines()), 7):
            with pytest.raises(SittingError):
                read("\n".join(text.splitlines()[:count]))


@pytest.mark.parametrize("text", ["\ud800", "spades sitting 1\n\ud800", "spades record 2\nrules: \ud800", "{}\ud800"])
def test_letters_that_are_none_are_refused(text):
    with refuses("this text cannot be saved: it contains half of a character (a lone surrogate)", SittingError):
        read(text.replace("{}", write(finished("claim"))))


def test_refusals_name_what_is_wrong():
    text = write(finished("claim"))
    with refuses("That doesn't look like a saved game: its first line must be 'spades sitting 1' or …", SittingError):
        read("spades")
    with refuses("This saved game is damaged: its lines don't match its checksum", SittingError):
        read(text.replace("hints: none", "hints: hand 1 South 1"))
    with refuses("The game in this text is damaged: line 2: …", SittingError):
        read(finished("claim").game.record().replace("rules: classic", "rules: clasic"))
    for wrong in (None, b"", "x" * 1_000_001):
        with refuses("A saved game has at most 1,000,000 characters", SittingError):
            read(wrong)  # pyright: ignore[reportArgumentType]


def test_a_forged_head_is_refused():
    """A check that fits lines that tell no sitting."""
    text = write(finished("claim"))
    head, record = text.split("\n\n", 1)
    lines = head.splitlines()[:-1]
    for forged in (
        [line.replace("by: p", "by: x") for line in lines],
        [line.replace("by: p", "by: ") for line in lines],
        [line.replace("hints: none", "hints: many") for line in lines],
        lines[:3] + lines[4:],
        [*lines, "more: than there is"],
        [line.replace("| You", "| Y|u") for line in lines],
    ):
        told = "\n".join(forged)
        with refuses("This saved game is damaged: its first lines don't fit its moves", SittingError):
            read(f"{told}\ncheck: {_check(told, record)}\n\n{record}")


def test_a_hand_can_be_reviewed_after_reading():
    table = read(write(finished("classic")))
    hand = table.finished[0]
    assert isinstance(hand, PlayedHand)
    assert steps(table.rules, hand) == steps(table.rules, finished("classic").finished[0])
    with pytest.raises(TableError, match="over"):
        table.act(0, by_rule(finished("classic"), 0) if not table.over else "AS")
