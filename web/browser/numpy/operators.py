"""The array, with operators that promote and stretch as numpy's do."""

import math
import operator as by_item
from collections.abc import Callable
from typing import Any

from .dtypes import code_of_numbers, common_code, dtype
from .memory import Memory
from .reductions import Reduced
from .shapes import common, items, shape, stretched


def code_of_result(one: Any, other: Any) -> str:
    """Return the code of the result of two operands; a number of Python's takes the array's type if it can."""
    if isinstance(one, Memory) and isinstance(other, Memory):
        return common_code(one.dtype, other.dtype)
    kind, number = (one.dtype, other) if isinstance(one, Memory) else (other.dtype, one)
    if isinstance(number, list | tuple):
        return common_code(kind, dtype(code_of_numbers(items(number))))
    if isinstance(number, float) and kind.kind != "f":
        return "d"
    return "q" if kind.code == "?" and not isinstance(number, bool) else kind.code


def operated(function: Callable, one: Any, other: Any, code: str | None = None) -> Any:
    """Return what a function makes of each pair of items; code: of the result's type, if it isn't the operands'."""
    lengths = common(shape(one), shape(other))
    pairs = zip(stretched(one, lengths), stretched(other, lengths), strict=True)
    code = code or code_of_result(one, other)
    if code in "bhiqBHIQ":
        return ndarray._of([function(int(a), int(b)) for a, b in pairs], lengths, code)
    return ndarray._of([function(a, b) for a, b in pairs], lengths, code)


def _divided(a: float, b: float) -> float:
    return a / b if b else math.copysign(math.inf, a) * math.copysign(1, b) if a and a == a else math.nan


def _true_divided(one: Any, other: Any) -> Any:
    code = code_of_result(one, other)
    return operated(_divided, one, other, code if code in "efd" else "d")


Operator = Callable[[Any, Any], Any]


def _forms(act: Operator) -> tuple[Operator, Operator, Operator]:
    """Return an operator, its form for a number in front, and the one in place."""

    def own(self: Any, other: Any) -> Any:
        return act(self, other)

    def reflected(self: Any, other: Any) -> Any:
        return act(other, self)

    def in_place(self: Any, other: Any) -> Any:
        self[...] = act(self, other)
        return self

    return own, reflected, in_place


def _each_pair(function: Operator) -> tuple[Operator, Operator, Operator]:
    return _forms(lambda one, other: operated(function, one, other))


def _compared(function: Operator) -> Operator:
    return lambda self, other: operated(function, self, other, "?")


class ndarray(Reduced):
    """An array as the table uses it, in four layers: Memory, Indexed, Reduced, and operators here."""

    __slots__ = ()

    __add__, __radd__, __iadd__ = _each_pair(by_item.add)
    __sub__, __rsub__, __isub__ = _each_pair(by_item.sub)
    __mul__, __rmul__, __imul__ = _each_pair(by_item.mul)
    __floordiv__, __rfloordiv__, __ifloordiv__ = _each_pair(by_item.floordiv)
    __mod__, __rmod__, __imod__ = _each_pair(by_item.mod)
    __pow__, __rpow__, __ipow__ = _each_pair(by_item.pow)
    __and__, __rand__, __iand__ = _each_pair(by_item.and_)
    __or__, __ror__, __ior__ = _each_pair(by_item.or_)
    __xor__, __rxor__, __ixor__ = _each_pair(by_item.xor)
    __lshift__, __rlshift__, __ilshift__ = _each_pair(by_item.lshift)
    __rshift__, __rrshift__, __irshift__ = _each_pair(by_item.rshift)
    __truediv__, __rtruediv__ = _forms(_true_divided)[:2]
    __eq__ = _compared(by_item.eq)
    __ne__ = _compared(by_item.ne)
    __lt__ = _compared(by_item.lt)
    __le__ = _compared(by_item.le)
    __gt__ = _compared(by_item.gt)
    __ge__ = _compared(by_item.ge)


recarray = ndarray
