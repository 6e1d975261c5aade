"""Shapes, strides and the order of items: arithmetic alone, which knows no memory."""

import math
from typing import Any


def lengths_of(what: Any) -> tuple[int, ...]:
    """Return the shape that is asked for as a number or as several."""
    return tuple(map(int, what)) if isinstance(what, tuple | list) else (int(what),)


def steps(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the strides of an array in one piece."""
    found = []
    for length in reversed(shape):
        found.append(size)
        size *= length
    return tuple(reversed(found))


def places(at: int, shape: Any, strides: Any) -> list[int]:
    """Return where each item lies, the last axis fastest."""
    found = [at]
    for length, stride in zip(shape, strides, strict=True):
        found = [start + i * stride for start in found for i in range(length)]
    return found


def nested(flat: list, shape: tuple[int, ...]) -> Any:
    """Return items as lists in lists; without an axis, the only item."""
    if not shape:
        return flat[0]
    for length in reversed(shape[1:]):
        flat = [flat[i : i + length] for i in range(0, len(flat), length)] if length else [[]] * math.prod(shape[:-1])
    return flat


def shape(what: Any) -> tuple[int, ...]:
    """Return the shape of an array, of lists in lists, or of a single number."""
    if isinstance(what, list | tuple):
        return (len(what), *(shape(what[0]) if what else ()))
    return getattr(what, "shape", ())


def items(what: Any) -> list:
    """Return all items of what has a shape."""
    if isinstance(what, list | tuple):
        return [one for part in what for one in items(part)]
    return what._flat() if hasattr(what, "_flat") else [what]


def common(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape to which all are stretched."""
    depth = max(map(len, shapes))
    wide = [(1,) * (depth - len(one)) + tuple(one) for one in shapes]
    return tuple(next((n for n in lengths if n != 1), 1) for lengths in zip(*wide, strict=True))


def stretched(value: Any, wanted: tuple[int, ...]) -> list:
    """Return all items of something that is stretched to a shape, as numpy stretches it."""
    own, flat = shape(value), items(value)
    if own == wanted:
        return flat
    if len(flat) == 1 and len(own) <= len(wanted):
        return flat * math.prod(wanted)
    own = (1,) * (len(wanted) - len(own)) + own
    if len(own) > len(wanted) or any(one not in (1, other) for one, other in zip(own, wanted, strict=True)):
        raise ValueError(f"could not broadcast input array from shape {own} into shape {wanted}")
    strides = [step if one > 1 else 0 for one, step in zip(own, steps(own, 1), strict=True)]
    return [flat[place] for place in places(0, wanted, strides)]
