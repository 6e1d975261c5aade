"""Numbers of numbers: reductions along axes, and what is made of each item."""

import math
import operator
from collections.abc import Callable
from typing import Any

from .dtypes import bool_, int64
from .indexing import Indexed
from .shapes import nested


class Reduced(Indexed):
    """An array that gives sums and the like; an array of one item stands for its number."""

    __slots__ = ()

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
        return self._of([function(row) for row in nested(rows._flat(), rows.shape)], lengths, kind)

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        own = self.dtype.code if self.dtype.kind == "f" else "Q" if self.dtype.kind == "u" else "q"
        return self._reduced(math.fsum if own == "d" else sum, axis, dtype or own, keepdims)

    def max(self, axis: Any = None, keepdims: bool = False) -> Any:
        return self._reduced(max, axis, self.dtype, keepdims)

    def all(self, axis: Any = None) -> Any:
        return self._reduced(all, axis, bool_)

    def any(self, axis: Any = None) -> Any:
        return self._reduced(any, axis, bool_)

    def argmax(self, axis: Any = None) -> Any:
        return self._reduced(lambda row: row.index(max(row)), axis, int64)

    def _each(self, function: Callable, kind: Any = None) -> Any:
        """Return what a function makes of each item; kind: the result's type, if not the array's."""
        return self._of([function(one) for one in self._flat()], self.shape, kind or self.dtype)

    def clip(self, low: Any, high: Any) -> Any:
        return self._each(lambda one: max(low, min(one, high)))

    def __invert__(self) -> Any:
        flipped = {"b": True, "u": (1 << 8 * self.itemsize) - 1}.get(self.dtype.kind, -1)
        return self._each(lambda one: one ^ flipped)

    def __neg__(self) -> Any:
        return self._each(operator.neg)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __index__(self) -> int:
        return operator.index(self.item())

    def __repr__(self) -> str:
        return f"array({self.tolist()}, dtype={self.dtype})"
