"""What is kept: sittings as they stand, finished hands, results, named rules, settings. One SQLite file, `spades.db`.

    store = Store(folder)          None: the user's data folder
    store.save(table)              after every action, in one transaction: a kill at any moment leaves all or nothing
    table = store.load(key)        to the letter
    store.unfinished()             what can be gone on with
    statistics(store, "Anna")      in play.statistics

Several programs may go on with one game, but none overwrites what another has kept: who would is told (ElsewhereError),
and loads it again. A finished hand stays, marked, when it is taken back. Its transaction is flushed to the disk, others
may be lost with the power, not with the program. Sittings that were given up, replays and imports are in no statistics.
"""

import json
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from play.hands import Hand
from play.results import game_rows, hand_rows
from play.saved import packed, rules_text, unpacked
from play.seats import checked_name
from play.table import Table
from spades_env import Rules, RulesError, earlier

FILE = "spades.db"
MARK = 0x53504144  # in the file's header: "SPAD"
SCHEMA = 2
FIRST_SCHEMA = 1
OPEN, OVER, GIVEN_UP = "open", "over", "given up"
ELSEWHERE = "This game went on in another window: you see it as it stands there"
TABLES = """
CREATE TABLE sittings (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, began TEXT NOT NULL, changed TEXT NOT NULL, told TEXT NOT NULL
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, number INTEGER NOT NULL, taken_back INTEGER NOT NULL DEFAULT 0,
    rules TEXT NOT NULL, told TEXT NOT NULL
);
CREATE INDEX hands_of_sitting ON hands (key, number);
CREATE TABLE hand_results (
    hand INTEGER NOT NULL REFERENCES hands (id), key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL,
    bid INTEGER NOT NULL, tricks INTEGER NOT NULL, nil INTEGER NOT NULL, blind INTEGER NOT NULL, made INTEGER NOT NULL,
    bags INTEGER NOT NULL
);
CREATE TABLE game_results (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL, ended TEXT NOT NULL,
    outcome REAL NOT NULL, margin INTEGER NOT NULL, hands INTEGER NOT NULL, difficulty INTEGER, partner TEXT,
    opponents TEXT NOT NULL, hints INTEGER NOT NULL, takebacks INTEGER NOT NULL, moved_for INTEGER NOT NULL,
    UNIQUE (key, seat)
);
CREATE TABLE variants (name TEXT PRIMARY KEY, rules TEXT NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class StoreError(ValueError):
    """What the store refuses; the message says why in one sentence."""


class NoSittingError(StoreError):
    """Nothing is kept under this key."""


class ElsewhereError(StoreError):
    """Another program has gone on with the sitting."""


@dataclass(frozen=True)
class Saved:
    """A sitting as a list of them shows it."""

    key: str
    state: str
    began: str
    changed: str
    rules: str
    people: tuple[str, ...]
    bots: tuple[str, ...]


def data_folder() -> Path:
    """Where this system keeps a user's data."""
    home = Path.home()
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        root = home / "Library" / "Application Support"
    else:
        root = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return root / "spades"


