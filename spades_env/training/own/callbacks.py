"""Callbacks: functions and objects of your own that a run calls as it goes.

    train(recipe, folder, callbacks=[print, Watcher()])

A function is called with a Record after every event. Of an object those methods are called that it has:

    on_iteration(record)     an iteration was played and learned from
    on_evaluation(record)    games against one opponent were played
    on_checkpoint(record)    a checkpoint was written
    on_end(record)           the run is finished

A recipe names callbacks by import path; a class is called without arguments. With several workers only the first one
calls them. An error in a callback stops the run, which goes on with --resume.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from spades_env.import_path import error_line, refused_call
from spades_env.training.recipe import RecipeError
from spades_env.training.recipe.imports import imported, made
from spades_env.training.run.checkpoints import RunError

Event = Literal["iteration", "evaluation", "checkpoint", "end"]
EVENTS: tuple[Event, ...] = ("iteration", "evaluation", "checkpoint", "end")
METHODS = {event: f"on_{event}" for event in EVENTS}
ALLOWED = (
    "a callback is a function of one argument (a training.Record), or an object with some of "
    f"{', '.join(METHODS.values())}"
)


@dataclass(frozen=True)
class Record:
    """How far a run has come, read-only: what a callback is called with.

    Attributes:
        event: "iteration", "evaluation", "checkpoint" or "end".
        folder: The run's folder.
        stage: The kind of the stage.
        iteration: Iterations played.
        iterations: Iterations of the whole recipe.
        decisions: Of the learner, by all workers.
        seconds: Since the run began, without pauses.
        numbers: Numbers by name. Of an iteration: what metrics.jsonl has of it. Of an evaluation against NAME:
            `wins/NAME` with its 95 % interval from `low/NAME` to `high/NAME`, and `points/NAME`. Else empty.

    Examples:
        >>> def watch(record):
        ...     if record.event == "evaluation":
        ...         print(record.decisions, dict(record.numbers))
    """

    event: Event
    folder: Path
    stage: str
    iteration: int
    iterations: int
    decisions: int
    seconds: float
    numbers: Mapping[str, float]

    def __post_init__(self):
        object.__setattr__(self, "numbers", MappingProxyType(dict(self.numbers)))


class Callbacks:
    """All callbacks of a run."""

    def __init__(self, found: Sequence[tuple[str, Any]]):
        self._found = [(name, _checked(name, one)) for name, one in found]

    @classmethod
    def of(cls, paths: Sequence[str], given: Sequence[Any]) -> "Callbacks":
        """Return those that a recipe names by their paths, and those given to `train`."""
        return cls([(path, _made(path)) for path in paths] + [(_name(one), one) for one in given])

    def call(self, record: Record) -> None:
        """Call every callback that wants to know of this event."""
        for name, callback in self._found:
            method = getattr(callback, METHODS[record.event], None) if _has_methods(callback) else callback
            if method is None:
                continue
            try:
                method(record)
            except Exception as error:
                raise RunError(
                    f"the callback {name} failed after iteration {record.iteration}: {error_line(error)}; "
                    "continue the run with --resume"
                ) from error


def _made(path: str) -> Any:
    found = imported("callbacks", path)
    return made("callbacks", path, found) if inspect.isclass(found) else found


def _name(callback: Any) -> str:
    return getattr(callback, "__name__", type(callback).__name__)


def _has_methods(callback: Any) -> bool:
    return any(callable(getattr(callback, method, None)) for method in METHODS.values())


def _checked(name: str, callback: Any) -> Any:
    functions: list[Callable] = [getattr(callback, method) for method in METHODS.values() if hasattr(callback, method)]
    if inspect.isclass(callback) or not (functions or callable(callback)):
        raise RecipeError(f"{name} is not a callback: {ALLOWED}")
    for function in functions or [callback]:
        if why := refused_call(function, object()):
            raise RecipeError(f"{name} cannot be called with a record ({why}): {ALLOWED}")
    return callback
