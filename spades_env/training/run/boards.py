"""Boards that draw a run's metrics while it goes on: TensorBoard, and Weights & Biases where it is asked for.

A step is a number of decisions, so that runs with other `tables` line up. Tags are grouped:

    losses/critic             loss_critic of metrics.jsonl
    evaluation/wins/rule      wins/rule, points/rule
    opponents/rule            against/rule
    time/per_second           seconds, per_second, decisions, iteration
    learning/entropy          all else
"""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from spades_env.agents.atomic_files import naming, write_whole
from spades_env.extras import needed
from spades_env.plain import from_json
from spades_env.training.recipe import Recipe

NEEDED = "--wandb needs a library: pip install 'spades-env[wandb]' ({missing} is missing)"
PREFIXES = {"loss_": "losses/", "wins/": "evaluation/wins/", "points/": "evaluation/points/", "against/": "opponents/"}
TIMES = ("seconds", "per_second", "decisions", "iteration")


class Board(Protocol):
    """Something that draws numbers, by tag, at a step."""

    def log(self, step: int, numbers: Mapping[str, float]) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


class TensorBoard:
    """The files of TensorBoard in a run's folder; what an earlier process wrote from the first step on is dropped."""

    def __init__(self, folder: Path):
        self._folder, self._writer = folder / "tensorboard", None

    def log(self, step: int, numbers: Mapping[str, float]) -> None:
        from torch.utils.tensorboard import SummaryWriter

        with naming(self._folder):
            self._writer = self._writer or SummaryWriter(os.fspath(self._folder), purge_step=step)
            for name, value in numbers.items():
                self._writer.add_scalar(name, value, step)

    def flush(self) -> None:
        if self._writer:
            with naming(self._folder):
                self._writer.flush()

    def close(self) -> None:
        if self._writer:
            with naming(self._folder):
                self._writer.close()
            self._writer = None


class WeightsAndBiases:
    """A run of a Weights & Biases project. Its id is kept in the folder, so that a resumed run stays the same run.

    Steps that were logged before a kill are logged again, and Weights & Biases ignores them.
    """

    def __init__(self, folder: Path, recipe: Recipe, project: str):
        library: Any = needed("wandb", NEEDED)
        self._run = library.init(
            project=project,
            name=folder.name,
            group=recipe.name,
            dir=os.fspath(folder),
            config=recipe.as_dict(),
            id=_id(folder / "wandb.json", project),
            resume="allow",
        )

    def log(self, step: int, numbers: Mapping[str, float]) -> None:
        self._run.log(dict(numbers), step=step)

    def flush(self) -> None:
        """Do nothing: the library writes by itself."""

    def close(self) -> None:
        self._run.finish()


def tagged(numbers: Mapping[str, Any]) -> dict[str, float]:
    """Return the numbers among a line's values, by the tags of boards."""
    return {tag(name): value for name, value in numbers.items() if isinstance(value, int | float)}


def tag(name: str) -> str:
    if name in TIMES:
        return f"time/{name}"
    for prefix, group in PREFIXES.items():
        if name.startswith(prefix):
            return group + name.removeprefix(prefix)
    return f"learning/{name}"


def _id(path: Path, project: str) -> str:
    """Return the id of the folder's run in a project, a new one the first time."""
    ids = from_json(path.read_bytes()) if path.exists() else {}
    if project not in ids:
        ids[project] = secrets.token_hex(4)
        write_whole(path, json.dumps(ids))
    return ids[project]
