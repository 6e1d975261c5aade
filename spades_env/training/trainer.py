"""The loop: stage by stage, iteration by iteration, some hands at every table and what is learned from them.

    train(recipe, folder)                      from the start
    train(recipe, folder, resume=True)         from the last checkpoint, to the same end

An iteration draws the same random numbers whenever it is played, so a run that was killed continues as if nothing had
happened.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from spades_env.agents import arena
from spades_env.extras import needed
from spades_env.game.rules import Rules
from spades_env.training import data_parallel
from spades_env.training.learner import device_named
from spades_env.training.own.callbacks import Callbacks, Event, Record
from spades_env.training.own.check import check_imports
from spades_env.training.parallel import granted
from spades_env.training.progress_lines import Reporter
from spades_env.training.recipe import Recipe, Stage, kind_of
from spades_env.training.run.boards import NEEDED, WeightsAndBiases
from spades_env.training.run.checkpoints import Say
from spades_env.training.run.curves import draw_curves
from spades_env.training.run.folder import unlock_folder
from spades_env.training.run.precompile import compile_ahead
from spades_env.training.run_state import level_path, open_run
from spades_env.training.stages.iteration import Iteration

DRAW_S = 20.0  # seconds between two drawings of the curves, at least
EVALUATION_SEED = 20_000  # of the deals: the same at every evaluation, so that luck is the same for all


def train(
    recipe: Recipe,
    folder: Path | str,
    resume: bool = False,
    device: str | None = None,
    say: Say = print,
    callbacks: Sequence[Any] = (),
    wandb: str = "",
) -> Path:
    """Train by a recipe to its end.

    Args:
        recipe: What is learned.
        folder: All is kept there.
        resume: Continue from the last checkpoint in the folder.
        device: "cpu", "cuda" or "cuda:1"; by default the GPU, if there is one.
        say: Prints a line of progress.
        callbacks: Functions or objects that are called during the run with a `Record`.
        wandb: A project of Weights & Biases to log to.

    Returns:
        The path of the level; for a network of your own of an ONNX file, or of a checkpoint if it plays by its `act`.

    Raises:
        RecipeError: The recipe names something that can't be used, or code of yours failed.
        RunError: The folder holds another run, or none to resume.

    Examples:
        >>> def quick(folder):  # minutes
        ...     from spades_env.training import Recipe, train
        ...     return train(Recipe.load("configs/train/quick.toml"), folder)
    """
    chosen, folder = data_parallel.start(device_named(device)), Path(folder)
    try:
        run = Training(recipe, folder, resume, chosen, say, callbacks, wandb)
        if data_parallel.rank():
            compile_ahead(recipe, run.state.player())
        return run.finish()
    finally:
        unlock_folder(folder)
        data_parallel.stop()


class Training:
    """A run in progress: plays its iterations, and saves and measures between them."""

    def __init__(
        self,
        recipe: Recipe,
        folder: Path,
        resume: bool,
        device: torch.device,
        say: Say,
        callbacks: Sequence[Any] = (),
        wandb: str = "",
    ):
        say = say if data_parallel.rank() == 0 else lambda text: None
        check_imports(recipe)
        if wandb:
            needed("wandb", NEEDED)
        self.callbacks = Callbacks.of(recipe.callbacks, callbacks)
        self.recipe, self.reporter, self.drawn = recipe, Reporter(recipe, say), -math.inf
        self.mine = _share_of(recipe)
        self.run, self.state = open_run(recipe, folder, resume, device, say)
        if wandb and data_parallel.rank() == 0:
            self.run.boards.append(WeightsAndBiases(folder, recipe, wandb))

    def finish(self) -> Path:
        """Play all iterations that are left; return the level file."""
        now = self.state
        self.reporter.announce(now.learner, self.run.folder, now.iterations)
        started, seconds, decisions = time.monotonic(), now.seconds, now.decisions
        for number, stage, done in self.mine.moments(now.iterations):
            begun = time.monotonic()
            now.learner.widen(*self.mine.widths_in(stage))
            played = Iteration(self.mine, now.learner, now.pool, number, now.winning)
            numbers = played.learn(stage, done)
            now.winning = played.winning
            self.reporter.note(stage, time.monotonic() - begun)
            passed = time.monotonic() - started
            now.decisions += round(data_parallel.mean({"acted": float(played.acted)})["acted"] * data_parallel.count())
            now.iterations, now.seconds = number + 1, seconds + passed
            self._report(stage, done, data_parallel.mean(numbers), (now.decisions - decisions) / passed)
            self._end_iteration()
        return self._close()

    def _report(self, stage: Stage, done: float, numbers: dict, rate: float) -> None:
        """Log an iteration's numbers, and say how far the run has come."""
        now = self.state
        if data_parallel.rank() == 0:
            clock = {"decisions": now.decisions, "seconds": round(now.seconds, 2), "per_second": round(rate)}
            self.run.log(now.iterations - 1, {"stage": kind_of(stage), **numbers, **clock}, now.decisions)
            self._call("iteration", {**numbers, **clock})
        self.reporter.progress(stage, done, now.iterations, numbers, rate)

    def _end_iteration(self) -> None:
        """Add a past self, evaluate, save and draw the curves, each if it is due after this iteration."""
        recipe, iterations = self.recipe, self.state.iterations
        if recipe.pool.past and iterations % recipe.pool.every == 0:
            self.state.add_past_self()
        if data_parallel.rank():
            return
        evaluates, saves = self._is_due(recipe.evaluate.every), self._is_due(recipe.checkpoint)
        if evaluates:
            self._evaluate()
        if saves:
            self.state.save(self.run)
            self._call("checkpoint")
        if (evaluates or saves) and iterations < recipe.iterations and time.monotonic() - self.drawn > DRAW_S:
            draw_curves(self.run)
            self.drawn = time.monotonic()

    def _is_due(self, every: int) -> bool:
        """Return whether something done every `every` iterations, and after the last, is due now; 0: never."""
        return bool(every) and (self.state.iterations % every == 0 or self.state.iterations == self.recipe.iterations)

    def _evaluate(self) -> None:
        """Play duplicate games under the main rules, on all cores where no number is granted: other workers wait."""
        agent, recipe = self.state.player(), self.recipe
        rules = Rules.parse(recipe.rules.main)
        for name in recipe.evaluate.against:
            games = recipe.evaluate.games
            result = arena.play(agent, name, rules, games=games, seed=EVALUATION_SEED, jobs=granted())
            won, (low, high) = {f"wins/{name}": result.win_rate}, result.win_rate_ci
            points = {f"points/{name}": result.points_per_hand}
            line = {"evaluation": name, **won, "ci": (low, high), **points}
            self.run.log(self.state.iterations - 1, line, self.state.decisions)
            self.reporter.evaluation(name, result)
            self._call("evaluation", {**won, f"low/{name}": low, f"high/{name}": high, **points})

    def _close(self) -> Path:
        """Write the level and the last curves."""
        now = self.state
        if data_parallel.rank() == 0:
            path = now.write_level(self.run.folder)
            draw_curves(self.run)
            self.run.close()
            self.reporter.finished(now.decisions, now.seconds, path)
            self._call("end")
        data_parallel.wait()
        return level_path(self.run.folder, now.learner.policy)

    def _call(self, event: Event, numbers: Mapping[str, float] | None = None) -> None:
        """Tell the callbacks, which only the first worker has."""
        now = self.state
        stage = kind_of(self.recipe.stage_before(now.iterations))
        self.callbacks.call(
            Record(
                event=event,
                folder=self.run.folder,
                stage=stage,
                iteration=now.iterations,
                iterations=self.recipe.iterations,
                decisions=now.decisions,
                seconds=now.seconds,
                numbers=numbers or {},
            )
        )


def _share_of(recipe: Recipe) -> Recipe:
    """Return the recipe as this worker follows it: with its share of the tables and of each minibatch."""
    share = data_parallel.share
    stages = [
        replace(one, minibatch=share(one.minibatch)) if hasattr(one, "minibatch") else one for one in recipe.stage
    ]
    return replace(recipe, tables=share(recipe.tables), stage=tuple(stages))
