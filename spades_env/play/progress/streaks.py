"""Days in a row with the daily deal, and games won in a row.

    day_streak(days, today)      days: on which the deal was played; today: by the player's calendar
    win_streak(outcomes)         from the first game to the last

Nothing here reads a clock: a day belongs to the deal, so a game that goes on past midnight is of the day it began on.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from spades_env.play.table.rating import WIN

DAY = timedelta(days=1)


class Streak(NamedTuple):
    """How many in a row: now, and the most so far."""

    now: int
    best: int


def day_streak(days: Iterable[date], today: date) -> Streak:
    """Count the days in a row up to today, or up to yesterday while today's deal is not played.

    A day later than tomorrow comes from a wrong clock, and does not count in the current streak.
    """
    played = set(days)
    end = next((day for day in (today + DAY, today, today - DAY) if day in played), None)
    return Streak(run_before(played, end) if end else 0, max((run_before(played, day) for day in played), default=0))


def run_before(played: set[date], end: date) -> int:
    """Count the days in a row that end on this one."""
    count = 0
    while end - count * DAY in played:
        count += 1
    return count


def win_streak(outcomes: Iterable[float]) -> Streak:
    now = best = 0
    for outcome in outcomes:
        now = now + 1 if outcome == WIN else 0
        best = max(best, now)
    return Streak(now, best)
