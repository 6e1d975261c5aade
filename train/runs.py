"""A run's folder: everything that is known of it, and all that is needed to go on after a kill at any moment.

    config.json                the recipe, every key of it
    metrics.jsonl              one line a round; lines of evaluations between them
    tensorboard/               the same numbers
    checkpoints/000150.safetensors    networks, optimiser, past selves, how it
                               went against all, after 150 rounds; the last two are kept
    level.safetensors          the policy, ready to play
    curves.svg                 learning curves, drawn after checkpoints and evaluations

Files are written to a temporary name and renamed. A run that goes on drops the lines written after its checkpoint.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save

from agents.files import write_whole
from agents.level import MARKS as LEVEL_MARKS
from spades_env.plain import PlainError, from_json
from train.recipe import Recipe

KEPT = 2  # checkpoints
MARKS = {**LEVEL_MARKS, "format": "spades-checkpoint/2"}  # what a checkpoint must agree in, as a level must


class RunError(ValueError):
    """A run that cannot be begun or continued; the message says why."""


class Run:
    """The folder of one run."""

    def __init__(self, folder: Path, recipe: Recipe):
        self.folder, self.recipe = folder, recipe
        self._board = None

    @classmethod
    def begin(cls, folder: Path, recipe: Recipe) -> "Run":
        """A new folder."""
        if (folder / "config.json").exists():
            raise RunError(f"{folder} holds a run already: continue it with --resume, or name another with --out")
        run = cls(folder, recipe)
        (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        write_whole(folder / "config.json", json.dumps(recipe.as_dict(), indent=1).encode())
        return run

    @classmethod
    def resume(cls, folder: Path, recipe: Recipe) -> "Run":
        """A folder that is there."""
        config = folder / "config.json"
        if not config.exists():
            raise RunError(f"{folder} holds no run to resume: it has no config.json")
        then, now = flat(read_recipe(folder)), flat(recipe)
        other = [key for key in {**then, **now} if then.get(key) != now.get(key)]
        if other:
            was, asked = (json.dumps(keys[other[0]]) if other[0] in keys else "not there" for keys in (then, now))
            raise RunError(
                f"{folder} was run by another recipe: its {other[0]} is {was}, asked for is {asked}; "
                "ask for the same, or name another folder"
            )
        return cls(folder, recipe)

    # Checkpoints

    def last_checkpoint(self) -> Path | None:
        """The one after the most rounds."""
        return last_checkpoint(self.folder)

    def save(self, rounds: int, tensors: dict[str, torch.Tensor], facts: dict[str, Any]) -> None:
        """A checkpoint; older ones than the last few go, and what kills have left of any."""
        if self._board:
            self._board.flush()  # who goes on from here would not log again what came before
        path = self.folder / "checkpoints" / f"{rounds:06d}.safetensors"
        words = MARKS | {"facts": json.dumps(facts | {"rounds": rounds})}
        write_whole(path, save({name: t.detach().cpu().contiguous() for name, t in tensors.items()}, words))
        for old in [*sorted(path.parent.glob("*.safetensors"))[:-KEPT], *path.parent.glob("*.part")]:
            old.unlink()

    # Metrics

    def cut_metrics(self, rounds: int) -> None:
        """Forget what was written after so many rounds."""
        path = self.folder / "metrics.jsonl"
        if not path.exists():
            return
        lines = [line for line in path.read_text().splitlines() if _round_of(line) < rounds]
        write_whole(path, "".join(line + "\n" for line in lines).encode())

    def log(self, number: int, numbers: Mapping[str, Any]) -> None:
        """A line of metrics.jsonl, and the same for TensorBoard."""
        with open(self.folder / "metrics.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({"round": number, **numbers}) + "\n")
        board = self._writer(number)
        for name, value in numbers.items():
            if isinstance(value, int | float):
                board.add_scalar(name, value, number)

    def metrics(self) -> list[dict[str, Any]]:
        """All lines."""
        path = self.folder / "metrics.jsonl"
        return [_line_of(path, line) for line in path.read_text().splitlines()] if path.exists() else []

    def _writer(self, number: int):
        if self._board is None:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(os.fspath(self.folder / "tensorboard"), purge_step=number)
        return self._board

    def close(self) -> None:
        """Finish TensorBoard's file; another line would open a new one."""
        if self._board:
            self._board.close()
            self._board = None


def last_checkpoint(folder: Path) -> Path | None:
    """Of a run's folder, the one after the most rounds."""
    found = sorted((folder / "checkpoints").glob("*.safetensors"))
    return found[-1] if found else None


def last_evaluations(folder: Path, rounds: int) -> dict[str, dict[str, Any]]:
    """Of each opponent, the last line of the metrics that tells of an evaluation within so many rounds."""
    path = folder / "metrics.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    told = [from_json(line) for line in lines if _round_of(line) < rounds]
    return {line["evaluation"]: line for line in told if "evaluation" in line}


def start_file(start: str) -> Path:
    """What a recipe's `start` means: of a run's folder, its last checkpoint."""
    path = Path(start)
    if not path.is_dir():
        return path
    last = last_checkpoint(path)
    if last is None:
        raise RunError(f"{start} holds no checkpoint to start from")
    return last


def _round_of(line: str) -> float:
    """The round a line tells of; a line that a kill cut short tells of none."""
    try:
        return float(from_json(line)["round"])
    except (ValueError, KeyError, TypeError):
        return float("inf")


def _line_of(path: Path, line: str) -> dict[str, Any]:
    """What a line of the metrics says."""
    try:
        return from_json(line)
    except PlainError as error:
        raise RunError(f"{path} has a line that cannot be read: {error}") from None


def read_recipe(folder: Path) -> Recipe:
    """What a run's folder was run by."""
    try:
        return Recipe.of(from_json((folder / "config.json").read_bytes()))
    except OSError as error:
        raise RunError(f"{folder} holds no run: its config.json cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise RunError(f"{folder / 'config.json'} is no recipe: {error}") from None


def flat(recipe: Recipe) -> dict[str, Any]:
    """Every key of a recipe with its value, those of sections and stages as `--set` names them."""
    return dict(_flat("", json.loads(json.dumps(recipe.as_dict()))))


def _flat(before: str, value: Any) -> Iterator[tuple[str, Any]]:
    inner = dict(enumerate(value)) if isinstance(value, list) and value and isinstance(value[0], dict) else value
    if not isinstance(inner, dict):
        yield before, value
        return
    for key, one in inner.items():
        yield from _flat(f"{before}.{key}" if before else str(key), one)


def read_checkpoint(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Its tensors and its facts."""
    try:
        with safe_open(os.fspath(path), framework="pt") as file:
            words = file.metadata() or {}
        tensors = load_file(os.fspath(path))
    except (SafetensorError, OSError) as error:
        raise RunError(f"{path} cannot be read as a checkpoint: {error}") from None
    for name, mark in MARKS.items():
        if words.get(name) != mark:
            raise RunError(f"{path} is no checkpoint of this version: its {name} is {words.get(name)!r}, not {mark!r}")
    try:
        return tensors, from_json(words["facts"])
    except (KeyError, PlainError) as error:
        raise RunError(f"{path} is damaged: its facts cannot be read ({error})") from None
