"""Networks of your own: any torch module that maps what a seat knows to logits of the 70 actions.

    class Net(torch.nn.Module):
        def forward(self, features):           float32[B, 824], observations
            return logits                      float32[B, 70]

Self-play learns the logits of calls (bids, blind bids, the look) as CALLS_GAIN times their advantages. Where the recipe
says `network.kind = "mine:Net"`, Net is called with [network.options]. A network that cannot be written as ONNX plays
by an `act` of its own, as an imported agent does (docs/agents.md).
"""

from typing import Any

from torch import Tensor, nn

from spades_env.game.cards import NUM_ACTIONS, NUM_CARDS
from spades_env.game.observe import NUM_FEATURES
from spades_env.training.nets import CALLS_GAIN, Policy
from spades_env.training.own.module import PROBED, made_module, tried
from spades_env.training.recipe import NetworkShape, RecipeError

ANSWERS = f"forward(features: float32[B, {NUM_FEATURES}]) must return logits, float32[B, {NUM_ACTIONS}]"


class OwnPolicy(nn.Module):
    """A policy that is a network of your own."""

    def __init__(self, net: nn.Module, kind: str):
        super().__init__()
        self.net, self.kind = net, kind

    @property
    def plays_by_itself(self) -> bool:
        return callable(getattr(self.net, "act", None))

    def forward(self, features: Tensor) -> Tensor:
        """Map features, [B, NUM_FEATURES], to logits, float32[B, 70]."""
        return self.net(features.float()).float()

    def card_logits(self, features: Tensor) -> Tensor:
        return self(features)[:, :NUM_CARDS]

    def call_advantages(self, features: Tensor) -> Tensor:
        return self(features)[:, NUM_CARDS:] / CALLS_GAIN

    def state_dict(self, *arguments, **options) -> dict[str, Any]:
        """Return copies of the tensors: those that share memory, as tied weights do, cannot be saved."""
        return {name: tensor.clone() for name, tensor in super().state_dict(*arguments, **options).items()}


AnyPolicy = Policy | OwnPolicy


def policy_of(network: NetworkShape) -> AnyPolicy:
    """Return a recipe's policy with random weights; raise RecipeError if a network of your own cannot be used."""
    if not network.is_own:
        return Policy(network.width, network.suit_width)
    said = f"network.kind = {network.kind!r}"
    policy = OwnPolicy(made_module("network.kind", network.kind, "network.options", network.options), network.kind)
    _check_answer(said, policy)
    return policy


def _check_answer(said: str, policy: OwnPolicy) -> None:
    """Ask the network about a few empty positions, and check the shape and kind of what it answers."""
    answer = tried(said, policy.net, NUM_FEATURES)
    if not isinstance(answer, Tensor) or tuple(answer.shape) != (PROBED, NUM_ACTIONS):
        given = list(answer.shape) if isinstance(answer, Tensor) else type(answer).__name__
        raise RecipeError(f"{said} answers {PROBED} positions with {given}: {ANSWERS}")
    if not answer.is_floating_point() or not answer.isfinite().all():
        raise RecipeError(f"{said} answers with numbers that are not finite floats: {ANSWERS}")
