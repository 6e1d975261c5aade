"""Lessons through the server: the ten steps played, drills answered once, progress kept, bad messages refused."""

import json

import pytest
from support.play.servers import guest, owner, running, slow

from spades_env.game.cards import CARD_NAMES
from spades_env.play.lessons.learnt import SETTING
from spades_env.play.lessons.tutorial_steps import steps
from spades_env.play.store.database import Store


def test_all_ten_steps_are_played_through_the_server(server, tmp_path):
    page = owner(server)
    begun = page.done("lessons")
    assert [step["done"] for step in begun["steps"]] == [False] * 10
    for number, step in enumerate(steps(), start=1):
        moves: list[str] = []
        found = page.done("lesson", step=number)
        assert (found["step"], found["steps"], found["over"], found["good"]) == (number, 10, False, None)
        for one in step.asked:
            wrong = next(card for card in CARD_NAMES if card not in one.right)
            found = page.done("lesson", step=number, moves=[*moves, wrong])
            assert (found["good"], found["moves"]) == (False, moves)
            moves.append(next(iter(one.right)))
            found = page.done("lesson", step=number, moves=moves)
            assert (found["good"], found["moves"]) == (True, moves)
        assert found["over"]
        assert [one["done"] for one in page.done("lessons")["steps"]] == [True] * number + [False] * (10 - number)
    assert server.services.store.settings.all()[SETTING]["steps"] == [step.name for step in steps()]
    sent = page.done("lesson", step=10, moves=["6S"])["texts"]
    assert sent["title"] == ["learn.win", {}]
    assert sent["reply"][0].startswith("learn.win.")


def test_a_lesson_leaves_the_table_alone(server):
    page = owner(server)
    page.until(page.to_move)
    before = page.view["version"], page.view["events"]
    page.done("lesson", step=3, moves=["5S"])
    page.listen()
    assert (page.view["version"], page.view["events"]) == before
    assert len(server.rooms) == 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"step": 0}, "Step must be a whole number from 1 to 10, not 0"),
        ({"step": 11}, "Step must be a whole number from 1 to 10, not 11"),
        ({}, "'lesson' needs step"),
        ({"step": 1, "moves": "KH"}, "Moves must be a list of at most 10"),
        ({"step": 1, "moves": [7]}, "Moves must be a text"),
        ({"step": 1, "moves": ["KH"] * 11}, "Moves must be a list of at most 10"),
        ({"step": 1, "moves": ["KH", "3H"]}, "This step has fewer moves: send at most 1"),
        ({"step": 1, "moves": ["XX"]}, "XX isn't a card or a bid"),
        ({"step": 4, "moves": ["9H", "7S"]}, "9H isn't right here"),
        ({"step": 1, "more": 1}, 'Unknown field "more" of'),
    ],
)
def test_what_is_wrong_is_refused(server, fields, words):
    assert words in owner(server).refused("lesson", **fields)


@pytest.mark.parametrize(
    ("do", "fields", "words"),
    [
        ("drill", {"kind": "pass"}, "Kind must be one of bid, nil"),
        ("drill", {"kind": ["bid"]}, "Kind must be one of bid, nil"),
        ("drill", {"kind": "bid", "seed": "x"}, "Seed must be a whole number"),
        ("drill", {}, "'drill' needs kind"),
        ("answer_drill", {"number": 1, "action": "bid:3"}, "This hand is no longer open"),
        ("answer_drill", {"number": "1", "action": "bid:3"}, "Number must be a whole number"),
        ("answer_drill", {"number": 1}, "'answer_drill' needs action"),
        ("set", {"name": SETTING, "value": {}}, "Lessons is not a setting of the page"),
    ],
)
def test_bad_drills_are_refused(server, do, fields, words):
    assert words in owner(server).refused(do, **fields)


@slow
def test_a_drill_counts_once_and_its_cards_stay_hidden(server, tmp_path):
    page = owner(server)
    page.listen()
    page.heard.clear()
    dealt = page.done("drill", kind="bid")
    drill = server.services.drills["owner"]
    hidden = {CARD_NAMES[card] for seat in (1, 2, 3) for card in drill.table.game.hands[seat]}
    dealt["scene"].pop("trumps")
    assert not hidden & set(json.dumps(dealt).replace('"', " ").split())
    assert str(drill.table.game.seed) not in json.dumps(dealt)
    assert "doesn't answer this drill" in page.refused("answer_drill", number=dealt["number"], action="AS")
    assert "no longer open" in page.refused("answer_drill", number=dealt["number"] + 1, action="bid:3")
    found = page.done("answer_drill", number=dealt["number"], action="bid:3")
    assert found["tally"]["hands"] == 1
    assert found["tally"]["last"] == [found["off"]]
    assert "no longer open" in page.refused("answer_drill", number=dealt["number"], action="bid:4")
    assert page.done("lessons")["drills"]["bid"] == found["tally"]
    assert page.done("lessons")["drills"]["nil"]["hands"] == 0


@slow
def test_a_typed_seed_is_not_counted(server):
    page = owner(server)
    first, again = (page.done("drill", kind="nil", seed="7") for _ in range(2))
    assert first["scene"] == again["scene"]
    assert not again["counted"]
    found = page.done("answer_drill", number=again["number"], action="bid")
    assert (found["kind"], found["tally"]["hands"]) == ("nil", 0)
    assert len(found["chances"]) == 2


def test_another_drill_takes_the_place_of_an_open_one(server):
    page = owner(server)
    first = page.done("drill", kind="bid")
    page.done("drill", kind="bid")
    assert "no longer open" in page.refused("answer_drill", number=first["number"], action="bid:3")
    assert len(server.services.drills) == 1


def test_progress_is_there_after_a_restart(tmp_path):
    with running(tmp_path) as server:
        owner(server).done("lesson", step=1, moves=["KH"])
    with running(tmp_path) as server:
        page = owner(server)
        assert [step["done"] for step in page.done("lessons")["steps"]][:2] == [True, False]
        assert SETTING not in page.told["hello"]["settings"]
    with Store(tmp_path) as store:
        assert store.settings.all()[SETTING]["steps"] == ["follow"]


def test_a_guest_learns_too_and_alone(server):
    host = owner(server)
    anna = guest(server, host.done("invite")["path"], 2, "Anna")
    assert anna.done("lesson", step=1, moves=["3H"])["over"]
    assert anna.done("lessons")["steps"][0]["done"]
    assert not host.done("lessons")["steps"][0]["done"]
    assert "not a setting" in anna.refused("set", name=SETTING, value={})
    anna.reload()
    assert SETTING not in anna.told["hello"]["settings"]
    assert anna.done("lessons")["steps"][0]["done"]
