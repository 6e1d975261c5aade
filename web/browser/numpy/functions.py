"""Functions of arrays, item by item or of all items."""

import builtins
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

from .bits import all_finite, without_signs
from .creation import zeros
from .dtypes import int64
from .operators import code_of_result, ndarray, operated
from .shapes import common, items, shape, stretched


def _of_each(function: Callable) -> Callable:
    def apply(what: Any) -> Any:
        if not isinstance(what, ndarray):
            return function(what)
        return what._each(function, what.dtype if what.dtype.kind == "f" else "d")

    return apply


def _logarithm(value: float) -> float:
    return math.log(value) if value > 0 else math.nan if value < 0 or value != value else -math.inf


def _power_of_e(value: float) -> float:
    return math.exp(value) if value < 709.78 or value != value else math.inf


exp, log = _of_each(_power_of_e), _of_each(_logarithm)
sqrt = _of_each(lambda value: math.sqrt(value) if value >= 0 else math.nan)


def abs(what: ndarray) -> ndarray:
    if what.dtype.kind != "f":
        return what._each(builtins.abs)
    made = zeros(what.shape, what.dtype)
    made._bytes[:] = without_signs(what.tobytes(), what.itemsize)
    return made


def isfinite(what: ndarray) -> ndarray:
    if what.dtype.kind == "f" and not all_finite(what.tobytes(), what.itemsize):
        return what._each(math.isfinite, "?")
    made = zeros(what.shape, "?")
    made._bytes[:] = b"\1" * what.size
    return made


def minimum(one: Any, other: Any) -> Any:
    return operated(min, one, other) if _has_array(one, other) else min(one, other)


def _has_array(*operands: Any) -> bool:
    return any(isinstance(one, ndarray) for one in operands)


def where(condition: Any, one: Any, other: Any) -> ndarray:
    lengths = common(shape(condition), shape(one), shape(other))
    chosen = zip(*(stretched(what, lengths) for what in (condition, one, other)), strict=True)
    typed = isinstance(one, ndarray) or isinstance(other, ndarray)
    return ndarray._of(
        [a if yes else b for yes, a, b in chosen], lengths, code_of_result(one, other) if typed else None
    )


def flatnonzero(what: Any) -> ndarray:
    values = [i for i, one in enumerate(items(what)) if one]
    return ndarray._of(values, (len(values),), int64)


def argsort(what: ndarray, kind: str = "stable") -> ndarray:
    values = what._flat()
    return ndarray._of(sorted(range(len(values)), key=values.__getitem__), (len(values),), int64)


def prod(values: Iterable) -> Any:
    return math.prod(values)


def ndindex(*lengths: int) -> Iterator[tuple[int, ...]]:
    return product(*map(range, lengths))


@contextmanager
def errstate(**how: str) -> Iterator[None]:
    yield
