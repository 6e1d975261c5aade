"""The benchmark in small: its score, its panel, what is refused, the page that tells of it."""

import importlib
import json

import numpy as np
import pytest
from support.paths import ROOT

from spades_env import Game
from spades_env._jit import JIT_ON
from spades_env.agents import arena
from spades_env.agents.arena import benchmark, entry
from spades_env.agents.arena.entries import pool
from spades_env.agents.arena.lockstep import derived_seed
from spades_env.agents.arena.match_result import panel_interval, share_interval
from spades_env.agents.base import AgentError
from spades_env.agents.registry import load
from spades_env.play.commands.cli import main
from spades_env.training.trainer import EVALUATION_SEED

pytestmark = pytest.mark.skipif(not JIT_ON, reason="searches and vectors need the compiler")


@pytest.fixture(scope="module")
def row() -> benchmark.PanelRow:
    return benchmark.run("bis", games=4, seen=["rule"])


def test_a_row_is_a_match_against_each_member_of_the_panel_but_itself(row):
    assert list(row.results) == ["rb", "club", "rule", "pimc:20", "bis/mc:30x30"]
    match = arena.play("bis", "rb", benchmark.RULES, games=4, seed=benchmark.TRIAL_SEED)
    assert match.as_dict()["win_rate"] == row.results["rb"].win_rate
    assert not row.by_protocol


def test_a_match_against_itself_counts_one_half(row):
    rates = [row.results[name].win_rate for name in row.results]
    assert row.score == pytest.approx((sum(rates) + 0.5) / 6)
    low, high = row.score_ci
    met = panel_interval(np.stack([result.deal_wins for result in row.results.values()], axis=1))
    assert (low, high) == pytest.approx(tuple((5 * end + 0.5) / 6 for end in met))
    itself = arena.play(load("rb"), load("rb"), benchmark.RULES, games=20)
    assert set(itself.deal_wins) == {0.5}


def test_the_figures_are_those_of_the_arena(row):
    data = json.loads(json.dumps(row.as_dict()))
    facts = (benchmark.VERSION, benchmark.RULES, 4, benchmark.TRIAL_SEED)
    assert (data["benchmark"], data["rules"], data["games"], data["seed"]) == facts
    assert [name for name, one in data["against"].items() if one["seen"]] == ["rule"]
    for name, one in data["against"].items():
        figures = row.results[name].as_dict()
        assert one["win_rate_ci"] == figures["win_rate_ci"]
        assert one["stats"]["nil_kept"] == figures["stats"]["a"]["nil_kept"]
        assert [int(digit) / 4 for digit in one["deals"]] == list(row.results[name].deal_wins)
    held_out = [row.results[name].win_rate for name in benchmark.HELD_OUT]
    assert data["held_out"] == pytest.approx(np.mean(held_out))
    points = sum(result.points_per_hand for result in row.results.values()) / 6
    assert data["points_per_hand"] == pytest.approx(points)
    low, high = data["points_per_hand_ci"]
    assert low < points < high


def test_one_opponent_has_the_interval_of_a_match():
    shares = np.random.default_rng(3).integers(0, 5, 50) / 4
    assert panel_interval(shares[:, None]) == pytest.approx(share_interval(shares))


def test_the_interval_of_the_score_stays_within_0_and_1_and_holds_the_truth():
    assert panel_interval(np.ones((10, 6)))[1] == 1
    assert 0.9 < panel_interval(np.ones((10, 6)))[0] < 1
    rng, held = np.random.default_rng(5), 0
    for _ in range(1000):
        luck = rng.normal(size=(40, 1))  # of a deal, common to all opponents
        chances = 1 / (1 + np.exp(-luck - np.linspace(0, 3, 6)))
        low, high = panel_interval((rng.random((2, 40, 6)) < chances).mean(axis=0))
        held += low <= TRUTH <= high
    assert 925 <= held <= 975


def mean_chance() -> float:
    luck = np.random.default_rng(7).normal(size=(1_000_000, 1))
    return float((1 / (1 + np.exp(-luck - np.linspace(0, 3, 6)))).mean())


TRUTH = mean_chance()


def test_deals_common_to_all_opponents_widen_the_interval():
    shares = np.random.default_rng(9).integers(0, 5, (100, 1)) / 4
    low, high = panel_interval(np.tile(shares, 6))
    alone = share_interval(shares[:, 0])
    assert high - low == pytest.approx(alone[1] - alone[0], rel=0.02)


