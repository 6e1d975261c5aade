"""A level: a trained network and what is known of it, in one safetensors file.

    hidden.0.weight  [W, 1159]   hidden.0.bias  [W]     of the inputs, as float32; then, for every hidden layer,
    hidden.1.weight  [W, W]      hidden.1.bias  [W]         x = relu(x @ weight.T + bias)
    …                                                   (any number of them, each as wide as it likes)
    policy.weight    [70, W]     policy.bias    [70]    logits of the actions
    value.weight     [1, W]      value.bias     [1]     what the network itself thinks the position is worth

    critic.hidden.0.weight [V, 1591] … critic.value.bias [1]    may be there: the worth of a whole state, for learning

The inputs are an observation and `insight` behind it (and all four hands, for a critic), taken as they are: whoever
scales them folds the scales into the first layers. Tensors are float16 or float32 in the file and float32 in memory.
The file's metadata are strings, some of them JSON:

    format, env              spades-level/1, spades_v0; a file with others is refused
    layout, insight          observe.layout_mark(), insight.insight_mark(): likewise
    version                  of the package that wrote it
    name, style              what the level is called, how it plays
    recipe, rules            how and on what rules it was trained
    ratings, trained         JSON objects: how strong it is; decisions, seconds and the like
    temperature              how freely it chooses (0, or missing: always its best)
"""

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from agents.base import AgentError
from agents.files import write_whole
from agents.insight import NUM_INPUTS, NUM_OPEN_INPUTS, insight_mark
from spades_env import __version__
from spades_env.cards import NUM_ACTIONS
from spades_env.observe import ENV, layout_mark

MARKS = {"format": "spades-level/1", "env": ENV, "layout": layout_mark(), "insight": insight_mark()}
TEXTS = ("version", "name", "style", "recipe", "rules")
OBJECTS = ("ratings", "trained")
STORED = {"F16": np.float16, "F32": np.float32}
CRITIC = "critic."
ALLOWED_TENSORS = "a level has weight and bias of each hidden layer from 0 up, of policy and of value (and of a critic)"

Tensors = Mapping[str, np.ndarray]


class LevelError(AgentError):
    """A level that cannot be played; the message says what is wrong with it and what is allowed."""


class Layer(NamedTuple):
    """x @ weight + bias."""

    weight: np.ndarray  # float32[inputs, outputs]: the tensor transposed
    bias: np.ndarray  # float32[outputs]


@dataclass(frozen=True, eq=False)
class Level:
    """A network and what is known of it; whatever does not fit together is refused. Arrays are read-only."""

    tensors: Tensors
    name: str
    style: str
    recipe: str
    rules: str
    ratings: dict[str, Any]
    trained: dict[str, Any]
    temperature: float = 0.0
    version: str = __version__

    def __post_init__(self):
        object.__setattr__(self, "tensors", _checked_tensors(self.tensors))
        object.__setattr__(self, "temperature", checked_temperature(self.temperature))
        _check_words(self)

    @classmethod
    def read(cls, path: str | os.PathLike) -> "Level":
        """The level in a file."""
        if not Path(path).is_file():
            raise LevelError(f"there is no level {os.fspath(path)}: no such file")
        try:
            with safe_open(os.fspath(path), framework="numpy") as file:
                words = _read_words(file.metadata() or {})
                return cls({name: _read_tensor(file, name) for name in sorted(file.keys())}, **words)
        except SafetensorError as error:
            reason = f"it is not a whole safetensors file ({error})"
        except OSError as error:
            reason = str(error)
        except LevelError as error:
            reason = str(error)
        raise LevelError(f"{os.fspath(path)} is no level to play: {reason}")

    def write(self, path: str | os.PathLike, half: bool = False) -> None:
        """Into a file, at one stroke; half: as float16, half as long."""
        tensors = {name: _halved(name, tensor) if half else tensor for name, tensor in self.tensors.items()}
        write_whole(path, save(tensors, self.metadata))

    @property
    def metadata(self) -> dict[str, str]:
        """All that the file says beside the tensors."""
        texts = {name: getattr(self, name) for name in TEXTS}
        objects = {name: json.dumps(getattr(self, name), ensure_ascii=False) for name in OBJECTS}
        return MARKS | texts | objects | {"temperature": repr(self.temperature)}

    @cached_property
    def hidden(self) -> tuple[Layer, ...]:
        """The hidden layers, the first one reading an observation."""
        return tuple(self._layer(f"hidden.{i}") for i in range(_depth("", self.tensors)))

    @cached_property
    def policy(self) -> Layer:
        """From the last hidden layer to the logits."""
        return self._layer("policy")

    @cached_property
    def value(self) -> Layer:
        """From the last hidden layer to the value."""
        return self._layer("value")

    def _layer(self, name: str) -> Layer:
        return Layer(self.tensors[f"{name}.weight"].T.copy(), self.tensors[f"{name}.bias"].copy())

    def __repr__(self) -> str:
        widths = " × ".join(str(len(layer.bias)) for layer in self.hidden)
        return f"<Level {self.name}: hidden layers {widths or 'none'}, trained on {self.rules}>"


