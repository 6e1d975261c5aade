"""Checks of messages: every field's name, type, size and range, before anything happens.

message = read('{"id": 7, "do": "act", "action": "AS", "version": 31}', 4096)
checked(message, {"action": Field(text(8)), "version": Field(whole(0, MOST))})  → {"action": "AS", "version": 31}
"""

import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from spades_env.plain import PlainError, from_json
from spades_env.play.server.errors import RefusedError

MOST = 2**53 - 1  # the largest whole number that JavaScript holds exactly
ALWAYS = ("id", "do")  # in every message
SHOWN = 40  # characters of what was sent, when an error quotes it
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # an escape that should be one of a pair
DEEPEST = 8  # nested lists and objects

Check = Callable[[Any], Any]
Object = dict[str, Any]


NEEDED: Any = object()  # the default of a field that must be there


@dataclass(frozen=True)
class Field:
    """One field. check: raises RefusedError with what it takes, such as "true or false"; default: if it is missing."""

    check: Check
    default: Any = NEEDED


def read(text: str, longest: int) -> Object:
    """Return the object in a message."""
    check_size(text, longest)
    try:
        message = from_json(text, parse_constant=_refuse_number, parse_float=_finite, object_pairs_hook=_object)
    except PlainError:
        message = None
    if not isinstance(message, dict):
        raise RefusedError("A message is one object in JSON")
    if SURROGATE.search(text) and not _can_be_encoded(message):
        raise RefusedError("A message holds whole characters, not half of one (a lone surrogate)")
    return message


def _can_be_encoded(message: Object) -> bool:
    """Tell whether a message has no lone surrogate, which no file and no database takes."""
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def check_size(text: str, longest: int) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > longest:
        raise RefusedError(f"A message has at most {longest:,} bytes, not {size:,}")


def checked(message: Object, fields: Mapping[str, Field]) -> Object:
    """Return the fields of a message but `id` and `do`, each as its check returns it."""
    unknown = [name for name in message if name not in fields and name not in ALWAYS]
    if unknown:
        known = ", ".join(fields) or "no fields"
        raise RefusedError(f"unknown field {quoted(unknown[0])} of {message['do']!r}; expected {known}")
    values = {}
    for name, field in fields.items():
        if name not in message and field.default is NEEDED:
            raise RefusedError(f"{message['do']!r} needs {name}")
        values[name] = take(name, message[name], field.check) if name in message else field.default
    return values


def take(name: str, value: Any, check: Check) -> Any:
    try:
        return check(value)
    except RefusedError as refusal:
        raise RefusedError(f"{name} must be {refusal}, not {quoted(value)}") from None


def _must(fit: Callable[[Any], Any], words: str) -> Check:
    """Take a value that fits, as it is."""

    def check(value: Any) -> Any:
        if not fit(value):
            raise RefusedError(words)
        return value

    return check


def whole(low: int, high: int) -> Check:
    return _must(lambda value: type(value) is int and low <= value <= high, f"a whole number from {low} to {high}")


def number(low: float, high: float) -> Check:
    words = f"a number from {low:g} to {high:g}"
    return _must(lambda value: type(value) in (int, float) and low <= value <= high, words)


def text(longest: int, pattern: str = ".*", words: str = "") -> Check:
    """Take a text. pattern: a regular expression for the whole text; words: the pattern in words."""
    whole_text = re.compile(pattern, re.DOTALL)
    words = words or f"a text of at most {longest:,} characters"
    return _must(lambda value: isinstance(value, str) and len(value) <= longest and whole_text.fullmatch(value), words)


def plain(longest: int) -> Check:
    words = f"at most {longest:,} characters of JSON"
    return _must(lambda value: depth(value) <= DEEPEST and len(json.dumps(value)) <= longest, words)


def simple(longest: int) -> Check:
    words = f"a number, a text of at most {longest - 2} characters, true, false or null"
    return _must(lambda value: not isinstance(value, dict | list) and len(json.dumps(value)) <= longest, words)


def one_of(words: Collection[str]) -> Check:
    return _must(lambda value: isinstance(value, str) and value in words, f"one of {', '.join(words)}")


flag = _must(lambda value: isinstance(value, bool), "true or false")


def none_or(check: Check) -> Check:
    """Take null, or what the check takes."""

    def checked(value: Any) -> Any:
        try:
            return None if value is None else check(value)
        except RefusedError as refusal:
            raise RefusedError(f"{refusal}, or null") from None

    return checked


def four(check: Check) -> Check:
    """Take a list of four."""

    def checked(value: Any) -> list:
        if not isinstance(value, list) or len(value) != 4:
            raise RefusedError("a list of four, one a seat")
        return [check(one) for one in value]

    return checked


def several(check: Check, most: int) -> Check:
    """Take a list of at most `most` values, each of which the check takes."""

    def checked(value: Any) -> list:
        if not isinstance(value, list) or len(value) > most:
            raise RefusedError(f"a list of at most {most}")
        return [check(one) for one in value]

    return checked


def order_of_four(value: Any) -> list[int]:
    """Take the four seats in any order."""
    if not isinstance(value, list) or any(type(one) is not int for one in value) or sorted(value) != [0, 1, 2, 3]:
        raise RefusedError("the seats 0 to 3 in any order, each once")
    return value


def mapping(check: Check, most: int) -> Check:
    """Take an object of at most `most` fields, each with a value that the check takes."""

    def checked(value: Any) -> Object:
        if not isinstance(value, dict) or len(value) > most:
            raise RefusedError(f"an object of at most {most} fields")
        return {name: check(one) for name, one in value.items()}

    return checked


def depth(value: Any, most: int = DEEPEST + 1) -> int:
    """Return how deeply lists and objects are nested, up to `most`."""
    if most == 0 or not isinstance(value, dict | list):
        return 0
    inside = value.values() if isinstance(value, dict) else value
    return 1 + max((depth(one, most - 1) for one in inside), default=0)


def quoted(value: Any) -> str:
    words = json.dumps(_cut(value), ensure_ascii=True)
    return words if len(words) <= SHOWN else words[:SHOWN] + "…"


def _cut(value: Any, most: int = SHOWN) -> Any:
    """Return a value without what is nested too deep to be shown."""
    if most == 0:
        return None
    if isinstance(value, dict):
        return {name: _cut(one, most - 1) for name, one in value.items()}
    return [_cut(one, most - 1) for one in value] if isinstance(value, list) else value


def _object(pairs: list[tuple[str, Any]]) -> Object:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RefusedError("A message names every field once")
    return fields


def _finite(word: str) -> float:
    return float(word) if math.isfinite(float(word)) else _refuse_number(word)


def _refuse_number(word: str) -> Any:
    raise RefusedError(f"{word} is not a number in JSON")
