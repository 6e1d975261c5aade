"""Turn a policy into a level file, and begin with one."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

from spades_env.agents.agent_name import shipped
from spades_env.agents.equity import Numbers
from spades_env.agents.network.level import Level, LevelError
from spades_env.agents.roster import LEVELS, SUFFIX
from spades_env.training.learner import Learner
from spades_env.training.nets import Policy, level_tensors, policy_from
from spades_env.training.own.network import AnyPolicy, OwnPolicy, policy_of
from spades_env.training.recipe import NetworkShape, Recipe
from spades_env.training.run.checkpoints import Checkpoint, RunError, Say, last_whole, layout, read_checkpoint
from spades_env.training.run.folder import last_evaluations, read_recipe


class Trained(NamedTuple):
    """A policy with what is known of its training."""

    policy: AnyPolicy
    recipe: Recipe
    trained: dict[str, Any]
    ratings: dict[str, Any]


def read_trained(source: Path, say: Say = print) -> Trained:
    """Return the policy of a run's last whole checkpoint, or of a checkpoint."""
    if source.is_dir():
        (checkpoint, _), folder = last_whole(source, _check_size, say), source
    else:
        checkpoint, folder = read_checkpoint(source), source.parent.parent
        _check_size(checkpoint)
    recipe, facts = read_recipe(folder), checkpoint.facts
    policy = policy_of(shape_after(recipe, facts["iterations"]))
    policy.load_state_dict(checkpoint.under("average."))
    return Trained(policy, recipe, trained_of(facts), ratings_of(folder, recipe, facts["iterations"]))


def trained_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a level says of its training, from the facts of a checkpoint."""
    counts = {name: round(facts[name]) for name in ("iterations", "decisions", "seconds")}
    return counts | {"winning": {name: round(number, 3) for name, number in facts["winning"].items()}}


def export(source: Path, name: str, style: str, say: Say = print) -> Level:
    """Return the policy of a run's last whole checkpoint, or of a checkpoint, as a level."""
    policy, recipe, trained, ratings = read_trained(source, say)
    if isinstance(policy, OwnPolicy):
        raise RunError(f"{source} has {how_to_keep(policy)}")
    return level_of(policy, recipe, trained, name, style, ratings)


def load_network(source: Path | str) -> nn.Module:
    """Return a trained network, with its averaged weights, on the CPU and ready to play.

    Args:
        source: A run's folder, for its last whole checkpoint, or a checkpoint.

    Returns:
        The module. One of your own is an instance of the class that the recipe names.

    Raises:
        RunError: There is no whole checkpoint.

    Examples:
        >>> def weights(folder):
        ...     from spades_env.training import load_network
        ...     return load_network(folder).state_dict()
    """
    policy = read_trained(Path(source)).policy
    return (policy.net if isinstance(policy, OwnPolicy) else policy).eval()


def how_to_keep(policy: OwnPolicy) -> str:
    if policy.plays_by_itself:
        return f"the network {policy.kind}, which plays by its own act: training.load_network(RUN) returns it"
    return f"the network {policy.kind}, which is exported as ONNX, not as a level: --out NAME.onnx"


def _check_size(checkpoint: Checkpoint) -> None:
    network = shape_after(read_recipe(checkpoint.path.parent.parent), checkpoint.facts["iterations"])
    if layout(checkpoint.under("average.")) != layout(policy_of(network).state_dict()):
        raise RunError(f"{checkpoint.path} is of another size than the recipe beside it says: {network}")


def ratings_of(folder: Path, recipe: Recipe, iterations: int) -> dict[str, Any]:
    """Return, by opponent, the figures of the policy's last evaluation in the first `iterations` iterations."""
    return {
        name: {
            "won": round(line[f"wins/{name}"], 4),
            "ci": [round(end, 4) for end in line["ci"]],
            "points": round(line[f"points/{name}"], 2),
            "games": recipe.evaluate.games,
            "iterations": line["iteration"] + 1,
        }
        for name, line in last_evaluations(folder, iterations).items()
    }


def level_of(
    policy: Policy,
    recipe: Recipe,
    trained: dict[str, Any],
    name: str = "",
    style: str = "",
    ratings: dict[str, Any] | None = None,
) -> Level:
    return Level(
        tensors=level_tensors(policy),
        name=name or recipe.name,
        style=style or recipe.about,
        recipe=json.dumps(recipe.as_dict()),
        rules=str(recipe.rules),
        ratings=ratings or {},
        trained=trained,
    )


def shape_after(recipe: Recipe, iterations: int) -> NetworkShape:
    """Return the shape of the networks after a number of iterations."""
    width, suit_width = recipe.widths_in(recipe.stage_before(iterations))
    return replace(recipe.network, width=width, suit_width=suit_width)


def load_start(learner: Learner, start: str, say: Say = print) -> Numbers | None:
    """Begin with the networks of a run or a checkpoint, or with the policy of a level, made as wide as the learner's.

    start: its path, or the name of a level that comes with the package

    Return the numbers of the chance of winning, if the start has them. A level has no critic: it is new.
    """
    path = LEVELS / f"{start}{SUFFIX}" if start in shipped() else Path(start)
    begun = _read_start(path, say)
    if isinstance(begun, Level):
        if isinstance(learner.policy, OwnPolicy):
            raise RunError(f"{path} is a level of the network suits: {learner.policy.kind} cannot start from it")
        learner.begin_with_policy(policy_from(begun.tensors))
        winning = begun.trained.get("winning")
        return Numbers(**winning) if winning else None
    learner.begin_with(begun)
    return Numbers(**begun.facts["winning"])


def _read_start(path: Path, say: Say) -> Checkpoint | Level:
    if path.is_dir():
        return last_whole(path, lambda checkpoint: None, say)[0]
    if not path.is_file():
        raise RunError(f"there is nothing to start from at {path}")
    try:
        return Level.read(path)
    except LevelError as no_level:
        try:
            return read_checkpoint(path)
        except RunError as no_checkpoint:
            raise RunError(f"there is nothing to start from in {path}: {no_level}; {no_checkpoint}") from None
