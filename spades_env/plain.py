"""Read plain data from TOML and JSON. PlainError says in one sentence what is wrong with a text."""

import json
import tomllib
from collections.abc import Iterable
from typing import Any

from spades_env.errors import SpadesError

DEEPEST = 64  # nested brackets: far more than any of our files has, far fewer than Python's recursion limit
TOO_DEEP = f"its brackets are nested more than {DEEPEST} deep"

OF_JSON = (json.JSONDecodeError, UnicodeDecodeError, ValueError)  # ValueError: a number of thousands of digits


class PlainError(SpadesError):
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
    """Return what a JSON text describes; bytes are UTF-8. Errors that the hooks of `json.loads` raise pass through."""
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
    """Return the value; refuse one nested too deep to be walked through or printed later."""
    level = _containers([value])
    for _ in range(DEEPEST):
        level = _containers(inner for one in level for inner in (one.values() if isinstance(one, dict) else one))
    if level:
        raise PlainError(TOO_DEEP)
    return value


def _containers(values: Iterable[Any]) -> list[dict | list]:
    return [value for value in values if isinstance(value, dict | list)]
