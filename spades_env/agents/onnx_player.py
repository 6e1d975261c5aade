"""Agents from ONNX files: networks of any framework, or levels that `spades export --onnx` wrote.

    observation  float32[N, NUM_FEATURES]   the observation of spades_v0 (docs/environment.md)
    logits       float32[N, 70]             the higher, the better the action; illegal actions are masked here

An output may have another name if it is the only one with 70 columns. N may be any number, or fixed at 1. Environment
and layout in the file's metadata, if given, must match. It plays its favourite, or samples at the `temperature` of the
metadata or of `x.onnx+temperature:0.5`.

A file of ours has a digest among its metadata (agents/digest.py): a damaged one is refused. The graph of any file must
be a plain sequence of ONNX's own operators. So every answer comes to an end, and nothing is read but the file.
"""

import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import Agent, AgentError, Batch, Hint
from spades_env.agents.digest import KEY, check
from spades_env.agents.network.level import MARKS, checked_temperature
from spades_env.agents.network.player import MOST_AT_ONCE, chances_of, log_probs, masks, sights
from spades_env.errors import SpadesError, one_line
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES

NEEDED = 'pip install "spades-env[onnx]"'
CHECKED = ("env", "layout")  # the marks of a level that say what its inputs mean
ALLOWED = (
    f"allowed is one input float32[N, {NUM_FEATURES}] (what spades_v0 observes), "
    f"and one output 'logits', float32[N, {NUM_ACTIONS}]"
)
PLAIN = "allowed is a plain sequence of ONNX's own operators, with all numbers in the file"
INSIDE = {  # message of the format -> field -> the message in it; what is not read has none
    "model": {7: "graph", 14: "metadata"},
    "graph": {1: "node", 5: "tensor", 15: "sparse tensor"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 22: "sparse tensor"},
    "sparse tensor": {1: "tensor", 2: "tensor"},
}
METADATA_KEY, DOMAIN = ("metadata", 1), ("node", 7)
REFUSED = {
    ("model", 25): "a function of its own",
    ("attribute", 6): "a loop or a branch",  # a graph in a node
    ("tensor", 13): "numbers in another file",
}
OWN_DOMAINS = (b"", b"ai.onnx")
VARINT, BYTES = 0, 2  # kinds of a field, …
FIXED = {1: 8, 5: 4}  # … and those of a fixed size
LONGEST_VARINT = 10
LARGEST_FIELD = 2**29 - 1  # higher bits are ignored by other readers, which would see another field


