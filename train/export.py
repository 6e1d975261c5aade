"""From what learns to what plays: a level file, whose first layer has the input scales folded in."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.level import Level
from train.learner import Learner
from train.nets import Body, Policy
from train.recipe import Recipe
from train.runs import RunError, read_checkpoint, read_recipe


def export(source: Path, name: str, style: str) -> Level:
    """The policy of a run's last checkpoint, or of a checkpoint, as a level."""
    path, folder = source, source.parent.parent
    if source.is_dir():
        found = sorted((source / "checkpoints").glob("*.safetensors"))
        if not found:
            raise RunError(f"{source} holds no checkpoint yet")
        path, folder = found[-1], source
    tensors, facts = read_checkpoint(path)
    recipe = read_recipe(folder)
    policy = Policy(recipe.network.width, recipe.network.layers)
    start = "policy."
    policy.load_state_dict({key.removeprefix(start): t for key, t in tensors.items() if key.startswith(start)})
    trained = {"rounds": facts["rounds"], "decisions": facts["decisions"], "seconds": round(facts["seconds"])}
    return level_of(policy, recipe, trained, name, style)


def level_of(policy: Policy, recipe: Recipe, trained: dict[str, Any], name: str = "", style: str = "") -> Level:
    """The policy as a level."""
    tensors = body_tensors(policy.body) | head_tensors("policy", policy.policy) | head_tensors("value", policy.value)
    return Level(
        tensors=tensors,
        name=name or recipe.name,
        style=style or recipe.about,
        recipe=json.dumps(recipe.as_dict()),
        rules=f"{recipe.rules.main}, and rules drawn at random",
        ratings={},
        trained=trained,
    )


def body_tensors(body: Body) -> dict[str, np.ndarray]:
    """The hidden layers, the scales multiplied into the first."""
    out = {}
    for i, layer in enumerate(body.layers):
        weight = layer.weight * body.scale if i == 0 else layer.weight
        out[f"hidden.{i}.weight"] = _array(weight)
        out[f"hidden.{i}.bias"] = _array(layer.bias)
    return out


def head_tensors(name: str, layer: torch.nn.Linear) -> dict[str, np.ndarray]:
    return {f"{name}.weight": _array(layer.weight), f"{name}.bias": _array(layer.bias)}


def load_start(learner: Learner, path: Path) -> None:
    """Begin with the networks of a checkpoint, or with the policy of a level."""
    if not path.is_file():
        raise RunError(f"there is nothing to start from at {path}")
    try:
        level = Level.read(path)
    except ValueError:
        tensors = {k: t for k, t in read_checkpoint(path)[0].items() if k.startswith(("policy.", "critic."))}
        if {k: t.shape for k, t in tensors.items()} != {k: t.shape for k, t in learner.networks().items()}:
            raise RunError(f"{path} has networks of other sizes than the recipe") from None
        learner.restore(tensors)
        return
    set_policy(learner.policy, level)


def set_policy(policy: Policy, level: Level) -> None:
    """The policy becomes the level's; it must be as wide and as deep."""
    own = {f"hidden.{i}": layer for i, layer in enumerate(policy.body.layers)}
    own |= {"policy": policy.policy, "value": policy.value}
    sizes = [len(layer.bias) for layer in policy.body.layers]
    if [len(layer.bias) for layer in level.hidden] != sizes:
        raise RunError(f"{level.name} has hidden layers of other sizes than the recipe: {level!r}")
    for name, layer in own.items():
        weight = torch.from_numpy(level.tensors[f"{name}.weight"].copy())
        if name == "hidden.0":
            weight = weight / policy.body.scale.cpu()
        with torch.no_grad():
            layer.weight.copy_(weight)
            layer.bias.copy_(torch.from_numpy(level.tensors[f"{name}.bias"].copy()))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy().copy()
