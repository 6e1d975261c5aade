"""Named rules and settings in the store's file.

The name, the face, the setup of the last table, the settings of the page and of the terminal, and what was learnt are
checked when they are read. Other settings may be anything that JSON can hold.
"""

import json
from collections.abc import Callable
from typing import Any

from spades_env.checks import whole
from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS
from spades_env.game.rules import Rules, RulesError
from spades_env.plain import from_json
from spades_env.play.lessons.learnt import SETTING as LESSONS
from spades_env.play.lessons.learnt import LessonProgress
from spades_env.play.store.file import StoreFile
from spades_env.play.store.rows import Row
from spades_env.play.table.company.faces import checked_face
from spades_env.play.table.seats import checked_name
from spades_env.play.texts import text

NAME, FACE, LAST, PAGE, TERMINAL = "name", "face", "last", "page", "terminal"
DEFAULT_NAME = "You"  # before a name was given
LAST_KEYS = {"rules", "bots", "seat", "move_seconds"}  # and "fair", which older ones lack
LONGEST_MOVE = 3600  # seconds


class Variants:
    """Rules with names that a person gave them."""

    def __init__(self, file: StoreFile):
        self._file = file

    def all(self) -> dict[str, Rules]:
        """Return the rules by name, without damaged ones."""
        return dict(
            self._file.parsed("variants", lambda row: (row["name"], Rules.parse(row["rules"])), "ORDER BY name")
        )

    def save(self, name: str, rules: Rules) -> None:
        if checked_name(name) in Rules.presets():
            raise RulesError(text("error.preset_name", name=name))
        with self._file.change():
            self._file.insert("INSERT OR REPLACE INTO variants", [{"name": name, "rules": str(rules)}])

    def forget(self, name: str) -> None:
        with self._file.change():
            self._file.delete("variants", "WHERE name = ?", name)
        self._file.faults.pop(("variants", name), None)


class Settings:
    """Settings by name."""

    def __init__(self, file: StoreFile):
        self._file = file

    def all(self) -> dict[str, Any]:
        """Return all settings by name, without damaged ones."""
        return dict(self._file.parsed("settings", _setting, "ORDER BY name"))

    def set(self, name: str, value: Any) -> None:
        with self._file.change():
            self._file.insert("INSERT OR REPLACE INTO settings", [{"name": name, "value": json.dumps(value)}])

    def refuse(self, name: str, value: Any) -> None:
        """Report a setting whose value its reader doesn't know."""
        self._file.report("settings", {"name": name}, f"it cannot be {value!r:.40}")


def _setting(row: Row) -> tuple[str, Any]:
    """Return a row's name and value; ValueError if this program can't have saved it."""
    value = from_json(row["value"])
    CHECKS.get(row["name"], lambda _: None)(value)
    return row["name"], value


def _check_last(value: Any) -> None:
    if not isinstance(value, dict) or value.keys() - {"fair"} != LAST_KEYS:
        raise SpadesError(f"it must be an object with {', '.join(sorted(LAST_KEYS))}")
    Rules.parse(value["rules"])
    bots, seconds = value["bots"], value["move_seconds"]
    if not isinstance(bots, list) or len(bots) != NUM_SEATS or not all(isinstance(bot, str) for bot in bots):
        raise SpadesError(f"bots must be {NUM_SEATS} names")
    whole("seat", value["seat"], 0, NUM_SEATS - 1)
    if not isinstance(value.get("fair", False), bool):
        raise SpadesError("fair must be true or false")
    fits = isinstance(seconds, int | float) and not isinstance(seconds, bool) and 1 <= seconds <= LONGEST_MOVE
    if seconds is not None and not fits:
        raise SpadesError(f"move_seconds must be null or a number from 1 to {LONGEST_MOVE}, not {seconds!r:.40}")


def _check_values(value: Any) -> None:
    if not isinstance(value, dict) or not all(isinstance(one, bool | int | float | str) for one in value.values()):
        raise SpadesError("it must be an object of words, numbers, true and false")


CHECKS: dict[str, Callable[[Any], Any]] = {
    NAME: checked_name,
    FACE: checked_face,
    LAST: _check_last,
    PAGE: _check_values,
    TERMINAL: _check_values,
    LESSONS: LessonProgress.from_dict,
}
