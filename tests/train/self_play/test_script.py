"""train/selfplay.py as a user runs it."""

import importlib
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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--minutes", "0"), "minutes must be more than 0"),
        (("--tables", "8"), "tables must be 16 or more for each worker, not 8"),
        (("--games", "5"), "games must be an even number from 4 up, not 5"),
        (("--start", "nowhere"), "there is no run to start from in nowhere"),
        (("--rules", "chess"), "rules.main: unknown preset 'chess'"),
        (("--device", "abacus"), "unknown device 'abacus'"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_line(given, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(SCRIPT.parent), *sys.path])
    monkeypatch.setattr(sys, "argv", ["selfplay.py", "--workers", "1", *given])
    with pytest.raises(SystemExit):
        importlib.import_module("selfplay").main()
    assert message in capsys.readouterr().err
