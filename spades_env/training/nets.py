"""The networks: a policy that sees what its seat sees, and a critic that sees all hands.

    Policy   [B, POLICY_ROW] → logits [B, 70]: of cards, and of calls (bids, the look) CALLS_GAIN × their advantages
    Critic   [B, CRITIC_ROW], ends float32[B, NUM_ENDS] → the hand's reward [B], tricks to come [B, 14]

Both read the four suits with the same weights, then the table as a whole: what belongs to no suit, trumps, and the sum
of the other suits. The policy reads every suit again together with the table.

The critic predicts how many more tricks its side wins and which nils break. What these ends are worth follows from the
rules (ends.py); it learns a correction only.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear, pad

from spades_env.agents.network.rows import (
    BAGS,
    CRITIC,
    CRITIC_LANE,
    LANES,
    LEAST_NEED,
    LEFT,
    MODE_COLUMNS,
    NEEDS,
    NUM_CALLS,
    NUM_OTHERS,
    NUM_TALLIES,
    ONE,
    OTHERS,
    PLACES,
    PLACES_A_LANE,
    POLICY,
    POLICY_LANE,
    TRICKS,
    ZERO,
)
from spades_env.game.cards import NUM_CARDS
from spades_env.game.observe import LAYOUT, NUM_FEATURES
from spades_env.game.state import PASS
from spades_env.training.self_play.ends import NUM_ENDS, NUM_TRICKS_TO_COME

SCALES = {  # scale -> blocks of features; the others are 0 or 1
    1 / 3: ("score_hundreds", "blind_nil_pass", "nil_pass"),
    1 / 5: ("bags",),
    1 / 6: ("side_bid", "side_made", "least_bid", "blind_bid", "bids_missing"),
    1 / 10: ("bag_limit",),
    1 / 13: ("trick", "trump"),
    1 / 52: ("order",),
    1 / 300: ("score_ones",),
    (1, 1 / 10): ("hand_number", "max_hands"),  # two numbers: hundreds, ones
    (1 / 2, 1 / 200): (
        *("nil_bonus", "blind_nil_deficit", "blind_nil_bonus", "bag_cost", "bag_gift"),
        *("slam_points", "blind_bid_deficit"),
    ),
    (1 / 5, 1 / 500): ("target", "floor"),
    (1, 1 / 2, 1 / 200): ("double_nil", "ten_points"),
    (1, 1 / 13): ("total_not",),
}
GAIN = 4.0  # of the cards' head: logits are large numbers, weights small ones
CALLS_GAIN = 10.0  # of calls: advantages are small numbers
PHASE = OTHERS.index(LAYOUT["phase"].start)


class _BySuit(nn.Module):
    """The layers that both networks begin with."""

    reads = POLICY, POLICY_LANE  # the columns of its rows, and how many a lane has

    def __init__(self, width: int = 128, suit_width: int = 64):
        super().__init__()
        self.widths = width, suit_width
        columns, self.lane = self.reads
        lane, others = _scales(columns, self.lane)
        self.lane_scale, self.other_scale = nn.Buffer(lane, persistent=False), nn.Buffer(others, persistent=False)
        self.suits = hidden_layer(self.lane, suit_width)
        self.table = hidden_layer(NUM_OTHERS + 2 * suit_width, width)
        self.table2 = hidden_layer(width, width)

    def read(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the lanes [4 B, lane], every suit [4 B, E] and the table [B, W]."""
        lanes, others = x[:, : LANES * self.lane].reshape(-1, self.lane), x[:, LANES * self.lane :]
        suits = torch.relu(linear(lanes, self.suits.weight * self.lane_scale, self.suits.bias))
        by_lane = suits.view(-1, LANES, suits.shape[-1])
        pooled = torch.cat([others, by_lane[:, -1], by_lane[:, :-1].sum(1)], 1)
        weight = torch.cat([self.table.weight[:, :NUM_OTHERS] * self.other_scale, self.table.weight[:, NUM_OTHERS:]], 1)
        table = torch.relu(linear(pooled, weight, self.table.bias))
        return lanes, suits, torch.relu(self.table2(table))

    def widen_reading(self, wider: "_BySuit") -> None:
        (w, s), suit_width = self.widths, wider.widths[1]
        _copy(self.suits, wider.suits, torch.arange(self.lane))
        pooled = [torch.arange(NUM_OTHERS), NUM_OTHERS + torch.arange(s), NUM_OTHERS + suit_width + torch.arange(s)]
        _copy(self.table, wider.table, torch.cat(pooled))
        _copy(self.table2, wider.table2, torch.arange(w))


