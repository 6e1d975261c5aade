"""A file of the user's that bears the name of one of our packages is named in the error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env.shadows import HOME, shadow_of


def run(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """Run Python in a folder, which it searches first."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("agents/__init__.py", ["-m", "train", "quick"]),
        ("agents.py", ["-m", "train", "quick"]),
        ("train.py", ["-m", "play.commands.cli", "train", "quick"]),
        ("agents/__init__.py", ["-m", "play.commands.cli", "arena", "rule", "random", "--games", "2"]),
    ],
)
def test_the_file_is_named(file, words, tmp_path):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    done = run(tmp_path, *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{path} hides the package '{path.relative_to(tmp_path).parts[0].removesuffix('.py')}'" in done.stderr
    assert "torchrun --no-python spades train" in done.stderr


def test_an_environment_names_it(tmp_path):
    (tmp_path / "agents.py").write_text("")
    done = run(tmp_path, "-c", "import gymnasium; gymnasium.make('spades_env:Spades-v0', opponents='rule')")
    assert done.stderr.splitlines()[-1].startswith(f"ImportError: {tmp_path / 'agents.py'} hides the package 'agents'")


def test_a_folder_without_modules_hides_nothing(tmp_path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "train").mkdir()
    done = run(tmp_path, "-m", "play.commands.cli", "train", "nobody")
    assert "there is no recipe 'nobody'" in done.stderr


@pytest.mark.parametrize("package", ["spades_env", "agents", "train", "play"])
def test_ours_are_ours(package):
    assert HOME == ROOT
    assert shadow_of(package) is None
