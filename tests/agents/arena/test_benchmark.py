"""The benchmark in small: its row, what is held out, what is refused, the page that tells of it."""

import hashlib
import json

import pytest
from support.paths import ROOT

from agents import arena
from agents.arena import benchmark
from agents.base import AgentError
from agents.network.level import NUMBERS, Level
from agents.roster import LEVELS
from play.commands.cli import main
from spades_env._jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="searches and vectors need the compiler")


@pytest.fixture(scope="module")
def row() -> benchmark.Row:
    return benchmark.run("bis", games=4, seen=["rule"])


def test_a_row_is_a_match_against_each_opponent_but_itself(row):
    assert list(row.results) == ["random", "rb", "club", "rule", "standard", "bis/mc:30x30"]
    assert row.held_out == ("random", "rb", "club", "standard", "bis/mc:30x30")
    match = arena.play("rule", "rb", benchmark.RULES, games=4, seed=benchmark.SEED)
    assert match.as_dict()["rules"] == row.results["rb"].as_dict()["rules"]
    rates = [row.results[name].win_rate for name in row.held_out]
    assert row.held_out_rate == pytest.approx(sum(rates) / 5)
    assert not row.by_protocol


def test_the_figures_are_those_of_the_arena(row):
    data = json.loads(json.dumps(row.as_dict()))
    assert (data["benchmark"], data["rules"], data["games"], data["seed"]) == (
        benchmark.VERSION,
        benchmark.RULES,
        4,
        benchmark.SEED,
    )
    assert [name for name, one in data["against"].items() if one["seen"]] == ["rule"]
    for name, one in data["against"].items():
        figures = row.results[name].as_dict()
        assert one["win_rate_ci"] == figures["win_rate_ci"]
        assert one["stats"]["nil_kept"] == figures["stats"]["a"]["nil_kept"]


def test_the_line_to_report_fits_its_head(row):
    head, line, cells = *benchmark.header().split("\n"), row.markdown()
    assert head.count("|") == line.count("|") == cells.count("|")
    assert cells.startswith("| `bis` | 100.0 ± ")
    assert cells.count(benchmark.SEEN) == 1
    assert "(5) |" in cells


def test_the_command(capsys):
    words = ["benchmark", "random", "--games", "2", "--seen", "rb"]
    assert main([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["agent"] == "random"
    assert printed["held_out"] == ["bis", "club", "rule", "standard", "bis/mc:30x30"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "random: benchmark 3, classic blind_nil_deficit=off, 2 games (1 deals) against each, seed 31415" in out
    assert "A trial: the protocol has 1,000 games" in out
    assert "| `random` | – |" in out
    for head in ("nil kept", "points a hand", "set"):
        assert head in out


def test_what_is_no_opponent_is_refused(capsys):
    with pytest.raises(AgentError, match="'zofia' is no opponent of the benchmark: there are random, rb"):
        benchmark.run("bis", games=2, seen=["zofia"])
    assert main(["benchmark", "bis", "--games", "3"]) == 2
    assert "games must be an even number" in capsys.readouterr().err
    assert main(["benchmark", "no_such:thing"]) == 2
    assert "there is no module 'no_such'" in capsys.readouterr().err


def test_the_opponents_are_those_of_this_version():
    """Another level would be another opponent: then raise benchmark.VERSION, and measure the rows anew."""
    level = Level.read(LEVELS / "standard.safetensors")
    digest = hashlib.sha256(json.dumps([getattr(level, name) for name in NUMBERS]).encode())
    for _, tensor in sorted(level.tensors.items()):
        digest.update(tensor.tobytes())
    assert (benchmark.VERSION, digest.hexdigest()[:16]) == (3, "ce941aaca4576b56")


def test_the_page_tells_what_the_code_does():
    page = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    for word in (benchmark.RULES, str(benchmark.SEED), f"{benchmark.GAMES:,}", *benchmark.OPPONENTS):
        assert word in page
    for one in json.loads((ROOT / "docs" / "benchmark.json").read_text(encoding="utf-8")):
        assert (one["benchmark"], one["by_protocol"]) == (benchmark.VERSION, True)
