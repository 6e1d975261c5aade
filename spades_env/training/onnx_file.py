"""Write a trained policy or a level as an ONNX file, for programs without this package.

    observation  float32[N, NUM_FEATURES]   →   logits  float32[N, 70]

A level's graph takes the features under any trumps and arranges them by suit itself. The logits of illegal actions mean
nothing; the caller must mask them. The level's metadata become the model's, after a digest (agents/digest.py).
"""

import os
from pathlib import Path

import onnx

from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import BLANK, KEY, filled
from spades_env.agents.network.level import Level
from spades_env.training.export import how_to_keep, level_of, read_trained
from spades_env.training.nets import OnObservation, policy_from
from spades_env.training.own.graph import graph_of, metadata_of, traced
from spades_env.training.own.network import OwnPolicy
from spades_env.training.run.checkpoints import RunError


def export_graph(source: Path, name: str, style: str) -> bytes:
    """Return the policy of a run or a checkpoint as the content of an ONNX file; for any network without an `act`."""
    policy, recipe, trained, ratings = read_trained(source)
    if not isinstance(policy, OwnPolicy):
        return onnx_model(level_of(policy, recipe, trained, name, style, ratings))
    if policy.plays_by_itself:
        raise RunError(f"{source} has {how_to_keep(policy)}")
    return graph_of(policy, metadata_of(recipe, trained, ratings, name, style))


def write_onnx(level: Level, path: str | os.PathLike) -> None:
    write_whole(path, onnx_model(level))


def onnx_model(level: Level) -> bytes:
    """Return a level as the content of an ONNX file."""
    net = OnObservation(policy_from(level.tensors)).eval()
    model = onnx.load_from_string(traced(net))
    onnx.helper.set_model_props(model, {KEY: BLANK} | level.metadata)
    onnx.checker.check_model(model, full_check=True)
    return filled(model.SerializeToString())
