"""The store: sittings as they stand, finished hands, results, named rules, settings. One SQLite file, `spades.db`.

    store = Store(folder)          None: the user's data folder
    store.save(table)              after every act, in one transaction: a kill at any moment leaves all or nothing
    table = store.load(key)        exactly as it was saved
    store.unfinished()             the sittings that can be continued
    statistics(store, "Anna")      in play.store.statistics

Several programs may continue one game, but none overwrites what another has saved: `save` raises ElsewhereError, and
the game must be loaded again. A finished hand stays, marked, when it is taken back; the transaction that writes it is
flushed to the disk. Other changes may be lost with the power, but not with the program. Sittings that were given up,
replays and imports do not count in statistics.
"""

import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from play.store.opening import StoreError
from play.store.results import game_rows, hand_rows
from play.store.rows import DATA, Row, name_of
from play.store.saved import packed
from play.store.settings import Settings
from play.store.sitting_rows import DAMAGED, GIVEN_UP, OPEN, OVER, Saved, is_time, saved_of, table_of, unreadable
from play.table.hands import PlayedHand
from play.table.seats import checked_name
from play.table.table import Table
from spades_env import Rules
from spades_env.plain import from_json

FILE = "spades.db"
ELSEWHERE = "This game went on in another window: you see it as it stands there"
MOST_CHANGES = 2**53  # a larger number is damage


class NoSittingError(StoreError):
    """There is no sitting with this key."""


class ElsewhereError(StoreError):
    """Another program has continued the sitting."""


class _LastSeen(NamedTuple):
    """A table as this program has loaded or saved it last."""

    text: int  # hash of the saved text
    marks: tuple[int, int, bool] | None = None  # finished hands, takebacks, over; None: not saved from here yet


def data_folder() -> Path:
    """Return the folder in which this system keeps a user's data."""
    home = Path.home()
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        root = home / "Library" / "Application Support"
    else:
        root = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return root / "spades"


