"""Making arrays: of nothing, of numbers, of bytes, and of other arrays."""

import ctypes
import math
from itertools import pairwise
from typing import Any

from .dtypes import code_of_numbers, common_code, float64, int64
from .dtypes import dtype as dtype_of
from .operators import ndarray
from .shapes import items, lengths_of, shape


def zeros(shape: Any, dtype: Any = float64) -> ndarray:
    return ndarray._zeros(shape, dtype)


empty = zeros


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    lengths = lengths_of(shape)
    return ndarray._of([value] * math.prod(lengths), lengths, code_of_numbers([value]) if dtype is None else dtype)


def array(what: Any, dtype: Any = None, order: str = "C") -> ndarray:
    if isinstance(what, ndarray):
        return what.copy() if dtype is None or what.dtype == dtype else what.astype(dtype)
    inner = [one for one in what if isinstance(one, ndarray)] if isinstance(what, list | tuple) else []
    return ndarray._of(items(what), shape(what), inner[0].dtype if inner and dtype is None else dtype)


def asarray(what: Any, dtype: Any = None) -> ndarray:
    return what if isinstance(what, ndarray) and (dtype is None or what.dtype == dtype) else array(what, dtype)


def ascontiguousarray(what: ndarray) -> ndarray:
    return what if what._in_one_piece() else what.copy()


def frombuffer(data: bytes | bytearray, dtype: Any = float64) -> ndarray:
    """Return an array of these bytes; those of a bytearray are shared."""
    kind, memory = dtype_of(dtype), ctypes.c_char * max(len(data), 1)
    own = memory.from_buffer(data) if isinstance(data, bytearray) and data else memory.from_buffer_copy(data or b"\0")
    return ndarray(own, memoryview(own).cast("B"), 0, (len(data) // kind.itemsize,), (kind.itemsize,), kind)


def arange(*bounds: int) -> ndarray:
    values = list(range(*map(int, bounds)))
    return ndarray._of(values, (len(values),), int64)


def ravel(what: Any) -> ndarray:
    return asarray(what if isinstance(what, ndarray | list | tuple) else [what]).reshape(-1)


def concatenate(parts: list, axis: int = 0) -> ndarray:
    arrays = [asarray(part) for part in parts]
    lengths = list(arrays[0].shape)
    lengths[axis] = sum(one.shape[axis] for one in arrays)
    kind = arrays[0].dtype
    for one in arrays[1:]:
        kind = dtype_of(common_code(kind, one.dtype))
    made, at = zeros(lengths, kind), 0
    for one in arrays:
        made[_part(axis, at, at + one.shape[axis])] = one
        at += one.shape[axis]
    return made


def split(what: ndarray, at: list[int], axis: int = 0) -> list[ndarray]:
    return [what[_part(axis, a, b)] for a, b in pairwise([0, *at, what.shape[axis]])]


def _part(axis: int, begin: int, end: int) -> tuple[slice, ...]:
    return (*[slice(None)] * axis, slice(begin, end))


def pad(what: ndarray, width: list[tuple[int, int]]) -> ndarray:
    made = zeros([n + a + b for n, (a, b) in zip(what.shape, width, strict=True)], what.dtype)
    made[tuple(slice(a, a + n) for n, (a, _) in zip(what.shape, width, strict=True))] = what
    return made
