"""What policies and critics of your own have in common: they are made from an import path, and tried before a run.

net = made_module("network.critic", path, options)  a torch module
answer = tried("network.critic = …", net, inputs)   what it answers to PROBED empty positions
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from spades_env.import_path import error_line
from spades_env.training.recipe import RecipeError
from spades_env.training.recipe.imports import imported, made

PROBED = 3  # positions that a new module is asked about


def made_module(key: str, path: str, options_key: str, options: Mapping[str, Any]) -> nn.Module:
    """Return the module that an import path makes; raise RecipeError if it makes none, or one without weights."""
    said, make = f"{key} = {path!r}", imported(key, path)
    net = made(key, path, lambda: make(**options), f" with {options_key}")
    if not isinstance(net, nn.Module):
        raise RecipeError(f"{said} must make a torch.nn.Module, not {net!r:.60}")
    if not any(weight.requires_grad for weight in net.parameters()):
        raise RecipeError(f"{said} has no weights to train")
    return net


def tried(said: str, net: nn.Module, inputs: int) -> Any:
    """Return what the module answers to a few empty positions; raise RecipeError if it fails."""
    net.eval()
    try:
        with torch.no_grad():
            answer = net(torch.zeros(PROBED, inputs))
    except Exception as error:
        raise RecipeError(f"{said} fails on float32[{PROBED}, {inputs}]: {error_line(error)}") from error
    net.train()
    return answer
