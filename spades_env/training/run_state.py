"""What a run has come to: its networks, its opponents and its counts. A checkpoint holds all of it."""

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import Agent
from spades_env.agents.equity import Numbers
from spades_env.agents.network.player import NetworkAgent
from spades_env.training import data_parallel
from spades_env.training.export import level_of, load_start, ratings_of, shape_after, trained_of
from spades_env.training.learner import Learner
from spades_env.training.nets import Policy, as_wide_as
from spades_env.training.opponent_pool import OpponentPool
from spades_env.training.own.graph import graph_of, metadata_of
from spades_env.training.own.network import AnyPolicy, OwnPolicy
from spades_env.training.own.run_agents import player_of
from spades_env.training.recipe import Recipe, named_in
from spades_env.training.rewards import GUESS
from spades_env.training.run.checkpoints import Checkpoint, Say, checkpoint_files, last_whole, set_aside
from spades_env.training.run.folder import Run
from spades_env.training.run.provenance import note_start


@dataclass
class State:
    """The learner and its opponents after a number of iterations."""

    recipe: Recipe
    learner: Learner
    pool: OpponentPool
    iterations: int = 0
    decisions: int = 0
    seconds: float = 0.0
    winning: Numbers = GUESS  # of the chance of winning, fitted to the games of the run

    @property
    def trained(self) -> dict[str, Any]:
        return trained_of(vars(self) | {"winning": self.winning._asdict()})

    def start(self, say: Say) -> None:
        """Begin with what the recipe starts from."""
        self.winning = load_start(self.learner, self.recipe.start, say) or GUESS

    def player(self) -> Agent:
        """Return an agent that plays by the policy as it is now."""
        policy, recipe = self.learner.average, self.recipe
        if isinstance(policy, OwnPolicy):
            return player_of(recipe.name, policy)
        return NetworkAgent(recipe.name, level_of(policy, recipe, self.trained))

    def write_level(self, folder: Path) -> Path:
        """Write the file that the policy can be played from: a level, or for a network of your own an ONNX file.

        A network that plays by itself has no file but its checkpoint.
        """
        policy, recipe, ratings = self.learner.average, self.recipe, ratings_of(folder, self.recipe, self.iterations)
        path = level_path(folder, policy)
        if not isinstance(policy, OwnPolicy):
            level_of(policy, recipe, self.trained, ratings=ratings).write(path, half=True)
        elif not policy.plays_by_itself:
            write_whole(path, graph_of(policy, metadata_of(recipe, self.trained, ratings, "", "")))
        return path

    def add_past_self(self) -> None:
        self.pool.add(f"{self.iterations:06d}", self._past_self(self.learner.average.state_dict()))

    def _past_self(self, weights: dict[str, torch.Tensor]) -> AnyPolicy:
        average = self.learner.average
        policy = as_wide_as(weights) if isinstance(average, Policy) else deepcopy(average)  # older ones are narrower
        policy.load_state_dict(weights)
        return policy.to(self.learner.device).eval()

    def save(self, run: Run) -> None:
        facts = {"decisions": self.decisions, "seconds": self.seconds, "pool": self.pool.state()}
        facts["winning"] = self.winning._asdict()
        kept, facts["own"] = self.learner.kept.packed()
        run.save(self.iterations, self.learner.tensors() | self.pool.tensors() | kept, facts)

    def check(self, checkpoint: Checkpoint) -> None:
        """Raise RunError for a checkpoint that the run cannot continue from."""
        shape = shape_after(self.recipe, checkpoint.facts["iterations"])
        Learner(shape, self.learner.device, 0).check(checkpoint)
        self.pool.check(checkpoint)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Take everything from a checkpoint that was checked."""
        facts = checkpoint.facts
        self.iterations, self.decisions, self.seconds = facts["iterations"], facts["decisions"], facts["seconds"]
        self.winning = Numbers(**facts["winning"])
        shape = shape_after(self.recipe, self.iterations)
        self.learner.widen(shape.width, shape.suit_width)
        self.learner.restore(checkpoint)
        self.learner.kept.restore(checkpoint)
        names = self.pool.past_in(facts["pool"])
        self.pool.restore(facts["pool"], {name: self._past_self(checkpoint.under(f"past.{name}.")) for name in names})


def level_path(folder: Path, policy: AnyPolicy) -> Path:
    """Return the path of the file that a finished run is played from."""
    if not isinstance(policy, OwnPolicy):
        return folder / "level.safetensors"
    return checkpoint_files(folder)[-1] if policy.plays_by_itself else folder / "level.onnx"


def open_run(recipe: Recipe, folder: Path, resume: bool, device: torch.device, say: Say) -> tuple[Run, State]:
    """Start a run in a new folder, or continue the one in it from its last whole checkpoint, if there is any."""
    state = State(recipe, Learner(recipe.network, device, recipe.seed), OpponentPool(recipe.pool, recipe.seed))
    if recipe.start and not resume:
        state.start(say)
    if data_parallel.rank() == 0:  # the first worker makes the folder
        run = Run.resume(folder, recipe) if resume else Run.begin(folder, recipe)
    else:
        run = Run(folder, recipe)
    data_parallel.wait()
    if resume:
        _continue(run, state, say)
    if data_parallel.rank() == 0:
        note_start(folder, state.iterations, recipe.as_dict(), named_in(recipe))
    return run, state


def _continue(run: Run, state: State, say: Say) -> None:
    damaged = []
    if checkpoint_files(run.folder):
        checkpoint, damaged = last_whole(run.folder, state.check, say)
        state.restore(checkpoint)
    elif state.recipe.start:
        state.start(say)
    data_parallel.wait()  # until all have read the files that are renamed now
    if data_parallel.rank() == 0:
        for path in damaged:
            say(f"{path} is kept as {set_aside(path).name}")
        run.cut_metrics(state.iterations)
        run.adopt(state.iterations)
