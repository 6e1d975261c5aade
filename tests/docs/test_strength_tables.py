"""The page on strength: its matches are played in pieces that are kept, and its tables say what came of them."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from support.paths import docs_tool

from benchmarks.agents import strength
from benchmarks.agents.strength import MAIN, Match
from spades_env import Rules
from spades_env.agents import arena
from spades_env.agents.arena.match_result import Result


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """The module that prints, reading what is in this folder."""
    module = docs_tool("strength_tables")
    monkeypatch.setattr(module, "MEASURED", tmp_path / "strength.json")
    return module


@pytest.fixture
def small(monkeypatch):
    """A match for each part, between bots that take no time, in pieces of two games."""
    parts = {
        "floors": [Match("bis", "rb", 4, piece=2)],
        "held_out": [Match("bis", "club", 4, piece=2)],
        "variants": [Match("bis", "rb", 4, Rules.preset("solo"), piece=2)],
    }
    monkeypatch.setattr(strength, "PARTS", parts)
    monkeypatch.setattr(strength, "MOMENTS", 20)


def test_what_is_kept_is_not_played_again(small, tmp_path, monkeypatch):
    strength.play(["floors"], tmp_path, games=2, before={})
    assert len(list(tmp_path.iterdir())) == 1
    played, real = [], arena.play
    monkeypatch.setattr(arena, "play", lambda *given, **asked: played.append(asked["seed"]) or real(*given, **asked))
    strength.play(["floors"], tmp_path, games=4, before={})
    assert played == [strength.SEED + 1]


def kept(folder: Path) -> Result:
    """What there is of the first match."""
    found = strength.PARTS["floors"][0].result(folder)
    assert found
    return found


def test_pieces_have_deals_of_their_own_and_add_up(small, tmp_path):
    strength.play(["floors"], tmp_path, games=4, before={})
    found = kept(tmp_path)
    pieces = [arena.play("bis", "rb", MAIN, games=2, seed=strength.SEED + piece) for piece in range(2)]
    np.testing.assert_array_equal(found.rows, np.concatenate([piece.rows for piece in pieces]))
    assert found.moves == tuple(np.sum([piece.moves for piece in pieces], axis=0))


def test_a_match_tells_what_it_has_so_far(small, tmp_path):
    assert strength.PARTS["floors"][0].result(tmp_path) is None
    strength.play(["floors"], tmp_path, games=2, before={})
    assert kept(tmp_path).games == 2


def test_the_page_tells_what_is_kept(small, tables, tmp_path):
    strength.play(["floors", "variants"], tmp_path / "kept", games=4, before={})
    (tmp_path / "strength.json").write_text(json.dumps(strength.collected(tmp_path / "kept", {})))
    found = tables.measured()
    assert tables.matches("floors").splitlines()[2].startswith("| `bis` | `rb` | 4 |")
    assert tables.by_rules().splitlines()[2].startswith("| `solo` |")
    assert f"{100 * found['floors'][0]['win_rate']:.1f} %" in tables.matches("floors")


def test_what_was_told_before_stays_without_the_folder(small, tmp_path, monkeypatch):
    strength.play(["floors", "variants"], tmp_path / "first", games=4, before={})
    before = json.loads(json.dumps(strength.collected(tmp_path / "first", {})))
    monkeypatch.setattr(arena, "play", lambda *given, **asked: pytest.fail("what is known is played again"))
    strength.play(["floors", "variants"], tmp_path / "second", games=4, before=before)
    assert strength.collected(tmp_path / "second", before) == before
    assert not (tmp_path / "second").exists()


def test_a_match_goes_on_where_less_was_told(small, tmp_path):
    strength.play(["floors"], tmp_path / "first", games=2, before={})
    before = strength.collected(tmp_path / "first", {})
    strength.play(["floors"], tmp_path / "second", games=4, before=before)
    after = strength.collected(tmp_path / "second", before)
    assert [one["floors"][0]["games"] for one in (before, after)] == [2, 4]
    assert strength.collected(tmp_path / "first", after)["floors"] == after["floors"]


def test_results_of_a_changed_agent_are_marked_until_it_has_played_again(small, tables, tmp_path, monkeypatch):
    strength.play(["floors"], tmp_path, games=4, before={})
    before = strength.collected(tmp_path, {})
    monkeypatch.setattr(strength, "mark", lambda name: "otherwise")
    for games, changed in ((0, True), (4, False)):
        strength.play(["floors"], tmp_path, games, before)
        found = strength.collected(tmp_path, before)
        assert [row["changed"] for row in found["floors"]] == [changed]
        (tmp_path / "strength.json").write_text(json.dumps(found))
        assert ("†" in tables.matches("floors")) is changed


def test_who_does_otherwise_is_another_match(monkeypatch, tmp_path):
    match = Match("bis", "rb", 4, piece=2)
    monkeypatch.setattr(strength, "mark", lambda name: "as before")
    before = match.path(tmp_path, 0)
    assert before == match.path(tmp_path, 0)
    assert before != match.path(tmp_path, 1)
    monkeypatch.setattr(strength, "mark", lambda name: "otherwise")
    assert match.path(tmp_path, 0) != before
    assert Match("bis", "rb", 4, Rules.preset("solo"), piece=2).path(tmp_path, 0) != match.path(tmp_path, 0)
    assert Match("bis", "rb", 4, piece=4).path(tmp_path, 0) != match.path(tmp_path, 0)
    assert match.rules is MAIN


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["flors"], "unknown part 'flors'; expected floors"),
        (["--games", "0"], "--games must be a multiple of 500, not 0"),
        (["--games", "700"], "--games must be a multiple of 500, not 700"),
    ],
)
def test_what_cannot_be_played_is_refused(monkeypatch, capsys, arguments, words):
    monkeypatch.setattr(sys, "argv", ["strength.py", *arguments])
    with pytest.raises(SystemExit):
        strength.main()
    assert words in capsys.readouterr().err
