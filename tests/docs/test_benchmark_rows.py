"""The rows of the speed benchmarks: what they measure, and that none compares unlike units."""

import json

import numpy as np
import pytest
from support.paths import ROOT

from benchmarks import environments, run
from benchmarks.measure import Row, human
from benchmarks.training import maskable_ppo
from spades_env._jit import JIT_ON


@pytest.mark.skipif(not JIT_ON, reason="many tables need the compiler")
def test_one_seat_is_measured_against_random_and_named_opponents():
    rows = environments.one_seat(repeats=1, scale=1e-3)
    names = [row.name for row in rows]
    for tables in ("256", "4,096"):
        assert {f"{tables} tables, three `random`", f"{tables} tables, three `rule`"} <= set(names)
    assert all(row.unit == "decisions/s" and 0 < row.low <= row.median <= row.high for row in rows)


def _row(group: str, name: str, value: float) -> Row:
    return Row(group, name, value, value, value)


def test_maskable_ppo_is_compared_in_like_units(monkeypatch):
    rates = {"ours": 6.0, "theirs": 2.0}
    for whose in rates:
        monkeypatch.setattr(maskable_ppo, whose, lambda whose=whose: whose)
    monkeypatch.setattr(maskable_ppo, "rate_of", lambda group, name, timed, *_: _row(group, name, rates[timed]))
    rows = maskable_ppo.rows(1)
    assert [row.median for row in rows if row.unit == "×"] == [3.0]
    assert {row.unit for row in rows} == {"decisions/s", "×"}
    assert {row.group for row in rows} == {"like"}


def test_forced_moves_do_not_count():
    assert maskable_ppo.count_choices(np.array([[[1, 0, 0], [1, 1, 0]], [[1, 1, 1], [0, 0, 1]]])) == 2


@pytest.mark.skipif(not JIT_ON, reason="many tables need the compiler")
def test_ours_learns_from_as_many_decisions_as_it_says(monkeypatch):
    pytest.importorskip("torch").set_num_threads(1)
    monkeypatch.setattr(maskable_ppo, "UPDATE", 600)
    timed = maskable_ppo.ours()
    timed()
    count, seconds = timed()
    assert 450 < count < 750
    assert seconds > 0


def test_the_page_shows_its_record():
    record = json.loads((ROOT / "docs" / "benchmarks.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert record
    assert all(group["made"]["version"] for group in record.values())
    for row in (Row(**row) for group in record.values() for row in group["rows"]):
        assert f"| {row.name} | {human(row.median, row.unit)} |" in page


def test_the_record_keeps_other_groups(monkeypatch, tmp_path):
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(run, "ROOT", tmp_path)
    run.write_rows([_row("memory", "a table", 256), _row("bots", "rule", 1000)])
    run.write_rows([_row("bots", "rule", 2000)])
    record = json.loads((tmp_path / "docs" / "benchmarks.json").read_text(encoding="utf-8"))
    assert {name: group["rows"][0]["median"] for name, group in record.items()} == {"memory": 256, "bots": 2000}


def test_one_part_is_written_anew_and_the_others_stay(monkeypatch, tmp_path):
    page = tmp_path / "docs" / "benchmarks.md"
    page.parent.mkdir()
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "_plot", lambda rows: None)
    run.write_page([_row("memory", "a table", 256), _row("bots", "rule", 1000)], 1)
    before = page.read_text(encoding="utf-8")
    for rate in (2000, 3000):
        run.write_sections([_row("xla", "JAX", rate)], 1)
    after = page.read_text(encoding="utf-8")
    assert after.count("The game in JAX") == 1
    assert "| JAX | 3,000 |" in after
    assert after.startswith(before.partition("## How to read it")[0])
    assert after.endswith(before[before.index("## How to read it") :])
