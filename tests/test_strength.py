"""The page on strength: its matches are played once and kept, and its tables say what came of them."""

import importlib
import json
import sys
from pathlib import Path

import pytest

from benchmarks import strength
from benchmarks.strength import MAIN, Match
from spades_env import Rules

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """The module that prints, reading what is in this folder."""
    monkeypatch.syspath_prepend(str(DOCS))
    module = importlib.import_module("strength_tables")
    monkeypatch.setattr(module, "MEASURED", tmp_path / "strength.json")
    return module


@pytest.fixture
def small(monkeypatch):
    """A match for each part, between bots that take no time."""
    parts = {
        "floors": [Match("bis", "rb", 4)],
        "held_out": [Match("bis", "club", 4)],
        "variants": [Match("bis", "rb", 4, Rules.preset("solo"))],
        "thinking": [],
        "ladder": [Match("bis", "rb", 4)],
    }
    monkeypatch.setattr(strength, "PARTS", parts)
    monkeypatch.setattr(strength, "LADDER", ("bis", "rb"))
    monkeypatch.setattr(strength, "MOMENTS", 20)


def test_what_is_kept_is_not_played_again(small, tmp_path, monkeypatch):
    strength.play(["floors", "ladder"], tmp_path)
    monkeypatch.setattr(strength.arena, "play", None)
    strength.play(["floors", "ladder"], tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_the_page_tells_what_is_kept(small, tables, tmp_path):
    pytest.importorskip("choix")
    assert tables.matches("floors") == tables.by_rules() == tables.by_worlds() == tables.NOTHING
    strength.play(["floors", "variants", "ladder"], tmp_path / "kept")
    (tmp_path / "strength.json").write_text(json.dumps(strength.collected(tmp_path / "kept")))
    found = tables.measured()
    assert tables.matches("floors").splitlines()[2].startswith("| `bis` | `rb` | 4 |")
    assert tables.by_rules().splitlines()[2].startswith("| `solo` |")
    assert tables.matches("held_out") == tables.NOTHING
    assert [one["name"] for one in found["ladder"]["standings"]]
    assert f"{100 * found['floors'][0]['win_rate']:.1f} %" in tables.matches("floors")


def test_the_champion_by_worlds(tables, tmp_path):
    shared = {"games": 1000, "win_rate_ci": [0.5, 0.7], "points_per_hand": 1.0, "points_per_hand_ci": [0.0, 2.0]}
    shared |= {"nil_kept": 0.8, "set_rate": 0.1, "ms_per_move": 1.0, "b": "bis/mc:30x30"}
    found = {
        "floors": [shared | {"a": "zofia", "win_rate": 0.7}],
        "thinking": [shared | {"a": f"zofia+trial:{worlds}", "win_rate": 0.6} for worlds in (512, 8)],
    }
    (tmp_path / "strength.json").write_text(json.dumps(found))
    assert [row.split(" | ")[0] for row in tables.by_worlds().splitlines()[2:]] == ["| 8", "| 128", "| 512"]


def test_who_does_otherwise_is_another_match(monkeypatch, tmp_path):
    match = Match("bis", "rb", 4)
    monkeypatch.setattr(strength, "mark", lambda name: "as before")
    before = match.path(tmp_path)
    assert before == match.path(tmp_path)
    monkeypatch.setattr(strength, "mark", lambda name: "otherwise")
    assert match.path(tmp_path) != before
    assert Match("bis", "rb", 4, Rules.preset("solo")).path(tmp_path) != match.path(tmp_path)
    assert match.rules is MAIN


def test_unknown_parts_are_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["strength.py", "flors"])
    with pytest.raises(SystemExit):
        strength.main()
    assert "there is no part 'flors': there are floors" in capsys.readouterr().err
