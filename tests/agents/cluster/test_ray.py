"""A Ray of two workers on this machine: the results of one core, even if a worker is killed in mid-run."""

import gc
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from support.agents.levels import level_file
from support.paths import ROOT
from support.snippets import blocks
from support.strategies import SCALE

from spades_env import Rules
from spades_env._jit import JIT_ON
from spades_env.agents import AgentError, arena
from spades_env.agents.arena import benchmark
from spades_env.agents.arena.match_result import Result
from spades_env.agents.arena.pieces import PIECES_A_CORE
from spades_env.agents.cluster.ray_cluster import Cluster, ClusterError
from spades_env.play.commands.cli import main

pytestmark = [
    pytest.mark.skipif(not importlib.util.find_spec("ray"), reason='needs Ray: pip install -e ".[ray]"'),
    pytest.mark.skipif(not JIT_ON, reason="matches in several processes need the compiler"),
    pytest.mark.skipif(SCALE < 1, reason="clusters are tested in the full run"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # of a start on a busy machine
]

SHORT = Rules(target=None, max_hands=1)
WORKERS = 2
WAIT_S = 400  # at most, for a first task on a busy machine
SLOW = """
import os, time
from pathlib import Path

HOME = Path({home!r})

class Slow:
    "Plays its lowest card, and notes in which process it was made, and asked."

    def __init__(self, seed):
        self.note("made")

    def note(self, what):
        with open(HOME / what, "a") as file:
            file.write(f"{{os.getpid()}}\\n")

    def act(self, view):
        self.note("asked")
        time.sleep({seconds})
        return view.legal_actions()[0]
"""
ELSEWHERE = """
import os

def policy(view):
    assert os.getcwd() != {home!r}
    assert not __file__.startswith({home!r})
    return view.legal_actions()[0]
"""
RAISES = "def policy(view):\n    raise KeyError('no idea')\n"
DIES = "import os, signal\n\ndef policy(view):\n    os.kill(os.getpid(), signal.SIGKILL)\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    """Two workers; commands that name a cluster find this one connected."""
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("desk"))
    with Cluster("local", WORKERS) as found:
        assert found.cores == WORKERS
        gc.collect()  # a start that was given up warns now, and not in some other test
        yield found
    os.chdir(before)


@pytest.fixture
def desk(cluster, monkeypatch) -> Path:
    """The current folder of the workers, too."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    return Path.cwd()


def module(folder: Path, name: str, text: str, **words) -> str:
    (folder / f"{name}.py").write_text(text.format(home=str(folder), **words) if words else text)
    return name


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def figures(result: Result) -> dict:
    """All but the time, which no seed decides."""
    found = result.as_dict()
    for stats in found["stats"].values():
        del stats["ms_per_move"]
    return found


def untimed(found):
    """Figures read from JSON, without the time."""
    if isinstance(found, dict):
        return {name: untimed(value) for name, value in found.items() if name != "ms_per_move"}
    return [untimed(value) for value in found] if isinstance(found, list) else found


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_match_is_that_of_one_core(cluster, desk):
    level = level_file(desk, "x.safetensors")
    for a, b, rules, games, hands in (
        ("random", "bis", SHORT, 46, None),
        (str(level), "x.safetensors+temperature:1", SHORT, 6, None),
        ("random", "oracle", Rules.preset("solo"), None, 4),
    ):
        seen: list[int] = []
        there = arena.play(a, b, rules, games, hands, 3, cluster, lambda done, _, to=seen: to.append(done))
        here = arena.play(a, b, rules, games, hands, 3, jobs=1)
        assert np.array_equal(there.rows, here.rows)
        assert (figures(there), there.moves) == (figures(here), here.moves)
        assert seen[-1] == len(here.rows)
        assert len(seen) == min(len(here.rows) // 2, PIECES_A_CORE * WORKERS)


def test_a_killed_worker_changes_nothing(cluster, desk):
    """A worker is killed early in its first piece, which is played again and counted once."""
    name = module(desk, "slow_bot", SLOW, seconds=0.004)
    killed = []

    def kill():
        wait_for(lambda: any(lines(desk / "asked").count(pid) > 20 for pid in set(lines(desk / "asked"))))
        asked = lines(desk / "asked")
        killed.append(next(pid for pid in asked if asked.count(pid) > 20))
        os.kill(int(killed[0]), signal.SIGKILL)

    with ThreadPoolExecutor(1) as beside:
        killing = beside.submit(kill)
        there = arena.play(f"{name}:Slow", "random", SHORT, 32, seed=5, jobs=cluster)
        killing.result()
    made, asked = lines(desk / "made")[1:], lines(desk / "asked")  # it was made here first, to look at its name
    here = arena.play(f"{name}:Slow", "random", SHORT, 32, seed=5, jobs=1)
    assert len(made) == PIECES_A_CORE * WORKERS + 1, "one piece should have begun again"
    assert made.count(killed[0]) == 1, "it should have died in its first piece"
    assert len(asked) > there.moves[0], "some of its moves should have been made twice"
    assert np.array_equal(there.rows, here.rows)
    assert (figures(there), there.moves) == (figures(here), here.moves)


def test_files_are_sent_to_nodes_elsewhere(cluster, desk, tmp_path_factory):
    """`auto` finds the same Ray, but nothing says that its nodes are this machine."""
    far = level_file(tmp_path_factory.mktemp("far"))
    name = module(desk, "elsewhere_bot", ELSEWHERE, unused="")
    with Cluster("auto", WORKERS) as other:
        there = arena.play(str(far), f"{name}:policy", SHORT, 6, jobs=other)
    (desk / "elsewhere_bot.py").write_text("def policy(view):\n    return view.legal_actions()[0]\n")
    del sys.modules["elsewhere_bot"]
    assert np.array_equal(there.rows, arena.play(str(far), f"{name}:policy", SHORT, 6, jobs=1).rows)


def test_an_agent_that_raises_fails_as_it_does_here(cluster, desk):
    name = f"{module(desk, 'raising_bot', RAISES)}:policy"
    said = []
    for jobs in (1, cluster):
        with pytest.raises(AgentError) as error:
            arena.play(name, "random", SHORT, 2, jobs=jobs)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert "failed: KeyError: 'no idea' (raising_bot.py, line 2)" in said[0]


def test_a_piece_that_no_worker_survives_is_given_up(cluster, desk, capfd):
    name = f"{module(desk, 'dying_bot', DIES)}:policy"
    with pytest.raises(ClusterError, match="a piece of work failed, also after 3 retries: The worker died"):
        arena.play(name, "random", SHORT, 2, jobs=cluster)
    assert capfd.readouterr() == ("", "")


def test_commands_print_the_same(cluster, desk, capsys):
    pytest.importorskip("choix")
    short = ["--games", "4", "--set", "target=off", "--set", "max_hands=1", "--json"]
    for words in (["arena", "random", "bis", *short], ["ladder", "random", "bis", "rb", *short]):
        found = []
        for more in (["--jobs", "1"], ["--ray", "local"]):
            assert main([*words, *more]) == 0
            out, err = capsys.readouterr()
            found.append(untimed(json.loads(out)))
            assert err == ""
        assert found[0] == found[1]


def test_a_ladder_goes_on_where_it_was(cluster, desk, capsys):
    pytest.importorskip("choix")
    words = ["ladder", "random", "bis", "--games", "4", "--folder", "ladder", "--json", "--set", "max_hands=1"]
    assert main([*words, "--ray", "local"]) == 0
    assert main(words) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second, "the second has played nothing"


def test_the_benchmark_is_that_of_one_core(cluster, desk, monkeypatch):
    monkeypatch.setattr(benchmark, "PANEL", ("bis", "club"))
    there, here = (benchmark.run("bis/random", 4, jobs=jobs).as_dict() for jobs in (cluster, 1))
    assert untimed(there) == untimed(here)


def test_a_dataset_is_that_of_one_core_byte_for_byte(cluster, desk, capsys):
    pytest.importorskip("pyarrow")
    words = ["generate", "--agent", "bis", "--agent", "random", "--hands", "37", "--shard-hands", "8", "--seed", "5"]
    assert main([*words, "--out", "here", "--jobs", "1"]) == 0
    assert main([*words, "--out", "there", "--ray", "local"]) == 0
    files = {path.relative_to("here") for path in Path("here").rglob("*") if path.is_file()}
    assert files == {path.relative_to("there") for path in Path("there").rglob("*") if path.is_file()}
    assert len(files) == 3 * 5 + 2
    for file in files:
        assert (Path("here") / file).read_bytes() == (Path("there") / file).read_bytes(), file
    for path in Path("there").glob("*/00002.parquet"):
        path.unlink()
    assert main([*words, "--out", "there", "--ray", "local"]) == 0
    assert (Path("here") / "decisions" / "00002.parquet").read_bytes() == (
        Path("there") / "decisions" / "00002.parquet"
    ).read_bytes()


def test_what_the_page_says_runs(cluster, desk):
    python = [block for block in blocks() if block.page == "install.md" and block.language == "python"]
    assert python
    for block in python:
        exec(compile(block.text, block.page, "exec"), {"__name__": "snippet"})


def test_ctrl_c_ends_a_cluster_of_its_own(tmp_path):
    """The command starts a local Ray, which ends with it."""
    name = module(tmp_path, "slow_bot", SLOW, seconds=0.05)
    words = ["arena", f"{name}:Slow", "random", "--games", "400", "--ray", "local", "--jobs", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "spades_env.play.commands.cli", *words]
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job in a shell's background ignores Ctrl-C
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed,
    ) as process:
        try:
            wait_for(lambda: process.poll() is not None or len(set(lines(tmp_path / "asked"))) > 1)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            out, err = process.communicate(timeout=WAIT_S)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, b"", b"spades: stopped\n")
    workers = {int(pid) for pid in lines(tmp_path / "asked")}
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
