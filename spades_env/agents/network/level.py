"""A level: a trained network and its metadata, in one safetensors file.

The network reads an observation followed by tallies, arranged by suit (rows.py): four lanes of L small whole numbers,
and G others that belong to no card. E is the width of a suit and W that of the table; each level has its own. Every
suit goes through the same weights. Without the biases:

    suit    = relu(suits · lane)                                                        E, for each of the four
    table   = relu(table · (others, the suit of trumps, the sum of the other three))    W
    table   = relu(table2 · table)                                                      W
    suit    = relu(cards · (lane, suit, table))                                         E, for each of the four
    suit    = relu(cards2 · suit)                                                       E
    logits  = places · suit    of a lane's 16 places
              bids · table     of the 16 actions that are not cards

    suits.weight [E, L]             table.weight [W, G + 2 E]   table2.weight [W, W]   places.weight [16, E]
    cards.weight [E, L + E + W]     cards2.weight [E, E]        bids.weight [16, W]

Every weight has a bias, as long as the weight is high. Tensors are float16 or float32 in the file, float32 in memory.
The file's metadata are strings, some of them JSON:

    digest                   of the whole file (agents/digest.py); a damaged file is refused
    format, env              spades-level/3, spades_v0; a file with others is refused
    layout, rows             observe.layout_mark(), rows.rows_mark(); likewise
    version                  of the package that wrote it
    name, style              what the level is called, how it plays
    recipe, rules            how and on what rules it was trained
    ratings, trained         JSON objects. ratings: how strong it was measured to be (by opponent: won, ci and games;
                             `spades export` adds points and iterations, `spades roster build` its place on the
                             `ladder`: rating, ci). trained: decisions, seconds and the like
    temperature              of the softmax over the logits (0, or missing: always the best action)
"""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from safetensors import deserialize

from spades_env._version import __version__
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import AgentError
from spades_env.agents.digest import DamagedError, read_sealed, sealed
from spades_env.agents.network.forward import Network, network_of
from spades_env.agents.network.rows import NUM_CALLS, NUM_OTHERS, PLACES_A_LANE, POLICY_LANE, rows_mark
from spades_env.game.observe import ENV, layout_mark
from spades_env.plain import PlainError, from_json

MARKS = {"format": "spades-level/3", "env": ENV, "layout": layout_mark(), "rows": rows_mark()}
TEXTS = ("version", "name", "style", "recipe", "rules")
OBJECTS = ("ratings", "trained")
STORED = {"F16": np.float16, "F32": np.float32}
LAYERS = ("suits", "table", "table2", "cards", "cards2", "places", "bids")
ALLOWED_TENSORS = f"a level has weight and bias of {', '.join(LAYERS)}"
LARGEST_INPUT = 127.0
LARGEST = 1e24  # number in a network: far above any trained one's (below 1e13), far below what float32 can hold
COLDEST, HOTTEST = 1e-9, 1e9  # temperatures beside 0: LARGEST / COLDEST is still a float32

Tensors = Mapping[str, np.ndarray]


class LevelError(AgentError):
    """A level that cannot be played; the message says what is wrong with it and what is allowed."""


