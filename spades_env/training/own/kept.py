"""State of your own that a run keeps from iteration to iteration and in its checkpoints.

    target = iteration.keep("target", lambda: deepcopy(iteration.learner.policy))      in a stage
    magnet = step.keep("magnet", lambda: deepcopy(step.policy))                in a loss

The first call makes the object; later calls return the same one. After --resume it is made again, and its
`load_state_dict` gets what its `state_dict` returned at the checkpoint. So modules and optimisers of torch can be kept
as they are. Tensors and arrays are stored as tensors, whatever is around them as JSON.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor

from spades_env.training.recipe import RecipeError
from spades_env.training.run.checkpoints import Checkpoint

METHODS = ("state_dict", "load_state_dict")
ALLOWED = "state_dict() may hold dicts, lists, numbers, texts, None, tensors and arrays"


class Stateful(Protocol):
    """What can be kept: a module, an optimiser, or any object with these two methods."""

    def state_dict(self) -> Any: ...

    def load_state_dict(self, state: Any, /) -> Any: ...


One = TypeVar("One", bound=Stateful)


class Kept:
    """The kept objects of a run, by name."""

    def __init__(self):
        self._objects: dict[str, Any] = {}
        self._states: dict[str, Any] = {}  # from a checkpoint, of objects that nobody has asked for yet

    def keep(self, name: str, make: Callable[[], One]) -> One:
        """Return the object of this name; at the first call, make it and give it what a checkpoint holds of it."""
        if name not in self._objects:
            made = make()
            if missing := [method for method in METHODS if not callable(getattr(made, method, None))]:
                raise RecipeError(f"keep({name!r}) takes an object with {' and '.join(METHODS)}: no {missing[0]} there")
            if name in self._states:
                made.load_state_dict(self._states.pop(name))
            self._objects[name] = made
        return self._objects[name]

    def packed(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Return all states for a checkpoint: tensors by name, and the rest as plain data."""
        tensors: dict[str, Tensor] = {}
        states = self._states | {name: one.state_dict() for name, one in self._objects.items()}
        return tensors, {name: _packed(state, f"own.{name}", tensors) for name, state in states.items()}

    def restore(self, checkpoint: Checkpoint) -> None:
        self._objects.clear()
        plain = checkpoint.facts.get("own", {})
        self._states = {name: _unpacked(state, checkpoint.tensors) for name, state in plain.items()}


def _packed(state: Any, name: str, tensors: dict[str, Tensor]) -> Any:
    """Move tensors to `tensors`; return plain data with their names in their places."""
    if isinstance(state, Tensor):
        tensors[name] = state.detach().clone()  # those that share memory could not be saved
        return {"tensor": name}
    if isinstance(state, np.ndarray):
        with suppress(TypeError):  # of records, for instance
            tensors[name] = torch.from_numpy(state.copy())
            return {"array": name}
    if isinstance(state, Mapping):
        return {"items": [[key, _packed(one, f"{name}.{key}", tensors)] for key, one in state.items()]}
    if isinstance(state, list | tuple):
        return [_packed(one, f"{name}.{number}", tensors) for number, one in enumerate(state)]
    if state is None or isinstance(state, bool | int | float | str):
        return state
    raise RecipeError(f"{name} cannot be kept in a checkpoint, as it is a {type(state).__name__}: {ALLOWED}")


def _unpacked(plain: Any, tensors: Mapping[str, Tensor]) -> Any:
    if isinstance(plain, list):
        return [_unpacked(one, tensors) for one in plain]
    if not isinstance(plain, dict):
        return plain
    if "items" in plain:
        return {key: _unpacked(one, tensors) for key, one in plain["items"]}
    return tensors[plain["tensor"]] if "tensor" in plain else tensors[plain["array"]].numpy()
