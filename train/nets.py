"""The networks: a policy that sees what its seat sees, and a critic that sees all hands.

    Policy   int8[B, 1159] → logits [B, 70] and the seat's own estimate of the hand's reward [B]
    Critic   int8[B, 1591] → the hand's expected reward [B]; only learning uses it

Both are plain stacks of linear layers with ReLU. Features come as small whole numbers; SCALES brings them to about one.
An exported level has the scales folded into its first layer, so that it reads the features as they are.
"""

import math
from itertools import pairwise

import torch
from torch import nn

from agents.insight import INSIGHT, NUM_INPUTS, NUM_OPEN_INPUTS
from spades_env.cards import NUM_ACTIONS
from spades_env.observe import LAYOUT

BLOCKS = LAYOUT | INSIGHT
SCALES = {  # of the blocks that are not 0 or 1
    "order": 1 / 52,
    "trick": 1 / 13,
    "hand_number": (1, 1 / 10),  # two numbers: hundreds, ones
    "score_hundreds": 1 / 3,
    "score_ones": 1 / 300,
    "bags": 1 / 5,
    "side_bid": 1 / 6,
    "side_made": 1 / 6,
    "trump": 1 / 13,
    "target": (1 / 5, 1 / 500),
    "max_hands": (1, 1 / 10),
    "floor": (1 / 5, 1 / 500),
    "nil_bonus": (1 / 2, 1 / 200),
    "blind_nil_deficit": (1 / 2, 1 / 200),
    "blind_nil_bonus": (1 / 2, 1 / 200),
    "blind_nil_pass": 1 / 3,
    "bag_limit": 1 / 10,
    "bag_cost": (1 / 2, 1 / 200),
    "bag_gift": (1 / 2, 1 / 200),
    "higher": 1 / 4,
    "lower": 1 / 4,
    "held": 1 / 5,
    "out": 1 / 5,
    "need": 1 / 3,
    "side_need": 1 / 3,
    "left": 1 / 6,
    "slack": 1 / 3,
    "to_target": 1 / 30,
}


def scales(size: int) -> torch.Tensor:
    """float32[size]: what each feature is multiplied with."""
    out = torch.ones(NUM_OPEN_INPUTS)
    for name, scale in SCALES.items():
        out[BLOCKS[name].place] = torch.tensor(scale)
    return out[:size]


class Body(nn.Module):
    """The hidden layers, behind the scales."""

    def __init__(self, size: int, width: int, layers: int):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", scales(size), persistent=False)
        self.layers = [nn.Linear(a, b) for a, b in pairwise([size] + [width] * layers)]
        self.hidden = nn.ModuleList(self.layers)  # the same, known to torch
        for layer in self.layers:
            nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """int8[B, size] → [B, width]. The scales go into the weights, which are fewer than the features of a batch."""
        first, *others = self.layers
        x = features.to(_precision(features, first.weight))
        x = torch.relu(nn.functional.linear(x, first.weight * self.scale, first.bias))
        for layer in others:
            x = torch.relu(layer(x))
        return x


def _precision(features: torch.Tensor, weight: torch.Tensor) -> torch.dtype:
    """What the first layer multiplies in: features are whole numbers that bfloat16 holds exactly."""
    device = features.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else weight.dtype


def _head(width: int, size: int) -> nn.Linear:
    """A last layer that begins small: all actions about alike, all values about zero."""
    layer = nn.Linear(width, size)
    nn.init.orthogonal_(layer.weight, 0.01)
    nn.init.zeros_(layer.bias)
    return layer


class Policy(nn.Module):
    """What to do, and what the hand will bring."""

    def __init__(self, width: int = 256, layers: int = 3):
        super().__init__()
        self.body = Body(NUM_INPUTS, width, layers)
        self.policy = _head(width, NUM_ACTIONS)
        self.value = _head(width, 1)

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """int8[B, 1159] → float32 [B, 70] and [B]."""
        x = self.body(features)
        return self.policy(x).float(), self.value(x).float().squeeze(-1)


class Critic(nn.Module):
    """What the hand will bring, all cards lying open."""

    def __init__(self, width: int = 256, layers: int = 3):
        super().__init__()
        self.body = Body(NUM_OPEN_INPUTS, width, layers)
        self.value = _head(width, 1)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """int8[B, 1591] → float32 [B]."""
        return self.value(self.body(states)).float().squeeze(-1)


def parameters(*nets: nn.Module) -> int:
    """How many numbers they hold."""
    return sum(math.prod(p.shape) for net in nets for p in net.parameters())
