"""As much of numpy as the table needs, in plain Python: npm has no numpy for Pyodide.

Arrays lie in C memory, where kernels read and write them. Numbers that are taken out are Python's own. Results have
numpy's dtypes and shapes; tests/web/test_numpy.py compares every function with numpy's. What is not here raises
AttributeError.
"""

import ctypes
import math
import struct
from array import array as _packed
from builtins import abs as _abs
from builtins import all as _all
from builtins import any as _any
from builtins import max as _max
from builtins import min as _min
from builtins import sum as _sum
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise as _pairwise
from itertools import product as _product
from operator import add, and_, eq, floordiv, ge, gt, le, lshift, lt, mod, mul, ne, or_, rshift, sub, xor
from operator import index as _index
from typing import Any, ClassVar

inf, nan = math.inf, math.nan

# Types: as functions they return Python's own numbers


class generic:
    """The base of all types of numbers; nothing is an instance of it."""


def _scalar(name: str, check: Callable[[Any], Any]) -> type:
    def make(cls, value=0):
        return check(value)

    return type(name, (generic,), {"__new__": make})


def _whole(bits: int, signed: bool) -> Callable[[Any], int]:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)

    def check(value: Any) -> int:
        number = int(value)
        if not low <= number <= high:
            raise OverflowError(f"{number} does not fit in {bits} bits")
        return number

    return check


def _rounded(code: str) -> Callable[[Any], float]:
    def check(value: Any) -> float:
        return _packed(code, [float(value)])[0]

    return check


int8, int16, int32, int64 = (_scalar(f"int{n}", _whole(n, True)) for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_scalar(f"uint{n}", _whole(n, False)) for n in (8, 16, 32, 64))
float32, float64 = _scalar("float32", _rounded("f")), _scalar("float64", float)
float16 = _scalar("float16", lambda value: struct.unpack("<e", struct.pack("<e", value))[0])
bool_ = _scalar("bool_", bool)


class void(generic):
    pass


KINDS = {  # struct's code → type, kind; those of a kind by size
    "?": (bool_, "b"),
    **{code: (kind, "u") for code, kind in zip("BHIQ", (uint8, uint16, uint32, uint64), strict=True)},
    **{code: (kind, "i") for code, kind in zip("bhiq", (int8, int16, int32, int64), strict=True)},
    **{code: (kind, "f") for code, kind in zip("efd", (float16, float32, float64), strict=True)},
}
NAMES = {f"{kind}{struct.calcsize(code)}": code for code, (_, kind) in KINDS.items()} | {"?": "?"}


class dtype:
    """The type of an array's items. code: struct's letter, None for records and opaque bytes (kind V)."""

    _known: ClassVar[dict[Any, "dtype"]] = {}

    def __new__(cls, what: Any, align: bool = False) -> "dtype":
        if isinstance(what, dtype):
            return what
        if isinstance(what, tuple):  # (record, its dtype), (void, its size)
            return what[1] if isinstance(what[1], dtype) else cls(f"V{what[1]}")
        if isinstance(what, list):
            return _record_dtype(what)
        what = {bool: "?", int: "q", float: "d"}.get(what, what)
        key = what if isinstance(what, str) else next(code for code, (kind, _) in KINDS.items() if kind is what)
        if key not in cls._known:
            cls._known[key] = _bytes_dtype(int(key[1:])) if key[0] == "V" else _number_dtype(NAMES.get(key, key))
        return cls._known[key]

    def __eq__(self, other: object) -> bool:
        try:
            other = dtype(other)
        except (TypeError, StopIteration, KeyError):
            return False
        return self is other or (self.code is not None and self.code == other.code)

    def __hash__(self) -> int:
        return hash(self.code or id(self))

    def __repr__(self) -> str:
        return f"dtype({self.name!r})"

    def __str__(self) -> str:
        return self.name


def _made(**fields: Any) -> dtype:
    made = object.__new__(dtype)
    vars(made).update({"names": None, "fields": {}, "code": None, "kind": "V", "align": 1} | fields)
    return made


