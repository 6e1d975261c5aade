"""Turn a policy into a level file: the scales of inputs and logits are folded into its weights."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from agents.network.level import Level, LevelError
from train.learner import Learner
from train.nets import GAIN, Policy
from train.recipe import Recipe
from train.run.checkpoints import Checkpoint, RunError, Say, last_whole, layout, read_checkpoint
from train.run.folder import last_evaluations, read_recipe


def export(source: Path, name: str, style: str, say: Say = print) -> Level:
    """Return the policy of a run's last whole checkpoint, or of a checkpoint, as a level."""
    if source.is_dir():
        checkpoint, folder = last_whole(source, _check_size, say).checkpoint, source
    else:
        checkpoint, folder = read_checkpoint(source), source.parent.parent
        _check_size(checkpoint)
    recipe, facts = read_recipe(folder), checkpoint.facts
    policy = Policy(recipe.network.width, recipe.network.suit_width)
    policy.load_state_dict(checkpoint.under("policy."))
    trained = {"rounds": facts["rounds"], "decisions": facts["decisions"], "seconds": round(facts["seconds"])}
    level = level_of(policy, recipe, trained, name, style)
    return replace(level, ratings=ratings_of(folder, recipe, facts["rounds"]))


def _check_size(checkpoint: Checkpoint) -> None:
    network = read_recipe(checkpoint.path.parent.parent).network
    if layout(checkpoint.under("policy.")) != layout(Policy(network.width, network.suit_width).state_dict()):
        raise RunError(f"{checkpoint.path} is of another size than the recipe beside it says: {network}")


def ratings_of(folder: Path, recipe: Recipe, rounds: int) -> dict[str, Any]:
    """Return, by opponent, the figures of the policy's last evaluation in the first `rounds` rounds."""
    return {
        name: {
            "won": round(line[f"wins/{name}"], 4),
            "ci": [round(end, 4) for end in line["ci"]],
            "points": round(line[f"points/{name}"], 2),
            "games": recipe.evaluate.games,
            "rounds": line["round"] + 1,
        }
        for name, line in last_evaluations(folder, rounds).items()
    }


def level_of(policy: Policy, recipe: Recipe, trained: dict[str, Any], name: str = "", style: str = "") -> Level:
    """Return the policy as a level without ratings."""
    factors = folded(policy)
    return Level(
        tensors={
            name: (tensor * factors.get(name, 1)).detach().float().cpu().numpy().copy()
            for name, tensor in policy.state_dict().items()
        },
        name=name or recipe.name,
        style=style or recipe.about,
        recipe=json.dumps(recipe.as_dict()),
        rules=str(recipe.rules),
        ratings={},
        trained=trained,
        heed=recipe.heed,
        heed_blind=recipe.heed_blind,
        nil_doubt=recipe.nil_doubt,
    )


def folded(policy: Policy) -> dict[str, torch.Tensor | float]:
    """Return the factors that fold a policy's scales into its weights, by tensor."""
    factors: dict[str, torch.Tensor | float] = {}
    for name, scale in (("suits", policy.lane_scale), ("table", policy.other_scale), ("cards", policy.lane_scale)):
        columns = getattr(policy, name).weight.shape[1]
        factors[f"{name}.weight"] = torch.nn.functional.pad(scale, (0, columns - len(scale)), value=1.0)
    return factors | {f"{name}.{part}": GAIN for name in ("places", "bids") for part in ("weight", "bias")}


def load_start(learner: Learner, path: Path, say: Say = print) -> None:
    """Load the networks of a checkpoint or of a run's last whole one, or the policy of a level."""
    if path.is_dir():
        learner.begin_with(last_whole(path, learner.check, say).checkpoint)
        return
    if not path.is_file():
        raise RunError(f"there is nothing to start from at {path}")
    try:
        level = Level.read(path)
    except LevelError as no_level:
        try:
            checkpoint = read_checkpoint(path)
        except RunError as no_checkpoint:
            raise RunError(f"there is nothing to start from in {path}: {no_level}; {no_checkpoint}") from None
        learner.check(checkpoint)
        learner.begin_with(checkpoint)
        return
    set_policy(learner.policy, level)


def set_policy(policy: Policy, level: Level) -> None:
    """Give the policy the weights of a level of the same size."""
    own = policy.state_dict()
    if any(own[name].shape != tensor.shape for name, tensor in level.tensors.items()):
        raise RunError(f"{level.name} is of another size than the recipe: {level!r}")
    factors = folded(policy)
    tensors = {name: torch.from_numpy(tensor.copy()).to(own[name].device) for name, tensor in level.tensors.items()}
    policy.load_state_dict({name: tensor / factors.get(name, 1) for name, tensor in tensors.items()})
