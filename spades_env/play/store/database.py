"""The store: sittings, finished hands, results, named rules and settings in one SQLite file, `spades.db`.

    store = Store(folder)          None: the user's data folder
    store.save(table)              after every move, in one transaction: a kill at any moment leaves all or nothing
    table = store.load(key)        exactly as it was saved
    store.unfinished()             the sittings that can be continued
    store.hands.of(key)            the finished hands of a sitting
    store.variants.all()           named rules
    store.settings.all()           settings by name
    statistics(store, "Anna")      in play.store.statistics

The transaction that writes a finished hand is flushed to the disk. A power failure may lose later changes, a crash of
the program loses none. Replays and imports do not count in statistics. A game that was
given up after its first hand counts as lost, and so does one that was left for ten others.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakKeyDictionary

from spades_env.play.store.file import StoreFile
from spades_env.play.store.finished_hands import FinishedHands
from spades_env.play.store.opening import StoreError
from spades_env.play.store.results import forfeit_rows, game_rows, is_forfeit
from spades_env.play.store.rows import DATA, Row, as_json, damage_words, name_of
from spades_env.play.store.saved import packed
from spades_env.play.store.settings import DEFAULT_NAME, NAME, Settings, Variants
from spades_env.play.store.sitting_rows import GIVEN_UP, OPEN, OVER, Saved, is_time, saved_of, table_of, unreadable
from spades_env.play.table.seats import checked_name
from spades_env.play.table.table import Table
from spades_env.play.texts import text as sentence

FILE = "spades.db"
LOCK = "server.lock"  # held by the server that keeps its games here
MOST_FINISHED_SINCE = 10  # games, until one that was left open counts as lost
MOST_CHANGES = 2**53  # a larger number is damage


class NoSittingError(StoreError):
    """No sitting has this key."""


def data_folder() -> Path:
    """Return this system's folder for a user's data."""
    home = Path.home()
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        root = home / "Library" / "Application Support"
    else:
        root = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return root / "spades"


class Store:
    """The saved sittings, with the finished hands, named rules and settings that are in the same file."""

    def __init__(self, folder: str | os.PathLike | None = None, say: Callable[[str], None] | None = None):
        """say: called once with a sentence about each damaged row."""
        self.path = Path(folder or data_folder()) / FILE
        self.file = StoreFile(self.path, say)
        self.faults = self.file.faults
        self.hands, self.variants, self.settings = FinishedHands(self.file), Variants(self.file), Settings(self.file)
        self._marks: WeakKeyDictionary[Table, tuple[int, int, bool]] = WeakKeyDictionary()  # when last saved

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        self.file.close()

    def check(self) -> list[str]:
        """Read everything that a start reads; return a sentence about each damaged row."""
        self.sittings()
        self.variants.all()
        self.settings.all()
        return list(self.faults.values())

    # One sitting

    def save(self, table: Table) -> None:
        """Save all changes; StoreError if the game was given up."""
        now = _now()
        marks = (len(table.finished), table.takebacks.total(), table.over)
        new_hands = self._marks.get(table) != marks
        with self.file.change(flush=new_hands):
            if self.is_given_up(table.key):
                raise StoreError(sentence("closed"))
            row = {"key": table.key, "state": OVER if table.over else OPEN, "began": self._began(table.key) or now}
            row |= {"changed": now, DATA: as_json(packed(table)), "changes": self._last_change() + 1}
            self.file.insert("INSERT OR REPLACE INTO sittings", [row])
            if new_hands:
                self.hands.save(table)
            if new_hands and table.over and table.counted:
                self.file.insert("INSERT OR IGNORE INTO game_results", game_rows(table, now))
                for person in filter(None, table.seats.people):
                    self._lose_left_open(person)
        self._marks[table] = marks

    def load(self, key: str) -> Table:
        """Return the table of a sitting as it was last saved."""
        row = next(iter(self.file.raw("sittings", "WHERE key = ?", key)), None)
        if row is None:
            raise NoSittingError(f"there is no saved game {key!r}")
        try:
            return table_of(row)
        except ValueError as error:
            raise StoreError(self.file.report("sittings", row, str(error))) from None

    def _began(self, key: str) -> str | None:
        began = self.file.one("SELECT began FROM sittings WHERE key = ?", key)
        return began[0] if began and is_time(began[0]) else None

    def _last_change(self) -> int:
        query = "SELECT changes FROM sittings WHERE changes < ? ORDER BY changes DESC LIMIT 1"
        return int((self.file.one(query, MOST_CHANGES) or [0])[0])

    def sitting_text(self, key: str) -> str | None:
        """Return the saved text of a sitting, readable or not."""
        row = self.file.one(f"SELECT {DATA} FROM sittings WHERE key = ?", key)
        return row and row[0]

    def is_given_up(self, key: str) -> bool:
        return self.file.one("SELECT 1 FROM sittings WHERE key = ? AND state = ?", key, GIVEN_UP) is not None

    def give_up(self, key: str) -> None:
        """Mark an unfinished sitting as given up; its finished hands stay. It may be lost: see `is_forfeit`."""
        with self.file.change():
            rows = self.file.raw("sittings", "WHERE key = ? AND state = ?", key, OPEN)
            for row in rows:
                self._give_up(key, self._forfeit_of(row))
        if not rows:
            raise StoreError(f"there is no unfinished game {key!r}")

    def _give_up(self, key: str, lost: Table | None) -> None:
        self.file.update("sittings", {"state": GIVEN_UP}, "WHERE key = ?", key)
        if lost:
            self.file.insert("INSERT OR IGNORE INTO game_results", forfeit_rows(lost, _now()))

    def _forfeit_of(self, row: Row) -> Table | None:
        """Return the table in a row if its game is lost when it is given up; one that can't be read isn't."""
        with suppress(ValueError):
            table = table_of(row)
            table.seats.call_back()
            name = self.settings.all().get(NAME, DEFAULT_NAME)
            if name != DEFAULT_NAME and DEFAULT_NAME in table.seats.people:  # it began before the owner had a name
                table.seats.rename(table.seats.people.index(DEFAULT_NAME), name)
            if is_forfeit(table.counted, table.seats.people, self.hands.was_any_finished(table.key)):
                return table
        return None

    def _lose_left_open(self, person: str) -> None:
        """Give up, and lose, the games that a person has left for too many others."""
        for key, changed in self.file.rows("SELECT key, changed FROM sittings WHERE state = ?", OPEN):
            if self.finished_since(person, changed) >= MOST_FINISHED_SINCE:
                for row in self.file.raw("sittings", "WHERE key = ?", key):
                    lost = self._forfeit_of(row)
                    if lost and person in lost.seats.people:
                        self._give_up(key, lost)

    def finished_since(self, person: str, moment: str) -> int:
        """Return how many games a person has played to their end since then."""
        query = "SELECT key FROM game_results WHERE person = ? AND ended > ? AND hands > 0"
        return len({key for (key,) in self.file.rows(query, person, moment)} - self.given_up())

    def given_up(self) -> set[str]:
        """Return the keys of all sittings that were given up."""
        return {key for (key,) in self.file.rows("SELECT key FROM sittings WHERE state = ?", GIVEN_UP)}

    def forget(self, table: Table) -> None:
        """Delete a sitting without finished hands."""
        with self.file.change():
            unplayed = "NOT EXISTS (SELECT 1 FROM hands WHERE key = sittings.key)"
            self.file.delete("sittings", f"WHERE key = ? AND {unplayed}", table.key)

    # All sittings

    def unfinished(self) -> list[Saved]:
        return self.sittings(OPEN)

    def count_unfinished(self) -> int:
        return self.file.one("SELECT count(*) FROM sittings WHERE state = ?", OPEN)[0]

    def sittings(self, state: str | None = None) -> list[Saved]:
        found = [self._saved(row) for row in self.file.raw("sittings", "ORDER BY changes DESC, rowid DESC")]
        return [saved for saved in found if state in (None, saved.state)]

    def _saved(self, row: Row) -> Saved:
        """Describe a sitting for a list. A damaged one is listed too, without people."""
        try:
            saved = saved_of(row)
        except (LookupError, TypeError, ValueError) as error:
            self.file.report("sittings", row, damage_words(error))
            return unreadable(row)
        self.faults.pop(("sittings", name_of("sittings", row)), None)
        return saved

    def rename(self, name: str) -> None:
        """Change the owner's name; games played without a name become theirs."""
        if self.settings.all().get(NAME, DEFAULT_NAME) == DEFAULT_NAME:
            with self.file.change():
                for table in ("hand_results", "game_results"):
                    self.file.update(table, {"person": checked_name(name)}, "WHERE person = ?", DEFAULT_NAME)
        self.settings.set(NAME, checked_name(name))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