class Store:
    """One file, for all threads of a program; several programs may have it open."""

    def __init__(self, folder: str | os.PathLike | None = None):
        self.path = Path(folder or data_folder()) / FILE
        self._lock = threading.RLock()
        self._written: dict[str, list] = {}  # of each sitting: what its hands looked like when they were written
        self._known: dict[str, int] = {}  # of each sitting: its text, hashed, as it was loaded or written last
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._db = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.path} cannot be opened: {error}") from None
        try:
            self._open()
        except (sqlite3.Error, StoreError) as error:
            self._db.close()
            raise error if isinstance(error, StoreError) else StoreError(f"{self.path}: {error}") from None

    def _open(self) -> None:
        """Check whose file it is; fill a new one."""
        mark, schema = (self._one(f"PRAGMA {name}")[0] for name in ("application_id", "user_version"))
        if mark != MARK and not self._is_empty():
            raise StoreError(f"{self.path} is a database of another program")
        if schema > SCHEMA:
            raise StoreError(f"{self.path} was written by a newer version: its schema is {schema}, not {SCHEMA}")
        self._db.execute("PRAGMA journal_mode = WAL")
        with self._transaction(flush=True):
            if self._is_empty():
                for statement in TABLES.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA application_id = {MARK}")
            elif self._one("PRAGMA user_version")[0] == FIRST_SCHEMA:
                self._bring_up_to_date()
            self._db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _bring_up_to_date(self) -> None:
        """Write the rules of the first schema as today's texts, so that hands replay as they were played."""
        for table in ("hands", "variants"):
            for (text,) in self.rows(f"SELECT DISTINCT rules FROM {table}"):
                self._db.execute(f"UPDATE {table} SET rules = ? WHERE rules = ?", (earlier.rules_text(text), text))

    def _is_empty(self) -> bool:
        return not self._one("SELECT count(*) FROM sqlite_schema")[0]

    def close(self) -> None:
        """Let go of the file; nothing can be asked after that."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    # Sittings

    def save(self, table: Table) -> None:
        """All that changed since the last time; what was given up, or went on elsewhere, stays as it is."""
        state, now = OVER if table.over else OPEN, _now()
        marks = [len(table.finished), table.takebacks.total(), table.over]
        new_hands = self._written.get(table.key) != marks
        told = _json(packed(table))
        with self._change(flush=new_hands):
            if self.is_given_up(table.key):
                raise StoreError("this game was given up")
            if self._is_elsewhere(table.key):
                raise ElsewhereError(ELSEWHERE)
            self._db.execute(
                "INSERT INTO sittings VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE "
                "SET state = excluded.state, changed = excluded.changed, told = excluded.told",
                (table.key, state, now, now, told),
            )
            if new_hands:
                self._save_hands(table)
            if table.over and table.counted:
                self._insert("INSERT OR IGNORE INTO game_results", game_rows(table, now))
        self._written[table.key], self._known[table.key] = marks, hash(told)

    def load(self, key: str) -> Table:
        """A sitting as it was saved last."""
        row = self._one("SELECT told FROM sittings WHERE key = ?", key)
        if row is None:
            raise NoSittingError(f"there is no sitting {key!r}")
        table = _read(row[0])
        self.let_go(key)
        self._known[key] = hash(row[0])
        return table

    def _is_elsewhere(self, key: str) -> bool:
        """Is what is kept another text than this program has loaded or written last?"""
        row = self._one("SELECT told FROM sittings WHERE key = ?", key)
        return row is not None and self._known.get(key, hash(row[0])) != hash(row[0])

    def is_given_up(self, key: str) -> bool:
        """Will nobody go on with this sitting?"""
        return self._one("SELECT 1 FROM sittings WHERE key = ? AND state = ?", key, GIVEN_UP) is not None

    def unfinished(self) -> list[Saved]:
        """What can be gone on with, the latest first."""
        return self.sittings(OPEN)

    def count_unfinished(self) -> int:
        """How many sittings can be gone on with."""
        return self._one("SELECT count(*) FROM sittings WHERE state = ?", OPEN)[0]

    def sittings(self, state: str | None = None) -> list[Saved]:
        """All sittings, or those in one state, the latest first."""
        query = "SELECT * FROM sittings WHERE state = ifnull(?, state) ORDER BY changed DESC, rowid DESC"
        rows = self.rows(query, state)
        return [Saved(key, now, began, changed, *_listed(text)) for key, now, began, changed, text in rows]

    def give_up(self, key: str) -> None:
        """An unfinished sitting will not be gone on with; its finished hands stay."""
        with self._change():
            done = self._db.execute("UPDATE sittings SET state = ? WHERE key = ? AND state = ?", (GIVEN_UP, key, OPEN))
        if not done.rowcount:
            raise StoreError(f"there is no unfinished sitting {key!r}")

    def forget(self, key: str) -> None:
        """A sitting in which no hand was finished is as if it had never been, unless it went on elsewhere."""
        with self._change():
            if not self._is_elsewhere(key):
                self._db.execute(
                    "DELETE FROM sittings WHERE key = ? AND NOT EXISTS (SELECT 1 FROM hands WHERE key = sittings.key)",
                    (key,),
                )
        self.let_go(key)

    def let_go(self, key: str) -> None:
        """Nobody works on this sitting for now."""
        self._written.pop(key, None)
        self._known.pop(key, None)

    def hands(self, key: str, taken_back: bool = False) -> list[Hand]:
        """The finished hands of a sitting with open cards, or those of them that were taken back."""
        query = "SELECT rules, told FROM hands WHERE key = ? AND taken_back = ? ORDER BY number, id"
        rows = self.rows(query, key, int(taken_back))
        return [Hand.from_dict(Rules.parse(rules), json.loads(told)) for rules, told in rows]

    def _save_hands(self, table: Table) -> None:
        """New hands are written, those that were taken back are marked."""
        now = {_json(hand.as_dict()): hand for hand in table.finished}
        rows = self.rows("SELECT id, told FROM hands WHERE key = ? AND NOT taken_back", table.key)
        before = {told: id for id, told in rows}
        for told in before.keys() - now.keys():
            self._db.execute("UPDATE hands SET taken_back = 1 WHERE id = ?", (before[told],))
        for told, hand in now.items():
            if told not in before:
                row = {"key": table.key, "number": hand.number, "rules": str(table.rules), "told": told}
                number = self._insert("INSERT INTO hands", [row])
                if table.counted:
                    self._insert("INSERT INTO hand_results", hand_rows(table, hand, number))

    # Named rules and settings

    def variants(self) -> dict[str, Rules]:
        """Rules that were given names."""
        return {name: Rules.parse(rules) for name, rules in self.rows("SELECT * FROM variants ORDER BY name")}

    def save_variant(self, name: str, rules: Rules) -> None:
        """Rules under a name, in place of those that had it."""
        if checked_name(name) in Rules.presets():
            raise RulesError(f"{name} is the name of a preset: choose another")
        with self._change():
            self._db.execute("INSERT OR REPLACE INTO variants VALUES (?, ?)", (name, str(rules)))

    def forget_variant(self, name: str) -> None:
        """Rules of this name are no longer kept, if there were any."""
        with self._change():
            self._db.execute("DELETE FROM variants WHERE name = ?", (name,))

    def settings(self) -> dict[str, Any]:
        """Whatever was set, by name."""
        return {name: json.loads(value) for name, value in self.rows("SELECT * FROM settings ORDER BY name")}

    def set(self, name: str, value: Any) -> None:
        """A setting: anything that JSON can hold."""
        with self._change():
            self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value)))

    def rename(self, before: str, person: str) -> None:
        """All that was played under one name is told under another."""
        with self._change():
            for table in ("hand_results", "game_results"):
                self._db.execute(f"UPDATE {table} SET person = ? WHERE person = ?", (checked_name(person), before))

    # SQL

    def rows(self, query: str, *values) -> list[tuple]:
        """The rows of a query."""
        with self._lock:
            return self._db.execute(query, values).fetchall()

    def _one(self, query: str, *values) -> Any:
        with self._lock:
            return self._db.execute(query, values).fetchone()

    def _insert(self, into: str, rows: list[dict]) -> int:
        """Rows by their columns' names; the number of the last one."""
        number = 0
        for row in rows:
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            number = self._db.execute(f"{into} ({names}) VALUES ({marks})", tuple(row.values())).lastrowid or 0
        return number

    @contextmanager
    def _change(self, flush: bool = False) -> Iterator[None]:
        """A transaction; a disk that is full, say, refuses it in a sentence."""
        try:
            with self._transaction(flush):
                yield
        except sqlite3.Error as error:
            raise StoreError(f"It could not be kept, so it has not happened: {error}") from None

    @contextmanager
    def _transaction(self, flush: bool = False) -> Iterator[None]:
        """All of it or nothing; flush: it is on the disk afterwards."""
        with self._lock:
            self._db.execute(f"PRAGMA synchronous = {'FULL' if flush else 'NORMAL'}")
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise


def _read(text: str) -> Table:
    """The table that a text tells; where it tells none, one sentence says why."""
    try:
        return unpacked(json.loads(text))
    except ValueError as error:
        raise StoreError(f"this game cannot be read: {error}") from None
    except (AttributeError, LookupError, TypeError):
        raise StoreError("this game cannot be read: what is kept of it is damaged") from None


def _listed(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Rules, people and bots of a sitting; where they cannot be read, nobody sits there."""
    try:
        told = json.loads(text)
        return rules_text(told), tuple(person for person in told["people"] if person), tuple(told["bots"])
    except (LookupError, TypeError, ValueError):
        return "it cannot be read", (), ()


def _json(told: dict) -> str:
    return json.dumps(told, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
