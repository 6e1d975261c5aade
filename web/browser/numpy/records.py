"""Records: what an array of structured items gives out."""

import ctypes
import struct
from typing import Any

from .dtypes import generic
from .shapes import steps


class record(generic):
    """One record of an array, whose fields are attributes."""

    __slots__ = ("_array", "_at", "_bytes", "dtype")

    def __init__(self, array: Any, at: int):
        for name, value in (("_array", array), ("_bytes", array._bytes), ("_at", at), ("dtype", array.dtype)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        try:
            kind, at, shape = self.dtype.fields[name]
        except KeyError:
            raise AttributeError(name) from None
        if shape:
            return self._array._like(shape, steps(shape, kind.itemsize), self._at + at, kind)
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
        return ctypes.addressof(self._array._memory) + self._at

    def tobytes(self) -> bytes:
        return bytes(self._bytes[self._at : self._at + self.dtype.itemsize])

    def tolist(self) -> tuple:
        fields = self.dtype.fields.items()
        return tuple(self[name].tolist() if shape else self[name] for name, (_, _, shape) in fields)

    item = tolist
