"""Declare and read the keys of a recipe: a dataclass for each section, a range for each number.

    rate: float = positive(3e-4)       more than 0
    noise: float = fraction(0.1)       0 to 1
    soft: float = not_negative(0.0)    0 or more

    read_section(Network, {"width": 384}, "network.")

An unknown key, a value of another kind and a number out of its range are refused; the message names the key.
"""

import math
from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields
from typing import Any

from spades_env.checks import nearest
from spades_env.errors import SpadesError
from spades_env.plain import PlainError, from_toml

DEEPEST_KEY = 4  # dots in a key that is changed: network.options.hidden has two


class RecipeError(SpadesError):
    """A recipe that cannot be followed; the message names the key and what is allowed."""


# Declaring

Check = Callable[[Any], str]  # what a value must be, if it is not; else nothing


def _number(default: float, zero: bool = False, most: float = math.inf) -> Any:
    def check(value: float) -> str:
        if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
            return f"{'at least' if zero else 'more than'} 0"
        return f"at most {most}" if value > most else ""

    return field(default=default, metadata={"check": check})


def positive(default: float) -> Any:
    return _number(default)


def not_negative(default: float, most: float = math.inf) -> Any:
    return _number(default, zero=True, most=most)


def fraction(default: float, zero: bool = True) -> Any:
    """Declare a number from 0 to 1; without zero, above 0."""
    return _number(default, zero, most=1)


def any_number(default: float) -> Any:
    return field(default=default, metadata={"check": lambda value: "" if math.isfinite(value) else "a finite number"})


def read_by(read: Callable[[Any], Any], default: Any) -> Any:
    return field(default=default, metadata={"read": read})


def table_read_by(read: Callable[[Any], dict[str, Any]]) -> Any:
    """Declare a table, by default an empty one."""
    return field(default_factory=dict, metadata={"read": read})


def share_table() -> Any:
    """Declare a table that gives names a share from 0 to 1 each, by default an empty one."""
    return field(default_factory=dict, metadata={"shares": True})


# Reading


def read_section(section: type, table: dict[str, Any], where: str) -> Any:
    """Return the section that a table describes; `where` is the prefix of its keys in messages."""
    known = {key.name: key for key in fields(section)}
    for name in table:
        if name not in known:
            raise RecipeError(f"unknown key {where}{name}{nearest(name, known)}; expected one of {', '.join(known)}")
    return section(**{name: _read_value(known[name], value, f"{where}{name}") for name, value in table.items()})


def _read_value(key: Field, value: Any, where: str) -> Any:
    if "read" in key.metadata:
        return key.metadata["read"](value)
    default = key.default if key.default is not MISSING else key.default_factory()  # type: ignore[misc]
    if hasattr(default, "__dataclass_fields__"):
        if not isinstance(value, dict):
            raise RecipeError(f"{where} must be a section, not {value!r}")
        return read_section(type(default), value, f"{where}.")
    if isinstance(default, tuple):
        kinds = {type(item).__name__ for item in default} or {"str"}
        if not isinstance(value, list) or not {type(item).__name__ for item in value} <= kinds:
            items = "strings" if kinds == {"str"} else " or ".join(sorted(kinds))
            raise RecipeError(f"{where} must be a list of {items}, not {value!r}")
        return tuple(value)
    if "shares" in key.metadata:
        if not isinstance(value, dict) or not all(_is_share(item) for item in value.values()):
            raise RecipeError(f"{where} must give every name a share from 0 to 1, not {value!r}")
        return {name: float(item) for name, item in value.items()}
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if default is not None and type(value) is not type(default):
        raise RecipeError(f"{where} must be of the kind {type(default).__name__}, not {value!r}")
    check: Check | None = key.metadata.get("check")
    if check and (allowed := check(value)):
        raise RecipeError(f"{where} must be {allowed}, not {value!r}")
    return value


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def change(table: dict[str, Any], key: str, text: str) -> None:
    """Set table[a][b] for the key a.b to the value that TOML reads in the text; stages are counted from 0."""
    *path, last = key.split(".")
    place: Any = table
    try:
        value = from_toml(f"value = {text}")["value"]
    except PlainError:
        value = text
    if len(path) > DEEPEST_KEY:
        raise RecipeError(f"{key:.80} … names no place in the recipe")
    try:
        for step in path:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        place[last] = value
    except (IndexError, ValueError, TypeError, AttributeError):
        raise RecipeError(f"{key} names no place in the recipe") from None
