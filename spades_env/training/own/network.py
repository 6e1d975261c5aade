"""Networks of your own: any torch module that maps what a seat knows to logits of the 70 actions.

    class Net(torch.nn.Module):
        inputs = NUM_INPUTS                    observation and insight, or NUM_FEATURES, without insight

        def forward(self, features):           float32[B, inputs]
            return logits, value               float32[B, 70], and float32[B]: the expected reward of the hand

A network without a value returns its logits alone; its value then counts as 0. Where the recipe says
`network.kind = "mine:Net"`, Net is called with [network.options]. A network that cannot be written as ONNX plays by
an `act` of its own, as an imported agent does (docs/agents.md).
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from spades_env.agents.network.insight import NUM_INPUTS
from spades_env.agents.network.suits import arrange
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES
from spades_env.training.nets import Policy
from spades_env.training.own.module import PROBED, made_module, tried
from spades_env.training.recipe import NetworkShape, RecipeError

ANSWERS = f"forward(features: float32[B, inputs]) must return logits, float32[B, {NUM_ACTIONS}], or (logits, value[B])"


class OwnPolicy(nn.Module):
    """A policy that is a network of your own. It reads int8[B, inputs], and casts them for the network."""

    def __init__(self, net: nn.Module, kind: str):
        super().__init__()
        self.net, self.kind = net, kind
        self.inputs: int = getattr(net, "inputs", NUM_INPUTS)

    @property
    def plays_by_itself(self) -> bool:
        return callable(getattr(self.net, "act", None))

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Map int8[B, inputs] to logits, float32[B, 70], and values, float32[B]."""
        answer = self.net(features.float())
        logits, value = answer if isinstance(answer, tuple) else (answer, torch.zeros(len(features)))
        return logits.float(), value.float().reshape(-1).to(logits.device)

    def state_dict(self, *arguments, **options) -> dict[str, Any]:
        """Return copies of the tensors: those that share memory, as tied weights do, cannot be saved."""
        return {name: tensor.clone() for name, tensor in super().state_dict(*arguments, **options).items()}


AnyPolicy = Policy | OwnPolicy


def policy_of(network: NetworkShape) -> AnyPolicy:
    """Return a recipe's policy with random weights; raise RecipeError if a network of your own cannot be used."""
    if not network.is_own:
        return Policy(network.width, network.suit_width, network.rule_inputs)
    said = f"network.kind = {network.kind!r}"
    policy = OwnPolicy(made_module("network.kind", network.kind, "network.options", network.options), network.kind)
    if policy.inputs not in (NUM_FEATURES, NUM_INPUTS):
        raise RecipeError(f"{said} has inputs = {policy.inputs!r:.60}, it must be {NUM_FEATURES} or {NUM_INPUTS}")
    _check_answer(said, policy)
    return policy


def inputs_of(policy: AnyPolicy, states: np.ndarray) -> np.ndarray:
    """Return the policy's inputs of states or features, int8[B, …]."""
    if isinstance(policy, OwnPolicy):
        return np.ascontiguousarray(states[:, : policy.inputs])
    return arrange(states)


def _check_answer(said: str, policy: OwnPolicy) -> None:
    """Ask the network about a few empty positions, and check the shapes and kinds of what it answers."""
    answer = tried(said, policy.net, policy.inputs)
    parts = answer if isinstance(answer, tuple) else (answer,)
    shapes = [tuple(part.shape) if isinstance(part, Tensor) else type(part).__name__ for part in parts]
    fits = len(shapes) in (1, 2) and shapes[0] == (PROBED, NUM_ACTIONS)
    if not fits or (len(shapes) == 2 and shapes[1] not in ((PROBED,), (PROBED, 1))):
        given = " and ".join(str(list(one) if isinstance(one, tuple) else one) for one in shapes) or "nothing"
        raise RecipeError(f"{said} answers {PROBED} positions with {given}: {ANSWERS}")
    if not all(part.is_floating_point() and part.isfinite().all() for part in parts):
        raise RecipeError(f"{said} answers with numbers that are not finite floats: {ANSWERS}")
