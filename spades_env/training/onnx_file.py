"""Write a trained policy or a level as an ONNX file, for programs without this package.

    observation  float32[N, NUM_FEATURES]   →   logits  float32[N, 70]
    observation  float32[N, NUM_INPUTS]     →   logits, and value  float32[N, 1], of a level that reads insight

A level's graph takes the features under any trumps and arranges them by suit itself. The logits of illegal actions mean
nothing; the caller must mask them. The level's metadata become the model's, after a digest (agents/digest.py).
"""

import os
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import BLANK, KEY, filled
from spades_env.agents.network.insight import INSIGHT, NUM_INPUTS
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import RARE
from spades_env.agents.network.rows import LANES, MODE_COLUMNS, PLACES, PLACES_A_LANE
from spades_env.agents.network.suits import COLUMNS, LANE_INPUTS
from spades_env.game.cards import BID_ZERO, NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES
from spades_env.training.export import how_to_keep, level_of, read_trained
from spades_env.training.nets import OnObservation, policy_from
from spades_env.training.own.graph import graph_of, metadata_of, traced
from spades_env.training.own.network import OwnPolicy
from spades_env.training.run.checkpoints import RunError, Say


def export_graph(source: Path, name: str, style: str, say: Say = print) -> bytes:
    """Return the policy of a run or a checkpoint as the content of an ONNX file; for any network without an `act`."""
    policy, recipe, trained, ratings = read_trained(source, say)
    if not isinstance(policy, OwnPolicy):
        return onnx_model(level_of(policy, recipe, trained, name, style, ratings))
    if policy.plays_by_itself:
        raise RunError(f"{source} has {how_to_keep(policy)}")
    return graph_of(policy, metadata_of(recipe, trained, ratings, name, style))


def write_onnx(level: Level, path: str | os.PathLike) -> None:
    write_whole(path, onnx_model(level))


def onnx_model(level: Level) -> bytes:
    """Return a level as the content of an ONNX file."""
    if level.reads_rows:
        content = traced(OnObservation(policy_from(level.tensors)).eval(), NUM_FEATURES)
    else:
        content = traced(_LevelNet(level).eval(), NUM_INPUTS, ("logits", "value"))
    model = onnx.load_from_string(content)
    onnx.helper.set_model_props(model, {KEY: BLANK} | level.metadata)
    onnx.checker.check_model(model, full_check=True)
    return filled(model.SerializeToString())


class _LevelNet(nn.Module):
    """A level that reads insight, on the features as they are: its network, and what it adds to the logits."""

    def __init__(self, level: Level):
        super().__init__()
        self.heed, self.heed_blind, self.width = level.heed, level.heed_blind, level.widths[1]
        self.layers = nn.ParameterDict({name.replace(".", "_"): torch.tensor(t) for name, t in level.tensors.items()})
        self.columns, self.places = nn.Buffer(torch.from_numpy(COLUMNS)), nn.Buffer(torch.from_numpy(PLACES))
        self.doubt = nn.Buffer(torch.from_numpy(level.nil_doubt * np.eye(1, NUM_ACTIONS, BID_ZERO, dtype=np.float32)))

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        first = observation[:, :1]
        padded = torch.cat([observation, torch.zeros_like(first), torch.ones_like(first)], 1)
        mode = observation[:, list(MODE_COLUMNS)].argmax(1)
        x = padded.gather(1, self.columns[mode])
        lanes, others = x[:, : LANES * LANE_INPUTS].reshape(-1, LANE_INPUTS), x[:, LANES * LANE_INPUTS :]
        suits = self._layer("suits", lanes).relu()
        by_lane = suits.view(-1, LANES, self.width)
        table = self._layer("table", torch.cat([others, by_lane[:, -1], by_lane[:, :-1].sum(1)], 1)).relu()
        table = self._layer("table2", table).relu()
        again = torch.cat([lanes, suits, table.repeat_interleave(LANES, 0)], 1)
        cards = self._layer("places", self._layer("cards2", self._layer("cards", again).relu()).relu())
        by_place = torch.cat([cards.view(-1, LANES * PLACES_A_LANE), self._layer("bids", table)], 1)
        rare = observation[:, list(RARE)].sum(1, keepdim=True)
        heed = self.heed + (self.heed_blind - self.heed) * rare
        logits = by_place.gather(1, self.places[mode]) + heed * observation[:, INSIGHT["advice"].place] - self.doubt
        return logits, self._layer("value", table)

    def _layer(self, name: str, x: Tensor) -> Tensor:
        return linear(x, self.layers[f"{name}_weight"], self.layers[f"{name}_bias"])
