"""Days in a row and wins in a row."""

from datetime import date

import pytest

from spades_env.play.progress.streaks import day_streak, win_streak

TODAY = date(2026, 11, 25)


def days(*numbers: int) -> list[date]:
    """Days of November."""
    return [date(2026, 11, number) for number in numbers]


@pytest.mark.parametrize(
    ("played", "now", "best"),
    [
        ([], 0, 0),
        ([25], 1, 1),
        ([24], 1, 1),  # today's deal is still to be played
        ([23], 0, 1),
        ([21, 22, 23, 24, 25], 5, 5),
        ([25, 23, 24, 24], 3, 3),  # in any order, and no day twice
        ([20, 21, 22, 24, 25], 2, 3),  # the 23rd is missing
        ([24, 25, 26], 3, 3),  # it is the 26th already, farther east
        ([24, 27, 28, 29, 30], 1, 4),  # played by a clock that was ahead
    ],
)
def test_days_in_a_row(played, now, best):
    assert day_streak(days(*played), TODAY) == (now, best)


def test_a_streak_goes_over_months_and_leap_days():
    assert day_streak([date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1)], date(2028, 3, 1)) == (3, 3)
    assert day_streak([date(2026, 12, 31), date(2027, 1, 1)], date(2027, 1, 2)) == (2, 2)


@pytest.mark.parametrize(
    ("outcomes", "now", "best"),
    [([], 0, 0), ([1.0, 1.0], 2, 2), ([1.0, 0.0, 1.0], 1, 1), ([1.0, 1.0, 0.5], 0, 2), ([0.0] * 3, 0, 0)],
)
def test_wins_in_a_row(outcomes, now, best):
    assert win_streak(outcomes) == (now, best)
