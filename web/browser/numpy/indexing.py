"""What stands in brackets behind an array: numbers, slices, None, ..., lists, masks and the names of fields."""

import math
from collections.abc import Iterator
from operator import index
from typing import Any

from .dtypes import dtype
from .memory import Memory
from .records import record
from .shapes import places, steps, stretched


class Indexed(Memory):
    """An array whose parts and other shapes share its memory where numpy's do."""

    __slots__ = ()

    def reshape(self, *shape: Any) -> Any:
        lengths = tuple(shape[0]) if isinstance(shape[0], tuple | list) else shape
        if -1 in lengths:
            rest = self.size // -math.prod(lengths)
            lengths = tuple(rest if length == -1 else length for length in lengths)
        if math.prod(lengths) != self.size:
            raise ValueError(f"{self.shape} cannot become {lengths}")
        whole = self if self._in_one_piece() else self.copy()
        return whole._like(lengths, steps(lengths, self.itemsize))

    def view(self, kind: Any = None) -> Any:
        """Return the same memory as items of another type; as ndarray or recarray it stays what it is."""
        if kind in (None, type(self)):
            return self
        kind = dtype(kind)
        if kind.itemsize == self.itemsize:
            return self._like(self.shape, self.strides, kind=kind)
        if not self._in_one_piece():
            raise ValueError("only an array in one piece can be seen as items of another size")
        shape = (*self.shape[:-1], self.shape[-1] * self.itemsize // kind.itemsize)
        return self._like(shape, steps(shape, kind.itemsize), kind=kind)

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 1:
            return iter(self._flat())
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return value in self._flat()

    def __getattr__(self, name: str) -> Any:
        if name in self.dtype.fields:
            return self[name]
        raise AttributeError(name)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            kind, at, shape = self.dtype.fields[key]
            strides = (*self.strides, *steps(shape, kind.itemsize))
            return self._like((*self.shape, *shape), strides, self._at + at, kind)
        at, shape, strides, lists = self._place(key)
        if lists:
            return self._gathered(at, shape, strides, lists)
        if shape:
            return self._like(shape, strides, at)
        if self.dtype.names:
            return record(self, at)
        return self._like((), (), at).item()

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self[key][...] = value
            return
        at, shape, strides, lists = self._place(key)
        if lists:
            found, lengths = _chosen(at, shape, strides, lists)
            for place, one in zip(found, stretched(value, lengths), strict=True):
                self._like((), (), place)._fill([one])
            return
        target = self._like(shape, strides, at)
        if isinstance(value, Memory) and value.dtype == self.dtype and value.shape == target.shape:
            target._copy_from(value)
        else:
            target._fill(stretched(value, target.shape))

    def _place(self, key: Any) -> tuple[int, list, list, list]:
        """Return where a key of numbers, slices, None and lists leads: a place, lengths, strides, axes with lists."""
        at, shape, strides, lists, axis = self._at, [], [], [], 0
        for one in self._keys(key):
            if one is None:
                shape.append(1)
                strides.append(0)
                continue
            if axis == self.ndim:
                raise IndexError("too many indices")
            length, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(one, slice):
                chosen = range(*one.indices(length))
                at += chosen.start * stride if chosen else 0
                shape.append(len(chosen))
                strides.append(chosen.step * stride)
            elif isinstance(one, list | Memory):
                lists.append((len(shape), _numbers(one, length)))
                shape.append(None)
                strides.append(stride)
            else:
                at += _within(index(one), length) * stride
        return at, shape + list(self.shape[axis:]), strides + list(self.strides[axis:]), lists

    def _keys(self, key: Any) -> tuple:
        """Return the parts of a key, with slices where it has an ellipsis."""
        keys = key if isinstance(key, tuple) else (key,)
        before = next((i for i, one in enumerate(keys) if one is Ellipsis), None)
        if before is None:
            return keys
        taken = sum(one is not None for one in keys) - 1
        return (*keys[:before], *[slice(None)] * (self.ndim - taken), *keys[before + 1 :])

    def _gathered(self, at: int, shape: list, strides: list, lists: list) -> Any:
        """Return a copy of what lists choose."""
        found, lengths = _chosen(at, shape, strides, lists)
        made, size = self._zeros(lengths, self.dtype), self.itemsize
        for i, place in enumerate(found):
            made._bytes[i * size : (i + 1) * size] = self._bytes[place : place + size]
        return made


def _numbers(chosen: Any, length: int) -> list[int]:
    """Return the indices that a list or an array chooses, bool[length] or whole numbers."""
    values = chosen._flat() if isinstance(chosen, Memory) else chosen
    if values and isinstance(values[0], bool):
        return [i for i, one in enumerate(values) if one]
    return [_within(index(one), length) for one in values]


def _within(number: int, length: int) -> int:
    if not -length <= number < length:
        raise IndexError(f"index {number} is out of bounds for an axis of {length}")
    return number % length


def _chosen(at: int, shape: list, strides: list, lists: list) -> tuple[list[int], tuple[int, ...]]:
    """Return all places that lists choose, which go together, and the lengths of the result."""
    count = max(len(chosen) for _, chosen in lists)
    together = [0] * count
    for axis, chosen in lists:
        wide = chosen * count if len(chosen) == 1 else chosen
        together = [place + i * strides[axis] for place, i in zip(together, wide, strict=True)]
    first, axes = lists[0][0], [axis for axis, _ in lists]
    right = [i for i in range(first, len(shape)) if i not in axes]
    left_shape, right_shape = shape[:first], [shape[i] for i in right]
    inner = places(0, right_shape, [strides[i] for i in right])
    starts = places(at, left_shape, strides[:first])
    found = [start + place + i for start in starts for place in together for i in inner]
    return found, (*left_shape, count, *right_shape)
