"""What a message may hold: every field's name, type, size and range is checked here, before anything happens.

told = read('{"id": 7, "do": "act", "action": "AS", "version": 31}', 4096)
checked(told, {"action": Field(text(8)), "version": Field(whole(0, MOST))})     → {"action": "AS", "version": 31}
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from play.server.refusals import RefusedError
from spades_env.plain import PlainError, from_json

MOST = 2**53 - 1  # the largest whole number that a page can tell exactly
ALWAYS = ("id", "do")  # in every message
SHOWN = 40  # characters of what was sent, when it is told back
DEEPEST = 8  # of lists and objects in each other

Check = Callable[[Any], Any]
Object = dict[str, Any]


class _Needed:
    """Stands for "this field must be there"."""


NEEDED = _Needed()


@dataclass(frozen=True)
class Field:
    """One field: its check, which says what it takes by raising RefusedError, and what it is when it is left out."""

    check: Check
    default: Any = NEEDED


def read(message: str, longest: int) -> Object:
    """The object that a message is."""
    check_size(message, longest)
    try:
        told = from_json(message, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_object)
    except PlainError:
        raise RefusedError("A message is one object in JSON") from None
    if not isinstance(told, dict):
        raise RefusedError("A message is one object in JSON")
    return told


def check_size(message: str, longest: int) -> None:
    """Is a message short enough?"""
    size = len(message.encode("utf-8", "surrogatepass"))
    if size > longest:
        raise RefusedError(f"A message has at most {longest:,} bytes, not {size:,}")


def checked(told: Object, fields: Mapping[str, Field]) -> Object:
    """The fields of a message, each as its check gives it; those of every message are left out."""
    unknown = [name for name in told if name not in fields and name not in ALWAYS]
    if unknown:
        known = ", ".join(fields) or "no fields"
        raise RefusedError(f"{shown(unknown[0])} is no field of {told['do']!r}: it takes {known}")
    return {name: _value(name, told, field) for name, field in fields.items()}


def _value(name: str, told: Object, field: Field) -> Any:
    if name not in told:
        if field.default is NEEDED:
            raise RefusedError(f"{told['do']!r} needs {name}")
        return field.default
    try:
        return field.check(told[name])
    except RefusedError as refusal:
        raise RefusedError(f"{name} must be {refusal}, not {shown(told[name])}") from None


def whole(low: int, high: int) -> Check:
    """A whole number."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise RefusedError(f"a whole number from {low} to {high}")
        return value

    return check


def number(low: float, high: float) -> Check:
    """A number."""

    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise RefusedError(f"a number from {low:g} to {high:g}")
        return value

    return check


def text(longest: int, pattern: str = "", words: str = "") -> Check:
    """A text; pattern: what all of it must be like, in words, too."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest or (pattern and not re.fullmatch(pattern, value)):
            raise RefusedError(words or f"a text of at most {longest:,} characters")
        return value

    return check


def flag(value: Any) -> bool:
    """Yes or no."""
    if not isinstance(value, bool):
        raise RefusedError("true or false")
    return value


def none_or(check: Check) -> Check:
    """What the check takes, or null."""

    def checked(value: Any) -> Any:
        if value is None:
            return None
        try:
            return check(value)
        except RefusedError as refusal:
            raise RefusedError(f"{refusal}, or null") from None

    return checked


def four(check: Check) -> Check:
    """A list of four."""

    def checked(value: Any) -> list:
        if not isinstance(value, list) or len(value) != 4:
            raise RefusedError("a list of four, one a seat")
        return [check(one) for one in value]

    return checked


def plain(longest: int) -> Check:
    """Anything that JSON can hold, if it is short."""

    def check(value: Any) -> Any:
        if depth(value) > DEEPEST or len(json.dumps(value)) > longest:
            raise RefusedError(f"at most {longest:,} characters of JSON")
        return value

    return check


def simple(longest: int) -> Check:
    """A number, a short text, true, false or null."""

    def check(value: Any) -> Any:
        if isinstance(value, dict | list) or len(json.dumps(value)) > longest:
            raise RefusedError(f"a number, a text of at most {longest - 2} characters, true, false or null")
        return value

    return check


def mapping(check: Check, most: int) -> Check:
    """An object whose values the check takes."""

    def checked(value: Any) -> Object:
        if not isinstance(value, dict) or len(value) > most:
            raise RefusedError(f"an object of at most {most} fields")
        return {name: check(one) for name, one in value.items()}

    return checked


def depth(value: Any, most: int = DEEPEST + 1) -> int:
    """How deep lists and objects stand in each other; from `most` on nobody looks any deeper."""
    if most == 0 or not isinstance(value, dict | list):
        return 0
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max((depth(one, most - 1) for one in inside), default=0)


def shown(value: Any) -> str:
    """What was sent, as far as it fits into a sentence."""
    words = json.dumps(_cut(value), ensure_ascii=True)
    return words if len(words) <= SHOWN else words[:SHOWN] + "…"


def _cut(value: Any, most: int = SHOWN) -> Any:
    """The same without what stands so deep that it is not shown."""
    if most == 0:
        return None
    if isinstance(value, dict):
        return {name: _cut(one, most - 1) for name, one in value.items()}
    return [_cut(one, most - 1) for one in value] if isinstance(value, list) else value


def _object(pairs: list[tuple[str, Any]]) -> Object:
    told = dict(pairs)
    if len(told) < len(pairs):
        raise RefusedError("A message names every field once")
    return told


def _finite(word: str) -> float:
    return float(word) if math.isfinite(float(word)) else _no_number(word)


def _no_number(word: str) -> Any:
    raise RefusedError(f"{word} is no number of JSON")
