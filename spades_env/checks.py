"""Checks of arguments, with errors that name what is wrong and what is allowed; and a few defaults."""

import difflib
import operator
import os
import secrets
from collections.abc import Iterable

import numpy as np

from spades_env.errors import SpadesError

LARGEST_SEED = 2**64 - 1


def whole(name: str, value, low: int, high: int) -> int:
    number = as_int(value)
    if number is None or not low <= number <= high:
        raise SpadesError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return number


def as_int(value) -> int | None:
    """Return any kind of whole number as an int; None for anything else, also for a bool."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def array(name: str, value, shape: tuple[int, ...], dtype) -> np.ndarray:
    """Require a contiguous, writeable array of this shape and type; return it."""
    if not isinstance(value, np.ndarray) or value.shape != shape or value.dtype != dtype:
        found = f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else repr(value)
        raise SpadesError(f"{name} must be {np.dtype(dtype).name}{list(shape)}, not {found}")
    if not value.flags.c_contiguous or not value.flags.writeable:
        raise SpadesError(f"{name} must be C-contiguous and writeable")
    return value


def one_of(name: str, value, allowed):
    if value not in allowed:
        raise SpadesError(f"{name} must be one of {', '.join(map(str, allowed))}, not {value!r}")
    return value


def random_seed() -> int:
    return secrets.randbits(63)


def usable_cores() -> int:
    """Return the number of cores this process may use, which can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint " (did you mean …?)" to follow an unknown word, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
