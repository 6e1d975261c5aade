"""Items in C memory: read, written and copied in runs.

A run is what lies along the last axis; C code reads and writes it at once.
"""

import ctypes
import math
import struct
from array import array
from collections.abc import Iterable
from typing import Any

from .dtypes import code_of_numbers
from .dtypes import dtype as dtype_of
from .records import record
from .shapes import lengths_of, nested, places, steps


class Flags:
    def __init__(self) -> None:
        self.writeable = self.c_contiguous = True


class Memory:
    """memory: whose bytes they are, kept alive; the first item lies `at` bytes behind its beginning."""

    __slots__ = ("_at", "_bytes", "_memory", "_words", "dtype", "flags", "shape", "strides")

    def __init__(
        self, memory: Any, view: memoryview, at: int, shape: Iterable[int], strides: Iterable[int], kind: dtype_of
    ):
        self._memory, self._bytes, self._at, self._words = memory, view, at, None
        self.shape, self.strides, self.dtype, self.flags = tuple(shape), tuple(strides), kind, Flags()

    @classmethod
    def _zeros(cls, shape: Any, kind: Any) -> Any:
        """Return an array of zeros in memory of its own."""
        lengths, kind = lengths_of(shape), dtype_of(kind)
        size = math.prod(lengths) * kind.itemsize
        memory = (ctypes.c_char * max(size, 1))()
        return cls(memory, memoryview(memory).cast("B")[:size], 0, lengths, steps(lengths, kind.itemsize), kind)

    @classmethod
    def _of(cls, flat: list, shape: Iterable[int], kind: Any = None) -> Any:
        """Return an array of these items."""
        made = cls._zeros(tuple(shape), code_of_numbers(flat) if kind is None else kind)
        made._fill(flat)
        return made

    def _like(self, shape: Iterable[int], strides: Iterable[int], at: int | None = None, kind: Any = None) -> Any:
        """Return another array on the same memory."""
        at = self._at if at is None else at
        return type(self)(self._memory, self._bytes, at, shape, strides, kind or self.dtype)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def address(self) -> int:
        return ctypes.addressof(self._memory) + self._at

    @property
    def words(self) -> tuple[int, ...]:
        """The array as numba's code reads it."""
        if self._words is None:
            self._words = (0, 0, self.size, self.itemsize, self.address, *self.shape, *self.strides)
        return self._words

    def __len__(self) -> int:
        return self.shape[0]

    def _in_one_piece(self) -> bool:
        return self.strides == steps(self.shape, self.itemsize)

    def _last_axis(self) -> tuple[int, int]:
        """Return the length and the stride of a run."""
        return (self.shape[-1], self.strides[-1]) if self.shape else (1, self.itemsize)

    def _runs(self) -> list[int]:
        """Return where each run begins."""
        return places(self._at, self.shape[:-1], self.strides[:-1])

    def _run(self, at: int, length: int, stride: int) -> memoryview:
        """Return a run as numbers; its stride is a multiple of their size."""
        size = self.itemsize
        low, high = sorted((at, at + (length - 1) * stride))
        code = "H" if self.dtype.code == "e" else self.dtype.code
        return self._bytes[low : high + size].cast(code)[:: stride // size if length > 1 else 1]

    def _flat(self) -> list:
        """Return all items, as numbers or records."""
        if not self.size:
            return []
        if self.dtype.code is None:
            return self._records()
        if self._in_one_piece():
            if self.dtype.code == "e":
                return list(struct.unpack_from(f"{self.size}e", self._bytes, self._at))
            found = self._run(self._at, self.size, self.itemsize).tolist()
        else:
            (length, stride), found = self._last_axis(), []
            for at in self._runs():
                found += self._run(at, length, stride).tolist()
        if self.dtype.code == "e":
            return list(struct.unpack(f"{len(found)}e", struct.pack(f"{len(found)}H", *found)))
        return found

    def _records(self) -> list:
        found = places(self._at, self.shape, self.strides)
        if self.dtype.names:
            return [record(self, at) for at in found]
        return [bytes(self._bytes[at : at + self.itemsize]) for at in found]

    def _fill(self, values: list) -> None:
        """Write all items."""
        if not self.size:
            return
        if self.dtype.code is None:
            for at, value in zip(places(self._at, self.shape, self.strides), values, strict=True):
                self._bytes[at : at + self.itemsize] = value if isinstance(value, bytes) else value.tobytes()
            return
        numbers = _packed(self.dtype.code, values)
        length, stride = self._last_axis()
        for i, at in enumerate(self._runs()):
            self._run(at, length, stride)[:] = numbers[i * length : (i + 1) * length]

    def tobytes(self) -> bytes:
        if self._in_one_piece():
            return bytes(self._bytes[self._at : self._at + self.nbytes])
        return self.copy().tobytes()

    def tolist(self) -> Any:
        found = [one.tolist() if isinstance(one, record) else one for one in self._flat()]
        return nested(found, self.shape)

    def item(self) -> Any:
        [one] = self._flat()
        return one

    def copy(self) -> Any:
        made = self._zeros(self.shape, self.dtype)
        if self._in_one_piece():
            made._bytes[:] = self._bytes[self._at : self._at + self.nbytes]
        else:
            made._copy_from(self)
        return made

    def astype(self, kind: Any) -> Any:
        """Return a copy in another type; whole numbers that do not fit wrap around."""
        made, values = self._zeros(self.shape, kind), self._flat()
        if made.dtype.kind in "iu":
            bits = 8 * made.itemsize
            values = [int(value) & (1 << bits) - 1 for value in values]
            if made.dtype.kind == "i":
                values = [value - (value >> bits - 1 << bits) for value in values]
        made._fill(values)
        return made

    def transpose(self, *axes: int) -> Any:
        order = axes or tuple(reversed(range(self.ndim)))
        return self._like([self.shape[i] for i in order], [self.strides[i] for i in order])

    @property
    def T(self) -> Any:
        return self.transpose()

    def _copy_from(self, other: "Memory") -> None:
        """Copy an array of the same shape and type, in few and long runs."""
        if other._memory is self._memory or self.dtype.code is None or not self.shape or not self.size:
            self._fill(other._flat())
            return
        order = sorted(range(self.ndim), key=self.shape.__getitem__)
        own, other = self.transpose(*order), other.transpose(*order)
        (length, stride), from_stride = own._last_axis(), other.strides[-1]
        for at, start in zip(own._runs(), other._runs(), strict=True):
            own._run(at, length, stride)[:] = other._run(start, length, from_stride)


def _packed(code: str, values: list) -> "memoryview[Any]":
    """Return numbers as they lie in a run."""
    if code == "e":
        return memoryview(struct.pack(f"{len(values)}e", *values)).cast("H")
    if code == "?":
        return memoryview(bytes(map(bool, values))).cast("?")
    return memoryview(array(code, values if code in "fd" else map(int, values)))
