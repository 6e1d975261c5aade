"""What a run has come to: its networks, its opponents and its counts. A checkpoint holds all of it."""

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import torch

from agents.network.level import Level
from train import workers
from train.export import level_of, load_start
from train.learner import Learner
from train.nets import Policy
from train.pool import Pool
from train.recipe import Recipe
from train.run.checkpoints import Checkpoint, Say, checkpoint_files, last_whole, set_aside
from train.run.folder import Run


@dataclass
class State:
    """The learner and its opponents after so many rounds."""

    recipe: Recipe
    learner: Learner
    pool: Pool
    rounds: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def level(self) -> Level:
        trained = {"rounds": self.rounds, "decisions": self.decisions, "seconds": round(self.seconds)}
        return level_of(self.learner.policy, self.recipe, trained)

    def add_past_self(self) -> None:
        """Add the policy as it is now to the opponents."""
        self.pool.add(f"{self.rounds:06d}", self._past_self(self.learner.policy.state_dict()))

    def _past_self(self, weights: dict[str, torch.Tensor]) -> Policy:
        policy = deepcopy(self.learner.policy).eval()
        policy.load_state_dict(weights)
        return policy

    def save(self, run: Run) -> None:
        facts = {"decisions": self.decisions, "seconds": self.seconds, "pool": self.pool.state()}
        run.save(self.rounds, self.learner.tensors() | self.pool.tensors(), facts)

    def check(self, checkpoint: Checkpoint) -> None:
        """Raise RunError for a checkpoint that the run cannot continue from."""
        self.learner.check(checkpoint)
        self.pool.check(checkpoint, self.learner.policy)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Take everything from a checkpoint that was checked."""
        facts = checkpoint.facts
        self.rounds, self.decisions, self.seconds = facts["rounds"], facts["decisions"], facts["seconds"]
        self.learner.restore(checkpoint)
        names = self.pool.past_in(facts["pool"])
        self.pool.restore(facts["pool"], {name: self._past_self(checkpoint.under(f"past.{name}.")) for name in names})


def begin(recipe: Recipe, folder: Path, device: torch.device, say: Say) -> tuple[Run, State]:
    """Start a run in a new folder, which the first worker makes."""
    state = _new_state(recipe, device)
    if recipe.start:
        load_start(state.learner, Path(recipe.start), say)
    run = Run.begin(folder, recipe) if workers.rank() == 0 else Run(folder, recipe)
    workers.wait()
    return run, state


def resume(recipe: Recipe, folder: Path, device: torch.device, say: Say) -> tuple[Run, State]:
    """Continue a run from its last whole checkpoint; without any checkpoint, start it again."""
    state = _new_state(recipe, device)
    run = Run.resume(folder, recipe) if workers.rank() == 0 else Run(folder, recipe)
    workers.wait()
    damaged = []
    if checkpoint_files(folder):
        checkpoint, damaged = last_whole(folder, state.check, say)
        state.restore(checkpoint)
    elif recipe.start:
        load_start(state.learner, Path(recipe.start), say)
    workers.wait()  # until all have read the files that are renamed now
    if workers.rank() == 0:
        for path in damaged:
            say(f"{path} is kept as {set_aside(path).name}")
        run.cut_metrics(state.rounds)
    return run, state


def _new_state(recipe: Recipe, device: torch.device) -> State:
    return State(recipe, Learner(recipe.network, device, recipe.seed), Pool(recipe.pool, recipe.seed))
