"""Checks at the Python edge: one clear error that names what is wrong and what is allowed; and what is taken where
nobody says."""

import difflib
import operator
import os
import secrets
from collections.abc import Iterable

import numpy as np

LARGEST_SEED = 2**64 - 1


def whole(name: str, value, low: int, high: int) -> int:
    """Return the value as an int, if it is one between low and high."""
    number = as_int(value)
    if number is None or not low <= number <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return number


def as_int(value) -> int | None:
    """Return an int from whatever kind of whole number it is; None from anything else, a bool included."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def array(name: str, value, shape: tuple[int, ...], dtype) -> np.ndarray:
    """Return the value, if kernels may write into it: an array of this shape and type, in one piece."""
    if not isinstance(value, np.ndarray) or value.shape != shape or value.dtype != dtype:
        found = f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else repr(value)
        raise ValueError(f"{name} must be {np.dtype(dtype).name}{list(shape)}, not {found}")
    if not value.flags.c_contiguous or not value.flags.writeable:
        raise ValueError(f"{name} must be a writeable array in one piece")
    return value


def one_of(name: str, value, allowed):
    """Return the value, if it is allowed."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}, not {value!r}")
    return value


def random_seed() -> int:
    """Return a seed nobody chose."""
    return secrets.randbits(63)


def usable_cores() -> int:
    """Return how many threads can run at once: a process may be granted fewer cores than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def nearest(word: str, known: Iterable[str]) -> str:
    """Return what was probably meant, to be said behind a word that is not known."""
    close = closest(word, known)
    return f" (did you mean {close!r}?)" if close else ""


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like this one, if any is."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1)), None)
