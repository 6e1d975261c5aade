"""Types of items: as functions they return Python's own numbers."""

import math
import struct
from array import array
from collections.abc import Callable
from typing import Any, ClassVar


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
        return array(code, [float(value)])[0]

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

    name: str
    type: Any
    code: Any
    kind: str
    itemsize: int
    align: int
    names: tuple[str, ...] | None
    fields: dict[str, tuple["dtype", int, tuple[int, ...]]]  # of a record: type, place and shape

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
        most = max(most, kind.align)
    size = -(-at // most) * most
    return _made(name=f"void{8 * size}", type=void, itemsize=size, align=most, names=tuple(fields), fields=fields)


def common_code(one: dtype, other: dtype) -> str:
    """Return the code of the smallest type that holds the numbers of both, as numpy promotes them."""
    order = "buif"
    low, high = sorted((one, other), key=lambda each: (order.index(each.kind), each.itemsize))
    if low.kind == high.kind or low.kind == "b":
        return high.code
    if high.kind == "i":  # beside unsigned numbers
        size = max(high.itemsize, 2 * low.itemsize)
        return "d" if size > 8 else NAMES[f"i{size}"]
    return NAMES[f"f{max(high.itemsize, {1: 2, 2: 4, 4: 8, 8: 8}[low.itemsize])}"]


def code_of_numbers(flat: list) -> str:
    """Return the code of the type that numpy gives to Python's numbers."""
    if flat and all(isinstance(one, bool) for one in flat):
        return "?"
    if not flat or any(isinstance(one, float) for one in flat):
        return "d"
    return "Q" if max(flat) > (1 << 63) - 1 else "q"
