"""The package has one import name, so a user's own files may have any other."""

import os
import subprocess
import sys

import pytest
from support.paths import ROOT

NAMES = ("agents", "train", "training", "play", "game", "envs", "vector", "configs")
GYM = "import gymnasium; gymnasium.make('spades_env:Spades-v0', opponents='rule').reset(seed=1); print('made')"


@pytest.fixture
def folder(tmp_path):
    """A folder whose modules and packages have the names of our rooms and fail when imported."""
    for number, name in enumerate(NAMES):
        path = tmp_path / (f"{name}/__init__.py" if number % 2 else f"{name}.py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"raise RuntimeError('{name} was imported')")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-m", "spades_env.training", "nobody"], "unknown recipe 'nobody'"),
        (["-m", "spades_env.play.commands.cli", "train", "nobody"], "unknown recipe 'nobody'"),
        (["-m", "spades_env.play.commands.cli", "rules", "solo"], "Solo"),
        (["-c", GYM], "made"),
    ],
    ids=["training", "command", "rules", "gymnasium"],
)
def test_files_in_the_current_folder_change_nothing(folder, words, expected):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert expected.lower() in (done.stdout + done.stderr).lower()
    assert "was imported" not in done.stderr
