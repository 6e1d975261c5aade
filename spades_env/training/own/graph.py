"""Write a network of your own as an ONNX file, which plays as any ONNX file does (agents/onnx_player.py).

    observation  float32[N, 824]  →   logits  float32[N, 70]

Torch traces the network. The graph is then asked about random positions, and refused where it answers otherwise than
the network, as it may with branches that depend on the input.
"""

import io
import json
import warnings
from copy import deepcopy
from typing import Any

import numpy as np
import onnx
import torch
from onnx.reference import ReferenceEvaluator
from torch import nn

from spades_env._version import __version__
from spades_env.agents.digest import BLANK, KEY, filled
from spades_env.agents.network.level import MARKS
from spades_env.agents.onnx_player import CHECKED, check_graph
from spades_env.game.observe import NUM_FEATURES
from spades_env.import_path import error_line
from spades_env.training.own.network import OwnPolicy
from spades_env.training.recipe import Recipe
from spades_env.training.run.checkpoints import RunError

OPSET = 17
COMPARED = 5  # positions
CLOSE = 1e-3  # how far logits may differ, of the largest


def graph_of(policy: OwnPolicy, metadata: dict[str, str]) -> bytes:
    """Return the content of an ONNX file; raise RunError if the network cannot be written so."""
    refusal = f"network.kind = {policy.kind!r} cannot be written as ONNX"
    advice = "give it a method act(view) to play by"
    net = deepcopy(policy.net).cpu().float().eval()
    try:
        content = traced(net)
        check_graph(content)
    except Exception as error:
        raise RunError(f"{refusal} ({error_line(error):.200}): {advice}") from error
    model = onnx.load_from_string(content)
    if not _answers_alike(net, model):
        raise RunError(f"{refusal}, as the graph answers otherwise than the network: {advice}")
    onnx.helper.set_model_props(model, {KEY: BLANK} | metadata)
    return filled(model.SerializeToString())


def metadata_of(recipe: Recipe, trained: dict[str, Any], ratings: dict[str, Any], name: str, style: str) -> dict:
    """Return what an ONNX file says of itself, as a level does (agents/network/level.py)."""
    return {mark: MARKS[mark] for mark in CHECKED} | {
        "version": __version__,
        "name": name or recipe.name,
        "style": style or recipe.about,
        "recipe": json.dumps(recipe.as_dict()),
        "rules": str(recipe.rules),
        "ratings": json.dumps(ratings),
        "trained": json.dumps(trained),
    }


def traced(net: nn.Module) -> bytes:
    """Return the content of an ONNX file for a network that maps float32[N, NUM_FEATURES] to logits."""
    content: Any = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own, about its exporters; the other one needs onnxscript
        torch.onnx.export(
            net,
            (torch.zeros(2, NUM_FEATURES),),
            content,
            input_names=["observation"],
            output_names=["logits"],
            dynamic_axes={"observation": {0: "N"}, "logits": {0: "N"}},
            opset_version=OPSET,
            dynamo=False,
        )
    return content.getvalue()


def _answers_alike(net: nn.Module, model: onnx.ModelProto) -> bool:
    """Return whether the graph answers as the network does, also with another number of positions than when traced."""
    rows = np.random.default_rng(0).integers(0, 2, (COMPARED, NUM_FEATURES)).astype(np.float32)
    with torch.no_grad():
        expected = net(torch.from_numpy(rows)).numpy()
    try:
        graph: Any = ReferenceEvaluator(model)
        (found,) = graph.run(["logits"], {"observation": rows})
    except NotImplementedError:  # an operator that onnx itself cannot compute
        return True
    scale = max(1.0, float(np.abs(expected).max()))
    return found.shape == expected.shape and float(np.abs(found - expected).max()) <= CLOSE * scale
