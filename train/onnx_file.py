"""A level as an ONNX file, for other programs: the same network without anything of ours.

    observation  float32[N, 1159]  →   logits  float32[N, 70]
                                       value   float32[N, 1]

The features go in as they are. Illegal actions are the caller's business: their logits mean nothing. What the level
says of itself stands in the model's metadata.
"""

import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from agents.files import write_whole
from agents.insight import NUM_INPUTS
from agents.level import Layer, Level
from spades_env.cards import NUM_ACTIONS

OPSET = 13  # old enough for every runtime in use
IR_VERSION = 8


def write_onnx(level: Level, path: str | os.PathLike) -> None:
    """A level's policy and value into a file, at one stroke."""
    write_whole(path, onnx_model(level).SerializeToString())


def onnx_model(level: Level) -> onnx.ModelProto:
    """A level's policy and value as a graph of Gemm and Relu."""
    nodes, numbers = [], []
    x = "observation"
    for i, layer in enumerate(level.hidden):
        _gemm(layer, f"hidden.{i}", x, f"sum.{i}", nodes, numbers)
        x = f"hidden.{i}"
        nodes.append(helper.make_node("Relu", [f"sum.{i}"], [x], name=f"relu.{i}"))
    _gemm(level.policy, "policy", x, "logits", nodes, numbers)
    _gemm(level.value, "value", x, "value", nodes, numbers)
    outputs = [_table("logits", NUM_ACTIONS), _table("value", 1)]
    graph = helper.make_graph(nodes, "level", [_table("observation", NUM_INPUTS)], outputs, numbers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    helper.set_model_props(model, level.metadata)
    onnx.checker.check_model(model)
    return model


def _gemm(layer: Layer, name: str, x: str, out: str, nodes: list, numbers: list) -> None:
    """out = x @ weight + bias"""
    names = [f"{name}.weight", f"{name}.bias"]
    numbers += [numpy_helper.from_array(np.ascontiguousarray(a), n) for a, n in zip(layer, names, strict=True)]
    nodes.append(helper.make_node("Gemm", [x, *names], [out], name=f"gemm.{name}"))


def _table(name: str, columns: int) -> onnx.ValueInfoProto:
    """A matrix of any number of rows."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", columns])