class Policy(_BySuit):
    """The policy. width: of the table's layers; suit_width: of a suit's."""

    def __init__(self, width: int = 128, suit_width: int = 64):
        super().__init__(width, suit_width)
        self.cards = hidden_layer(POLICY_LANE + suit_width + width, suit_width)
        self.cards2 = hidden_layer(suit_width, suit_width)
        self.places = head_layer(suit_width, PLACES_A_LANE)
        self.bids = head_layer(width, NUM_CALLS)
        self.place_of = nn.Buffer(torch.from_numpy(PLACES[:, :NUM_CARDS].copy()), persistent=False)

    def card_logits(self, x: Tensor) -> Tensor:
        lanes, suits, table = self.read(x)
        return self._cards(x, lanes, suits, table)

    def call_advantages(self, x: Tensor) -> Tensor:
        return self.bids(self.read(x)[2]).float()

    def forward(self, x: Tensor) -> Tensor:
        lanes, suits, table = self.read(x)
        return torch.cat([self._cards(x, lanes, suits, table), CALLS_GAIN * self.bids(table).float()], 1)

    def _cards(self, x: Tensor, lanes: Tensor, suits: Tensor, table: Tensor) -> Tensor:
        logits = self.places(self.read_cards(lanes, suits, table)).view(-1, LANES * PLACES_A_LANE).float()
        return GAIN * logits.gather(1, self.place_of[_mode(x, LANES * POLICY_LANE)])

    def read_cards(self, lanes: Tensor, suits: Tensor, table: Tensor) -> Tensor:
        """Read every suit again, [4 B, E]; the table's part of the layer is computed once for all four."""
        own = POLICY_LANE + suits.shape[-1]
        scale = torch.cat([self.lane_scale, self.lane_scale.new_ones(suits.shape[1])])
        each = linear(torch.cat([lanes, suits], 1), self.cards.weight[:, :own] * scale, self.cards.bias)
        from_table = linear(table, self.cards.weight[:, own:])
        read = torch.relu(each.view(-1, LANES, each.shape[-1]) + from_table[:, None])
        return torch.relu(self.cards2(read.view(-1, read.shape[-1])))

    def widened(self, width: int, suit_width: int) -> "Policy":
        """Return a wider policy that plays the same: nothing hears the new units yet."""
        wider, (w, s) = Policy(width, suit_width), self.widths
        self.widen_reading(wider)
        from_table = POLICY_LANE + suit_width + torch.arange(w)
        _copy(self.cards, wider.cards, torch.cat([torch.arange(POLICY_LANE + s), from_table]))
        _copy(self.cards2, wider.cards2, torch.arange(s))
        _copy(self.places, wider.places, torch.arange(s))
        _copy(self.bids, wider.bids, torch.arange(w))
        return wider


