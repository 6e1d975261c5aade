"""The kernels that Python calls, and with what types: kernels.json, which is read by the build and by the page.

    {"kernel": "spades_env.game.engine:apply", "args": ["spades_env.game.state:STATE", …, "int64"]}

A type is a scalar's name; a record's, by the module and name of its dtype; [type, n] for an array of n dimensions;
{"tuple": [types], "of": class} for a tuple, named or not. Arguments left to their defaults are not listed.
"""

import importlib
import inspect
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

# pyright: reportAttributeAccessIssue=false
# (numba sets many names of its types at run time)
import numba
import numpy as np
from numba.core import types

FILE = Path(__file__).parent / "kernels.json"

AsJson = Any  # a type in kernels.json


def named(place: str) -> Any:
    """Return what a module:name names."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def own_modules() -> list[tuple[str, Any]]:
    found = sorted(sys.modules.items())
    return [(name, module) for name, module in found if name.partition(".")[0] == "spades_env"]


def as_json(type_: types.Type) -> AsJson:
    """Return a type as kernels.json has it."""
    if isinstance(type_, types.Record):
        return _record_place(type_)
    if isinstance(type_, types.Array):
        if not (type_.layout == "C" and type_.aligned):
            raise TypeError(f"{type_}: a page passes whole arrays only")
        return [as_json(type_.dtype), type_.ndim]
    if isinstance(type_, types.BaseNamedTuple):
        kind = type_.instance_class
        return {"tuple": [as_json(one) for one in type_.types], "of": f"{kind.__module__}:{kind.__name__}"}
    if isinstance(type_, types.BaseTuple):
        return {"tuple": [as_json(one) for one in type_.types]}
    return str(type_)


@cache
def _record_place(record: types.Record) -> str:
    for name, module in own_modules():
        for own, value in vars(module).items():
            is_it = isinstance(value, np.dtype) and value.names and numba.from_dtype(value) == record
            if is_it and f"\n{own} = " in inspect.getsource(module):  # where it is made, not where it is imported
                return f"{name}:{own}"
    raise LookupError(f"no module names the dtype of {record}")


def type_of(one: AsJson) -> types.Type:
    """Return the type that this JSON describes."""
    if isinstance(one, list):
        return types.Array(type_of(one[0]), one[1], "C")
    if isinstance(one, dict):
        inner = [type_of(part) for part in one["tuple"]]
        return _named_tuple(inner, named(one["of"])) if "of" in one else types.Tuple(inner)
    return numba.from_dtype(named(one)) if ":" in one else getattr(types, one)


def _named_tuple(inner: list[types.Type], kind: type) -> types.Type:
    return types.NamedUniTuple(inner[0], len(inner), kind) if len(set(inner)) == 1 else types.NamedTuple(inner, kind)


def signature(kernel: Any, args: list[AsJson]) -> tuple[types.Type, ...]:
    """Return the types of all arguments of a call, those left to their defaults too."""
    left = list(inspect.signature(kernel.py_func).parameters.values())[len(args) :]
    return (*map(type_of, args), *(types.Omitted(one.default) for one in left))


def code(one: types.Type) -> str:
    """Return how the page packs a value: p a record, qQiIbB whole numbers, d a float, [n] an array, ( … ) a tuple."""
    if isinstance(one, types.Record):
        return "p"
    if isinstance(one, types.Array):
        return f"[{one.ndim}]"
    if isinstance(one, types.BaseTuple):
        return f"({''.join(map(code, one.types))})"
    if isinstance(one, types.Float):
        return {64: "d"}[one.bitwidth]
    if isinstance(one, types.Boolean):
        return "b"
    if isinstance(one, types.Integer):
        return {64: "qQ", 32: "iI", 8: "bB"}[one.bitwidth][not one.signed]
    return ""  # nothing: None, and defaults


def listed() -> list[dict[str, Any]]:
    return json.loads(FILE.read_text(encoding="utf-8"))
