"""What was learnt: counted, bounded, kept in the store beside what is there, and refused where it is damaged."""

import json

import pytest

from spades_env.play.lessons.learnt import MOST_KEPT, SETTING, DrillTally, LessonProgress
from spades_env.play.store.database import Store


def test_steps_and_results_add_up():
    progress = LessonProgress().with_step("follow").with_step("high").with_step("follow")
    assert progress.steps == ("follow", "high")
    for error in (1.0, -2.0, 0.0):
        progress = progress.with_result("bid", error)
    tally = progress.drill("bid")
    assert (tally.hands, tally.average, tally.last) == (3, 1.0, (1.0, -2.0, 0.0))
    assert progress.drill("nil") == DrillTally()
    assert DrillTally().average is None


def test_only_the_latest_results_are_kept():
    progress = LessonProgress()
    for number in range(30):
        progress = progress.with_result("nil", number / 100)
    assert progress.drill("nil").hands == 30
    assert progress.drill("nil").last == tuple(number / 100 for number in range(10, 30))
    assert len(progress.drill("nil").last) == MOST_KEPT


def test_progress_survives_the_store(tmp_path):
    progress = LessonProgress().with_step("trump").with_result("bid", -1.0).with_result("nil", 0.034)
    with Store(tmp_path) as store:
        store.settings.set("page", {"theme": "dark"})
        store.settings.set(SETTING, progress.as_dict())
    with Store(tmp_path) as store:
        found = store.settings.all()
        assert LessonProgress.from_dict(found[SETTING]) == progress
        assert found["page"] == {"theme": "dark"}
        assert not store.faults


def test_steps_of_another_version_stay():
    data = LessonProgress().with_step("endplay").as_dict()
    assert LessonProgress.from_dict(data).with_step("high").steps == ("endplay", "high")


GOOD = LessonProgress().with_result("bid", 1.0).as_dict()
TALLY = GOOD["bid"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "an object with steps"),
        ([], "an object with steps"),
        ({}, "an object with steps"),
        (GOOD | {"more": 1}, "an object with steps"),
        (GOOD | {"steps": "follow"}, "a list of names"),
        (GOOD | {"steps": [1]}, "a list of names"),
        (GOOD | {"steps": ["x"] * 101}, "a list of names"),
        (GOOD | {"bid": []}, "hands, errors, last"),
        (GOOD | {"bid": TALLY | {"hands": -1}}, "a whole number, not -1"),
        (GOOD | {"bid": TALLY | {"hands": True}}, "a whole number, not True"),
        (GOOD | {"bid": TALLY | {"errors": -1}}, "a sum, not -1"),
        (GOOD | {"bid": TALLY | {"errors": 1e9}}, "a sum, not"),
        (GOOD | {"bid": TALLY | {"errors": float("nan")}}, "a sum, not"),
        (GOOD | {"bid": TALLY | {"last": [1, 2]}}, "at most 20 of its errors"),
        (GOOD | {"bid": TALLY | {"last": ["1"]}}, "at most 20 of its errors"),
    ],
)
def test_damaged_progress_is_refused(data, words):
    with pytest.raises(ValueError, match=words):
        LessonProgress.from_dict(data)


def test_a_damaged_row_is_reported_and_the_rest_goes_on(tmp_path):
    said: list[str] = []
    with Store(tmp_path, said.append) as store:
        store.settings.set("page", {"theme": "dark"})
        store.settings.set(SETTING, GOOD | {"steps": 7})
        assert store.settings.all() == {"page": {"theme": "dark"}}
    assert len(said) == 1
    assert "lessons" in said[0]
    assert "a list of names" in said[0]


def test_what_is_saved_is_small():
    progress = LessonProgress()
    for _ in range(40):
        progress = progress.with_result("bid", -13.0).with_result("nil", 0.1234)
    assert len(json.dumps(progress.as_dict())) < 1000
