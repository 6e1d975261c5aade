"""Hands of self-play as tensors, and the network that plays them."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from spades_env import SpadesVectorEnv
from spades_env.game.cards import BID_ZERO
from spades_env.game.observe import LAYOUT, NUM_FEATURES
from spades_env.rollout import Trajectories, play_hands

TURNS = 14  # of a seat in a hand under the rules of the baselines: a bid and thirteen cards
ILLEGAL = -1e9
COUNTS = (  # blocks of the observation that hold numbers up to 99, not zeros and ones
    "order", "trick", "hand_number", "score_hundreds", "score_ones", "bags", "side_bid", "side_made", "trump", "target",
    "max_hands", "floor", "nil_bonus", "blind_nil_deficit", "blind_nil_bonus", "blind_nil_pass", "overtrick_points",
    "bag_limit", "bag_cost", "bag_gift",
)  # fmt: skip

Chooser = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, ...]]


class Net(nn.Module):
    """Two hidden layers, and a linear layer for each output. Counts are scaled."""

    def __init__(self, width: int, *outputs: int):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(NUM_FEATURES, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(width, size) for size in outputs)
        scale = torch.ones(NUM_FEATURES)
        for name in COUNTS:
            scale[LAYOUT[name].place] = 0.05
        self.scale = nn.Buffer(scale)

    def forward(self, observation: Tensor) -> tuple[Tensor, ...]:
        hidden = self.body(observation.float() * self.scale)
        return tuple(head(hidden) for head in self.heads)


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities, those of illegal actions about −10⁹."""
    return logits.masked_fill(~mask, ILLEGAL).log_softmax(-1)


def draw(log_probs: Tensor) -> Tensor:
    """Return sampled actions, int64[N]."""
    return torch.multinomial(log_probs.exp(), 1).squeeze(-1)


def play(env: SpadesVectorEnv, choose: Chooser) -> Trajectories:
    """Play a hand at every table, with tensors. choose(observation, mask, turn): as `play_hands` takes it."""

    def asked(*seen: np.ndarray) -> tuple[Tensor, ...]:
        with torch.no_grad():
            return choose(*map(torch.from_numpy, seen))

    return play_hands(env, asked).map(torch.from_numpy)


def habits(hands: Trajectories) -> dict[str, float]:
    """Return the mean bid in tricks and the share of nils."""
    bids = hands.action[0] - BID_ZERO
    return {"bid": float(bids.float().mean()), "nil": float((bids == 0).float().mean())}
