"""Hashes of a short training run: its progress lines, its networks, its level, and how the level plays."""

import json
import os
import platform
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path

from safetensors.numpy import load_file
from support.fingerprints import fingerprint
from support.fingerprints.decisions import SEED, positions
from support.paths import ROOT

from spades_env import agents

# A run that widens
RECIPE = """
name = "tiny"
seed = 5
tables = 24
checkpoint = 3
network = { width = 12, suit_width = 8, bfloat16 = false }
reward = { bold = 0.1, nil = 0.1, bags = 0.1, hunt = 0.1 }
pool = { agents = { "rule" = 0.1, "random/rule" = 0.1 }, past = 0.4, every = 1, keep = 2 }
evaluate = { every = 3, games = 4, against = ["rb"] }

[[stage]]
kind = "selfplay"
iterations = 2
hands = 2
points_only = true
minibatch = 128

[[stage]]
kind = "selfplay"
iterations = 3
hands = 2
width = 16
minibatch = 128
"""
BY_THE_CLOCK = ("seconds", "per_second")  # of a run's metrics


def of_training() -> dict:
    """Hash a run: its progress lines, its networks, its level, and how the level plays."""
    with tempfile.TemporaryDirectory() as folder:
        recipe, run, level = Path(folder) / "tiny.toml", Path(folder) / "run", Path(folder) / "tiny.safetensors"
        recipe.write_text(RECIPE, encoding="utf-8")
        spades("train", str(recipe), "--out", str(run), "--device", "cpu", "--threads", "1", "--workers", "1")
        spades("export", str(run), "--out", str(level), "--full", "--onnx", str(level.with_suffix(".onnx")))
        iterations = map(json.loads, (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
        hashes = {"machine": machine(), "iterations": [_of_iteration(one) for one in iterations]}
        last = max((run / "checkpoints").glob("*.safetensors"))
        hashes |= {"checkpoint": _of_tensors(last), "level": _of_tensors(level)}
        views = [view for _, view in positions()[::10]]
        for file in (level, level.with_suffix(".onnx")):
            hashes[file.suffix] = fingerprint(map(str, agents.load(str(file), seed=SEED).act_batch(views).tolist()))
    return hashes


def spades(*arguments: str) -> str:
    """Run the `spades` command in its own process, and return what it prints."""
    module, _, function = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"][
        "spades"
    ].partition(":")
    code = f"import sys; from {module} import {function}; sys.argv[0] = 'spades'; sys.exit({function}())"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def machine() -> str:
    """Return the processor's name and the versions of torch and numpy."""
    names = [line for line in _lines(Path("/proc/cpuinfo")) if line.startswith(("model name", "cpu family", "model\t"))]
    processor = ", ".join(dict.fromkeys(name.partition(":")[2].strip() for name in names)) or platform.processor()
    return f"{processor}; torch {version('torch')}, numpy {version('numpy')}"


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def _of_iteration(metrics: dict) -> str:
    """Hash a line of metrics."""
    return fingerprint([json.dumps({key: metrics[key] for key in sorted(metrics) if key not in BY_THE_CLOCK})])


def _of_tensors(file: Path) -> str:
    """Hash every tensor of a safetensors file: name, shape and bytes."""
    tensors = sorted(load_file(file).items())
    return fingerprint(f"{name} {one.dtype} {one.shape} {one.tobytes().hex()}" for name, one in tensors)
