"""`spades train` and `spades export`: from a recipe to a level, and what is refused in one line."""

import subprocess
import sys

import pytest
from support.paths import ROOT
from support.strategies import scaled
from support.train.commands import refusal

from spades_env.agents.network.level import Level
from spades_env.play.commands.cli import main

RECIPE = f"""
tables = {scaled(8)}
checkpoint = 1
network = {{ width = 12, suit_width = 8 }}
evaluate = {{ every = 1, games = 4 }}

[[stage]]
kind = "selfplay"
iterations = 2
hands = 1
"""


@pytest.fixture
def recipe(tmp_path) -> str:
    (tmp_path / "short.toml").write_text(RECIPE)
    return str(tmp_path / "short.toml")


def test_train_resume_export(recipe, tmp_path, capsys):
    pytest.importorskip("torch").set_num_threads(1)
    pytest.importorskip("tensorboard")
    pytest.importorskip("onnx")
    out = str(tmp_path / "run")
    again = ["train", recipe, "--out", out, "--set", "stage.0.iterations=1", "--device", "cpu", "--workers", "1"]
    assert main([*again, "--threads", "1"]) == 0
    assert "level.safetensors" in capsys.readouterr().out
    assert "--resume" in refusal(capsys, *again)
    assert main([*again, "--resume"]) == 0
    assert "another recipe" in refusal(capsys, *again, "--resume", "--set", "seed=7")
    level, graph = tmp_path / "bold.safetensors", tmp_path / "bold.onnx"
    assert main(["export", out, "--out", str(level), "--style", "as told", "--full", "--onnx", str(graph)]) == 0
    assert (Level.read(level).name, Level.read(level).style) == ("bold", "as told")
    assert Level.read(level).trained["iterations"] == 1
    assert Level.read(level).ratings["rule"]["games"] == 4
    assert "of 4 games against rule" in capsys.readouterr().out
    assert graph.stat().st_size > 10_000
    assert main(["export", out, "--out", str(tmp_path / "too" / "bold.onnx"), "--style", "as told"]) == 0
    assert (tmp_path / "too" / "bold.onnx").read_bytes() == graph.read_bytes()
    checkpoint = next((tmp_path / "run" / "checkpoints").iterdir())
    assert main(["export", str(checkpoint), "--out", str(tmp_path / "other.safetensors")]) == 0
    assert Level.read(tmp_path / "other.safetensors").name == "other"


def test_refusals(recipe, tmp_path, capsys):
    pytest.importorskip("torch")
    pytest.importorskip("tensorboard")
    nowhere = str(tmp_path / "nowhere")
    assert "cannot read the recipe" in refusal(capsys, "train", nowhere)
    assert "--set takes KEY=VALUE" in refusal(capsys, "train", recipe, "--set", "seed")
    assert "unknown key sead (did you mean 'seed'?)" in refusal(capsys, "train", recipe, "--set", "sead=3")
    for device in ("gpu", "cuda:99", "meta"):
        assert f"unknown device {device!r}" in refusal(capsys, "train", recipe, "--out", nowhere, "--device", device)
    assert "holds no run to resume" in refusal(capsys, "train", recipe, "--out", nowhere, "--resume")
    assert "nowhere" in refusal(capsys, "export", nowhere, "--out", str(tmp_path / "x.safetensors"))
    for name in ("plain", "x.pt"):
        message = refusal(capsys, "export", nowhere, "--out", str(tmp_path / name))
        assert f"--out must end with .safetensors or .onnx, not {name!r}" in message
    (tmp_path / "empty").mkdir()
    message = refusal(capsys, "export", str(tmp_path / "empty"), "--out", str(tmp_path / "x.safetensors"))
    assert "holds no checkpoint yet" in message
    assert not (tmp_path / "x.safetensors").exists()
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("command", [["train", "{recipe}"], ["export", "{recipe}", "--out", "x.safetensors"]])
def test_without_torch_it_says_what_to_install(recipe, command):
    arguments = [part.format(recipe=recipe) for part in command]
    start = "import sys; sys.modules['torch'] = None; from spades_env.play.commands.cli import main"
    code = f"{start}; sys.exit(main({arguments!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'spades-env[train]'" in done.stderr
    assert done.stderr.count("\n") == 1
