"""A row of the store: what its columns hold, and whether it is as it was written.

Each row bears a sum of its table's name and its values. A damaged row is reported and left out; it is never deleted.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

NUMBER, MAYBE_NUMBER, MAYBE_TEXT = (int, float), (int, type(None)), (str, type(None))
COLUMNS: dict[str, dict[str, Any]] = {  # of each table, in their order: the types that may stand there
    "sittings": {"key": str, "state": str, "began": str, "changed": str, "told": str, "changes": int},
    "hands": {"id": int, "key": str, "number": int, "taken_back": int, "rules": str, "told": str},
    "hand_results": {"hand": int, "key": str, "seat": int, "person": str}
    | dict.fromkeys(("bid", "tricks", "nil", "blind", "made", "bags"), int),
    "game_results": {"id": int, "key": str, "seat": int, "person": str, "ended": str, "outcome": NUMBER}
    | {"margin": int, "hands": int, "difficulty": MAYBE_NUMBER, "partner": MAYBE_TEXT, "opponents": str}
    | dict.fromkeys(("hints", "takebacks", "moved_for"), int),
    "variants": {"name": str, "rules": str},
    "settings": {"name": str, "value": str},
}
NAMED_BY = {"sittings": "key", "variants": "name", "settings": "name"}  # rows of other tables have numbers
SAYS = {
    "sittings": "this game cannot be read",
    "hands": "a finished hand of the game {key} cannot be read and is left out",
    "hand_results": "the result of a hand cannot be read and is left out of the statistics",
    "game_results": "the result of a game cannot be read and is left out of the statistics",
    "variants": "the rules that were named {} cannot be read and are left out",
    "settings": "the setting {} cannot be read, so the usual one is taken",
}
NOT_AS_WRITTEN = "it is not what was written"

Row = dict[str, Any]


def digest(table: str, values: Iterable[Any]) -> str:
    """The sum of a row. Numbers are compared as numbers: a column of REAL gives 1 back as 1.0."""
    told = [float(value) if isinstance(value, int | float) else value for value in values]
    return hashlib.blake2b(json.dumps([table, *told], default=repr).encode(), digest_size=8).hexdigest()


def sum_of(table: str, row: Mapping[str, Any]) -> str:
    """The same of a row by its columns' names."""
    return digest(table, [row[name] for name in COLUMNS[table]])


def as_text(content: bytes) -> str | bytes:
    """How text comes out of the file: what is no UTF-8 stays bytes, so that one row is refused and not all."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def flaw(table: str, row: Row) -> str | None:
    """Why a row cannot be trusted; None: it can."""
    for name, types in COLUMNS[table].items():
        if isinstance(row[name], bytes):
            return f"its {name} is not text"
        if not isinstance(row[name], types):
            return f"its {name} cannot be {row[name]!r:.40}"
    return None if row["sum"] == sum_of(table, row) else NOT_AS_WRITTEN


def name_of(table: str, row: Row) -> str:
    """What a row is called: its key or name, else its number."""
    name = row[NAMED_BY.get(table, "rowid")]
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


def says(table: str, name: str, row: Row) -> str:
    """What is the matter, for a person."""
    return SAYS[table].format(repr(name), key=repr(row.get("key")))
