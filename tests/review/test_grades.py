"""Every decision of a finished hand, graded, with a reason for the better choice."""

import json
from dataclasses import replace

import pytest
from support.play.sittings import SHORT, by_chance, new, play
from support.strategies import scaled

from spades_env.play.coach.grade import GRADES, Judge
from spades_env.play.review.grades import grades
from spades_env.play.table.hands import BOT, CLAIM, LATE
from spades_env.play.table.seats import names_at
from spades_env.play.texts import Text


@pytest.fixture(scope="module")
def found():
    import random

    table = play(new(SHORT, {0: "Anna"}), person=by_chance(random.Random(5)))
    names, judge = names_at(table.seats, 0), Judge("rule", scaled(24))
    hand = table.finished[0]
    return table, hand, list(grades(table.rules, hand, 0, judge, names, "Rule"))


def test_every_decision_with_a_choice_is_graded(found):
    _, hand, entries = found
    own = [number for number, move in enumerate(hand.moves) if move.seat == 0 and move.by != CLAIM]
    assert [one.number for one in entries] == [number for number in own if number in {e.number for e in entries}]
    assert entries[0].phase == "bid"
    assert len(entries) > 6
    assert {one.grade for one in entries} <= set(GRADES)
    assert any(one.grade != "best" for one in entries)


def test_moves_that_a_bot_made_for_a_person_are_not_theirs(found):
    table, hand, entries = found
    late, away = (entries[number].number for number in (1, 2))
    moves = [
        replace(one, by=LATE if number == late else BOT if number == away else one.by)
        for number, one in enumerate(hand.moves)
    ]
    again = grades(
        table.rules, replace(hand, moves=tuple(moves)), 0, Judge("rule", 2), names_at(table.seats, 0), "Rule"
    )
    numbers = {one.number for one in again}
    assert not numbers & {late, away}
    assert entries[3].number in numbers


def test_an_entry_is_plain_data_with_a_reason(found):
    _, hand, entries = found
    for one in entries:
        shown = one.as_dict()
        json.dumps(shown)
        assert shown["grade"] in GRADES
        assert (shown["better"] is None) == (shown["lost"]["chance"] == 0)
        chances = {tried["action"]: tried["chance"] for tried in shown["tried"]}
        best = shown["tried"][0]
        assert best["action"] == (shown["better"] or shown["yours"])
        assert chances[shown["yours"]] == pytest.approx(best["chance"] - shown["lost"]["chance"], abs=2e-4)
        assert (shown["reason"] is None) == (shown["grade"] == "best")
        if shown["reason"]:
            assert isinstance(shown["reason"], Text)
        assert hand.moves[shown["number"]].action == one.action


def test_without_time_there_is_no_grade(found):
    table, hand, _ = found
    judge = Judge("rule", 2)
    late = list(grades(table.rules, hand, 0, judge, names_at(table.seats, 0), "Rule", seconds=0, now=lambda: 0.0))
    assert {one.grade for one in late} == {None}
    assert (late[0].as_dict()["lost"], late[0].as_dict()["tried"]) == (None, [])
