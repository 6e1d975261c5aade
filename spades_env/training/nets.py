"""The networks: a policy that sees what its seat sees, and a critic that sees all hands.

    Policy   int8[B, NUM_ARRANGED], arranged by suit (network/suits.py) → logits [B, 70] and the seat's own estimate of
             the hand's reward [B]
    Critic   int8[B, NUM_OPEN_INPUTS] → the hand's expected reward [B]; used in training only

The policy reads the four suits with the same weights, then the table as a whole (the other features, trumps, and the
sum of the side suits), then every suit again together with the table, and computes the logits of its cards. The formula
is in agents/network/level.py.

What is learned of one suit holds for all: with as many weights a plain stack of layers needs many times the hands to
play as well. Features are small whole numbers; SCALES brings them to about one. An exported level has the scales folded
into its weights, so that it reads the features as they are. Without rule_inputs the scale of everything that the rule
bot computes is 0: nothing is learned from it, and the level's weights of these inputs are 0.
"""

from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from spades_env.agents.network.insight import NUM_INPUTS, NUM_OPEN_INPUTS, RULE_BOT_INPUTS
from spades_env.agents.network.rows import LANES, MODE_COLUMNS, PLACES, PLACES_A_LANE
from spades_env.agents.network.suits import BLOCKS, COLUMNS, LANE_INPUTS, NUM_OTHERS
from spades_env.game.cards import NUM_ACTIONS, NUM_CARDS

