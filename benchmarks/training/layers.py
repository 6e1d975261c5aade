"""Plain networks on the observed features alone, as MaskablePPO has them by default: Tanh between layers."""

from itertools import pairwise

from torch import Tensor, nn

from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES


class Policy(nn.Module):
    """Three layers, then the logits."""

    def __init__(self, width: int = 256, layers: int = 3):
        super().__init__()
        self.body, self.logits = _body(width, layers), nn.Linear(width, NUM_ACTIONS)

    def forward(self, features: Tensor) -> Tensor:
        return self.logits(self.body(features))


class Value(nn.Module):
    """Three layers, then the value, of the observed features alone."""

    def __init__(self, width: int = 256, layers: int = 3):
        super().__init__()
        self.body, self.value = _body(width, layers), nn.Linear(width, 1)

    def forward(self, states: Tensor) -> Tensor:
        return self.value(self.body(states[:, :NUM_FEATURES]))


def _body(width: int, layers: int) -> nn.Sequential:
    sizes = [NUM_FEATURES, *[width] * layers]
    return nn.Sequential(*(part for a, b in pairwise(sizes) for part in (nn.Linear(a, b), nn.Tanh())))
