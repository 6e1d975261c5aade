"""What the columns of the store's tables hold, and whether a row is undamaged.

Each row has a checksum of its table's name and its values. A damaged row is reported and left out, never deleted.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

DATA = "told"  # the column of sittings and hands that holds them as JSON; files on disk have it under this name
NUMBER, MAYBE_NUMBER, MAYBE_TEXT = (int, float), (int, type(None)), (str, type(None))
COLUMNS: dict[str, dict[str, Any]] = {  # of each table, in order: the types that a value may have
    "sittings": {"key": str, "state": str, "began": str, "changed": str, DATA: str, "changes": int},
    "hands": {"id": int, "key": str, "number": int, "taken_back": int, "rules": str, DATA: str},
    "hand_results": {"hand": int, "key": str, "seat": int, "person": str}
    | dict.fromkeys(("bid", "tricks", "nil", "blind", "made", "bags"), int),
    "game_results": {"id": int, "key": str, "seat": int, "person": str, "ended": str, "outcome": NUMBER}
    | {"margin": int, "hands": int, "difficulty": MAYBE_NUMBER, "partner": MAYBE_TEXT, "opponents": str}
    | dict.fromkeys(("hints", "takebacks", "moved_for"), int),
    "variants": {"name": str, "rules": str},
    "settings": {"name": str, "value": str},
}
NAMED_BY = {"sittings": "key", "variants": "name", "settings": "name"}  # rows of other tables have numbers
REPORTS = {
    "sittings": "this game cannot be read",
    "hands": "a finished hand of the game {key} cannot be read and is left out",
    "hand_results": "the result of a hand cannot be read and is left out of the statistics",
    "game_results": "the result of a game cannot be read and is left out of the statistics",
    "variants": "the rules named {} cannot be read and are left out",
    "settings": "the setting {} cannot be read, so its default is used",
}
NOT_AS_WRITTEN = "it is not what was saved"
DAMAGED = "its saved data is damaged"

Row = dict[str, Any]


def as_json(data: dict) -> str:
    return json.dumps(data, separators=(",", ":"))


def checksum(table: str, values: Iterable[Any]) -> str:
    """Return the checksum of values. Numbers count as floats: a column of REAL gives 1 back as 1.0."""
    plain = [float(value) if isinstance(value, int | float) else value for value in values]
    return hashlib.blake2b(json.dumps([table, *plain], default=repr).encode(), digest_size=8).hexdigest()


def sum_of(table: str, row: Mapping[str, Any]) -> str:
    """Return the checksum of a row, whose columns may be in any order."""
    return checksum(table, [row[name] for name in COLUMNS[table]])


def as_text(content: bytes) -> str | bytes:
    """Decode text from the file. What isn't UTF-8 stays bytes, so that only its row is refused."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def flaw(table: str, row: Row) -> str | None:
    """Say why a row can't be trusted; None if it can."""
    for name, types in COLUMNS[table].items():
        if isinstance(row[name], bytes):
            return f"its {name} is not text"
        if not isinstance(row[name], types):
            return f"its {name} cannot be {row[name]!r:.40}"
    return None if row["sum"] == sum_of(table, row) else NOT_AS_WRITTEN


def name_of(table: str, row: Row) -> str:
    name = row[NAMED_BY.get(table, "rowid")]
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


def report_of(table: str, name: str, row: Row) -> str:
    return REPORTS[table].format(repr(name), key=repr(row.get("key")))


def damage_words(error: Exception) -> str:
    """Say why a row can't be read: a ValueError has words for that, other errors have none."""
    return str(error) if isinstance(error, ValueError) else DAMAGED
