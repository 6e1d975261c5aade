"""Averages of levels: their weights by shares, what they say of their training, what has no average."""

import importlib
import json
import subprocess
import sys

import pytest
from support.agents.levels import level_file, random_level
from support.paths import ROOT

from spades_env import agents
from spades_env.agents.network.level import Level
from spades_env.errors import SpadesError


@pytest.fixture
def average(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "train")
    return importlib.import_module("average").average


def test_weights_are_means_and_training_adds_up(average):
    facts = {"decisions": 7, "seconds": 2}
    one, other = (random_level(seed, trained=facts | {"winning": {"hand": 3.0 * seed}}) for seed in (1, 2))
    found = average([one, other], [0.25, 0.75])
    for name, tensor in found.tensors.items():
        assert tensor == pytest.approx(0.25 * one.tensors[name] + 0.75 * other.tensors[name], abs=1e-6)
    assert found.trained == {"decisions": 14, "seconds": 4, "winning": {"hand": 3.0}}
    assert json.loads(found.recipe)["shares"] == [0.25, 0.75]


@pytest.mark.parametrize("shares", [[1.0], [0.5, 0.6], [-0.5, 1.5]])
def test_shares_add_up(average, shares):
    with pytest.raises(SpadesError, match="shares must be 2 numbers from 0 on that add up to 1"):
        average([random_level(1), random_level(2)], shares)


def test_widths_are_the_same(average):
    with pytest.raises(SpadesError, match="only levels of the same widths"):
        average([random_level(1, width=12), random_level(1, width=16)], [0.5, 0.5])


def test_the_command_writes_a_level_that_plays(tmp_path):
    paths = [str(level_file(tmp_path, f"{seed}.safetensors", seed)) for seed in (1, 2)]
    words = [sys.executable, str(ROOT / "train" / "average.py"), *paths, "--shares", "0.5", "0.5", "--out"]
    subprocess.run([*words, str(tmp_path / "mean.safetensors")], check=True)
    assert Level.read(tmp_path / "mean.safetensors").name == "mean"
    agents.load(str(tmp_path / "mean.safetensors"))
    wrong = subprocess.run(
        [*words[:2], "gone.safetensors", *words[3:], "x.safetensors"], capture_output=True, text=True
    )
    assert wrong.returncode == 1
    assert wrong.stderr == "average.py: cannot read level gone.safetensors: no such file\n"
