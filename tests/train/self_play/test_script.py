"""train/selfplay.py as a user runs it."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from spades_env.agents import load  # noqa: E402
from spades_env.agents.network.level import Level  # noqa: E402
from spades_env.training.rewards import GUESS  # noqa: E402
from spades_env.training.run.checkpoints import Checkpoint, checkpoint_files, last_whole  # noqa: E402

SCRIPT = Path(__file__).parents[3] / "train" / "selfplay.py"
BRIEF = ("--minutes", "0.01", "--tables", "64", "--evaluations", "1", "--games", "4", "--points-only", "0")


def selfplay(folder: Path, *arguments: str) -> list[dict]:
    """Run the script; return what it logged."""
    command = [sys.executable, str(SCRIPT), *BRIEF, "--out", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "beats rb" in done.stdout
    return logged(folder)


def logged(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@pytest.fixture
def script(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(SCRIPT.parent), *sys.path])
    return importlib.import_module("selfplay")


@pytest.fixture
def here(script, monkeypatch, capsys):
    """Return a function that runs the script in this process, without its imports."""

    def run(folder: Path, *arguments: str) -> list[dict]:
        monkeypatch.setattr(sys, "argv", ["selfplay.py", *BRIEF, "--out", str(folder), *arguments])
        script.main()
        assert "beats rb" in capsys.readouterr().out
        return logged(folder)

    threads = torch.get_num_threads()
    yield run
    torch.set_num_threads(threads)


def test_a_run_makes_a_level_and_a_wider_one_goes_on(tmp_path, here):
    first = selfplay(tmp_path / "one", "--width", "32", "--suit-width", "16")
    assert first[-1]["decisions"] > 64 * 52
    assert load(str(tmp_path / "one" / "level.safetensors"))
    assert b"<svg" in (tmp_path / "one" / "curve.svg").read_bytes()
    wider = ("--start", str(tmp_path / "one"), "--width", "48", "--suit-width", "24")
    here(tmp_path / "two", *wider)
    assert Level.read(tmp_path / "two" / "level.safetensors").widths == (48, 24)


def kept(folder: Path) -> Checkpoint:
    return last_whole(folder, lambda checkpoint: None, print)[0]


def test_a_damaged_start_and_a_second_run_in_a_folder_are_refused(tmp_path, script, monkeypatch, capsys):
    (tmp_path / "checkpoints").mkdir()
    learner = script.Learner(script.Settings(width=32, suit_width=16), torch.device("cpu"))
    script.keep(learner, tmp_path, {"iterations": 1, "winning": GUESS._asdict()})
    [path] = checkpoint_files(tmp_path)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    for given, message in (
        (["--out", str(tmp_path)], "holds a run already"),
        (["--start", str(tmp_path), "--out", str(tmp_path / "next")], "its digest does not fit"),
    ):
        monkeypatch.setattr(sys, "argv", ["selfplay.py", *given])
        with pytest.raises(SystemExit):
            script.main()
        assert message in capsys.readouterr().err


def test_where_all_bids_are_forced_only_cards_are_learned(tmp_path, here):
    """Mirror bids leave no choice: no call is learned from, and nothing turns into NaN."""
    log = here(tmp_path, "--rules", "match bidding=mirror nil=false", "--main-share", "1")
    assert log[-1]["calls"] == 0
    assert all(tensor.isfinite().all() for tensor in kept(tmp_path).tensors.values())


def test_a_wider_policy_and_its_average_begin_with_the_same_new_units(tmp_path, script):
    """Else their average would be of units that have nothing to do with each other."""
    first = script.Learner(script.Settings(width=32, suit_width=16), torch.device("cpu"))
    (tmp_path / "checkpoints").mkdir()
    script.keep(first, tmp_path, {"iterations": 1, "winning": GUESS._asdict()})
    wider = script.Settings(width=48, suit_width=24, start=str(tmp_path))
    learner = script.Learner(wider, torch.device("cpu"))
    pairs = zip(learner.policy.parameters(), learner.average.parameters(), strict=True)
    assert all((one == other).all() for one, other in pairs)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--minutes", "0"), "minutes must be more than 0"),
        (("--tables", "8"), "tables must be 16 or more, not 8"),
        (("--minibatch", "8"), "minibatch must be 64 or more, not 8"),
        (("--minutes", "nan"), "minutes must be more than 0, not nan"),
        (("--seed", "-1"), "seed must be a whole number from 0"),
        (("--rate", "0", "0"), "both of rate must be more than 0"),
        (("--entropy", "0", "nan"), "entropy must be 0 or more"),
        (("--games", "5"), "games must be an even number from 4 up, not 5"),
        (("--start", "nowhere"), "there is no run to start from in 'nowhere'"),
        (("--rules", "chess"), "rules.main: unknown preset 'chess'"),
        (("--device", "abacus"), "unknown device 'abacus'"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_line(given, message, script, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["selfplay.py", *given])
    with pytest.raises(SystemExit):
        script.main()
    assert message in capsys.readouterr().err
