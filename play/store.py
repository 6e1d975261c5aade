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
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from play.hands import Hand
from play.known_settings import check_setting
from play.results import game_rows, hand_rows
from play.saved import packed, rules_text, unpacked
from play.seats import checked_name
from play.storage.file import StoreFile
from play.storage.opening import StoreError
from play.storage.rows import NOT_AS_WRITTEN, Row, flaw, name_of
from play.storage.schema import SCHEMA as SCHEMA
from play.table import Table
from spades_env import Rules, RulesError
from spades_env.plain import from_json

FILE = "spades.db"
OPEN, OVER, GIVEN_UP = "open", "over", "given up"
ELSEWHERE = "This game went on in another window: you see it as it stands there"
STATES = (OPEN, OVER, GIVEN_UP)
DAMAGED = "what is kept of it is damaged"
UNREADABLE = "This game cannot be read"
LARGEST = 2**53  # a number of changes beyond it is damage


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


class Store(StoreFile):
    """One file, for all threads of a program; several programs may have it open. say: is told of each damaged row."""

    def __init__(self, folder: str | os.PathLike | None = None, say: Callable[[str], None] | None = None):
        super().__init__(Path(folder or data_folder()) / FILE, say)
        self._written: dict[str, list] = {}  # of each sitting: what its hands looked like when they were written
        self._known: dict[str, int] = {}  # of each sitting: its text, hashed, as it was loaded or written last

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def check(self) -> list[str]:
        """Read all that is read at the start; what is the matter with any row of it."""
        self.sittings()
        self.variants()
        self.settings()
        return list(self.faults.values())

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
            began, changes = self._began(table.key) or now, self._last_change() + 1
            row = {"key": table.key, "state": state, "began": began, "changed": now, "told": told, "changes": changes}
            self._insert("INSERT OR REPLACE INTO sittings", [row])
            if new_hands:
                self._save_hands(table)
            if table.over and table.counted:
                self._insert("INSERT OR IGNORE INTO game_results", game_rows(table, now))
        self._written[table.key], self._known[table.key] = marks, hash(told)

    def load(self, key: str) -> Table:
        """A sitting as it was saved last."""
        row = next(iter(self._raw("sittings", "WHERE key = ?", key)), None)
        if row is None:
            raise NoSittingError(f"there is no sitting {key!r}")
        try:
            table = _read(row)
        except ValueError as error:
            raise StoreError(self.report("sittings", row, str(error))) from None
        self.let_go(key)
        self._known[key] = hash(row["told"])
        return table

    def _began(self, key: str) -> str | None:
        """When a sitting began that is there already."""
        began = self._one("SELECT began FROM sittings WHERE key = ?", key)
        return began[0] if began and _is_time(began[0]) else None

    def _last_change(self) -> int:
        """The number of the latest change of any sitting."""
        query = "SELECT changes FROM sittings WHERE changes < ? ORDER BY changes DESC LIMIT 1"
        return int((self._one(query, LARGEST) or [0])[0])

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
        found = [self._saved(row) for row in self._raw("sittings", "ORDER BY changes DESC, rowid DESC")]
        return [saved for saved in found if state in (None, saved.state)]

    def _saved(self, row: Row) -> Saved:
        """A sitting for a list; one that cannot be read is in it, too, with nobody at its table."""
        key, state, began, changed = name_of("sittings", row), row["state"], row["began"], row["changed"]
        try:
            check_sitting(row)
            self.faults.pop(("sittings", key), None)
            return Saved(key, state, began, changed, *_listed(row["told"]))
        except (LookupError, TypeError, ValueError) as error:
            self.report("sittings", row, str(error) if isinstance(error, ValueError) else DAMAGED)
        known = state if state in STATES else OPEN
        began, changed = (time if _is_time(time) else "" for time in (began, changed))
        return Saved(key, known, began, changed, UNREADABLE, (), ())

    def give_up(self, key: str) -> None:
        """An unfinished sitting will not be gone on with; its finished hands stay."""
        with self._change():
            done = self._update("sittings", {"state": GIVEN_UP}, "WHERE key = ? AND state = ?", key, OPEN)
        if not done:
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
        found = [self._hand(row) for row in self.checked("hands", "WHERE key = ? ORDER BY number, id", key)]
        return [hand for hand, back in found if hand and back == taken_back]

    def _hand(self, row: Row) -> tuple[Hand | None, bool]:
        """A hand, if it can be read, and whether it was taken back."""
        try:
            return Hand.from_dict(Rules.parse(row["rules"]), from_json(row["told"])), bool(row["taken_back"])
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            self.report("hands", row, str(error) if isinstance(error, ValueError) else DAMAGED)
            return None, False

    def _save_hands(self, table: Table) -> None:
        """New hands are written, those that were taken back are marked."""
        now = {_json(hand.as_dict()): hand for hand in table.finished}
        rows = self.rows("SELECT id, told FROM hands WHERE key = ? AND NOT taken_back", table.key)
        before = {told: id for id, told in rows}
        for told in before.keys() - now.keys():
            self._update("hands", {"taken_back": 1}, "WHERE id = ?", before[told])
        for told, hand in now.items():
            if told not in before:
                row = {"key": table.key, "number": hand.number, "taken_back": 0}
                row |= {"rules": str(table.rules), "told": told}
                number = self._insert("INSERT INTO hands", [row])
                if table.counted:
                    self._insert("INSERT INTO hand_results", hand_rows(table, hand, number))

    # Named rules and settings

    def variants(self) -> dict[str, Rules]:
        """Rules that were given names."""
        found = {}
        for row in self.checked("variants", "ORDER BY name"):
            try:
                found[row["name"]] = Rules.parse(row["rules"])
            except RulesError as error:
                self.report("variants", row, str(error))
        return found

    def save_variant(self, name: str, rules: Rules) -> None:
        """Rules under a name, in place of those that had it."""
        if checked_name(name) in Rules.presets():
            raise RulesError(f"{name} is the name of a preset: choose another")
        with self._change():
            self._insert("INSERT OR REPLACE INTO variants", [{"name": name, "rules": str(rules)}])

    def forget_variant(self, name: str) -> None:
        """Rules of this name are no longer kept, if there were any."""
        with self._change():
            self._db.execute("DELETE FROM variants WHERE name = ?", (name,))
        self.faults.pop(("variants", name), None)

    def settings(self) -> dict[str, Any]:
        """Whatever was set, by name; of what cannot be read there is nothing here."""
        found = {}
        for row in self.checked("settings", "ORDER BY name"):
            try:
                value = from_json(row["value"])
                check_setting(row["name"], value)
                found[row["name"]] = value
            except ValueError as error:
                self.report("settings", row, str(error))
        return found

    def refuse_setting(self, name: str, value: Any) -> None:
        """Take down that a setting is none that its reader knows."""
        self.report("settings", {"name": name}, f"it cannot be {value!r:.40}")

    def set(self, name: str, value: Any) -> None:
        """A setting: anything that JSON can hold."""
        with self._change():
            self._insert("INSERT OR REPLACE INTO settings", [{"name": name, "value": json.dumps(value)}])

    def rename(self, before: str, person: str) -> None:
        """All that was played under one name is told under another."""
        with self._change():
            for table in ("hand_results", "game_results"):
                self._update(table, {"person": checked_name(person)}, "WHERE person = ?", before)


def check_sitting(row: Row) -> None:
    """Raise ValueError unless a sitting's row is as it was written."""
    why = flaw("sittings", row)
    if why or row["state"] not in STATES or not (_is_time(row["began"]) and _is_time(row["changed"])):
        raise ValueError(why or DAMAGED)


def _read(row: Row) -> Table:
    """The table that a row tells; ValueError where it tells none. What its text says is wrong is told first."""
    why = flaw("sittings", row)
    if why and why != NOT_AS_WRITTEN:
        raise ValueError(why)
    try:
        table = unpacked(from_json(row["told"]))
    except (AttributeError, LookupError, TypeError):
        raise ValueError(DAMAGED) from None
    check_sitting(row)
    return table


def _is_time(text: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return False


def _listed(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Rules, people and bots of a sitting; an error where they cannot be read."""
    told = from_json(text)
    rules, people, bots = rules_text(told), tuple(person for person in told["people"] if person), tuple(told["bots"])
    if not all(isinstance(word, str) for word in (rules, *people, *bots)):
        raise ValueError(DAMAGED)
    return rules, people, bots


def _json(told: dict) -> str:
    return json.dumps(told, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
