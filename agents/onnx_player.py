"""Agents from ONNX files: networks of any framework, or levels that `spades export --onnx` wrote.

    observation  float32[N, 768]    the observation of spades_v0 (docs/environment.md), or
                 float32[N, 1462]   … followed by insight: agents.network.features
    logits       float32[N, 70]     the higher, the better the action; illegal actions are masked here

An output may have another name if it is the only one with 70 columns. N may be any number, or fixed at 1. Environment
and layout in the file's metadata, if given, must match. It plays its favourite, or samples at the `temperature` of the
metadata or of `x.onnx+temperature:0.5`.
"""

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from agents.agent_name import AgentName
from agents.base import Agent, AgentError, Batch, Hint
from agents.network.insight import NUM_INPUTS
from agents.network.level import MARKS, checked_number
from agents.network.player import chances_of, features, leave_out_wild_bids, log_probs, masks
from spades_env.cards import NUM_ACTIONS
from spades_env.observe import NUM_FEATURES

NEEDED = 'pip install "spades-env[onnx]"'
CHECKED = ("env", "layout", "insight")  # the marks of a level that say what its inputs mean
MOST_AT_ONCE = 4096
ALLOWED = (
    f"allowed is one input float32[N, {NUM_FEATURES}] (what spades_v0 observes) or float32[N, {NUM_INPUTS}] "
    f"(agents.network.features), and one output 'logits', float32[N, {NUM_ACTIONS}]"
)


class OnnxAgent(Agent):
    """An agent that plays by the network in a file."""

    def __init__(self, name: str, path: Path, temperature: float | None = None, seed: int = 0):
        super().__init__(name, seed)
        self._path = path
        self._session = _session(path)
        self._input, self.columns, self._one_row = _checked_input(path, self._session)
        self._output = _checked_output(path, self._session)
        metadata = _checked_metadata(path, self._session)
        self._heed = checked_number("heed", metadata.get("heed", "0"))
        given = metadata.get("temperature", "0") if temperature is None else temperature
        self.temperature = checked_number("temperature", given)

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
        x, mask = features(batch), masks(batch)
        if self.columns == NUM_INPUTS:  # with the advice that a level may heed
            leave_out_wild_bids(self._heed, x, mask)
        return self._logits(x[:, : self.columns].astype(np.float32)), mask

    def _logits(self, rows: np.ndarray) -> np.ndarray:
        """Return float32[N, 70] for rows, float32[N, columns]."""
        parts = [rows] if not self._one_row else [rows[i : i + 1] for i in range(len(rows))]
        try:
            logits = np.concatenate([self._session.run([self._output], {self._input: part})[0] for part in parts])
        except Exception as error:
            raise AgentError(f"{self._path} failed: {_line(error)}") from error
        if logits.shape != (len(rows), NUM_ACTIONS) or not np.isfinite(logits).all():
            wrong = "numbers that are not finite" if logits.shape == (len(rows), NUM_ACTIONS) else list(logits.shape)
            raise AgentError(f"{self._path} answered {wrong} instead of {[len(rows), NUM_ACTIONS]} logits")
        return logits


def make(name: AgentName, seed: int) -> Agent:
    texts = [option.removeprefix("temperature:") for option in name.options if option.startswith("temperature:")]
    if name.setting or len(name.options) > len(texts) or len(texts) > 1:
        raise AgentError(f"{name.text!r} is no agent: it is written {name.name} or {name.name}+temperature:T")
    return OnnxAgent(name.text, Path(name.name), checked_number("temperature", texts[0]) if texts else None, seed)


def _session(path: Path) -> Any:
    """Return a session for the file with one thread, since the arena has its own threads."""
    if not path.is_file():
        raise AgentError(f"there is no network {path}: no such file")
    try:
        runtime = importlib.import_module("onnxruntime")
    except ImportError as error:
        raise AgentError(f"{path} needs onnxruntime: {NEEDED}") from error
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return runtime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise AgentError(f"{path} is no whole ONNX file: {_line(error)}") from error


def _checked_input(path: Path, session: Any) -> tuple[str, int, bool]:
    """Return the name and columns of the input, and whether it takes only one row at a time."""
    inputs = session.get_inputs()
    fits = len(inputs) == 1 and len(inputs[0].shape) == 2 and inputs[0].type == "tensor(float)"
    rows, columns = inputs[0].shape if fits else (None, None)
    if columns not in (NUM_FEATURES, NUM_INPUTS) or (isinstance(rows, int) and rows != 1):
        raise AgentError(f"{path} is no player of Spades: its inputs are {_described(inputs)}; {ALLOWED}")
    return inputs[0].name, columns, rows == 1


def _checked_output(path: Path, session: Any) -> str:
    outputs = session.get_outputs()
    fits = [out for out in outputs if out.type == "tensor(float)" and out.shape[1:] == [NUM_ACTIONS]]
    named = [out for out in fits if out.name == "logits"]
    if len(named or fits) != 1:
        raise AgentError(f"{path} is no player of Spades: its outputs are {_described(outputs)}; {ALLOWED}")
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


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
