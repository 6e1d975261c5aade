"""A row of `sittings`: the table in it, and how a list shows it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from spades_env.errors import SpadesError
from spades_env.plain import from_json
from spades_env.play.store.rows import DAMAGED, DATA, NOT_AS_WRITTEN, Row, flaw, name_of
from spades_env.play.store.saved import unpacked
from spades_env.play.table.table import Table

OPEN, OVER, GIVEN_UP = "open", "over", "given up"
STATES = (OPEN, OVER, GIVEN_UP)
UNREADABLE = "This game cannot be read"


@dataclass(frozen=True)
class Saved:
    """A sitting in a list."""

    key: str
    state: str
    began: str
    changed: str
    rules: str
    people: tuple[str, ...]
    bots: tuple[str, ...]


def table_of(row: Row) -> Table:
    """Return the table in a row; ValueError says what is damaged, beginning with the table's text."""
    why = flaw("sittings", row)
    if why and why != NOT_AS_WRITTEN:
        raise SpadesError(why)
    try:
        table = unpacked(from_json(row[DATA]))
    except (AttributeError, LookupError, TypeError):
        raise SpadesError(DAMAGED) from None
    check_sitting(row)
    return table


def check_sitting(row: Row) -> None:
    why = flaw("sittings", row)
    if why or row["state"] not in STATES or not (is_time(row["began"]) and is_time(row["changed"])):
        raise SpadesError(why or DAMAGED)


def saved_of(row: Row) -> Saved:
    """Describe a row for a list; an error means that it can't be read."""
    check_sitting(row)
    data = from_json(row[DATA])
    rules, people, bots = data["rules"], tuple(person for person in data["people"] if person), tuple(data["bots"])
    if not all(isinstance(word, str) for word in (rules, *people, *bots)):
        raise SpadesError(DAMAGED)
    return Saved(name_of("sittings", row), row["state"], row["began"], row["changed"], rules, people, bots)


def unreadable(row: Row) -> Saved:
    """Describe a damaged row, as far as it can be read."""
    state = row["state"] if row["state"] in STATES else OPEN
    began, changed = (time if is_time(time) else "" for time in (row["began"], row["changed"]))
    return Saved(name_of("sittings", row), state, began, changed, UNREADABLE, (), ())


def is_time(text: Any) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except (TypeError, ValueError):
        return False
