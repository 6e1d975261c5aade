"""Boards: tags, and what Weights & Biases is told, by a stand-in for its library."""

import errno
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.strategies import scaled

from spades_env._jit import JIT_ON
from spades_env.extras import MissingExtraError
from spades_env.play.commands.cli import main

pytest.importorskip("torch")

from spades_env.training.recipe import Recipe
from spades_env.training.run.boards import TensorBoard, WeightsAndBiases, tag, tagged
from spades_env.training.run.folder import Run

RECIPE = Recipe.of({"name": "short", "stage": [{"kind": "selfplay", "iterations": 2}]})


class Library:
    """What our code uses of wandb."""

    def __init__(self):
        self.started: list[dict] = []
        self.logged: list[tuple[int, dict]] = []
        self.finished = 0

    def init(self, **options):
        self.started.append(options)
        return SimpleNamespace(log=self.log, finish=self.finish)

    def log(self, numbers: dict, step: int) -> None:
        self.logged.append((step, numbers))

    def finish(self) -> None:
        self.finished += 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file that is always full")
def test_a_full_disk_is_told_with_the_name_of_the_metrics(tmp_path):
    (tmp_path / "metrics.jsonl").symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"No space left on device: '.*metrics\.jsonl'"):
        Run(tmp_path, RECIPE).log(0, {"loss": 1.0}, 10)


def test_a_full_disk_is_told_with_the_name_of_the_board(tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    board = TensorBoard(tmp_path)
    monkeypatch.setattr("torch.utils.tensorboard.SummaryWriter.add_scalar", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*tensorboard'"):
        board.log(0, {"loss": 1.0})
    board.close()


@pytest.fixture
def library(monkeypatch) -> Library:
    made = Library()
    monkeypatch.setitem(sys.modules, "wandb", made)
    return made


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("loss_critic", "losses/critic"),
        ("wins/rule", "evaluation/wins/rule"),
        ("points/bis/mc:8x8", "evaluation/points/bis/mc:8x8"),
        ("against/rule", "opponents/rule"),
        ("per_second", "time/per_second"),
        ("iteration", "time/iteration"),
        ("entropy", "learning/entropy"),
    ],
)
def test_tags(name, expected):
    assert tag(name) == expected


def test_only_numbers_are_drawn():
    assert tagged({"stage": "selfplay", "ci": [0, 1], "loss_own": 0.5}) == {"losses/own": 0.5}


def test_what_it_is_told(library, tmp_path):
    run = Run.begin(tmp_path / "run", RECIPE)
    run.boards = [WeightsAndBiases(run.folder, RECIPE, "spades")]
    run.log(0, {"stage": "selfplay", "loss_calls": 0.5, "decisions": 900}, 900)
    run.log(0, {"evaluation": "rule", "wins/rule": 0.25, "ci": [0.1, 0.4]}, 900)
    run.close()
    (started,) = library.started
    assert (started["project"], started["name"], started["resume"]) == ("spades", "run", "allow")
    assert started["config"] == RECIPE.as_dict()
    first = {"time/iteration": 0, "losses/calls": 0.5, "time/decisions": 900}
    assert library.logged == [(900, first), (900, {"evaluation/wins/rule": 0.25})]
    assert library.finished == 1


def test_a_resumed_run_stays_the_same_run(library, tmp_path):
    for project in ("spades", "spades", "other"):
        WeightsAndBiases(tmp_path, RECIPE, project)
    first, again, other = (started["id"] for started in library.started)
    assert first == again != other


def test_without_the_library(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'spades-env\[wandb\]'"):
        WeightsAndBiases(tmp_path, RECIPE, "spades")


@pytest.mark.skipif(not JIT_ON, reason="runs take minutes without the compiler")
def test_the_command(library, tmp_path):
    pytest.importorskip("tensorboard")
    pytest.importorskip("matplotlib")
    text = (
        f'tables = {scaled(8)}\nevaluate = {{ every = 0 }}\n[[stage]]\nkind = "selfplay"\niterations = 1\nhands = 1\n'
    )
    (tmp_path / "short.toml").write_text(text + "\n[network]\nwidth = 8\nsuit_width = 8\n")
    out = tmp_path / "run"
    arguments = ["--out", str(out), "--wandb", "spades", "--device", "cpu", "--workers", "1"]
    assert main(["train", str(tmp_path / "short.toml"), *arguments]) == 0
    line = json.loads((out / "metrics.jsonl").read_text())
    ((step, numbers),) = library.logged
    assert step == line["decisions"]
    assert numbers["losses/calls"] == line["loss_calls"]
    assert library.finished == 1
