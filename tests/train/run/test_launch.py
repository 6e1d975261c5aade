"""Workers that `spades train` starts by itself: they share the recipe's tables, and end together."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.paths import ROOT
from support.strategies import SCALE

torch = pytest.importorskip("torch")


from spades_env.training import data_parallel  # noqa: E402
from spades_env.training.run import launch  # noqa: E402
from spades_env.training.run.checkpoints import RunError  # noqa: E402

full_run = pytest.mark.skipif(SCALE < 1, reason="some ways to end are tested in the full run")
RECIPE = """
tables = 9
network = { width = 16, suit_width = 8, bfloat16 = false }
evaluate = { every = 0 }
checkpoint = 1
[[stage]]
kind = "selfplay"
iterations = HANDS
hands = 1
minibatch = 64
"""


def command(folder: Path, hands: int, *more: str) -> list[str]:
    """Return a command that trains with two workers."""
    recipe = folder / "small.toml"
    recipe.write_text(RECIPE.replace("HANDS", str(hands)))
    start = "from spades_env.play.commands.cli import program; program()"
    return [sys.executable, "-c", start, "train", str(recipe), "--out", str(folder / "run"), "--workers", "2", *more]


def test_workers_find_the_package():
    assert (launch.ROOT / "spades_env" / "training" / "__main__.py").is_file()


def begin(folder: Path, hands: int) -> subprocess.Popen:
    """Start a run; return when its first checkpoint is there."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command(folder, hands), cwd=ROOT, preexec_fn=hear_ctrl_c, **pipes)
    wait_until(lambda: any((folder / "run" / "checkpoints").glob("*.safetensors")))
    return process


def hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores


def wait_until(done, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def others_of(process: subprocess.Popen) -> list[int]:
    """Return the processes that another has started and that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == process.pid and state != "Z":
            found.append(int(path.parent.name))
    return found


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_two_workers_share_the_tables_of_every_seed(tmp_path):
    done = subprocess.run(command(tmp_path, 1, "--seeds", "2"), cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("9 tables on cpu (float32, 2 workers)") == 2
    for seed in (0, 1):
        run = tmp_path / "run" / f"seed-{seed}"
        recipe = json.loads((run / "config.json").read_text())
        assert (recipe["seed"], recipe["tables"]) == (seed, 9)
        first = json.loads((run / "metrics.jsonl").read_text().splitlines()[0])
        assert 9 * 52 <= first["decisions"] <= 9 * 64
        assert (run / "level.safetensors").is_file()


@full_run
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_a_worker_that_is_killed_ends_the_run_in_a_sentence(tmp_path):
    run = begin(tmp_path, 100_000)
    os.kill(others_of(run)[0], signal.SIGKILL)
    _, said = run.communicate(timeout=60)
    assert run.returncode
    assert len(said.strip().splitlines()) == 1, said
    assert "worker 1 of 2 ended" in said
    assert "--resume" in said


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=full_run)])
def test_no_worker_outlives_the_first(tmp_path, how):
    run = begin(tmp_path, 100_000)
    others = others_of(run)
    assert len(others) == 1
    run.send_signal(how)
    _, said = run.communicate(timeout=60)
    assert run.returncode
    assert said == ("spades: stopped\n" if how == signal.SIGINT else "")
    wait_until(lambda: not any(map(is_running, others)), 30)


def test_a_recipe_that_is_refused_is_refused_once(tmp_path):
    done = subprocess.run(command(tmp_path, 0), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "stage.0.iterations" in done.stderr


def test_shares(monkeypatch):
    monkeypatch.setattr(data_parallel, "count", lambda: 2)
    assert data_parallel.share(9) == 9
    monkeypatch.setenv(data_parallel.SHARE, "1")
    for rank, part in ((0, 5), (1, 4)):
        monkeypatch.setattr(data_parallel, "rank", lambda rank=rank: rank)
        assert data_parallel.share(9) == part
    assert data_parallel.share(1) == 1


def test_how_many(monkeypatch):
    monkeypatch.setattr(launch, "usable_cores", lambda: 8)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.delenv("RANK", raising=False)
    assert launch.worker_count(None, None) == launch.worker_count(None, "cpu") == 2
    assert launch.worker_count(1, None) == 1
    assert launch.worker_count(3, None) == launch.worker_count(3, "cpu:0") == 3
    assert launch.worker_count(None, "cuda") == 1
    with pytest.raises(ValueError, match="workers must be a whole number from 1 to 64, not 0"):
        launch.worker_count(0, None)
    with pytest.raises(RunError, match="--device cpu"):
        launch.worker_count(2, "cuda:1")
    monkeypatch.setenv("RANK", "0")
    assert launch.worker_count(None, None) == 1
    with pytest.raises(RunError, match="torchrun starts the workers"):
        launch.worker_count(2, None)
    monkeypatch.delenv("RANK")
    monkeypatch.setattr(launch, "usable_cores", lambda: 1)
    assert launch.worker_count(None, None) == 1
