"""The loop: stage by stage, round by round, a hand at every table and what is learned from it.

    train(recipe, folder)                      from the start
    train(recipe, folder, resume=True)         from the last checkpoint, to the same end

A round draws the same random numbers whenever it is played, so a run that was killed goes on as if nothing had
happened.
"""

import math
import time
from dataclasses import replace
from pathlib import Path

import torch

from agents import arena
from agents.network.level import Level
from agents.network.player import NetworkAgent
from spades_env import Rules
from train import workers
from train.checkpoints import Checkpoint, Say, checkpoint_files, last_whole, set_aside
from train.export import level_of, load_start, ratings_of
from train.learner import Learner, best_device, device_named
from train.nets import Policy
from train.parallel import granted
from train.plots import draw_curves
from train.pool import Pool
from train.progress import Reporter
from train.recipe import Recipe, kind_of
from train.rounds import Round
from train.runs import Run

DRAW_S = 20.0  # seconds between two drawings of the curves, at least
EVALUATION_SEED = 20_000  # of the deals: the same at every evaluation, so that luck falls on all alike


def train(recipe: Recipe, folder: Path, resume: bool = False, device: str | None = None, say: Say = print) -> Path:
    """Follow a recipe to its end; return the level file it leaves."""
    chosen = workers.start(device_named(device) if device else best_device())
    try:
        return Training(recipe, folder, resume, chosen, say).finish()
    finally:
        workers.stop()


