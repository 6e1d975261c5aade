"""ONNX files that are damaged, never come to an end, or would read other files: all are refused in one sentence."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from support.agents.levels import random_level
from support.flips import assert_noticed, flipped

from spades_env import agents
from spades_env.agents import digest
from spades_env.agents.base import AgentError
from spades_env.agents.onnx_player import PLAIN, check_graph

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from spades_env.training.onnx_file import write_onnx  # noqa: E402

WEIGHT = np.zeros((824, 70), np.float32)
X, Z, Y = (
    helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", n]) for name, n in (("x", 824), ("z", 70), ("y", 70))
)
GO, MORE = (helper.make_tensor_value_info(name, TensorProto.BOOL, []) for name in ("go", "more"))
STEP = helper.make_tensor_value_info("step", TensorProto.INT64, [])
ENDLESS = numpy_helper.from_array(np.array(2**62), "endless")
TRUE = numpy_helper.from_array(np.array(True), "true")
SAME = helper.make_node("Identity", ["z"], ["y"])


def model(*nodes, numbers=(), functions=(), domains=("",)):
    """A model that multiplies its input x by zeros, z, and makes the output y of it."""
    product = helper.make_node("MatMul", ["x", "w"], ["z"])
    graph = helper.make_graph([product, *nodes], "g", [X], [Y], [numpy_helper.from_array(WEIGHT, "w"), *numbers])
    opsets = [helper.make_opsetid(domain, 1 if domain else 13) for domain in domains]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=functions)


def loop():
    own = [helper.make_node("Identity", ["go"], ["more"]), SAME]
    body = helper.make_graph(own, "body", [STEP, GO, Z], [MORE, Y])
    return model(helper.make_node("Loop", ["endless", "true", "z"], ["y"], body=body), numbers=[ENDLESS, TRUE])


def branch():
    same = helper.make_graph([SAME], "same", [], [Y])
    return model(helper.make_node("If", ["true"], ["y"], then_branch=same, else_branch=same), numbers=[TRUE])


def function(domain: str):
    """Each calls the next one twice: sixty of them would never come to an end."""
    opsets = [helper.make_opsetid("", 13)]
    same = helper.make_function(domain, "Same", ["z"], ["y"], [SAME], opsets)
    return model(helper.make_node("Same", ["z"], ["y"], domain=domain), functions=[same], domains=("", domain))


def foreign():
    return model(helper.make_node("Gelu", ["z"], ["y"], domain="com.microsoft"), domains=("", "com.microsoft"))


def elsewhere(where: str = ""):
    """Numbers of a file in the working directory, which onnxruntime would read."""
    numbers = numpy_helper.from_array(np.zeros(70, np.float32), "more")
    Path("numbers.bin").write_bytes(numbers.raw_data)
    onnx.external_data_helper.set_external_data(numbers, "numbers.bin")
    numbers.ClearField("raw_data")
    add = helper.make_node("Add", ["z", "more"], ["y"])
    if where == "in a node":
        return model(helper.make_node("Constant", [], ["more"], value=numbers), add)
    if where == "sparse":
        made = model(add)
        places = numpy_helper.from_array(np.arange(70), "places")
        made.graph.sparse_initializer.append(helper.make_sparse_tensor(numbers, places, [70]))
        return made
    return model(add, numbers=[numbers])


WHERE = ("in a node", "sparse")
REFUSED = {
    "loop": (loop, "it has a loop or a branch"),
    "branch": (branch, "it has a loop or a branch"),
    "function": (partial(function, "own"), "it has an operator of 'own'"),
    "function under ONNX's name": (partial(function, "ai.onnx"), "it has a function of its own"),
    "foreign": (foreign, "it has an operator of 'com.microsoft'"),
    "elsewhere": (elsewhere, "it has numbers in another file"),
    **{f"elsewhere, {where}": (partial(elsewhere, where), "it has numbers in another file") for where in WHERE},
}


@pytest.mark.parametrize("name", REFUSED)
def test_graphs_that_are_not_plain_are_refused(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    make, reason = REFUSED[name]
    (tmp_path / "x.onnx").write_bytes(make().SerializeToString())
    with pytest.raises(AgentError) as refused:
        agents.load("./x.onnx")
    assert str(refused.value) == f"x.onnx cannot be played: {reason}: {PLAIN}"


def test_nothing_hides_from_the_check(tmp_path):
    """Protocol Buffers' own reader drops what exceeds 32 bits of a field's number, and so would see a graph here."""
    path, content = tmp_path / "x.onnx", loop().SerializeToString()
    at = content.index(b"\x3a")  # the field of the graph, 7, of the kind 2
    path.write_bytes(content[:at] + b"\xba\x80\x80\x80\x10" + content[at + 1 :])
    with pytest.raises(AgentError, match="it has a field 536870919"):
        agents.load(str(path))


def test_the_format_of_the_runtime_itself_is_refused(tmp_path):
    """It begins with a place and ORTM. With a place of 32888 this is also a message of unknown fields, and no graph."""
    path, options = tmp_path / "x.onnx", onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(path)
    options.add_session_config_entry("session.save_model_format", "ORT")
    options.log_severity_level = 4
    onnxruntime.InferenceSession(loop().SerializeToString(), options, providers=["CPUExecutionProvider"])
    own = path.read_bytes()
    gap = bytearray(0x8078 - int.from_bytes(own[:4], "little"))
    size = len(own) + len(gap) - 96  # of the field after the 91 bytes that the beginning makes, its key and its length
    gap[83:88] = bytes([0x7A, *(size >> 7 * i & 0x7F | (0x80 if i < 3 else 0) for i in range(4))])
    path.write_bytes(b"\x78\x80\0\0ORTM" + gap + own[8:])
    hidden = path.read_bytes()
    check_graph(hidden)
    assert onnxruntime.InferenceSession(hidden, providers=["CPUExecutionProvider"]).get_inputs()[0].name == "x"
    with pytest.raises(AgentError, match="cannot be played"):
        agents.load(str(path))


def test_a_changed_byte_of_ours_is_noticed(tmp_path):
    path = tmp_path / "x.onnx"
    write_onnx(random_level(0, 1, 1), path)
    assert_noticed(path, lambda: agents.load(str(path)), AgentError)
    assert digest.main([str(path)]) == 0
    whole = path.read_bytes()
    key, end = whole.index(b"\x0a\x06digest"), whole.index(digest.PREFIX.encode()) + 90
    for at in range(key - 4, end):
        for by in (1, 0x20, 0x80):
            path.write_bytes(flipped(whole, at, by))
            with pytest.raises(AgentError, match="cannot be played"):
                agents.load(str(path))


def test_a_changed_byte_of_others_ends_in_one_sentence_if_at_all(tmp_path):
    path, loaded, said = tmp_path / "x.onnx", 0, []
    named = model(SAME)
    helper.set_model_props(named, {"digests": "of others", "author": "anybody", "temperature": "0.5"})
    whole = named.SerializeToString()
    numbers = range(whole.index(bytes(1000)), whole.rindex(bytes(1000)) + 1000)
    for at in set(range(len(whole))) - set(numbers):
        for by in (1, 0x80):
            path.write_bytes(flipped(whole, at, by))
            try:
                loaded += agents.load(str(path)).name == str(path)
            except AgentError as refused:
                said.append(str(refused))
    assert loaded
    assert said
    assert [text for text in said if "\n" in text] == []