class OnnxAgent(Agent):
    """An agent that plays by the network in a file."""

    def __init__(self, name: str, path: Path, temperature: float | None = None, seed: int = 0):
        super().__init__(name, seed)
        self._path = path
        self._session = _session(path)
        try:
            self._input, self._one_row = _checked_input(path, self._session)
            self._output = _checked_output(path, self._session)
            metadata = _checked_metadata(path, self._session)
        except UnicodeDecodeError as error:
            raise AgentError(f"{path} cannot be played: {one_line(error)}") from None
        given = metadata.get("temperature", "0") if temperature is None else temperature
        self.temperature = checked_temperature(given)

    def _choose(self, batch: Batch) -> np.ndarray:
        parts = [batch.take(slice(i, i + MOST_AT_ONCE)) for i in range(0, len(batch), MOST_AT_ONCE)]
        return np.concatenate([self._pick(part) for part in parts])

    def _hint(self, batch: Batch) -> Hint:
        """Return its probabilities of the legal actions, at temperature 1 if it plays its favourite."""
        return chances_of(*self._think(batch), self.temperature)

    def _pick(self, batch: Batch) -> np.ndarray:
        logits, mask = self._think(batch)
        if not self.temperature:
            return np.where(mask, logits, -np.inf).argmax(axis=1)
        reached = np.exp(log_probs(logits / self.temperature, mask)).cumsum(axis=1)
        drawn = (batch.walks(self.seed) >> np.uint64(11)).astype(np.float64) / 2.0**53
        return (reached > drawn[:, None] * reached[:, -1:]).argmax(axis=1)

    def _think(self, batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        return self._logits(sights(batch)[:, :NUM_FEATURES].astype(np.float32)), masks(batch)

    def _logits(self, rows: np.ndarray) -> np.ndarray:
        """Return float32[N, 70] for rows, float32[N, NUM_FEATURES]."""
        parts = [rows] if not self._one_row else [rows[i : i + 1] for i in range(len(rows))]
        try:
            logits = np.concatenate([self._session.run([self._output], {self._input: part})[0] for part in parts])
        except Exception as error:
            raise AgentError(f"{self._path} failed: {one_line(error)}") from error
        if logits.shape != (len(rows), NUM_ACTIONS) or not np.isfinite(logits).all():
            wrong = "numbers that are not finite" if logits.shape == (len(rows), NUM_ACTIONS) else list(logits.shape)
            raise AgentError(f"{self._path} answered {wrong} instead of {[len(rows), NUM_ACTIONS]} logits")
        return logits


def make(name: AgentName, seed: int, path: Path | None = None) -> Agent:
    """Return the agent of this name, which is the path of its file if that isn't given."""
    texts = [option.removeprefix("temperature:") for option in name.options if option.startswith("temperature:")]
    if name.setting or len(name.options) > len(texts) or len(texts) > 1:
        raise AgentError(f"invalid agent {name.text!r}; expected {name.name} or {name.name}+temperature:T")
    return OnnxAgent(name.text, path or Path(name.name), checked_temperature(texts[0]) if texts else None, seed)


def _session(path: Path) -> Any:
    """Return a session for the file with one thread, since the arena has its own threads."""
    content = _checked_content(path)
    try:
        runtime = importlib.import_module("onnxruntime")
    except ImportError as error:
        raise AgentError(f"{path} needs onnxruntime: {NEEDED}") from error
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.load_model_format", "ONNX")  # not the runtime's own, which is not checked
    try:
        return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise AgentError(f"{path} cannot be played: {one_line(error)}") from error


def _checked_content(path: Path) -> bytes:
    if not os.path.isfile(path):  # False for any name, however long
        raise AgentError(f"cannot read network {path}: no such file")
    try:
        content = path.read_bytes()
        check_graph(content)
    except (ValueError, OSError) as error:
        raise AgentError(f"{path} cannot be played: {one_line(error)}") from None
    return content


def _checked_input(path: Path, session: Any) -> tuple[str, bool]:
    """Return the name of the input, and whether it takes only one row at a time."""
    inputs = session.get_inputs()
    fits = len(inputs) == 1 and len(inputs[0].shape) == 2 and inputs[0].type == "tensor(float)"
    rows, columns = inputs[0].shape if fits else (None, None)
    if columns != NUM_FEATURES or (isinstance(rows, int) and rows != 1):
        raise AgentError(f"{path} does not play Spades: its inputs are {_described(inputs)}; {ALLOWED}")
    return inputs[0].name, rows == 1


def _checked_output(path: Path, session: Any) -> str:
    outputs = session.get_outputs()
    fits = [out for out in outputs if out.type == "tensor(float)" and out.shape[1:] == [NUM_ACTIONS]]
    named = [out for out in fits if out.name == "logits"]
    if len(named or fits) != 1:
        raise AgentError(f"{path} does not play Spades: its outputs are {_described(outputs)}; {ALLOWED}")
    return (named or fits)[0].name


def _checked_metadata(path: Path, session: Any) -> dict[str, str]:
    """Return the metadata if they match this environment."""
    metadata = session.get_modelmeta().custom_metadata_map
    for name in CHECKED:
        if metadata.get(name, MARKS[name]) != MARKS[name]:
            raise AgentError(
                f"{path} was made for another environment: its {name} is {metadata[name]!r}, not {MARKS[name]!r}"
            )
    return metadata


def _described(values: Any) -> str:
    parts = [f"{value.name!r} {value.type.removeprefix('tensor').strip('()')}{list(value.shape)}" for value in values]
    return ", ".join(parts) or "none"


# The file, as Protocol Buffers: a message is a sequence of fields, each with its number, kind and content


def check_graph(content: bytes) -> None:
    """Raise ValueError if an ONNX file is damaged, or its graph is not plain."""
    parts = list(_parts("model", memoryview(content)))
    check(content, expected=(METADATA_KEY, KEY.encode()) in parts)
    for field, value in parts:
        if field in REFUSED:
            raise SpadesError(f"it has {REFUSED[field]}: {PLAIN}")
        if field == DOMAIN and value not in OWN_DOMAINS:
            raise SpadesError(f"it has an operator of {bytes(value).decode(errors='replace')!r:.40}: {PLAIN}")


def _parts(kind: str, message: memoryview) -> Iterator[tuple[tuple[str, int], memoryview]]:
    """Yield each field that is bytes, of a message and of those in it: (message, number), content."""
    for number, content in _fields(message):
        yield (kind, number), content
        inner = INSIDE.get(kind, {}).get(number)
        if inner:
            yield from _parts(inner, content)


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield number and content of each field that is bytes; raise ValueError if the message is not whole."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if number > LARGEST_FIELD:
            raise SpadesError(f"it has a field {number}")
        if kind == VARINT:
            _, at = _varint(message, at)
        elif kind in FIXED:
            at += FIXED[kind]
        elif kind == BYTES:
            size, at = _varint(message, at)
            if at + size > len(message):
                raise SpadesError("it ends within a field")
            yield number, message[at : at + size]
            at += size
        else:
            raise SpadesError(f"it has a field of the kind {kind}")


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """Return the number of variable length at a place, and the place behind it."""
    number = 0
    for i, byte in enumerate(message[at : at + LONGEST_VARINT]):
        number |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return number, at + i + 1
    raise SpadesError("it ends within a number")