class Training:
    """A run in progress: plays its rounds, and saves and measures between them."""

    def __init__(self, recipe: Recipe, folder: Path, resume: bool, device: torch.device, say: Say):
        self.recipe, self.say = recipe, say if workers.rank() == 0 else lambda text: None
        self.learner = Learner(recipe.network, device, recipe.seed)
        self.pool = Pool(recipe.pool, recipe.seed)
        self.rounds, self.decisions, self.seconds = 0, 0, 0.0
        self.reporter, self.drawn = Reporter(recipe, self.say), -math.inf
        if recipe.start and not resume:
            load_start(self.learner, Path(recipe.start), self.say)
        self.run = _open(folder, recipe, resume)
        if resume:
            self._restore()

    def finish(self) -> Path:
        """Play all rounds that are left; return the level file."""
        self.reporter.announce(self.learner, self.run.folder, self.rounds)
        started, seconds, decisions = time.monotonic(), self.seconds, self.decisions
        for number, stage, done in self.recipe.moments(self.rounds):
            begun = time.monotonic()
            acted, numbers = Round.of(self.recipe, self.learner, self.pool, number).learn(stage, done)
            self.reporter.note(stage, time.monotonic() - begun)
            passed = time.monotonic() - started
            self.decisions += acted * workers.count()
            self.rounds, self.seconds = number + 1, seconds + passed
            rate = (self.decisions - decisions) / passed
            numbers = workers.mean(numbers)
            self._log_round(number, {"stage": kind_of(stage), **numbers}, rate)
            self.reporter.progress(stage, done, self.rounds, numbers, rate)
            self._end_round(number)
        return self._close()

    def _log_round(self, number: int, numbers: dict, rate: float) -> None:
        if workers.rank() == 0:
            clock = {"decisions": self.decisions, "seconds": round(self.seconds, 2), "per_second": round(rate)}
            self.run.log(number, numbers | clock)

    def _end_round(self, number: int) -> None:
        """Add a past self, evaluate, save and draw the curves, each if it is due after this round."""
        recipe, pool = self.recipe, self.recipe.pool
        if pool.past and self.rounds % pool.every == 0:
            self.pool.add(f"{self.rounds:06d}", self._past_self(self.learner.policy.state_dict()))
        if workers.rank():
            return
        evaluates, saves = self._is_due(recipe.evaluate.every), self._is_due(recipe.checkpoint)
        if evaluates:
            self._evaluate(number)
        if saves:
            self._save()
        if (evaluates or saves) and self.rounds < recipe.rounds and time.monotonic() - self.drawn > DRAW_S:
            draw_curves(self.run)
            self.drawn = time.monotonic()

    def _is_due(self, every: int) -> bool:
        """Return whether what is done every so many rounds, and after the last one, is due now; 0: never."""
        return bool(every) and (self.rounds % every == 0 or self.rounds == self.recipe.rounds)

    def _evaluate(self, number: int) -> None:
        """Play duplicate games under the main rules, on all cores where no number is granted: other workers wait."""
        level, recipe = self._level(), self.recipe
        agent, rules = NetworkAgent(level.name, level), Rules.parse(recipe.rules.main)
        for name in recipe.evaluate.against:
            games = recipe.evaluate.games
            result = arena.play(agent, name, rules, games=games, seed=EVALUATION_SEED, jobs=granted())
            rate, points, ends = result.win_rate, result.points_per_hand, list(result.win_rate_ci)
            self.run.log(number, {"evaluation": name, f"wins/{name}": rate, "ci": ends, f"points/{name}": points})
            self.reporter.evaluation(name, result)

    # Files

    def _level(self) -> Level:
        trained = {"rounds": self.rounds, "decisions": self.decisions, "seconds": round(self.seconds)}
        return level_of(self.learner.policy, self.recipe, trained)

    def _save(self) -> None:
        facts = {"decisions": self.decisions, "seconds": self.seconds, "pool": self.pool.state()}
        self.run.save(self.rounds, self.learner.tensors() | self.pool.tensors(), facts)

    def _restore(self) -> None:
        """Go on from the last whole checkpoint; before the first one, begin anew."""
        damaged = []
        if checkpoint_files(self.run.folder):
            checkpoint, damaged = last_whole(self.run.folder, self._check, self.say)
            self._go_on(checkpoint)
        elif self.recipe.start:
            load_start(self.learner, Path(self.recipe.start), self.say)
        workers.wait()  # until all have read the files that are renamed now
        if workers.rank() == 0:
            for path in damaged:
                self.say(f"{path} is kept as {set_aside(path).name}")
            self.run.cut_metrics(self.rounds)

    def _check(self, checkpoint: Checkpoint) -> None:
        """Raise RunError for a checkpoint that the run cannot go on from."""
        self.learner.check(checkpoint)
        self.pool.check(checkpoint, self.learner.policy)

    def _go_on(self, checkpoint: Checkpoint) -> None:
        """Restore what the checkpoint holds."""
        facts = checkpoint.facts
        self.rounds, self.decisions, self.seconds = facts["rounds"], facts["decisions"], facts["seconds"]
        self.learner.restore(checkpoint.tensors)
        names = self.pool.past_in(facts["pool"])
        past = {name: self._past_self(checkpoint.under(f"past.{name}.")) for name in names}
        self.pool.restore(facts["pool"], past)

    def _past_self(self, weights: dict[str, torch.Tensor]) -> Policy:
        policy = Policy(self.recipe.network.width, self.recipe.network.suit_width)
        policy.load_state_dict(weights)
        return policy.to(self.learner.device).eval()

    def _close(self) -> Path:
        """Write the level and the last curves."""
        path = self.run.folder / "level.safetensors"
        if workers.rank() == 0:
            ratings = ratings_of(self.run.folder, self.recipe, self.rounds)
            replace(self._level(), ratings=ratings).write(path, half=True)
            draw_curves(self.run)
            self.run.close()
            self.reporter.finished(self.decisions, self.seconds, path)
        workers.wait()
        return path


def _open(folder: Path, recipe: Recipe, resume: bool) -> Run:
    """Open the run's folder; the first worker makes it."""
    if workers.rank() == 0:
        run = Run.resume(folder, recipe) if resume else Run.begin(folder, recipe)
        workers.wait()
        return run
    workers.wait()
    return Run(folder, recipe)
