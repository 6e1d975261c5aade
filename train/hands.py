"""Hands of self-play, sorted by seat, and the network that plays them.

A hand is 56 decisions under the rules of the baselines, 14 of each seat, so all tables end theirs together.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from spades_env import SpadesVectorEnv
from spades_env.game.cards import BID_ZERO, NUM_SEATS
from spades_env.game.observe import LAYOUT, NUM_FEATURES

TURNS = 14  # of a seat in a hand: a bid and thirteen cards
ILLEGAL = -1e9
COUNTS = (  # blocks of the observation that hold numbers up to 99, not zeros and ones
    "order", "trick", "hand_number", "score_hundreds", "score_ones", "bags", "side_bid", "side_made", "trump", "target",
    "max_hands", "floor", "nil_bonus", "blind_nil_deficit", "blind_nil_bonus", "blind_nil_pass", "overtrick_points",
    "bag_limit", "bag_cost", "bag_gift",
)  # fmt: skip

Chooser = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, ...]]


@dataclass
class Hands:
    """A hand at every table, by seat: M = 4 × tables rows, each with the seat's 14 turns.

    observation  int8[14, M, 824]
    mask         bool[14, M, 70]
    action       int64[14, M]
    kept         what else the chooser returned, each [14, M, …]
    reward       float32[M], of the hand, in hundreds of points
    """

    observation: Tensor
    mask: Tensor
    action: Tensor
    kept: tuple[Tensor, ...]
    reward: Tensor

    @property
    def free(self) -> Tensor:
        """bool[14, M]: was there more than one legal action?"""
        return self.mask.sum(-1) > 1


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


def play_hands(env: SpadesVectorEnv, choose: Chooser) -> Hands:
    """Play a hand at every table. choose(observation, mask, turn) returns the actions, and what is to be kept."""
    steps = []
    for _ in range(TURNS * NUM_SEATS):
        seen = tuple(torch.from_numpy(array.copy()) for array in (env.observation, env.mask.astype(bool), env.turn))
        with torch.no_grad():
            answer = choose(*seen)
        env.step(answer[0].numpy())
        steps.append((*seen, *answer))
    if not env.done.all():
        raise RuntimeError("not all tables have finished their hand")
    parts = [torch.stack(part) for part in zip(*steps, strict=True)]
    order, tables = parts[2].argsort(dim=0, stable=True), torch.arange(env.num_envs)  # by seat, then by time
    observation, mask, _, action, *kept = (_by_seat(part[order, tables]) for part in parts)
    return Hands(observation, mask, action, tuple(kept), torch.from_numpy(env.reward.T.flatten()))


def _by_seat(part: Tensor) -> Tensor:
    """Turn [56, N, …], ordered by seat, into [14, 4 N, …]."""
    return part.unflatten(0, (NUM_SEATS, TURNS)).transpose(0, 1).flatten(1, 2)


def habits(hands: Hands) -> dict[str, float]:
    """Return the mean bid in tricks and the share of nils."""
    bids = hands.action[0] - BID_ZERO
    return {"bid": float(bids.float().mean()), "nil": float((bids == 0).float().mean())}