def checked_temperature(temperature: float | str) -> float:
    """A temperature to play at, or the text of one."""
    try:
        number = float(temperature)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise LevelError(f"temperature cannot be {temperature!r}: it takes a number from 0 up")
    return number


# The network


def _layers(names: Iterable[str]) -> Iterator[tuple[str, str | int, int | None]]:
    """The layers that a level with such tensors has: name, what it reads (a layer, or so many features), outputs."""
    networks = {"": (NUM_INPUTS, {"policy": NUM_ACTIONS, "value": 1})}
    if any(name.startswith(CRITIC) for name in names):
        networks[CRITIC] = (NUM_OPEN_INPUTS, {"value": 1})
    for prefix, (size, heads) in networks.items():
        below = size
        for i in range(_depth(prefix, names)):
            yield f"{prefix}hidden.{i}", below, None
            below = f"{prefix}hidden.{i}"
        for head, outputs in heads.items():
            yield f"{prefix}{head}", below, outputs


def _depth(prefix: str, names: Iterable[str]) -> int:
    """How many hidden layers there are, or would be if none was lacking."""
    found = [re.match(rf"{re.escape(prefix)}hidden\.([0-9]{{1,3}})\.", name) for name in names]
    return 1 + max((int(match[1]) for match in found if match), default=-1)


def _checked_tensors(tensors: Tensors) -> dict[str, np.ndarray]:
    """The tensors in float32, read-only: all are there, fit one another and are finite."""
    layers = list(_layers(tensors))
    names = [f"{layer}.{part}" for layer, _, _ in layers for part in ("weight", "bias")]
    for name in names:
        if name not in tensors:
            raise LevelError(f"it lacks the tensor {name}; {ALLOWED_TENSORS}")
    for name in tensors:
        if name not in names:
            raise LevelError(f"it holds a tensor {name}; {ALLOWED_TENSORS}")
    checked, widths = {}, {}
    for layer, below, outputs in layers:
        weight, bias = f"{layer}.weight", f"{layer}.bias"
        widths[layer] = outputs or max((1, *np.shape(tensors[weight])[:1]))
        checked[weight] = _checked_tensor(weight, tensors[weight], (widths[layer], widths.get(below, below)))
        checked[bias] = _checked_tensor(bias, tensors[bias], (widths[layer],))
    return checked


def _checked_tensor(name: str, tensor: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if np.asarray(tensor).dtype not in STORED.values():
        raise LevelError(f"{name} holds {np.asarray(tensor).dtype}, tensors are float16 or float32")
    if np.shape(tensor) != shape:
        raise LevelError(f"{name} has the shape {_shape_text(np.shape(tensor))}, it must have {_shape_text(shape)}")
    if not np.isfinite(tensor).all():
        raise LevelError(f"{name} holds a number that is not finite, all must be")
    numbers = np.array(tensor, np.float32, order="C")
    numbers.flags.writeable = False
    return numbers


def _shape_text(shape: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, shape)) + "]"


def _read_tensor(file, name: str) -> np.ndarray:
    stored = file.get_slice(name).get_dtype()
    if stored not in STORED:
        raise LevelError(f"{name} is stored as {stored}, tensors are stored as {' or '.join(STORED)}")
    return file.get_tensor(name)


def _halved(name: str, tensor: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        half = tensor.astype(np.float16)
    if not np.isfinite(half).all():
        raise LevelError(f"{name} holds numbers too great for float16 (beyond 65504): write it as float32")
    return half


# The words beside it


def _read_words(metadata: Mapping[str, str]) -> dict[str, Any]:
    """What the constructor takes beside the tensors, out of a file's metadata."""
    for name in (*MARKS, *TEXTS, *OBJECTS):
        if name not in metadata:
            raise LevelError(f"its metadata lack {name!r}; there must be {', '.join((*MARKS, *TEXTS, *OBJECTS))}")
        if metadata[name] != MARKS.get(name, metadata[name]):
            raise LevelError(f"its {name} is {metadata[name]!r}, this package plays {MARKS[name]!r} only")
    texts = {name: metadata[name] for name in TEXTS}
    objects = {name: _read_object(name, metadata[name]) for name in OBJECTS}
    return texts | objects | {"temperature": checked_temperature(metadata.get("temperature", "0"))}


def _read_object(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise LevelError(f"its {name} are {text!r}, they must be a JSON object") from None


def _check_words(level: Level) -> None:
    for name in TEXTS:
        if not isinstance(getattr(level, name), str):
            raise LevelError(f"its {name} must be text, not {getattr(level, name)!r}")
    for name in OBJECTS:
        value = getattr(level, name)
        try:
            fits = isinstance(value, dict) and json.loads(json.dumps(value, allow_nan=False)) == value
        except (TypeError, ValueError):
            fits = False
        if not fits:
            raise LevelError(f"its {name} must be a dict that JSON can hold, not {value!r}")
