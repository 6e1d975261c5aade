"""Find an object by its import path, MODULE:NAME, written as in `from MODULE import NAME`.

The current folder is searched first. NAME may have dots: an attribute of an object in the module.
"""

import importlib
import inspect
import os
import re
import sys
import traceback
from typing import Any

from spades_env.checks import nearest
from spades_env.errors import SpadesError

IDENTIFIERS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")  # of a module, or of an object in it


class ImportPathError(SpadesError):
    """Nothing can be imported from a path; the message says why, without naming the path."""


def is_import_path(text: str) -> bool:
    module, _, name = text.partition(":")
    return bool(IDENTIFIERS.fullmatch(module) and IDENTIFIERS.fullmatch(name))


def import_object(module: str, name: str) -> Any:
    """Return what MODULE:NAME leads to."""
    found = _import_module(module)
    for part in name.split("."):
        if not hasattr(found, part):
            close = nearest(part, [other for other in dir(found) if not other.startswith("_")])
            raise ImportPathError(f"{_described(found)} has no {part!r}{close}")
        found = getattr(found, part)
    return found


def refused_call(function: Any, *arguments: Any) -> str:
    """Return why a function does not take these arguments; nothing if it does, or does not say what it takes."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError as error:
        return str(error)
    except ValueError:  # a builtin
        pass
    return ""


def error_line(error: Exception) -> str:
    """Return an error as one line, with the file and line where it was raised."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{what} ({os.path.basename(place.filename)}, line {place.lineno})"


def _import_module(name: str) -> Any:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except Exception as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name
        if missing and f"{name}.".startswith(f"{missing}."):
            raise ImportPathError(
                f"there is no module {missing!r}, neither in this folder nor where Python "
                "looks for modules; MODULE:NAME is written as in `from MODULE import NAME`"
            ) from None
        raise ImportPathError(f"{name} cannot be imported: {error_line(error)}") from error


def _described(found: Any) -> str:
    kind = "module " if inspect.ismodule(found) else ""
    return kind + getattr(found, "__name__", repr(found))
