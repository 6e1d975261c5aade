"""The rows of the speed benchmarks: what they measure, and that none compares unlike units."""

import pytest

from benchmarks import environments, learning
from benchmarks.measure import Row, human
from spades_env._jit import JIT_ON


@pytest.mark.skipif(not JIT_ON, reason="many tables need the compiler")
def test_one_seat_is_measured_against_random_and_named_opponents():
    rows = environments.one_seat(repeats=1, scale=1e-3)
    names = [row.name for row in rows]
    for tables in ("256", "4,096"):
        assert {f"{tables} tables, three `random`", f"{tables} tables, three `rule`"} <= set(names)
    assert all(row.unit == "decisions/s" and 0 < row.low <= row.median <= row.high for row in rows)


def test_maskable_ppo_has_a_unit_of_its_own_and_no_ratio(monkeypatch):
    """Ours count four seats, theirs one: a quotient of the two would say nothing."""
    monkeypatch.setattr(learning, "find_spec", lambda name: True)
    monkeypatch.setattr(learning, "ours", lambda repeats: [Row("learning", "ours", 2.0, 1.0, 3.0)])
    monkeypatch.setattr(learning, "worker_rate", float)
    monkeypatch.setattr(learning, "masked_ppo", lambda settings: lambda: 8)
    rows = learning.measure(1)
    theirs = [row for row in rows if "MaskablePPO" in row.name]
    assert len(theirs) == 2
    assert {row.unit for row in theirs} == {"steps/s"}
    assert [row.name for row in rows if row.unit == "×"] == ["two workers to one"]
    assert human(921, "steps/s") == "921 steps"