SCALES = {  # scale -> blocks of features; the others are 0 or 1
    1 / 3: ("score_hundreds", "blind_nil_pass", "nil_pass", "need", "side_need", "slack"),
    1 / 4: ("higher", "lower"),
    1 / 5: ("bags", "held", "out"),
    1 / 6: ("side_bid", "side_made", "left", "least_bid", "blind_bid", "bids_missing"),
    1 / 10: ("bag_limit",),
    1 / 13: ("trick", "trump"),
    1 / 20: ("worth", "trick_worth"),
    1 / 25: ("ends", "nil_breaks"),
    1 / 30: ("to_target", "hope"),
    1 / 50: ("i_win", "left_wins", "mate_wins", "right_wins", "nil_hope"),
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
CRITIC_LAYERS = 3
MODES_AT = [COLUMNS[0].tolist().index(column) for column in MODE_COLUMNS]  # in what `arrange` returns
GAIN = 10.0  # of the policy's heads: logits are large numbers, weights small ones


def scales(rule_inputs: bool = True) -> Tensor:
    """Return the factor of each feature, float32[NUM_OPEN_INPUTS]."""
    out = torch.ones(NUM_OPEN_INPUTS)
    for scale, names in SCALES.items():
        for name in names:
            out[BLOCKS[name].place] = torch.tensor(scale)
    if not rule_inputs:
        for name in RULE_BOT_INPUTS:
            out[BLOCKS[name].place] = 0.0
    return out


def arranged_scales(rule_inputs: bool = True) -> tuple[Tensor, Tensor]:
    """Return the factors of a lane, float32[LANE_INPUTS], and of the other features, float32[NUM_OTHERS]."""
    by_column = torch.cat([scales()[:NUM_INPUTS], torch.ones(2)])[torch.from_numpy(COLUMNS[0])]
    if not rule_inputs:
        by_column[torch.from_numpy(_from_rule_bot())] = 0.0
    return by_column[(LANES - 1) * LANE_INPUTS : LANES * LANE_INPUTS].clone(), by_column[LANES * LANE_INPUTS :].clone()


def _from_rule_bot() -> np.ndarray:
    """Return bool[NUM_ARRANGED]: what the rule bot computes, in any lane and under any trumps."""
    read = np.flatnonzero(scales(rule_inputs=False)[:NUM_INPUTS].numpy() == 0)
    found = np.any(np.isin(COLUMNS, read), axis=0).reshape(-1)
    lanes = found[: LANES * LANE_INPUTS].reshape(LANES, LANE_INPUTS).any(axis=0)
    return np.concatenate([np.tile(lanes, LANES), found[LANES * LANE_INPUTS :]])


class Policy(nn.Module):
    """The policy: logits of actions, and its own value estimate. width: of the table; suit_width: of a suit."""

    def __init__(self, width: int = 256, suit_width: int = 128, rule_inputs: bool = True):
        super().__init__()
        self.lane_scale: Tensor
        self.other_scale: Tensor
        self.place_of: Tensor
        for name, numbers in zip(("lane_scale", "other_scale"), arranged_scales(rule_inputs), strict=True):
            self.register_buffer(name, numbers, persistent=False)
        self.register_buffer("place_of", torch.from_numpy(PLACES), persistent=False)
        self.suits = hidden_layer(LANE_INPUTS, suit_width)
        self.table = hidden_layer(NUM_OTHERS + 2 * suit_width, width)
        self.table2 = hidden_layer(width, width)
        self.cards = hidden_layer(LANE_INPUTS + suit_width + width, suit_width)
        self.cards2 = hidden_layer(suit_width, suit_width)
        self.places = head_layer(suit_width, PLACES_A_LANE)
        self.bids = head_layer(width, NUM_ACTIONS - NUM_CARDS)
        self.value = head_layer(width, 1)

    def forward(self, arranged: Tensor) -> tuple[Tensor, Tensor]:
        """Map int8[B, NUM_ARRANGED] to logits, float32[B, 70], and values, float32[B]."""
        x = arranged.to(_precision(arranged, self.suits.weight))
        others = x[:, LANES * LANE_INPUTS :]
        lanes = x[:, : LANES * LANE_INPUTS].reshape(-1, LANE_INPUTS)
        suits = torch.relu(linear(lanes, self.suits.weight * self.lane_scale, self.suits.bias))
        table = torch.relu(
            linear(others, self.table.weight[:, :NUM_OTHERS] * self.other_scale, self.table.bias)
            + linear(self._trumps_and_rest(suits), self.table.weight[:, NUM_OTHERS:])
        )
        table = torch.relu(self.table2(table))
        cards = torch.relu(self._cards(lanes, suits, table))
        cards = torch.relu(self.cards2(cards))
        logits = torch.cat([self.places(cards).view(-1, LANES * PLACES_A_LANE), self.bids(table)], 1).float()
        mode = arranged[:, MODES_AT].argmax(1)
        return GAIN * logits.gather(1, self.place_of[mode]), self.value(table).float().squeeze(-1)

    def _trumps_and_rest(self, suits: Tensor) -> Tensor:
        """Map [4 B, E] to [B, 2 E]: the suit of trumps, and the sum of the others."""
        by_lane = suits.view(-1, LANES, suits.shape[-1])
        return torch.cat([by_lane[:, -1], by_lane[:, :-1].sum(1)], 1)

    def _cards(self, lanes: Tensor, suits: Tensor, table: Tensor) -> Tensor:
        """Read every suit again, with the table, whose part of the layer is computed once for all four: [4 B, E]."""
        weight, (a, b) = self.cards.weight, (LANE_INPUTS, LANE_INPUTS + suits.shape[-1])
        own = linear(lanes, weight[:, :a] * self.lane_scale, self.cards.bias) + linear(suits, weight[:, a:b])
        return (own.view(-1, LANES, own.shape[-1]) + linear(table, weight[:, b:])[:, None]).view(own.shape)


class Critic(nn.Module):
    """The critic: the value of a hand when all cards are seen."""

    def __init__(self, width: int = 256, rule_inputs: bool = True):
        super().__init__()
        self.scale: Tensor
        self.register_buffer("scale", scales(rule_inputs), persistent=False)
        sizes = [NUM_OPEN_INPUTS, *[width] * CRITIC_LAYERS]
        self.layers = [hidden_layer(a, b) for a, b in pairwise(sizes)]
        self.hidden = nn.ModuleList(self.layers)  # the same, known to torch
        self.value = head_layer(width, 1)

    def forward(self, states: Tensor) -> Tensor:
        """Map int8[B, NUM_OPEN_INPUTS] to float32[B]. Scaling weights is cheaper than scaling a batch of features."""
        first, *others = self.layers
        x = states.to(_precision(states, first.weight))
        x = torch.relu(linear(x, first.weight * self.scale, first.bias))
        for layer in others:
            x = torch.relu(layer(x))
        return self.value(x).float().squeeze(-1)


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


def _precision(features: Tensor, weight: Tensor) -> torch.dtype:
    """Return the precision of the first layers: features are whole numbers that bfloat16 holds exactly."""
    device = features.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else weight.dtype