class Store(Settings):
    """One file for all threads of a program; several programs may have it open."""

    def __init__(self, folder: str | os.PathLike | None = None, say: Callable[[str], None] | None = None):
        """say: is called once with a sentence about each damaged row."""
        super().__init__(Path(folder or data_folder()) / FILE, say)
        self._last: WeakKeyDictionary[Table, _LastSeen] = WeakKeyDictionary()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def check(self) -> list[str]:
        """Read everything that a start reads; returns a sentence about each damaged row."""
        self.sittings()
        self.variants()
        self.settings()
        return list(self.faults.values())

    # Sittings

    def save(self, table: Table) -> None:
        """Save what has changed since the last time, unless the game was given up or went on elsewhere."""
        now = _now()
        marks = (len(table.finished), table.takebacks.total(), table.over)
        last = self._last.get(table)
        new_hands = last is None or last.marks != marks
        text = _json(packed(table))
        with self._change(flush=new_hands):
            if self.is_given_up(table.key):
                raise StoreError("this game was given up")
            if self._is_elsewhere(table):
                raise ElsewhereError(ELSEWHERE)
            row = {"key": table.key, "state": OVER if table.over else OPEN, "began": self._began(table.key) or now}
            row |= {"changed": now, DATA: text, "changes": self._last_change() + 1}
            self._insert("INSERT OR REPLACE INTO sittings", [row])
            if new_hands:
                self._save_hands(table)
            if table.over and table.counted:
                self._insert("INSERT OR IGNORE INTO game_results", game_rows(table, now))
        self._last[table] = _LastSeen(hash(text), marks)

    def load(self, key: str) -> Table:
        """Return the table of a sitting as it was saved last."""
        row = next(iter(self._raw("sittings", "WHERE key = ?", key)), None)
        if row is None:
            raise NoSittingError(f"there is no sitting {key!r}")
        try:
            table = table_of(row)
        except ValueError as error:
            raise StoreError(self.report("sittings", row, str(error))) from None
        self._last[table] = _LastSeen(hash(row[DATA]))
        return table

    def _began(self, key: str) -> str | None:
        """Return when a saved sitting began."""
        began = self._one("SELECT began FROM sittings WHERE key = ?", key)
        return began[0] if began and is_time(began[0]) else None

    def _last_change(self) -> int:
        """Return the number of the latest change of any sitting."""
        query = "SELECT changes FROM sittings WHERE changes < ? ORDER BY changes DESC LIMIT 1"
        return int((self._one(query, MOST_CHANGES) or [0])[0])

    def _is_elsewhere(self, table: Table) -> bool:
        """Has the game been saved since this table was loaded or saved last?"""
        last, text = self._last.get(table), self.sitting_text(table.key)
        return last is not None and text is not None and last.text != hash(text)

    def sitting_text(self, key: str) -> str | None:
        """Return the saved text of a sitting, readable or not."""
        row = self._one(f"SELECT {DATA} FROM sittings WHERE key = ?", key)
        return row and row[0]

    def is_given_up(self, key: str) -> bool:
        """Was the sitting given up? Then nobody continues it."""
        return self._one("SELECT 1 FROM sittings WHERE key = ? AND state = ?", key, GIVEN_UP) is not None

    def unfinished(self) -> list[Saved]:
        """Return the sittings that can be continued, the latest first."""
        return self.sittings(OPEN)

    def count_unfinished(self) -> int:
        """Return how many sittings can be continued."""
        return self._one("SELECT count(*) FROM sittings WHERE state = ?", OPEN)[0]

    def sittings(self, state: str | None = None) -> list[Saved]:
        """Return all sittings, or those in one state, the latest first."""
        found = [self._saved(row) for row in self._raw("sittings", "ORDER BY changes DESC, rowid DESC")]
        return [saved for saved in found if state in (None, saved.state)]

    def _saved(self, row: Row) -> Saved:
        """Describe a sitting for a list; one that can't be read is there too, with nobody at its table."""
        try:
            saved = saved_of(row)
        except (LookupError, TypeError, ValueError) as error:
            self.report("sittings", row, str(error) if isinstance(error, ValueError) else DAMAGED)
            return unreadable(row)
        self.faults.pop(("sittings", name_of("sittings", row)), None)
        return saved

    def give_up(self, key: str) -> None:
        """Mark an unfinished sitting as given up; its finished hands stay."""
        with self._change():
            done = self._update("sittings", {"state": GIVEN_UP}, "WHERE key = ? AND state = ?", key, OPEN)
        if not done:
            raise StoreError(f"there is no unfinished sitting {key!r}")

    def forget(self, table: Table) -> None:
        """Delete a sitting in which no hand was finished, unless it went on elsewhere."""
        with self._change():
            if not self._is_elsewhere(table):
                unplayed = "NOT EXISTS (SELECT 1 FROM hands WHERE key = sittings.key)"
                self._delete("sittings", f"WHERE key = ? AND {unplayed}", table.key)

    def rename(self, before: str, person: str) -> None:
        """Count everything that was played under one name under another."""
        with self._change():
            for table in ("hand_results", "game_results"):
                self._update(table, {"person": checked_name(person)}, "WHERE person = ?", before)

    # Hands

    def hands(self, key: str, taken_back: bool = False) -> list[PlayedHand]:
        """Return the finished hands of a sitting, or those that were taken back."""
        found = [self._hand(row) for row in self.checked("hands", "WHERE key = ? ORDER BY number, id", key)]
        return [hand for hand, back in found if hand and back == taken_back]

    def _hand(self, row: Row) -> tuple[PlayedHand | None, bool]:
        """Return a hand, None if it can't be read, and whether it was taken back."""
        try:
            return PlayedHand.from_dict(Rules.parse(row["rules"]), from_json(row[DATA])), bool(row["taken_back"])
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            self.report("hands", row, str(error) if isinstance(error, ValueError) else DAMAGED)
            return None, False

    def _save_hands(self, table: Table) -> None:
        """Insert new hands, and mark those that were taken back."""
        now = {_json(hand.as_dict()): hand for hand in table.finished}
        rows = self.rows(f"SELECT id, {DATA} FROM hands WHERE key = ? AND NOT taken_back", table.key)
        before = {text: id for id, text in rows}
        for text in before.keys() - now.keys():
            self._update("hands", {"taken_back": 1}, "WHERE id = ?", before[text])
        for text, hand in now.items():
            if text not in before:
                row = {"key": table.key, "number": hand.number, "taken_back": 0}
                number = self._insert("INSERT INTO hands", [row | {"rules": str(table.rules), DATA: text}])
                if table.counted:
                    self._insert("INSERT INTO hand_results", hand_rows(table, hand, number))

    def last_hand(self, key: str) -> tuple[str, str, int, int]:
        """Return the last finished hand of a sitting, unchecked: its rules and text, how many there are, its number."""
        query = f"SELECT rules, {DATA}, count(*), max(number) FROM hands WHERE key = ? AND NOT taken_back"
        return self.rows(query, key)[0]


def _json(data: dict) -> str:
    return json.dumps(data, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
