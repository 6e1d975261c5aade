"""train/ablations.py: each variant changes what it says, runs, and leaves what run_all.py sums up."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.paths import ROOT, docs_tool

from spades_env._jit import JIT_ON
from spades_env.agents import load

torch = pytest.importorskip("torch")
for library in ("onnx", "onnxruntime", "matplotlib"):  # run_all.py runs the baselines, too
    pytest.importorskip(library)
pytestmark = pytest.mark.skipif(not JIT_ON, reason="plays and learns")

from spades_env.agents.network.rows import CRITIC, POLICY  # noqa: E402
from spades_env.game.cards import BID_ZERO, NUM_CARDS  # noqa: E402
from spades_env.game.observe import NUM_FEATURES  # noqa: E402
from spades_env.training.recipe import Situations  # noqa: E402
from spades_env.training.self_play import choices  # noqa: E402
from spades_env.training.self_play import tables as tables_module  # noqa: E402

TINY: dict[str, Any] = {"tables": 64, "minibatch": 64, "evaluations": 1, "games": 4, "minutes": 0.002, "device": "cpu"}
FOUND = {"win_rate": 0.25, "win_rate_ci": [0.2, 0.3], "points_per_hand": -3.5}
FOUND |= {"mean_bid": 2.5, "nil_rate": 0.0, "nil_kept": None, "set_rate": 0.5}
MATCH = Situations("match", main_share=1.0)


@pytest.fixture
def scripts(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "train"), *sys.path])
    monkeypatch.setattr(importlib.import_module("selfplay"), "has_bfloat16", lambda device: False)  # prepares too long
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield importlib.import_module("run_all"), importlib.import_module("ablations")
    torch.set_num_threads(threads)


@pytest.fixture
def played(scripts):
    """Return a function: the learner of a variant, and its decisions in a hand at every table."""

    def play(name: str, tables: int = 64) -> tuple[Any, Any]:
        variant = scripts[1].VARIANTS[name]
        settings = scripts[1].Settings(**(TINY | {"tables": tables} | variant.changed))
        learner = variant.learner(settings, torch.device("cpu"))
        return learner, variant.tables(settings.tables, MATCH, 0).play(learner.choose, learner.weights)

    return play


def test_the_closed_critic_reads_what_the_policy_reads(played):
    learner, hands = played("closed")
    assert (hands.open_rows == hands.rows).all()
    assert POLICY.max() < NUM_FEATURES  # a state is an observation, then all hands
    assert learner.critic.lane == learner.policy.lane
    assert learner.learn(hands)["value"] > 0


def test_the_loop_s_critic_sees_all_hands(played):
    _, hands = played("loop")
    assert hands.open_rows[:, np.flatnonzero(CRITIC[0] >= NUM_FEATURES + NUM_CARDS)].any(1).all()  # beyond its own


def test_one_number_follows_from_no_ends(played):
    """The critic's value is the same whatever ends are worth; the loop's is not."""
    for name, same in (("one-number", True), ("loop", False)):
        learner, hands = played(name)
        rows, ends = torch.from_numpy(hands.open_rows[-64:]).float(), torch.from_numpy(hands.ends[-64:])
        values = [learner.critic(rows, worth)[0] for worth in (ends, 3 * ends)]
        assert torch.equal(*values) is same


@pytest.mark.parametrize(("name", "free"), [("late-bags", True), ("loop", False)])
def test_late_bags_cost_nothing_before_the_tenth(scripts, monkeypatch, name, free):
    """… not even after a fit to games, which changes the other numbers."""
    monkeypatch.setattr(tables_module, "FEWEST_GAMES", 1)
    tables = scripts[1].VARIANTS[name].tables(64, MATCH, 0)
    tables.length = 8
    learner = scripts[1].Learner(scripts[1].Settings(**TINY), torch.device("cpu"))
    for _ in range(8):
        tables.play(learner.choose, learner.weights)
    before = tables.numbers
    tables.fit_winning()
    assert tables.numbers.hand != before.hand
    assert (tables.numbers.tally < 1e-6) is free


def test_without_a_quota_no_call_is_forced(played, monkeypatch):
    """Where every nil looks very bad and nothing is explored, a nil is bid by quota only."""
    monkeypatch.setattr(choices, "EXPLORED", 0.0)

    def nils(name: str) -> int:
        learner, _ = played(name)
        with torch.no_grad():
            learner.policy.bids.bias[0] = -1000.0
        legal = np.zeros((640, 70), bool)
        legal[:, BID_ZERO : BID_ZERO + 4] = True
        actions, _ = learner.choose(np.zeros((640, played("loop")[1].rows.shape[1]), np.int8), legal)
        return int((actions == BID_ZERO).sum())

    assert nils("no-quota") == 0
    assert nils("loop") > 0


def test_calls_by_gradient_are_sampled_with_a_probability_and_learned_by_it(played):
    learner, hands = played("gradient-calls")
    calls = np.flatnonzero(hands.action >= BID_ZERO)
    offered = hands.legal[calls, NUM_CARDS:].sum(1)
    assert np.exp(hands.log_prob[calls]) == pytest.approx(1 / offered, rel=0.3)  # at first all are about as likely
    advantage = np.zeros(len(hands.action), np.float32)
    advantage[calls[0]] = 1.0
    for by_gradient, others_move in ((True, True), (False, False)):
        one = learner if by_gradient else played("loop")[0]
        one.policy.zero_grad()
        logits = one.policy(one.batch(hands.rows[calls[:1]]))
        one._call_loss(hands, calls[:1], advantage, logits).backward()
        moved = one.policy.bids.bias.grad[hands.legal[calls[0], NUM_CARDS:]] != 0
        assert moved.all() if others_move else moved.sum() == 1


def test_the_wide_one_begins_wide(played):
    assert played("wide")[0].policy.widths == (256, 128)


def test_all_run_are_summed_up_and_go_on(scripts, tmp_path, monkeypatch):
    run_all, ablations = scripts
    games = []

    def measured(folder, settings):
        games.append(settings.games)
        return {"rb": FOUND, "rule": FOUND}

    for module in (ablations, sys.modules["selfplay"]):
        monkeypatch.setattr(module, "measured", measured)
    monkeypatch.setattr(sys.modules["selfplay"], "panels", lambda draws: b"")
    with monkeypatch.context() as undrawn:
        undrawn.setattr(run_all, "svg", lambda size, draw: b"")
        run_all.follow(tmp_path, "ablations", TINY, seeds=1)
    assert games == [4, 2000] * len(ablations.VARIANTS)
    assert all(load(str(tmp_path / name / "seed-0" / "level.safetensors")) for name in ablations.VARIANTS)
    two = {name: run_all.loop(name, 10.0) for name in ("loop", "wide")}
    monkeypatch.setitem(run_all.GROUPS, "ablations", [(1, two)])
    kept = (tmp_path / "wide" / "seed-0" / "result.json").read_bytes()
    (tmp_path / "loop" / "seed-0" / "result.json").unlink()  # as if it had been stopped
    path = run_all.follow(tmp_path, "ablations", TINY, seeds=2)
    assert (tmp_path / "wide" / "seed-0" / "result.json").read_bytes() == kept
    summary = json.loads(path.read_text())
    assert {name: one["seeds"] for name, one in summary.items()} == {"loop": [0, 1], "wide": [0, 1]}
    assert len(summary["loop"]["curves"]["wins/rule"]) == 1
    assert summary["loop"]["last"]["rule"]["win_rate"]["ci"] is None  # both won as many
    assert (tmp_path / "curves.svg").read_text().startswith("<?xml")
    assert_tables(monkeypatch, path)
    with pytest.raises(ValueError, match="was run with other options: name another folder with --out"):
        run_all.follow(tmp_path, "ablations", TINY | {"minutes": 1.0})


def assert_tables(monkeypatch, path: Path) -> None:
    """The page has a row for each figure of the seeds, and one for each change."""
    tables = docs_tool("baseline_tables")
    monkeypatch.setattr(tables, "DATA", path.parent)
    for name in ("loop", "ablations"):
        path.with_name(f"{name}.json").write_bytes(path.read_bytes())
    seeds, changes = tables.five_seeds().splitlines()[2:], tables.ideas().splitlines()[2:]
    assert seeds[0] == "| games won, % | 25.0 | 25.0 | 25.0, 25.0 |"
    assert seeds[-2] == "| nils bid, % | 0.0 | 0.0 | 0.0, 0.0 |"  # of those kept nothing is known
    assert seeds[-1] == "| games won, %, against `rb` | 25.0 | 25.0 | 25.0, 25.0 |"
    assert [row.split("`")[1] for row in changes] == ["loop", "wide"]
    assert all(row.endswith("| 0.0 | – |") for row in changes)