class Critic(_BySuit):
    """The critic; used in training only."""

    reads = CRITIC, CRITIC_LANE

    def __init__(self, width: int = 128, suit_width: int = 64):
        super().__init__(width, suit_width)
        self.tricks = head_layer(width, NUM_TRICKS_TO_COME)  # how many of those left its side wins
        self.breaks = head_layer(width, NUM_ENDS - NUM_TRICKS_TO_COME)  # of each nil that stands
        self.correction = head_layer(width, 1)

    def forward(self, x: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        table = self.read(x)[2]
        by_tricks, by_breaks = ends[:, :NUM_TRICKS_TO_COME], ends[:, NUM_TRICKS_TO_COME:]
        tricks = self.tricks(table).float().masked_fill(by_tricks.isnan(), -1e9).log_softmax(1)
        known = (tricks.exp() * by_tricks.nan_to_num()).sum(1)
        known = known + (self.breaks(table).float().sigmoid() * by_breaks).sum(1)
        bids_are_made = x[:, LANES * self.lane + PHASE :][:, PASS : PASS + 2].sum(1).float()
        return bids_are_made * known + self.correction(table).float()[:, 0], tricks

    def widened(self, width: int, suit_width: int) -> "Critic":
        wider = Critic(width, suit_width)
        self.widen_reading(wider)
        for name in ("tricks", "breaks", "correction"):
            _copy(getattr(self, name), getattr(wider, name), torch.arange(self.widths[0]))
        return wider


@torch.no_grad()
def _copy(old: nn.Linear, new: nn.Linear, columns: Tensor) -> None:
    """Let the first units of a layer compute what the old ones did, from these inputs alone."""
    rows = len(old.weight)
    new.weight[:rows] = 0
    new.weight[:rows, columns] = old.weight.to(new.weight.device)
    new.bias[:rows] = old.bias


def _mode(x: Tensor, others: int) -> Tensor:
    """Return the number of each row's trump mode."""
    return x[:, [others + OTHERS.index(column) for column in MODE_COLUMNS]].argmax(1)


def _scales(columns, lane: int) -> tuple[Tensor, Tensor]:
    """Return the factors that bring a lane's inputs, and the others, to about one."""
    by_feature = torch.ones(max(OTHERS) + 1)
    for scale, names in SCALES.items():
        for name in names:
            by_feature[LAYOUT[name].place] = torch.tensor(scale)
    first = torch.from_numpy(columns[0])
    by_column = torch.where(
        (first >= 0) & (first < len(by_feature)), by_feature[first.clamp(0, len(by_feature) - 1)], 1.0
    )
    lane_scale = by_column[(LANES - 1) * lane : LANES * lane].clone()
    return lane_scale, torch.cat([by_column[LANES * lane :], torch.ones(NUM_TALLIES)])


class OnObservation(nn.Module):
    """A policy on observations as they are, float32[N, NUM_FEATURES] → logits [N, 70], for an ONNX file."""

    def __init__(self, policy: Policy):
        super().__init__()
        self.policy = policy
        columns = np.where(POLICY == ZERO, NUM_FEATURES, np.where(POLICY == ONE, NUM_FEATURES + 1, POLICY))
        self.columns = nn.Buffer(torch.from_numpy(columns))
        self.needs, self.bags, self.left = (nn.Buffer(torch.arange(float(n))) for n in (NEEDS, BAGS, LEFT))

    def forward(self, observation: Tensor) -> Tensor:
        zero = torch.zeros_like(observation[:, :1])
        mode = observation[:, list(MODE_COLUMNS)].argmax(1)
        by_suit = torch.cat([observation, zero, zero + 1], 1).gather(1, self.columns[mode])
        return self.policy(torch.cat([by_suit, self._tallies(observation)], 1))

    def _tallies(self, x: Tensor) -> Tensor:
        """Compute the tallies, as rows.write_tallies does."""
        block = {
            name: x[:, LAYOUT[name].place] for name in ("side_bid", "side_made", "bags", "trick", "nil", "blind_nil")
        }
        need = (block["side_bid"] - block["side_made"] - LEAST_NEED).clamp(0, NEEDS - 1)
        nil, none_won = block["nil"] + block["blind_nil"], x[:, TRICKS : TRICKS + 56 : 14]
        hot = [need[:, :, None] == self.needs, block["bags"].clamp(0, BAGS - 1)[:, :, None] == self.bags]
        parts = [one.float().flatten(1) for one in hot] + [(13 - block["trick"] == self.left).float()]
        return torch.cat([*parts, nil * none_won, nil * (1 - none_won)], 1)


def hidden_layer(size: int, width: int) -> nn.Linear:
    layer = nn.Linear(size, width)
    nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
    nn.init.zeros_(layer.bias)
    return layer


def head_layer(width: int, size: int) -> nn.Linear:
    """Return a last layer with small weights: at first all logits are about equal, all values about zero."""
    layer = nn.Linear(width, size)
    nn.init.orthogonal_(layer.weight, 0.01)
    nn.init.zeros_(layer.bias)
    return layer


def level_tensors(policy: Policy) -> dict[str, np.ndarray]:
    """Return the tensors of a level (agents/network/level.py): scales and gains are folded into the weights."""
    return {
        name: (tensor.detach().float() * _folded(policy, name)).cpu().numpy()
        for name, tensor in policy.state_dict().items()
    }


def as_wide_as(tensors: Mapping[str, Any]) -> Policy:
    """Return a policy with random weights, as wide as the one that these tensors are of."""
    return Policy(len(tensors["table.bias"]), len(tensors["suits.bias"]))


def policy_from(tensors: Mapping[str, np.ndarray]) -> Policy:
    """Return the policy of a level's tensors."""
    policy = as_wide_as(tensors)
    with torch.no_grad():
        for name, tensor in policy.state_dict().items():
            tensor.copy_(torch.tensor(tensors[name]) / _folded(policy, name))
    return policy


def _folded(policy: Policy, name: str) -> Tensor:
    """Return the factor that a level folds into this tensor of a policy."""
    layer, part = name.split(".")
    if layer in ("places", "bids"):
        return torch.tensor(GAIN if layer == "places" else CALLS_GAIN)
    scale = {"suits": policy.lane_scale, "cards": policy.lane_scale, "table": policy.other_scale}.get(layer)
    if scale is None or part == "bias":
        return torch.tensor(1.0)
    return pad(scale, (0, getattr(policy, layer).weight.shape[1] - len(scale)), value=1.0)
