"""A run's folder: all that is needed to continue after a kill at any moment.

    config.json                the recipe, every key of it
    config_history.jsonl       a line for each change of the recipe: after how many iterations, what it was and is
    provenance.jsonl           a line for each start: code, libraries, command, digests (training/run/provenance.py)
    metrics.jsonl              one line an iteration; lines of evaluations between them
    tensorboard/               the same numbers, by decisions (training/run/boards.py)
    checkpoints/               networks, optimiser, past selves and results against them; the last two are kept
    level.safetensors          the policy, ready to play
    curves.svg                 learning curves, drawn after checkpoints and evaluations
    run.lock                   the process that trains, or did last; two at once would remove each other's files

Files are written to a temporary name and renamed. A run that continues drops the lines written after its checkpoint;
lines that a kill or a power cut left unreadable are ignored.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from spades_env.agents.atomic_files import naming, sync_file, sync_folder, write_whole
from spades_env.errors import SpadesError
from spades_env.folder_lock import FolderLock
from spades_env.plain import PlainError, from_json
from spades_env.training.recipe import Recipe
from spades_env.training.run import RUN_LOCK, is_begun
from spades_env.training.run.boards import Board, TensorBoard, tagged
from spades_env.training.run.checkpoints import RunError, write_checkpoint

MAY_CHANGE = "a run goes on with more iterations of its last stage, more stages behind it, or other callbacks only"

_locks: dict[Path, FolderLock] = {}


class Run:
    """The folder of one run."""

    def __init__(self, folder: Path, recipe: Recipe):
        self.folder, self.recipe = folder, recipe
        self.boards: list[Board] = [TensorBoard(folder)]

    @classmethod
    def begin(cls, folder: Path, recipe: Recipe) -> "Run":
        if is_begun(folder):
            raise RunError(f"{folder} holds a run already: continue it with --resume, or name another with --out")
        run = cls(folder, recipe)
        lock_folder(folder)
        write_whole(folder / "config.json", json.dumps(recipe.as_dict(), indent=1))
        (folder / "checkpoints").mkdir(exist_ok=True)
        return run

    @classmethod
    def resume(cls, folder: Path, recipe: Recipe) -> "Run":
        """Open the folder of the same recipe, or of one that this recipe prolongs."""
        if not is_begun(folder):
            raise RunError(f"{folder} holds no run to resume: it has no config.json")
        before = read_recipe(folder)
        then, now = flat(before), flat(recipe)
        for key in changed_keys(then, now):
            if not prolongs(key, before, then, now):
                was, asked = (json.dumps(keys[key]) if key in keys else "not there" for keys in (then, now))
                raise RunError(
                    f"{folder} was run by another recipe: its {key} is {was}, asked for is {asked}; {MAY_CHANGE}, "
                    "so ask for the same, or name another folder"
                )
        lock_folder(folder)
        return cls(folder, recipe)

    def adopt(self, iterations: int) -> None:
        """Record a changed recipe and the iteration it applies from."""
        then, now = flat(read_recipe(self.folder)), flat(self.recipe)
        changed = changed_keys(then, now)
        if not changed:
            return
        line = {"iterations": iterations, "was": _picked(then, changed), "is": _picked(now, changed)}
        history = self.folder / "config_history.jsonl"
        text = history.read_text(encoding="utf-8") if history.exists() else ""
        new = json.dumps(line) + "\n"
        if not text.endswith(new):  # a kill may have come between the two files
            write_whole(history, text + new)
        write_whole(self.folder / "config.json", json.dumps(self.recipe.as_dict(), indent=1))

    def save(self, iterations: int, tensors: dict[str, torch.Tensor], facts: dict[str, Any]) -> None:
        """Write a checkpoint. Metrics reach the disk first: a run that continues from it does not log them again."""
        for board in self.boards:
            board.flush()
        for path in (self.folder / "metrics.jsonl", *(self.folder / "tensorboard").glob("*")):
            if path.is_file():
                sync_file(path)
                sync_folder(path.parent)
        write_checkpoint(self.folder, tensors, facts | {"iterations": iterations})

    # Metrics

    def cut_metrics(self, iterations: int) -> None:
        if (self.folder / "metrics.jsonl").exists():
            lines = [text for text, line in _lines(self.folder) if line["iteration"] < iterations]
            write_whole(self.folder / "metrics.jsonl", "".join(text + "\n" for text in lines))

    def log(self, number: int, numbers: Mapping[str, Any], decisions: int) -> None:
        """Write a line of metrics.jsonl, and the same for boards, whose steps are decisions."""
        path = self.folder / "metrics.jsonl"
        with naming(path), open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"iteration": number, **numbers}) + "\n")
        line = numbers if "evaluation" in numbers else {"iteration": number, **numbers}
        for board in self.boards:
            board.log(decisions, tagged(line))

    def close(self) -> None:
        for board in self.boards:
            board.close()


def lock_folder(folder: Path) -> None:
    """Lock a folder for this process until it unlocks it or ends."""
    if folder.resolve() not in _locks:
        _locks[folder.resolve()] = FolderLock(folder, *RUN_LOCK)


def unlock_folder(folder: Path) -> None:
    """Unlock a folder if this process has locked it."""
    if lock := _locks.pop(folder.resolve(), None):
        lock.close()


def changed_keys(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return the keys that differ between two flat recipes, or that only one of them has."""
    return [key for key in {**then, **now} if key not in then or key not in now or then[key] != now[key]]


def prolongs(key: str, before: Recipe, then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Return whether a recipe may continue a run although this key differs from the recipe before."""
    if key == "callbacks":
        return True
    section, _, rest = key.partition(".")
    number, _, name = rest.partition(".")
    if section != "stage":
        return False
    last = len(before.stage) - 1
    added, longer = int(number) > last, int(number) == last and name == "iterations"
    return added or (longer and now.get(key, 0) > then[key])


def _picked(keys: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    return {name: keys[name] for name in names if name in keys}


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of metrics.jsonl that can be read."""
    return [line for _, line in _lines(folder)]


def last_evaluations(folder: Path, iterations: int) -> dict[str, dict[str, Any]]:
    return {
        line["evaluation"]: line
        for _, line in _lines(folder)
        if line["iteration"] < iterations and "evaluation" in line
    }


def _lines(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the readable lines of a run's metrics as text and as objects."""
    path = folder / "metrics.jsonl"
    for text in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else ():
        with suppress(PlainError):  # a kill or a power cut left it so
            yield text, from_json(text)


def read_recipe(folder: Path) -> Recipe:
    try:
        table = from_json((folder / "config.json").read_bytes())
        if isinstance(table, dict):
            return Recipe.of(table)
        reason = "it must be a JSON object"
    except OSError as error:
        raise RunError(f"{folder} holds no run: its config.json cannot be read ({error.strerror})") from None
    except SpadesError as error:
        reason = str(error)
    raise RunError(f"{folder / 'config.json'} is not a recipe: {reason}")


def flat(recipe: Recipe) -> dict[str, Any]:
    return dict(_flat("", json.loads(json.dumps(recipe.as_dict()))))


def _flat(before: str, value: Any) -> Iterator[tuple[str, Any]]:
    inner = dict(enumerate(value)) if isinstance(value, list) and value and isinstance(value[0], dict) else value
    if not isinstance(inner, dict):
        yield before, value
        return
    for key, one in inner.items():
        yield from _flat(f"{before}.{key}" if before else str(key), one)
