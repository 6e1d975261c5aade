"""Write a level as an ONNX file, for programs without this package.

    observation  float32[N, 1462]  →   logits  float32[N, 70]
                                       value   float32[N, 1]

The graph takes the features under any trumps and arranges them by suit itself. The logits of illegal actions mean
nothing; the caller must mask them. The level's metadata become the model's, after a digest (agents/digest.py).
"""

import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from spades_env.agents.digest import BLANK, KEY, filled
from spades_env.agents.files import write_whole
from spades_env.agents.network.insight import INSIGHT, NUM_INPUTS
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import RARE
from spades_env.agents.network.suits import COLUMNS, LANE_INPUTS, LANES, NUM_MODES, PLACES, PLACES_A_LANE, TRUMP_MODE
from spades_env.game.cards import BID_ZERO, NUM_ACTIONS

OPSET = 13  # old enough for every runtime in use
IR_VERSION = 8
ALL_LANES = LANES * LANE_INPUTS


def write_onnx(level: Level, path: str | os.PathLike) -> None:
    write_whole(path, onnx_model(level))


def onnx_model(level: Level) -> bytes:
    """Return a level's policy and value as the content of an ONNX file."""
    graph = _Graph(level)
    lanes, others, mode = _arrange(graph)
    suits, table = _read_table(graph, lanes, others, level.widths[1])
    logits = graph.add("Concat", _read_cards(graph, lanes, suits, table), graph.layer("bids", table), axis=1)
    places = graph.add("Gather", graph.number("places", PLACES), mode, axis=0)
    by_place = graph.add("GatherElements", logits, places, axis=1)
    doubt = graph.number("nil_doubt", level.nil_doubt * np.eye(1, NUM_ACTIONS, BID_ZERO, dtype=np.float32))
    graph.add("Sub", graph.add("Add", by_place, _heeded(graph)), doubt, out="logits")
    graph.layer("value", table, out="value")
    outputs = [_matrix("logits", NUM_ACTIONS), _matrix("value", 1)]
    made = helper.make_graph(graph.nodes, "level", [_matrix("observation", NUM_INPUTS)], outputs, graph.numbers)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    helper.set_model_props(model, {KEY: BLANK} | level.metadata)
    onnx.checker.check_model(model, full_check=True)
    return filled(model.SerializeToString())


class _Graph:
    """The nodes, each with one output, and the constants they use."""

    def __init__(self, level: Level):
        self.level = level
        self.nodes: list[onnx.NodeProto] = []
        self.numbers: list[onnx.TensorProto] = []

    def add(self, kind: str, *inputs: str, out: str = "", **attributes) -> str:
        out = out or f"{kind.lower()}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], name=f"to.{out}", **attributes))
        return out

    def number(self, name: str, values) -> str:
        array = np.ascontiguousarray(values)
        self.numbers.append(numpy_helper.from_array(array, name))
        return name

    def wholes(self, *values: int) -> str:
        return self.number(f"wholes.{len(self.numbers)}", np.array(values, np.int64))

    def layer(self, name: str, x: str, out: str = "") -> str:
        """Add x @ weight.T + bias."""
        weight, bias = (self.number(full, self.level.tensors[full]) for full in (f"{name}.weight", f"{name}.bias"))
        return self.add("Gemm", x, weight, bias, transB=1, out=out)

    def hidden(self, name: str, x: str) -> str:
        return self.add("Relu", self.layer(name, x))

    def slice(self, x: str, start: int, end: int) -> str:
        return self.add("Slice", x, self.wholes(start), self.wholes(end), self.wholes(1))

    def reshape(self, x: str, *shape: int) -> str:
        return self.add("Reshape", x, self.wholes(*shape))


def _arrange(graph: _Graph) -> tuple[str, str, str]:
    """Add the lanes [4 N, 312], the others [N, G] and the number of the trump mode [N]."""
    padded, behind = "observation", graph.wholes(0, 0, 0, 1)
    for number in (0, 1):
        padded = graph.add("Pad", padded, behind, graph.number(f"padding.{number}", np.float32(number)))
    mode = graph.add("ArgMax", graph.slice("observation", TRUMP_MODE, TRUMP_MODE + NUM_MODES), axis=1, keepdims=0)
    columns = graph.add("Gather", graph.number("columns", COLUMNS), mode, axis=0)
    arranged = graph.add("GatherElements", padded, columns, axis=1)
    lanes = graph.reshape(graph.slice(arranged, 0, ALL_LANES), -1, LANE_INPUTS)
    return lanes, graph.slice(arranged, ALL_LANES, COLUMNS.shape[1]), mode


def _read_table(graph: _Graph, lanes: str, others: str, suit_width: int) -> tuple[str, str]:
    """Add the suits [4 N, E] and the table [N, W]."""
    suits = graph.hidden("suits", lanes)
    by_lane = graph.reshape(suits, -1, LANES, suit_width)
    trumps = graph.reshape(graph.slice(by_lane, LANES - 1, LANES), -1, suit_width)
    sides = graph.add("ReduceSum", graph.slice(by_lane, 0, LANES - 1), graph.wholes(1), keepdims=0)
    table = graph.hidden("table", graph.add("Concat", others, trumps, sides, axis=1))
    return suits, graph.hidden("table2", table)


def _read_cards(graph: _Graph, lanes: str, suits: str, table: str) -> str:
    """Add the logits of the cards [N, 64]; the part of `cards` that reads the table is computed once for all suits."""
    suit_width = graph.level.widths[1]
    weight, bias = graph.level.tensors["cards.weight"], graph.level.tensors["cards.bias"]
    own_weight, table_weight = np.split(weight, [LANE_INPUTS + suit_width], axis=1)
    own = graph.add("Gemm", graph.add("Concat", lanes, suits, axis=1), graph.number("cards.own", own_weight), transB=1)
    weight, bias = graph.number("cards.table", table_weight), graph.number("cards.bias", bias)
    shared = graph.add("Gemm", table, weight, bias, transB=1)
    by_lane = graph.add("Add", graph.reshape(own, -1, LANES, suit_width), graph.reshape(shared, -1, 1, suit_width))
    cards = graph.add("Relu", graph.reshape(by_lane, -1, suit_width))
    return graph.reshape(graph.layer("places", graph.hidden("cards2", cards)), -1, LANES * PLACES_A_LANE)


def _heeded(graph: _Graph) -> str:
    """Add the bonus on the logit of the rule bot's action, [N, 70]."""
    level, place = graph.level, INSIGHT["advice"].place
    rare = graph.add("Gather", "observation", graph.wholes(*RARE), axis=1)
    rare = graph.add("ReduceSum", rare, graph.wholes(1), keepdims=1)
    more = graph.add("Mul", rare, graph.number("heed.more", np.float32(level.heed_blind - level.heed)))
    heed = graph.add("Add", more, graph.number("heed", np.float32(level.heed)))
    return graph.add("Mul", graph.slice("observation", place.start, place.stop), heed)


def _matrix(name: str, columns: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", columns])
