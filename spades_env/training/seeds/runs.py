"""`spades train RECIPE --seeds 5`: one run after the other, each with the next seed, and what they come to together.

    runs/quick/seed-0/ … seed-4/    the runs
    runs/quick/seeds.json           mean, 95 % interval and curves over the seeds (training/seeds/summary.py)
    runs/quick/seeds.svg            … drawn

Both files are written anew after every run from the second on.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from spades_env.checks import whole
from spades_env.training.recipe import Recipe
from spades_env.training.run import is_begun
from spades_env.training.run.checkpoints import RunError, Say
from spades_env.training.seeds.summary import summarize, write_summary
from spades_env.training.trainer import train

MOST = 1000


def train_seeds(
    recipe: Recipe,
    folder: Path | str,
    seeds: int,
    resume: bool = False,
    device: str | None = None,
    say: Say = print,
    callbacks: Sequence[Any] = (),
    wandb: str = "",
    train_one: Callable[..., Path] = train,
) -> Path:
    """Train by a recipe with several seeds: its own and the next ones.

    Args:
        recipe: What is learned.
        folder: Each run has a folder in it.
        seeds: How many.
        resume: Continue the runs that were stopped, and begin the others.
        device: This and the next three as `train` takes them.
        say: Prints a line of progress.
        callbacks: Called in all runs.
        wandb: A project of Weights & Biases.
        train_one: Trains one of them; it takes the arguments of `train`.

    Returns:
        The path of the summary, seeds.json.

    Raises:
        RunError: The folder holds other runs, or none to resume.

    Examples:
        >>> def five(folder):  # an hour
        ...     from spades_env.training import Recipe, train_seeds
        ...     return train_seeds(Recipe.load("configs/train/quick.toml"), folder, seeds=5)
    """
    count, folder = whole("seeds", seeds, 2, MOST), Path(folder)
    if "RANK" in os.environ:
        raise RunError("--seeds is for one machine: start it without torchrun")
    numbers = range(recipe.seed, recipe.seed + count)
    folders = [folder / f"seed-{seed}" for seed in numbers]
    if is_begun(folder):
        raise RunError(f"{folder} holds a single run: name another folder with --out")
    begun = [one for one in folders if is_begun(one)]
    if begun and not resume:
        raise RunError(f"{begun[0]} holds a run already: continue all with --resume, or name another folder with --out")
    if resume and not begun:
        raise RunError(f"{folder} holds no runs of these seeds to resume: {folders[0]} is missing")
    for i, (seed, own) in enumerate(zip(numbers, folders, strict=True)):
        say(f"seed {seed} ({i + 1} of {count})")
        begun = is_begun(own)
        train_one(replace(recipe, seed=seed), own, begun, device=device, say=say, callbacks=callbacks, wandb=wandb)
        if i:
            write_summary(folder, summarize(folders[: i + 1], numbers[: i + 1], recipe.name))
    path = folder / "seeds.json"
    for line in result_lines(summarize(folders, numbers, recipe.name)):
        say(line)
    say(f"all {count} seeds: {path}, {path.with_suffix('.svg')}")
    return path


def result_lines(summary: dict[str, Any]) -> list[str]:
    """Return a line for each opponent of the evaluations."""
    lines = []
    for key, one in summary["last"].items():
        kind, _, name = key.partition("/")
        form = ".1%" if kind == "wins" else "+.1f"
        found = format(one["mean"], form)
        if one["ci"]:
            found += f" [{', '.join(format(end, form) for end in one['ci'])}]"
        lines.append(f"wins {found} against {name}" if kind == "wins" else f"{found} points a hand against {name}")
    return lines
