"""ONNX files as agents: ours play like their levels, others by the observation of spades_v0; all else is refused."""

import sys

import numpy as np
import pytest
from support.agents.levels import random_level

from spades_env import Game, agents
from spades_env.agents import arena
from spades_env.agents.base import AgentError
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.onnx_player import ALLOWED

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from spades_env.training.onnx_file import write_onnx  # noqa: E402

SHORT = "classic target=off max_hands=1"


def linear(path, columns=824, rows: int | str | None = "N", out="logits", actions=70, weight=None, **said: str) -> str:
    """A file with one layer."""
    weight = np.zeros((columns, actions), np.float32) if weight is None else weight
    node = helper.make_node("MatMul", ["x", "w"], [out])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, columns])
    y = helper.make_tensor_value_info(out, TensorProto.FLOAT, [rows, actions])
    graph = helper.make_graph([node], "g", [x], [y], [numpy_helper.from_array(weight, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, said)
    path.write_bytes(model.SerializeToString())
    return str(path)


@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_a_level_plays_as_it_does(tmp_path, temperature):
    level = random_level(3, temperature=temperature)
    write_onnx(level, tmp_path / "x.onnx")
    bot, own = agents.load(str(tmp_path / "x.onnx"), seed=4), NetworkAgent("level", level, seed=4)
    assert getattr(bot, "temperature", None) == temperature
    view = Game("classic", seed=1).view(Game("classic", seed=1).turn)
    assert dict(bot.hint(view)) == pytest.approx(dict(own.hint(view)), abs=1e-4)
    if not temperature:
        played = [arena.play(one, "random", SHORT, games=4).rows.tobytes() for one in (bot, own)]
        assert played[0] == played[1]


@pytest.mark.parametrize(("rows", "out"), [("N", "logits"), (1, "policy"), (None, "logits")])
def test_networks_of_others(tmp_path, rows, out):
    """This one bids four and plays its highest card."""
    weight = np.zeros((824, 70), np.float32)
    weight[626:631, 58] = 100  # whatever the phase
    weight[626:631, :54] = np.arange(54)
    bot = agents.load(linear(tmp_path / "x.onnx", rows=rows, out=out, weight=weight))
    game = Game("classic", seed=3)
    while game.phase != "over" and not game.results:
        expected = 58 if game.phase == "bid" else max(game.legal_actions())
        if game.phase in ("bid", "play"):
            assert bot.act(game.view(game.turn)) == expected
        game.apply(expected if expected in game.legal_actions() else game.legal_actions()[-1])
    assert arena.play(bot, "random", SHORT, games=6).as_dict()["illegal"] == 0


def test_temperature_draws_and_keeps_to_its_seed(tmp_path):
    path = linear(tmp_path / "x.onnx")
    game = Game("classic", seed=3)
    game.apply(game.legal_actions()[-1])
    answers = [agents.load(f"{path}+temperature:1", seed).act(game.view(game.turn)) for seed in [*range(40), 7]]
    assert len(set(answers)) > 5
    assert answers[7] == answers[-1]
    assert set(answers) <= set(game.legal_actions())


def refused(name) -> str:
    with pytest.raises(AgentError) as refused:
        arena.play(agents.load(name), "random", SHORT, games=2)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_damaged_and_foreign_files_are_refused(tmp_path):
    path = tmp_path / "x.onnx"
    assert refused(str(path)).endswith("x.onnx: no such file")
    write_onnx(random_level(), path)
    whole = path.read_bytes()
    for content in (b"", b"anything", whole[: len(whole) // 2], bytes(1000), b"\xff" * 64):
        path.write_bytes(content)
        assert "cannot be played" in refused(str(path)) or ALLOWED in refused(str(path))
    a, b, c = (tmp_path / f"{letter}.onnx" for letter in "abc")
    for name in (linear(a, columns=784), linear(b, actions=10), linear(c, rows=4)):
        assert ALLOWED in refused(name)
    assert "its env is 'chess_v6', not 'spades_v0'" in refused(linear(path, env="chess_v6"))
    assert "temperature" in refused(linear(path, temperature="hot"))
    assert "not finite" in refused(linear(path, weight=np.full((824, 70), np.nan, np.float32)))
    assert "expected" in refused(f"{linear(path)}+trial:3")


def test_without_the_runtime_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert refused(linear(tmp_path / "x.onnx")).endswith('needs onnxruntime: pip install "spades-env[onnx]"')


def test_in_a_pair(tmp_path):
    path = linear(tmp_path / "x.onnx")
    assert arena.play(f"bis/{path}", f"{path}/rule", SHORT, games=2).games == 2