def test_the_command(capsys):
    words = ["benchmark", "random", "--games", "2", "--seen", "rb"]
    assert main([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["agent"] == "random"
    assert tuple(printed["against"]) == benchmark.PANEL
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "random: benchmark 4, match, 2 games (1 deals) against each, seed 3000000" in out
    assert "A trial, with other deals than the protocol's. An entry has 50 games at least" in out
    assert "Track: raw." in out
    for head in ("score", "held out", "nil kept", "points a hand", "set", "rb †"):
        assert head in out
    assert "±" not in out


NOTING = """
seen = set()

def policy(view):
    seen.add(frozenset(view.hand))
    return view.legal_actions()[0]
"""


@pytest.fixture
def quick_panel(monkeypatch):
    """A panel of two that don't search."""
    monkeypatch.setattr(benchmark, "PANEL", ("rb", "club"))
    monkeypatch.setattr(benchmark, "HELD_OUT", ("club",))


def test_only_an_entry_meets_the_reserved_deals(quick_panel, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(benchmark, "LEAST_GAMES", 4)
    (tmp_path / "noting.py").write_text(NOTING, encoding="utf-8")
    games = [Game(benchmark.RULES, seed=int(derived_seed(np.uint64(benchmark.SEED), deal))) for deal in range(2)]
    reserved = {frozenset(game.view(seat).hand) for game in games for seat in range(4)}
    assert len(reserved) == 8
    words = ["benchmark", "noting:policy", "--jobs", "1", "--track", "raw", "--compute", "none"]
    assert main([*words, "--games", "4"]) == 0
    assert main([*words, "--games", "2", "--out", "few.json"]) == 0
    seen = importlib.import_module("noting").seen
    assert len(seen) > 8
    assert not reserved & seen
    assert capsys.readouterr().out.count("A trial, with other deals") == 2
    assert main([*words, "--games", "4", "--out", "enough.json"]) == 0
    assert reserved <= seen
    assert "An entry, with the deals of the protocol." in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--seed", "4000000"], ["--seed", "4999999"], ["--seed", "4000001", "--out"]])
def test_a_trial_gets_no_reserved_seed(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["benchmark", "random", "--compute", "none", *words]) == 2
    assert "seeds 4,000,000 to 4,999,999 are kept for entries" in capsys.readouterr().err


def test_what_is_not_on_the_panel_is_refused(capsys):
    with pytest.raises(AgentError, match="unknown opponent 'zofia'; the panel of the benchmark is rb, bis"):
        benchmark.run("bis", games=2, seen=["zofia"])
    assert main(["benchmark", "bis", "--games", "3"]) == 2
    assert "games must be an even number" in capsys.readouterr().err
    assert main(["benchmark", "no_such:thing"]) == 2
    assert "there is no module 'no_such'" in capsys.readouterr().err


@pytest.mark.parametrize("name", benchmark.PANEL)
def test_the_panel_plays_as_in_this_version(name):
    """A member that plays otherwise is another opponent: then raise benchmark.VERSION, and measure all entries anew."""
    assert (benchmark.VERSION, pool.plays(name)) == (4, pool.PLAYS[name])


def test_what_is_held_out_is_on_the_panel():
    assert set(benchmark.HELD_OUT) < set(benchmark.PANEL)
    assert "random" not in benchmark.PANEL


def test_training_evaluates_on_other_deals():
    assert benchmark.SEED in benchmark.RESERVED
    assert not {EVALUATION_SEED, benchmark.TRIAL_SEED} & set(benchmark.RESERVED)


def test_the_page_tells_what_the_code_does():
    page = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    reserved = (f"{benchmark.RESERVED[0]:,}", f"{benchmark.RESERVED[-1]:,}", f"{EVALUATION_SEED:,}")
    seeds = (str(benchmark.SEED), str(benchmark.TRIAL_SEED))
    facts = (benchmark.RULES, *seeds, f"{benchmark.GAMES:,}", f"{benchmark.LEAST_GAMES} at least")
    for word in (*facts, *reserved, *benchmark.PANEL, f"| version | {benchmark.VERSION} |"):
        assert word in page
    for field in entry.CHECKS | entry.OPTIONAL:
        assert f"`{field}`" in page, f"the page says nothing of {field}"
