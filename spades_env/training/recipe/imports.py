"""Keys of a recipe that lead to code of your own by its import path, MODULE:NAME.

    kind: str = word_or_import("suits")     this word, or an import path
    loss: str = import_path()               an import path, or nothing
    imported("stage.0.loss", "mine:loss")   what a path leads to

The current folder is searched first. A path that leads nowhere is refused; the message names the key.
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields, is_dataclass
from typing import Any

from spades_env.checks import as_int
from spades_env.import_path import ImportPathError, error_line, import_object, is_import_path, refused_call
from spades_env.training.recipe.keys import RecipeError

WRITTEN = "an import path, written MODULE:NAME"
STAGE = (
    "a stage of your own is a dataclass with defaults for all its fields, a whole number `iterations` among them, "
    "and a method learn(iteration)"
)


def import_path() -> Any:
    """Declare an import path; by default there is none."""
    return field(default="", metadata={"check": lambda path: "" if not path or is_import_path(path) else WRITTEN})


def word_or_import(word: str) -> Any:
    allowed = f"{word!r} or {WRITTEN}"
    return field(default=word, metadata={"check": lambda path: "" if path == word or is_import_path(path) else allowed})


def imported(key: str, path: str) -> Any:
    """Return what an import path leads to; `key` is the recipe's key in messages."""
    module, _, name = path.partition(":")
    try:
        return import_object(module, name)
    except ImportPathError as error:
        raise RecipeError(f"{key} = {path!r} leads nowhere: {error}") from error.__cause__


def imported_function(key: str, path: str, argument: str) -> Callable[[Any], Any]:
    """Return a function that can be called with one argument, which messages call `argument`."""
    found = imported(key, path)
    if inspect.isclass(found) or not callable(found):
        raise RecipeError(f"{key} = {path!r} must be a function of one argument ({argument}), not {found!r:.60}")
    if why := refused_call(found, object()):
        raise RecipeError(f"{key} = {path!r} must take one argument ({argument}): {why}")
    return found


def imported_stage(key: str, path: str) -> type:
    """Return the class of a stage."""
    found: Any = imported(key, path)
    learn = getattr(found, "learn", None)
    if not (inspect.isclass(found) and is_dataclass(found) and callable(learn)):
        raise RecipeError(f"{key} = {path!r} is not a stage: {STAGE}")
    known: dict[str, Field] = {one.name: one for one in fields(found)}
    missing = [one.name for one in known.values() if one.default is MISSING and one.default_factory is MISSING]
    if missing or "iterations" not in known:
        lacks = f"its field {missing[0]} has no default" if missing else "it has no field iterations"
        raise RecipeError(f"{key} = {path!r} is not a stage, {lacks}: {STAGE}")
    if why := refused_call(learn, object(), object()):
        raise RecipeError(f"{key} = {path!r} is not a stage, its learn(iteration) cannot be called: {why}")
    return found


def made(key: str, path: str, make: Callable[[], Any], how: str = "") -> Any:
    """Return what `make` makes. how: what to add to the message if it fails."""
    try:
        return make()
    except RecipeError:
        raise
    except Exception as error:
        raise RecipeError(f"{key} = {path!r} could not be made{how}: {error_line(error)}") from error


def made_stage(key: str, path: str, make: Callable[[], Any]) -> Any:
    """Return the stage that `make` makes, if its class accepts its keys."""
    stage = made(key, path, make)
    count = stage.iterations
    if as_int(count) is None or count < 1:
        raise RecipeError(f"{key.removesuffix('kind')}iterations must be more than 0, not {count!r}")
    return stage
