"""The games of daily deals in the store.

    for game in daily_games(store, "Anna"): …        the first one first
    counted_games(store, "Anna")                      by day: the game that counts for it
    result = daily_result(store, game)                beside the champion's, as `play.daily.comparison.compared`

A game is saved with its day and the champion's hands. If two programs have begun games that count for the same day, the
earlier one does.
"""

from datetime import date
from typing import NamedTuple

from spades_env.plain import from_json
from spades_env.play.daily.comparison import compared
from spades_env.play.daily.deal_of_day import SEAT, Daily
from spades_env.play.store.database import Store
from spades_env.play.store.rows import DATA, Row
from spades_env.play.store.settings import DEFAULT_NAME
from spades_env.play.store.sitting_rows import OPEN, OVER, check_sitting
from spades_env.play.table.seats import checked_name

WITH_DAY = """WHERE told LIKE '%"daily":%' ORDER BY began, key"""


class DailyGame(NamedTuple):
    """A game of a daily deal, finished or not."""

    key: str
    state: str
    person: str
    daily: Daily

    @property
    def date(self) -> date:
        return self.daily.date

    @property
    def is_open(self) -> bool:
        return self.state == OPEN

    @property
    def is_over(self) -> bool:
        return self.state == OVER


def daily_games(store: Store, person: str) -> list[DailyGame]:
    """Return a person's games of daily deals, without damaged ones. Games without a name are theirs, too."""
    found = store.file.parsed("sittings", _game, WITH_DAY)
    return [game for game in found if game and game.person in (person, DEFAULT_NAME)]


def counted_games(store: Store, person: str) -> dict[date, DailyGame]:
    """Return the game that counts for each day, finished or not."""
    found: dict[date, DailyGame] = {}
    for game in daily_games(store, person):
        if game.daily.counted:
            found.setdefault(game.date, game)
    return found


def daily_result(store: Store, game: DailyGame) -> dict:
    """Compare the finished hands of a game with the champion's."""
    return compared(game.daily, [result.points for result in store.hands.results(game.key)], SEAT)


def _game(row: Row) -> DailyGame | None:
    """Return the daily game in a row; None if nobody plays it any more, or if another word made the row match."""
    check_sitting(row)
    data = from_json(row[DATA])
    person = data["people"][SEAT]
    if "daily" not in data or person is None:
        return None
    return DailyGame(row["key"], row["state"], checked_name(person), Daily.from_dict(data["daily"]))
