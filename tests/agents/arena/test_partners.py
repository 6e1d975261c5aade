"""benchmarks/agents/partners.py: what agents score beside strangers."""

import pytest

from benchmarks.agents import partners


def test_partners_who_add_up_lose_nothing_beside_strangers():
    strength = {"a": 3.0, "b": 5.0, "c": -2.0}
    found = {(x, y): {"points_per_hand": strength[x] + strength[y]} for x in strength for y in strength if x <= y}
    names = list(strength)
    assert partners.report(found, names, names)["beside_strangers"] == pytest.approx(dict.fromkeys(names, 0))


def test_an_agent_with_a_private_convention_loses_it_beside_strangers():
    found = {(x, y): {"points_per_hand": 10.0 if x == y == "a" else 0.0} for x in "abc" for y in "abc" if x <= y}
    assert partners.report(found, "abc", "abc")["beside_strangers"] == pytest.approx({"a": -5, "b": -2.5, "c": -2.5})


def test_a_match_is_played_once(tmp_path, monkeypatch):
    first = partners.play("random", "rb", 20, tmp_path)
    assert first["a"] == "random beside rb"
    assert first["games"] == 20
    monkeypatch.delattr(partners.arena, "play")
    assert partners.play("random", "rb", 20, tmp_path) == first
