"""train/selfplay.py as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

from spades_env.agents import load
from spades_env.agents.network.level import Level

SCRIPT = Path(__file__).parents[3] / "train" / "selfplay.py"
BRIEF = ("--minutes", "0.03", "--tables", "64", "--evaluations", "1", "--games", "4", "--points-only", "0")


def selfplay(folder: Path, *arguments: str) -> list[dict]:
    """Run the script; return what it logged."""
    command = [sys.executable, str(SCRIPT), *BRIEF, "--out", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "beats rb" in done.stdout
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_a_run_makes_a_level_and_a_wider_one_goes_on(tmp_path):
    first = selfplay(tmp_path / "one", "--workers", "1", "--width", "32", "--suit-width", "16")
    assert first[-1]["decisions"] > 64 * 52
    assert load(str(tmp_path / "one" / "level.safetensors"))
    assert b"<svg" in (tmp_path / "one" / "curve.svg").read_bytes()
    wider = ("--start", str(tmp_path / "one"), "--width", "48", "--suit-width", "24", "--workers", "2")
    selfplay(tmp_path / "two", *wider)
    assert Level.read(tmp_path / "two" / "level.safetensors").widths == (48, 24)