def _number_dtype(code: str) -> dtype:
    kind, letter = KINDS[code]
    size = struct.calcsize(code)
    name = kind.__name__.rstrip("_")
    return _made(name=name, type=kind, code=code, kind=letter, itemsize=size, align=size)


def _bytes_dtype(size: int) -> dtype:
    return _made(name=f"void{8 * size}", type=void, itemsize=size)


def _record_dtype(rows: list[tuple]) -> dtype:
    """Return the dtype of aligned records."""
    at, most, fields = 0, 1, {}
    for name, what, *shape in rows:
        kind = dtype(what)
        own = () if not shape else shape[0] if isinstance(shape[0], tuple) else (shape[0],)
        at = -(-at // kind.align) * kind.align
        fields[name] = kind, at, own
        at += kind.itemsize * math.prod(own)
        most = _max(most, kind.align)
    size = -(-at // most) * most
    return _made(name=f"void{8 * size}", type=void, itemsize=size, align=most, names=tuple(fields), fields=fields)


def _code_of_both(one: dtype, other: dtype) -> str:
    """Return the code of the smallest type that holds the numbers of both, as numpy promotes them."""
    order = "buif"
    low, high = sorted((one, other), key=lambda each: (order.index(each.kind), each.itemsize))
    if low.kind == high.kind or low.kind == "b":
        return high.code
    if high.kind == "i":  # beside unsigned numbers
        size = _max(high.itemsize, 2 * low.itemsize)
        return "d" if size > 8 else NAMES[f"i{size}"]
    return NAMES[f"f{_max(high.itemsize, {1: 2, 2: 4, 4: 8, 8: 8}[low.itemsize])}"]


# Arrays


class Flags:
    def __init__(self) -> None:
        self.writeable = self.c_contiguous = True


def _steps(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the strides of an array in one piece."""
    found = []
    for length in reversed(shape):
        found.append(size)
        size *= length
    return tuple(reversed(found))


class record(generic):
    """One record of an array, whose fields are attributes."""

    __slots__ = ("_at", "_bytes", "_memory", "dtype")

    def __init__(self, memory: Any, view: memoryview, at: int, kind: dtype):
        for name, value in zip(("_memory", "_bytes", "_at", "dtype"), (memory, view, at, kind), strict=True):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        try:
            kind, at, shape = self.dtype.fields[name]
        except KeyError:
            raise AttributeError(name) from None
        if shape:
            return ndarray(self._memory, self._bytes, self._at + at, shape, _steps(shape, kind.itemsize), kind)
        return struct.unpack_from(kind.code, self._bytes, self._at + at)[0]

    def __setattr__(self, name: str, value: Any) -> None:
        kind, at, shape = self.dtype.fields[name]
        if shape:
            getattr(self, name)[...] = value
        else:
            number = float(value) if kind.kind == "f" else kind.type(value)
            struct.pack_into(kind.code, self._bytes, self._at + at, number)

    __getitem__, __setitem__ = __getattr__, __setattr__

    @property
    def address(self) -> int:
        return ctypes.addressof(self._memory) + self._at

    def tobytes(self) -> bytes:
        return bytes(self._bytes[self._at : self._at + self.dtype.itemsize])

    def tolist(self) -> tuple:
        found = (getattr(self, name) for name in self.dtype.names)
        return tuple(one.tolist() if isinstance(one, ndarray) else one for one in found)

    item = tolist


class ndarray:
    """memory: whose bytes they are, kept alive; the first item lies `at` bytes behind its beginning."""

    __slots__ = ("_at", "_bytes", "_memory", "_words", "dtype", "flags", "shape", "strides")

    def __init__(
        self, memory: Any, view: memoryview, at: int, shape: Iterable[int], strides: Iterable[int], kind: dtype
    ):
        self._memory, self._bytes, self._at, self._words = memory, view, at, None
        self.shape, self.strides, self.dtype, self.flags = tuple(shape), tuple(strides), kind, Flags()

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

    @property
    def T(self) -> "ndarray":
        return self.transpose()

    def __len__(self) -> int:
        return self.shape[0]

    def _in_one_piece(self) -> bool:
        return self.strides == _steps(self.shape, self.itemsize)

    def _like(self, shape: Iterable[int], strides: Iterable[int], at: int | None = None, kind: Any = None) -> "ndarray":
        """Return another array on the same memory."""
        at = self._at if at is None else at
        return ndarray(self._memory, self._bytes, at, shape, strides, kind or self.dtype)

    # All numbers, and runs of them: the last axis, which C code reads and writes at once

    def _runs(self) -> Iterator[int]:
        """Return where each run along the last axis begins."""
        starts = [self._at]
        for length, stride in zip(self.shape[:-1], self.strides[:-1], strict=True):
            starts = [start + i * stride for start in starts for i in range(length)]
        return iter(starts)

    def _run(self, at: int, length: int, stride: int) -> memoryview:
        """Return a run as numbers; its stride is a multiple of their size."""
        size = self.itemsize
        low, high = _min(at, at + (length - 1) * stride), _max(at, at + (length - 1) * stride)
        code = {"?": "B", "e": "H"}.get(self.dtype.code, self.dtype.code)
        return self._bytes[low : high + size].cast(code)[:: stride // size if length > 1 else 1]

    def _flat(self) -> list:
        """Return all items, as numbers or records."""
        if not self.size:
            return []
        if self.dtype.code is None:
            return self._records()
        if self._in_one_piece() and self.shape:
            runs, length, stride = iter([self._at]), self.size, self.itemsize
        else:
            runs, length, stride = self._runs(), (self.shape or (1,))[-1], (self.strides or (self.itemsize,))[-1]
        found: list = []
        for at in runs:
            found += self._run(at, length, stride).tolist()
        if self.dtype.code == "?":
            return list(map(bool, found))
        if self.dtype.code == "e":
            return list(struct.unpack(f"{len(found)}e", struct.pack(f"{len(found)}H", *found)))
        return found

    def _records(self) -> list:
        ends = [start + i * self.strides[-1] for start in self._runs() for i in range(self.shape[-1])]
        if self.dtype.names:
            return [record(self._memory, self._bytes, at, self.dtype) for at in ends]
        return [bytes(self._bytes[at : at + self.itemsize]) for at in ends]

    def _fill(self, values: list) -> None:
        """Write all items."""
        if not self.size:
            return
        code = self.dtype.code
        if code is None:
            ends = [start + i * self.strides[-1] for start in self._runs() for i in range(self.shape[-1])]
            for at, value in zip(ends, values, strict=True):
                self._bytes[at : at + self.itemsize] = value if isinstance(value, bytes) else value.tobytes()
            return
        if code == "e":
            packed = _packed("H", struct.unpack(f"{len(values)}H", struct.pack(f"{len(values)}e", *values)))
        elif code == "?":
            packed = _packed("B", map(bool, values))
        else:
            packed = _packed(code, values if self.dtype.kind == "f" else map(int, values))
        runs, length = self._runs(), (self.shape or (1,))[-1]
        stride = (self.strides or (self.itemsize,))[-1]
        numbers = memoryview(packed)
        for i, at in enumerate(runs):
            self._run(at, length, stride)[:] = numbers[i * length : (i + 1) * length]

    def tobytes(self) -> bytes:
        if self._in_one_piece():
            return bytes(self._bytes[self._at : self._at + self.nbytes])
        return self.copy().tobytes()

    def tolist(self) -> Any:
        found = [one.tolist() if isinstance(one, record) else one for one in self._flat()]
        return _nested(found, self.shape)

    def copy(self) -> "ndarray":
        made = empty(self.shape, self.dtype)
        if self._in_one_piece():
            made._bytes[:] = self._bytes[self._at : self._at + self.nbytes]
        else:
            made._copy_from(self)
        return made

    def _copy_from(self, other: "ndarray") -> None:
        """Copy an array of the same shape and type, in few and long runs."""
        if other._memory is self._memory or self.dtype.code is None or not self.shape or not self.size:
            self._fill(other._flat())
            return
        order = sorted(range(self.ndim), key=self.shape.__getitem__)
        own, other = self.transpose(*order), other.transpose(*order)
        length, stride, from_stride = own.shape[-1], own.strides[-1], other.strides[-1]
        for at, start in zip(own._runs(), other._runs(), strict=True):
            own._run(at, length, stride)[:] = other._run(start, length, from_stride)

    def astype(self, kind: Any) -> "ndarray":
        made = empty(self.shape, kind)
        values = self._flat()
        if made.dtype.kind in "iu":
            bits = 8 * made.itemsize
            values = [int(value) & (1 << bits) - 1 for value in values]
            if made.dtype.kind == "i":
                values = [value - (value >> bits - 1 << bits) for value in values]
        made._fill(values)
        return made

    def item(self) -> Any:
        [one] = self._flat()
        return one

    # Shapes

    def view(self, kind: Any = None) -> "ndarray":
        """Return the same memory as items of another type; as ndarray or recarray it stays what it is."""
        if kind in (None, ndarray, recarray):
            return self
        kind = dtype(kind)
        if kind.itemsize == self.itemsize:
            return self._like(self.shape, self.strides, kind=kind)
        if not self._in_one_piece():
            raise ValueError("only an array in one piece can be seen as items of another size")
        shape = (*self.shape[:-1], self.shape[-1] * self.itemsize // kind.itemsize)
        return self._like(shape, _steps(shape, kind.itemsize), kind=kind)

    def reshape(self, *shape: Any) -> "ndarray":
        shape = shape[0] if isinstance(shape[0], tuple | list) else shape
        if -1 in shape:
            rest = self.size // -math.prod(shape)
            shape = tuple(rest if length == -1 else length for length in shape)
        if math.prod(shape) != self.size:
            raise ValueError(f"{self.shape} cannot become {shape}")
        whole = self if self._in_one_piece() else self.copy()
        return whole._like(shape, _steps(tuple(shape), self.itemsize))

    def transpose(self, *axes: int) -> "ndarray":
        order = axes or tuple(reversed(range(self.ndim)))
        return self._like([self.shape[i] for i in order], [self.strides[i] for i in order])

    # Items

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 1:
            return iter(self._flat())
        return (self[i] for i in range(len(self)))

    def __getattr__(self, name: str) -> "ndarray":
        if name in self.dtype.fields:
            return self[name]
        raise AttributeError(name)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            kind, at, shape = self.dtype.fields[key]
            strides = (*self.strides, *_steps(shape, kind.itemsize))
            return self._like((*self.shape, *shape), strides, self._at + at, kind)
        at, shape, strides, lists = self._place(key)
        if lists:
            return self._gathered(at, shape, strides, lists)
        if shape:
            return self._like(shape, strides, at)
        if self.dtype.names:
            return record(self._memory, self._bytes, at, self.dtype)
        [one] = self._like((1,), (self.itemsize,), at)._flat()
        return one

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self[key][...] = value
            return
        at, shape, strides, lists = self._place(key)
        if lists:
            places, lengths = _chosen(at, shape, strides, lists)
            for place, one in zip(places, _stretched(value, lengths), strict=True):
                self._like((1,), (self.itemsize,), place)._fill([one])
        else:
            target = self._like(shape or (1,), strides or (self.itemsize,), at)
            if isinstance(value, ndarray) and value.dtype == self.dtype and value.shape == tuple(shape):
                target._copy_from(value)
            else:
                target._fill(_stretched(value, tuple(shape)))

    def _place(self, key: Any) -> tuple[int, list, list, list]:
        """Return where a key of numbers, slices, None and lists leads: a place, lengths, strides, axes with lists."""
        keys = key if isinstance(key, tuple) else (key,)
        if _any(one is Ellipsis for one in keys):
            before = next(i for i, one in enumerate(keys) if one is Ellipsis)
            taken = _sum(one is not None for one in keys) - 1
            keys = (*keys[:before], *[slice(None)] * (self.ndim - taken), *keys[before + 1 :])
        at, shape, strides, lists, axis = self._at, [], [], [], 0
        for one in keys:
            if one is None:
                shape.append(1)
                strides.append(0)
                continue
            if axis == self.ndim:
                raise IndexError("too many indices")
            length, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(one, slice):
                places = range(*one.indices(length))
                at += places.start * stride if places else 0
                shape.append(len(places))
                strides.append(places.step * stride)
            elif isinstance(one, list | ndarray):
                lists.append((len(shape), _numbers(one, length)))
                shape.append(None)
                strides.append(stride)
            else:
                at += _within(_index(one), length) * stride
        return at, shape + list(self.shape[axis:]), strides + list(self.strides[axis:]), lists

    def _gathered(self, at: int, shape: list, strides: list, lists: list) -> "ndarray":
        """Return a copy of what lists choose."""
        places, lengths = _chosen(at, shape, strides, lists)
        made, size = empty(lengths, self.dtype), self.itemsize
        for i, place in enumerate(places):
            made._bytes[i * size : (i + 1) * size] = self._bytes[place : place + size]
        return made

    # Numbers of numbers

    def _reduced(self, function: Callable, axis: Any, kind: Any, keepdims: bool = False) -> Any:
        if axis is None and not keepdims:
            return function(self._flat())
        axes = [axis] if isinstance(axis, int) else list(range(self.ndim) if axis is None else axis)
        axes = [i % self.ndim for i in axes]
        kept = [i for i in range(self.ndim) if i not in axes]
        count, length = (math.prod(self.shape[i] for i in some) for some in (kept, axes))
        rows = self.transpose(*kept, *axes).reshape(count, length)
        lengths = (
            [1 if i in axes else n for i, n in enumerate(self.shape)] if keepdims else [self.shape[i] for i in kept]
        )
        return _of([function(row) for row in _nested(rows._flat(), rows.shape)], lengths, kind)

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        own = self.dtype.code if self.dtype.kind == "f" else "Q" if self.dtype.kind == "u" else "q"
        return self._reduced(math.fsum if own == "d" else _sum, axis, dtype or own, keepdims)

    def max(self, axis: Any = None, keepdims: bool = False) -> Any:
        return self._reduced(_max, axis, self.dtype, keepdims)

    def all(self, axis: Any = None) -> Any:
        return self._reduced(_all, axis, bool_)

    def any(self, axis: Any = None) -> Any:
        return self._reduced(_any, axis, bool_)

    def argmax(self, axis: Any = None) -> Any:
        return self._reduced(lambda row: row.index(_max(row)), axis, int64)

    def mean(self, axis: Any = None) -> Any:
        return self._reduced(lambda row: _sum(row) / len(row), axis, float64)

    def std(self, axis: Any = None, ddof: int = 0) -> Any:
        def spread(row: list) -> float:
            mean = _sum(row) / len(row)
            return math.sqrt(_sum((one - mean) ** 2 for one in row) / (len(row) - ddof))

        return self._reduced(spread, axis, float64)

    def clip(self, min: Any = None, max: Any = None) -> "ndarray":
        low, high = -inf if min is None else min, inf if max is None else max
        return _of([_max(low, _min(one, high)) for one in self._flat()], self.shape, self.dtype)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __index__(self) -> int:
        return _index(self.item())

    def __contains__(self, value: Any) -> bool:
        return value in self._flat()

    def __invert__(self) -> "ndarray":
        flipped = {"b": True, "u": (1 << 8 * self.itemsize) - 1}.get(self.dtype.kind, -1)
        return _of([one ^ flipped for one in self._flat()], self.shape, self.dtype)

    def __neg__(self) -> "ndarray":
        return _of([-one for one in self._flat()], self.shape, self.dtype)

    def __repr__(self) -> str:
        return f"array({self.tolist()}, dtype={self.dtype})"

    __hash__ = None


recarray = ndarray


def _numbers(chosen: Any, length: int) -> list[int]:
    """Return the indices that a list or an array chooses, bool[length] or whole numbers."""
    values = chosen._flat() if isinstance(chosen, ndarray) else chosen
    if values and isinstance(values[0], bool):
        return [i for i, one in enumerate(values) if one]
    return [_within(_index(one), length) for one in values]


def _within(number: int, length: int) -> int:
    if not -length <= number < length:
        raise IndexError(f"index {number} is out of bounds for an axis of {length}")
    return number % length


def _chosen(at: int, shape: list, strides: list, lists: list) -> tuple[list[int], tuple[int, ...]]:
    """Return all places that lists choose, which go together, and the lengths of the result."""
    count = _max(len(chosen) for _, chosen in lists)
    together = [at] * count
    for axis, chosen in lists:
        wide = chosen * count if len(chosen) == 1 else chosen
        together = [place + i * strides[axis] for place, i in zip(together, wide, strict=True)]
    first = lists[0][0]
    axes = [axis for axis, _ in lists]
    left = [i for i in range(first) if i not in axes]
    right = [i for i in range(first, len(shape)) if i not in axes]
    places = []
    for before in _product(*(range(shape[i]) for i in left)):
        offset = _sum(n * strides[i] for n, i in zip(before, left, strict=True))
        for place in together:
            starts = [place + offset]
            for i in right:
                starts = [start + n * strides[i] for start in starts for n in range(shape[i])]
            places += starts
    return places, (*(shape[i] for i in left), count, *(shape[i] for i in right))


def _nested(flat: list, shape: tuple[int, ...]) -> Any:
    if not shape:
        return flat[0]
    for length in reversed(shape[1:]):
        flat = [flat[i : i + length] for i in range(0, len(flat), length)] if length else [[]] * math.prod(shape[:-1])
    return flat


def shape(what: Any) -> tuple[int, ...]:
    if isinstance(what, ndarray):
        return what.shape
    if isinstance(what, list | tuple):
        return (len(what), *(shape(what[0]) if what else ()))
    return ()


def _items(what: Any) -> list:
    if isinstance(what, ndarray):
        return what._flat()
    if isinstance(what, list | tuple):
        return [one for part in what for one in _items(part)]
    return [what]


def _stretched(value: Any, wanted: tuple[int, ...]) -> list:
    """Return all items of something that is stretched to a shape, as numpy stretches it."""
    own, flat = shape(value), _items(value)
    if own == wanted:
        return flat
    if len(flat) == 1 and len(own) <= len(wanted):
        return flat * math.prod(wanted)
    own = (1,) * (len(wanted) - len(own)) + own
    if len(own) > len(wanted) or _any(one not in (1, other) for one, other in zip(own, wanted, strict=True)):
        raise ValueError(f"could not broadcast input array from shape {own} into shape {wanted}")
    starts, steps = [0], _steps(own, 1)
    for one, step, length in zip(own, steps, wanted, strict=True):
        starts = [start + (i * step if one > 1 else 0) for start in starts for i in range(length)]
    return [flat[start] for start in starts]


def _common(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    depth = _max(map(len, shapes))
    wide = [(1,) * (depth - len(one)) + tuple(one) for one in shapes]
    return tuple(next((n for n in lengths if n != 1), 1) for lengths in zip(*wide, strict=True))


def _of(flat: list, lengths: Iterable[int], kind: Any = None) -> ndarray:
    made = empty(tuple(lengths), _kind_of(flat) if kind is None else kind)
    made._fill(flat)
    return made


def _kind_of(flat: list) -> str:
    """Return the code of the type that numpy gives to these numbers."""
    if flat and _all(isinstance(one, bool) for one in flat):
        return "?"
    if not flat or _any(isinstance(one, float) for one in flat):
        return "d"
    return "Q" if _max(flat) > (1 << 63) - 1 else "q"


# Operators


def _code_of(one: Any, other: Any) -> str:
    """Return the code of the result of two operands; a number of Python's takes the array's type if it can."""
    if isinstance(one, ndarray) and isinstance(other, ndarray):
        return _code_of_both(one.dtype, other.dtype)
    kind, number = (one.dtype, other) if isinstance(one, ndarray) else (other.dtype, one)
    if isinstance(number, list | tuple):
        return _code_of_both(kind, dtype(_kind_of(_items(number))))
    if isinstance(number, float) and kind.kind != "f":
        return "d"
    return "q" if kind.code == "?" and not isinstance(number, bool) else kind.code


def _operated(function: Callable, one: Any, other: Any, kind: str | None) -> ndarray:
    lengths = _common(shape(one), shape(other))
    pairs = zip(_stretched(one, lengths), _stretched(other, lengths), strict=True)
    code = kind or _code_of(one, other)
    if code in "bhiqBHIQ":
        return _of([function(int(a), int(b)) for a, b in pairs], lengths, code)
    return _of([function(a, b) for a, b in pairs], lengths, code)


def _divided(a: float, b: float) -> float:
    return a / b if b else math.copysign(inf, a) * math.copysign(1, b) if a and a == a else nan


def _add_operator(name: str, function: Callable, kind: str | None = None) -> None:
    def own(self: ndarray, other: Any) -> ndarray:
        return _operated(function, self, other, kind)

    def reflected(self: ndarray, other: Any) -> ndarray:
        return _operated(function, other, self, kind)

    def in_place(self: ndarray, other: Any) -> ndarray:
        self[...] = own(self, other)
        return self

    setattr(ndarray, f"__{name}__", own)
    if kind != "?":
        setattr(ndarray, f"__r{name}__", reflected)
        setattr(ndarray, f"__i{name}__", in_place)


for _name, _function in {"add": add, "sub": sub, "mul": mul, "floordiv": floordiv, "mod": mod, "pow": pow}.items():
    _add_operator(_name, _function)
for _name, _function in {"and": and_, "or": or_, "xor": xor, "lshift": lshift, "rshift": rshift}.items():
    _add_operator(_name, _function)
for _name, _function in {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}.items():
    _add_operator(_name, _function, "?")


def _true_divide(self: Any, other: Any) -> ndarray:
    code = _code_of(self, other)
    return _operated(_divided, self, other, code if code in "efd" else "d")


ndarray.__truediv__ = _true_divide
ndarray.__rtruediv__ = lambda self, other: _true_divide(other, self)


# Making arrays


def _lengths(what: Any) -> tuple[int, ...]:
    return tuple(map(int, what)) if isinstance(what, tuple | list) else (int(what),)


def empty(shape: Any, dtype: Any = float64) -> ndarray:
    """Return an array of zeros, like `zeros`."""
    lengths, kind = _lengths(shape), _dtype(dtype)
    memory = (ctypes.c_char * _max(math.prod(lengths) * kind.itemsize, 1))()
    view = memoryview(memory).cast("B")[: math.prod(lengths) * kind.itemsize]
    return ndarray(memory, view, 0, lengths, _steps(lengths, kind.itemsize), kind)


_dtype, zeros = dtype, empty


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    lengths = _lengths(shape)
    return _of([value] * math.prod(lengths), lengths, _kind_of([value]) if dtype is None else dtype)


def array(what: Any, dtype: Any = None, order: str = "C") -> ndarray:
    if isinstance(what, ndarray):
        return what.copy() if dtype is None or what.dtype == dtype else what.astype(dtype)
    inner = [one for one in what if isinstance(one, ndarray)] if isinstance(what, list | tuple) else []
    return _of(_items(what), shape(what), inner[0].dtype if inner and dtype is None else dtype)


def asarray(what: Any, dtype: Any = None) -> ndarray:
    return what if isinstance(what, ndarray) and (dtype is None or what.dtype == dtype) else array(what, dtype)


def ascontiguousarray(what: ndarray) -> ndarray:
    return what if what._in_one_piece() else what.copy()


def frombuffer(data: bytes | bytearray, dtype: Any = float64) -> ndarray:
    """Return an array of these bytes; those of a bytearray are shared."""
    kind, memory = _dtype(dtype), ctypes.c_char * _max(len(data), 1)
    own = memory.from_buffer(data) if isinstance(data, bytearray) and data else memory.from_buffer_copy(data or b"\0")
    shape = (len(data) // kind.itemsize,)
    return ndarray(own, memoryview(own).cast("B"), 0, shape, (kind.itemsize,), kind)


def arange(*bounds: int) -> ndarray:
    values = list(range(*map(int, bounds)))
    return _of(values, (len(values),), int64)


def concatenate(parts: list, axis: int = 0) -> ndarray:
    arrays = [asarray(part) for part in parts]
    lengths = list(arrays[0].shape)
    lengths[axis] = _sum(one.shape[axis] for one in arrays)
    code = arrays[0].dtype
    for one in arrays[1:]:
        code = dtype(_code_of_both(code, one.dtype))
    made, at = empty(tuple(lengths), code), 0
    for one in arrays:
        made[(slice(None),) * axis + (slice(at, at + one.shape[axis]),)] = one
        at += one.shape[axis]
    return made


def split(what: ndarray, at: list[int], axis: int = 0) -> list[ndarray]:
    edges = [0, *at, what.shape[axis]]
    return [what[(slice(None),) * axis + (slice(a, b),)] for a, b in _pairwise(edges)]


def pad(what: ndarray, width: list[tuple[int, int]]) -> ndarray:
    made = zeros(tuple(n + a + b for n, (a, b) in zip(what.shape, width, strict=True)), what.dtype)
    made[tuple(slice(a, a + n) for n, (a, _) in zip(what.shape, width, strict=True))] = what
    return made


# Functions


def _each(function: Callable) -> Callable:
    def apply(what: Any) -> Any:
        if not isinstance(what, ndarray):
            return function(what)
        code = what.dtype.code if what.dtype.kind == "f" else "d"
        return _of([function(one) for one in what._flat()], what.shape, code)

    return apply


def _logarithm(value: float) -> float:
    return math.log(value) if value > 0 else nan if value < 0 or value != value else -inf


def _power_of_e(value: float) -> float:
    return math.exp(value) if value < 709.78 or value != value else inf


exp, log = _each(_power_of_e), _each(_logarithm)
sqrt = _each(lambda value: math.sqrt(value) if value >= 0 else nan)


def abs(what: ndarray) -> ndarray:
    return _of([_abs(one) for one in what._flat()], what.shape, what.dtype)


def isfinite(what: ndarray) -> ndarray:
    if math.isfinite(_sum(what._flat())):  # then every item is
        made = empty(what.shape, "?")
        made._bytes[:] = b"\1" * what.size
        return made
    return _of([math.isfinite(one) for one in what._flat()], what.shape, "?")


def _choice(function: Callable) -> Callable:
    def apply(one: Any, other: Any) -> Any:
        if not (isinstance(one, ndarray) or isinstance(other, ndarray)):
            return function(one, other)
        return _operated(function, one, other, None)

    return apply


maximum, minimum = _choice(_max), _choice(_min)


def where(condition: Any, one: Any, other: Any) -> ndarray:
    lengths = _common(shape(condition), shape(one), shape(other))
    chosen = zip(*(_stretched(what, lengths) for what in (condition, one, other)), strict=True)
    arrays = [what for what in (one, other) if isinstance(what, ndarray)]
    return _of([a if yes else b for yes, a, b in chosen], lengths, _code_of(one, other) if arrays else None)


def flatnonzero(what: Any) -> ndarray:
    values = [i for i, one in enumerate(_items(what)) if one]
    return _of(values, (len(values),), int64)


def ravel(what: Any) -> ndarray:
    return asarray(what if isinstance(what, ndarray | list | tuple) else [what]).reshape(-1)


def prod(values: Iterable) -> Any:
    return math.prod(values)


def argsort(what: ndarray, kind: str = "stable") -> ndarray:
    values = what._flat()
    return _of(sorted(range(len(values)), key=values.__getitem__), (len(values),), int64)


def ndindex(*lengths: int) -> Iterator[tuple[int, ...]]:
    return _product(*map(range, lengths))


@contextmanager
def errstate(**how: str) -> Iterator[None]:
    yield


class random:
    class Generator:
        """The type of a generator; a page has none."""
