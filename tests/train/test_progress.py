"""What a run prints: how long the stage will still take, from the mean of its last iterations."""

import pytest

pytest.importorskip("torch")

from spades_env.training.progress_lines import LATEST, Reporter, clock
from spades_env.training.recipe import Recipe, SelfPlay

FIRST, SECOND = SelfPlay(iterations=20), SelfPlay(iterations=40)


@pytest.fixture
def reporter() -> Reporter:
    return Reporter(Recipe(stage=(FIRST, SECOND)), lambda text: None)


def test_the_mean_of_the_last_iterations_says_what_is_left(reporter):
    for number in range(15):
        reporter.note(FIRST, 30.0 if number < 15 - LATEST else 2.0)
    assert reporter.seconds_left(FIRST, 14 / 20) == pytest.approx(2.0 * 5)
    assert reporter.seconds_left(FIRST, 19 / 20) == 0


def test_an_iteration_that_compiles_says_nothing(reporter):
    reporter.note(FIRST, 30.0)
    assert reporter.seconds_left(FIRST, 0.0) is None
    reporter.note(FIRST, 0.5)
    assert reporter.seconds_left(FIRST, 1 / 20) == pytest.approx(0.5 * 18)


def test_another_stage_begins_anew(reporter):
    for _ in range(20):
        reporter.note(FIRST, 1.0)
    reporter.note(SECOND, 30.0)
    assert reporter.seconds_left(SECOND, 0.0) is None
    reporter.note(SECOND, 4.0)
    assert reporter.seconds_left(SECOND, 1 / 40) == pytest.approx(4.0 * 38)


def test_lines_of_progress_are_seldom():
    said: list[str] = []
    reporter = Reporter(Recipe(name="x", stage=(FIRST,)), said.append)
    for number in range(3):
        reporter.note(FIRST, 1.0)
        reporter.progress(FIRST, number / 20, number + 1, {"entropy": 0.25, "learning_rate": 1.0}, 1234.0)
    assert said == ["  5.0 %  iteration 1/20  selfplay  1,234 decisions/s  entropy 0.250"]


def test_a_stage_of_your_own_shows_its_own_metrics():
    said: list[str] = []
    mine = type("Mine", (), {"iterations": 20})()
    reporter = Reporter(Recipe(name="x", stage=(mine,)), said.append)
    reporter.progress(mine, 0.0, 1, {"against/rule": 0.5, "loss_mine": 0.25, "seen": 3.0}, 1234.0)
    assert said[0].endswith("decisions/s  loss_mine 0.250, seen 3.000")


def test_clock():
    assert [clock(seconds) for seconds in (0, 59.6, 123, 3723)] == ["0:00", "1:00", "2:03", "1:02:03"]
