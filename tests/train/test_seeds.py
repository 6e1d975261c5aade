"""Several seeds of one recipe: what they come to together, and that a stop in between loses nothing."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.strategies import scaled
from support.train.commands import refusal

from spades_env._jit import JIT_ON
from spades_env.play.commands.cli import main

pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("matplotlib")

from spades_env.training.seeds.runs import result_lines
from spades_env.training.seeds.summary import drawn, interquartile_mean, interval, over_seeds, summarize

RECIPE = f"""
seed = 3
tables = {scaled(8)}
checkpoint = 2
network = {{ width = 8, suit_width = 8 }}
evaluate = {{ every = 1, games = 4 }}

[[stage]]
kind = "selfplay"
iterations = 2
hands = 1
"""


def written(folder: Path, wins: list[float], first: int = 100) -> Path:
    """A run with one evaluation an iteration."""
    folder.mkdir()
    lines = []
    for i, won in enumerate(wins):
        lines.append(
            {"iteration": i, "entropy": 1 - won, "stage": "selfplay", "decisions": first * (i + 1), "seconds": 1.0}
        )
        lines.append({"iteration": i, "evaluation": "rule", "wins/rule": won, "ci": [0, 1], "points/rule": 10 * won})
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_the_mean_and_its_interval(tmp_path):
    folders = [written(tmp_path / "a", [0.2, 0.4], 100), written(tmp_path / "b", [0.4, 0.5, 0.9], 120)]
    summary = summarize(folders, [0, 1], "short")
    assert summary["last"]["wins/rule"]["values"] == [0.4, 0.9]
    assert summary["last"]["wins/rule"]["mean"] == pytest.approx(0.65)
    assert summary["last"]["wins/rule"]["ci"] == [0, 1]  # of two seeds nothing is known
    curve = summary["curves"]["wins/rule"]
    assert curve["decisions"] == [110, 220]  # as far as the shortest goes
    assert curve["mean"] == pytest.approx([0.3, 0.45])
    assert summary["curves"]["entropy"]["mean"] == pytest.approx([0.7, 0.55])
    assert not {"seconds", "decisions", "iteration", "ci"} & set(summary["curves"])
    ElementTree.fromstring(drawn(summary))


def test_the_interval_is_that_of_student():
    low, high = interval(np.array([1.0, 2.0, 3.0]))
    assert (low, high) == pytest.approx((2 - 4.303 / 3**0.5, 2 + 4.303 / 3**0.5))


def test_the_interquartile_mean_leaves_odd_seeds_out():
    found = over_seeds([0.5, 0.0, 0.6, 0.7, 1.0], "wins/")
    assert found["iqm"] == pytest.approx(0.6)
    assert found["mean"] == pytest.approx(0.56)
    low, high = found["iqm_ci"]
    assert 0 < low < 0.6 < high < 1
    assert over_seeds([0.5, 0.0, 0.6, 0.7, 1.0], "wins/") == found  # the same resamples each time
    assert interquartile_mean(np.array([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])).tolist() == [
        3,
        1,
    ]  # of three none is left out


@pytest.mark.parametrize("values", [[0.0, 0.0, 0.0], [0.25]])
def test_equal_values_and_a_single_one_have_no_interval(values):
    """That no seed has won a game doesn't say that none ever will."""
    found = over_seeds(values, "wins/")
    assert (found["mean"], found["iqm"]) == (values[0], values[0])
    assert found["ci"] is found["iqm_ci"] is None


def test_seeds_that_won_nothing_are_told_without_an_interval(tmp_path):
    folders = [written(tmp_path / name, [0.1, 0.0]) for name in "ab"]
    assert result_lines(summarize(folders, [0, 1], "short")) == [
        "wins 0.0% against rule",
        "+0.0 points a hand against rule",
    ]


@pytest.fixture
def toml(tmp_path) -> str:
    (tmp_path / "short.toml").write_text(RECIPE)
    return str(tmp_path / "short.toml")


def refused(capsys, *arguments: str) -> str:
    return refusal(capsys, "train", *arguments, "--device", "cpu")


def test_refusals(toml, tmp_path, capsys, monkeypatch):
    out = str(tmp_path / "runs")
    assert "seeds must be a whole number from 2" in refused(capsys, toml, "--out", out, "--seeds", "1")
    assert "holds no runs of these seeds to resume" in refused(capsys, toml, "--out", out, "--seeds", "2", "--resume")
    monkeypatch.setenv("RANK", "0")
    assert "without torchrun" in refused(capsys, toml, "--out", out, "--seeds", "2")
    assert not (tmp_path / "runs").exists()


@pytest.mark.skipif(not JIT_ON, reason="runs take minutes without the compiler")
def test_the_command(toml, tmp_path, capsys):
    out = tmp_path / "runs"
    command = ["train", toml, "--out", str(out), "--device", "cpu", "--workers", "1", "--seeds"]
    assert main([*command, "2"]) == 0
    said = capsys.readouterr().out
    assert "seed 4 (2 of 2)" in said
    assert "against rule" in said.splitlines()[-2]
    assert sorted(path.name for path in out.iterdir()) == ["seed-3", "seed-4", "seeds.json", "seeds.svg"]
    config = json.loads((out / "seed-4" / "config.json").read_text())
    assert (config["seed"], config["name"]) == (4, "short")
    before = json.loads((out / "seeds.json").read_text())
    assert before["seeds"] == [3, 4]
    assert {"wins/rule", "points/rule"} == set(before["last"])
    assert "explained" in before["curves"]
    assert "holds a run already: continue all with --resume" in refused(capsys, toml, "--out", str(out), "--seeds", "3")
    (out / "seeds.json").unlink()
    assert main([*command, "3", "--resume"]) == 0  # as it was, and a seed more
    after = json.loads((out / "seeds.json").read_text())
    assert after["seeds"] == [3, 4, 5]
    assert after["last"]["wins/rule"]["values"][:2] == before["last"]["wins/rule"]["values"]
    assert "holds a single run" in refused(capsys, toml, "--out", str(out / "seed-3"), "--seeds", "2")
