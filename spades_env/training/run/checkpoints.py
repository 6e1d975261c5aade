"""Write the checkpoints of a run, read them, and find the last whole one.

checkpoints/000150.safetensors     networks, optimiser and past selves after 150 iterations; as metadata a digest
                                   (agents/digest.py), the versions they fit, and the facts below as JSON
checkpoints/000150.damaged         could not be read, so the run continued from the one before it
"""

import errno
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load, save

from spades_env.agents.atomic_files import sync_folder, write_whole
from spades_env.agents.digest import DamagedError, read_sealed, sealed
from spades_env.agents.network.level import MARKS as LEVEL_MARKS
from spades_env.errors import SpadesError
from spades_env.plain import from_json

KEPT = 2  # so that one damaged checkpoint does not end a run
MARKS = {**LEVEL_MARKS, "format": "spades-checkpoint/2"}  # what a checkpoint must agree in, as a level must

Say = Callable[[str], None]


class RunError(SpadesError):
    """A run that cannot be begun or continued; the message says why."""


class NotReadError(RunError):
    """A file that could not be read but may be whole: too many open files, say, or no permission."""


class Checkpoint(NamedTuple):
    """The contents of a file. facts: iterations, decisions, seconds, and what the trainer adds."""

    path: Path
    tensors: dict[str, torch.Tensor]
    facts: dict[str, Any]

    def under(self, start: str) -> dict[str, torch.Tensor]:
        """Return the tensors whose names have this prefix, by the rest of their names."""
        return {name.removeprefix(start): tensor for name, tensor in self.tensors.items() if name.startswith(start)}


def layout(tensors: Mapping[str, torch.Tensor]) -> dict[str, tuple[torch.Size, torch.dtype]]:
    return {name: (tensor.shape, tensor.dtype) for name, tensor in tensors.items()}


Check = Callable[[Checkpoint], Any]  # raises RunError for a checkpoint that the caller cannot use


def checkpoint_files(folder: Path) -> list[Path]:
    return sorted((folder / "checkpoints").glob("*.safetensors"))


def write_checkpoint(folder: Path, tensors: Mapping[str, torch.Tensor], facts: dict[str, Any]) -> None:
    """Write a checkpoint; then remove all but the last few, and what killed writers have left."""
    path = folder / "checkpoints" / f"{facts['iterations']:06d}.safetensors"
    words = MARKS | {"facts": json.dumps(facts)}
    write_whole(path, sealed(save({name: t.detach().cpu().contiguous() for name, t in tensors.items()}, words)))
    for old in [*checkpoint_files(folder)[:-KEPT], *path.parent.glob("*.part")]:
        old.unlink()


def read_checkpoint(path: Path) -> Checkpoint:
    """Read one file; raise RunError if it is damaged or of another version."""
    try:
        content, words = read_sealed(path)
        tensors = load(content)
    except OSError as error:
        kind = RunError if isinstance(error, IsADirectoryError) or error.errno == errno.EIO else NotReadError
        raise kind(f"{path} cannot be read as a checkpoint: {error}") from None
    except DamagedError as error:
        raise RunError(f"{path} cannot be read as a checkpoint: {error}") from None
    for name, mark in MARKS.items():
        if words.get(name) != mark:
            raise RunError(
                f"{path} is not a checkpoint of this version: its {name} is {words.get(name)!r}, not {mark!r}"
            )
    return Checkpoint(path, tensors, from_json(words["facts"]))


def last_whole(folder: Path, check: Check, say: Say) -> tuple[Checkpoint, list[Path]]:
    """Return a run's last checkpoint that can be read and passes the check, and those after it; say why they do not.

    Raise RunError if there is none, or if one cannot be read although it may be whole.
    """
    errors: list[RunError] = []
    damaged: list[Path] = []
    for path in reversed(checkpoint_files(folder)):
        try:
            checkpoint = read_checkpoint(path)
            check(checkpoint)
        except NotReadError:
            raise
        except RunError as error:
            errors.append(error)
            damaged.append(path)
            continue
        for error in errors:
            say(f"{error}; {path.name} is taken instead")
        return checkpoint, damaged
    if errors:
        raise RunError(f"{errors[0]}; there is no whole checkpoint before it")
    raise RunError(f"{folder} holds no checkpoint yet")


def set_aside(path: Path) -> Path:
    """Rename a damaged checkpoint, so that the run neither reads nor overwrites it again."""
    names = ["damaged", *(f"damaged-{i}" for i in range(2, 1000))]
    aside = next(free for name in names if not (free := path.with_suffix(f".{name}")).exists())
    path.rename(aside)
    sync_folder(path.parent)
    return aside