@dataclass(frozen=True, eq=False)
class Level:
    """A network and its metadata; parts that do not fit together are refused. Arrays are read-only."""

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
        if not largest(self.tensors) <= LARGEST:
            raise LevelError(f"its weights are too large: its numbers could exceed {LARGEST:g}")
        object.__setattr__(self, "temperature", checked_temperature(self.temperature))
        _check_fields(self)

    @classmethod
    def read(cls, path: str | os.PathLike) -> "Level":
        """Read the level in a file."""
        if not os.path.isfile(path):  # False for any name, however long
            raise LevelError(f"cannot read level {os.fspath(path)}: no such file")
        try:
            content, metadata = read_sealed(path)
            tensors = {name: read_tensor(name, stored) for name, stored in sorted(deserialize(content))}
            return cls(tensors, **read_metadata(metadata))
        except (DamagedError, LevelError, OSError) as error:
            raise LevelError(f"{os.fspath(path)} cannot be played: {error}") from None

    def write(self, path: str | os.PathLike, half: bool = False) -> None:
        """Write the level to a file, whole or not at all. half: as float16."""
        from safetensors.numpy import save

        tensors = {name: _halved(name, tensor) if half else tensor for name, tensor in self.tensors.items()}
        write_whole(path, sealed(save(tensors, self.metadata | {"version": __version__})))

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of its file."""
        texts = {name: getattr(self, name) for name in TEXTS}
        objects = {name: json.dumps(getattr(self, name), ensure_ascii=False) for name in OBJECTS}
        return MARKS | texts | objects | {"temperature": repr(self.temperature)}

    @cached_property
    def network(self) -> Network:
        """The weights as kernels read them."""
        return network_of(self.tensors)

    @property
    def widths(self) -> tuple[int, int]:
        return len(self.tensors["table.bias"]), len(self.tensors["suits.bias"])

    def __repr__(self) -> str:
        width, suit_width = self.widths
        return f"<Level {self.name}: {width} wide, a suit {suit_width}, trained on {self.rules}>"


def checked_temperature(value: float | str) -> float:
    """Return a temperature from a number or its text; raise LevelError if it cannot be one."""
    try:
        temperature = float(value)
    except (TypeError, ValueError):
        temperature = math.nan
    if temperature != 0 and not COLDEST <= temperature <= HOTTEST:
        raise LevelError(f"temperature cannot be {value!r}: it takes 0 or a number from {COLDEST:g} to {HOTTEST:g}")
    return temperature


# The network


def layer_sizes(width: int, suit_width: int) -> dict[str, tuple[int, int]]:
    """Return the (inputs, outputs) of every layer, by name, for these widths of the table and of a suit."""
    return {
        "suits": (POLICY_LANE, suit_width),
        "table": (NUM_OTHERS + 2 * suit_width, width),
        "table2": (width, width),
        "cards": (POLICY_LANE + suit_width + width, suit_width),
        "cards2": (suit_width, suit_width),
        "places": (suit_width, PLACES_A_LANE),
        "bids": (width, NUM_CALLS),
    }


def largest(tensors: Tensors) -> float:
    """Return what no number in the network can exceed, whatever it reads and in whatever order it adds."""
    suits = _most_after("suits", tensors, LARGEST_INPUT)
    table = _most_after("table", tensors, max(LARGEST_INPUT, 3 * suits))
    table2 = _most_after("table2", tensors, table)
    cards = _most_after("cards", tensors, max(LARGEST_INPUT, suits, table2))
    cards2 = _most_after("cards2", tensors, cards)
    logits = max(_most_after("places", tensors, cards2), _most_after("bids", tensors, table2))
    return max(3 * suits, table, table2, cards, cards2, logits)


def _most_after(layer: str, tensors: Tensors, most: float) -> float:
    """Return what no output of a layer can exceed, if no input exceeds `most`."""
    weight, bias = (np.abs(tensors[f"{layer}.{part}"]) for part in ("weight", "bias"))
    return most * float(weight.sum(axis=1, dtype=np.float64).max()) + float(bias.max())


def _checked_tensors(tensors: Tensors) -> dict[str, np.ndarray]:
    """Return the tensors as read-only float32; raise LevelError if they are not those of a level."""
    names = [f"{layer}.{part}" for layer in LAYERS for part in ("weight", "bias")]
    for name in names:
        if name not in tensors:
            raise LevelError(f"it lacks the tensor {name}; {ALLOWED_TENSORS}")
    for name in tensors:
        if name not in names:
            raise LevelError(f"it holds a tensor {name}; {ALLOWED_TENSORS}")
    width, suit_width = (max((1, *np.shape(tensors[f"{layer}.weight"])[:1])) for layer in ("table", "suits"))
    checked = {}
    for layer, (inputs, outputs) in layer_sizes(width, suit_width).items():
        for name, shape in ((f"{layer}.weight", (outputs, inputs)), (f"{layer}.bias", (outputs,))):
            checked[name] = _checked_tensor(name, tensors[name], shape)
    return checked


def _checked_tensor(name: str, tensor: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if np.asarray(tensor).dtype not in STORED.values():
        raise LevelError(f"{name} holds {np.asarray(tensor).dtype}, tensors are float16 or float32")
    if np.shape(tensor) != shape:
        raise LevelError(f"{name} has the shape {list(np.shape(tensor))}, it must have {list(shape)}")
    if not np.isfinite(tensor).all():
        raise LevelError(f"{name} holds a number that is not finite, all must be")
    numbers = np.array(tensor, np.float32, order="C")
    numbers.flags.writeable = False
    return numbers


def read_tensor(name: str, stored: Mapping[str, Any]) -> np.ndarray:
    """Return a tensor as safetensors stores it."""
    if stored["dtype"] not in STORED:
        raise LevelError(f"{name} is stored as {stored['dtype']}, tensors are stored as {' or '.join(STORED)}")
    return np.frombuffer(stored["data"], STORED[stored["dtype"]]).reshape(stored["shape"])


def _halved(name: str, tensor: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        half = tensor.astype(np.float16)
    if not np.isfinite(half).all():
        raise LevelError(f"{name} holds numbers too great for float16 (beyond 65504): write it as float32")
    return half


# The metadata


def check_marks(metadata: Mapping[str, str], marks: Mapping[str, str], *others: str) -> None:
    """Raise LevelError unless the metadata has these marks, and values for the other names."""
    for name in (*marks, *others):
        if name not in metadata:
            raise LevelError(f"its metadata lack {name!r}; there must be {', '.join((*marks, *others))}")
        if metadata[name] != marks.get(name, metadata[name]):
            raise LevelError(f"its {name} is {metadata[name]!r}, this package plays {marks[name]!r} only")


def read_metadata(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Return the constructor's arguments, except the tensors, from a file's metadata."""
    check_marks(metadata, MARKS, *TEXTS, *OBJECTS)
    fields: dict[str, Any] = {name: metadata[name] for name in TEXTS}
    for name in OBJECTS:
        try:
            fields[name] = from_json(metadata[name])
        except PlainError:
            raise LevelError(f"its {name} are {metadata[name]!r}, they must be a JSON object") from None
    return fields | {"temperature": checked_temperature(metadata.get("temperature", "0"))}


def _check_fields(level: Level) -> None:
    for name in TEXTS:
        if not isinstance(getattr(level, name), str):
            raise LevelError(f"its {name} must be text, not {getattr(level, name)!r}")
    for name in OBJECTS:
        value = getattr(level, name)
        try:
            fits = isinstance(value, dict) and from_json(json.dumps(value, allow_nan=False)) == value
        except (TypeError, ValueError, RecursionError):
            fits = False
        if not fits:
            raise LevelError(f"its {name} must be a dict that JSON can hold, not {value!r}")
