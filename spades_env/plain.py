"""Plain data out of TOML and JSON. Whatever is wrong with a text, PlainError says it in one sentence."""

import json
import tomllib
from collections.abc import Iterable
from typing import Any

DEEPEST = 64  # brackets in brackets: far more than any file of ours, far fewer than Python can follow
TOO_DEEP = f"its brackets are nested more than {DEEPEST} deep"

OF_JSON = (json.JSONDecodeError, UnicodeDecodeError, ValueError)  # the last: a number of thousands of digits


class PlainError(ValueError):
    """A text that is not the TOML or JSON that it should be."""


def from_toml(text: str | bytes) -> dict[str, Any]:
    """Return the table that a TOML text describes; bytes are UTF-8."""
    try:
        return _shallow(tomllib.loads(_decoded(text)))
    except RecursionError:
        raise PlainError(TOO_DEEP) from None
    except ValueError as error:
        raise PlainError(str(error)) from None


def from_json(text: str | bytes, **hooks: Any) -> Any:
    """Return what a JSON text describes; bytes are UTF-8. hooks: what `json.loads` takes; their own errors pass."""
    try:
        return _shallow(json.loads(_decoded(text), **hooks))
    except RecursionError:
        raise PlainError(TOO_DEEP) from None
    except ValueError as error:
        if type(error) not in OF_JSON:
            raise
        raise PlainError(str(error)) from None


def _decoded(text: str | bytes) -> str:
    return text.decode("utf-8") if isinstance(text, bytes) else text


def _shallow(value: Any) -> Any:
    """Return the value unless it is nested too deep for those who walk through it, or print it, later."""
    level = _nests([value])
    for _ in range(DEEPEST):
        level = _nests(inner for one in level for inner in (one.values() if isinstance(one, dict) else one))
    if level:
        raise PlainError(TOO_DEEP)
    return value


def _nests(values: Iterable[Any]) -> list[dict | list]:
    """Return those of the values that hold others."""
    return [value for value in values if isinstance(value, dict | list)]
