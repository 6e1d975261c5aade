"""`spades arena`, `ladder` and `variants`: JSON, tables, reports."""

import errno
import io
import json
import sys

import pytest

from spades_env import Rules
from spades_env.agents import arena
from spades_env.agents.arena import variants
from spades_env.play.commands import shared
from spades_env.play.commands.cli import main

SHORT = ["--games", "4", "--set", "target=off", "--set", "max_hands=1"]


def test_figures_are_shown_where_they_cannot_be_written(tmp_path, capsys, monkeypatch):
    def full(*_) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shared, "write_whole", full)
    assert main(["arena", "random", "random/random", *SHORT, "--json", str(tmp_path / "figures.json")]) == 2
    found = capsys.readouterr()
    assert "random" in found.out
    assert "No space left on device" in found.err


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_a_folder_for_a_file_is_refused_at_once(tmp_path, capsys, option):
    assert main(["arena", "random", "random", *SHORT, option, str(tmp_path)]) == 2
    found = capsys.readouterr()
    assert (found.out, "is a folder: name a file" in found.err) == ("", True)


def test_an_arena_prints_one_json_object(capsys):
    assert main(["arena", "random", "random/random", *SHORT, "--seed", "3", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err == ""
    assert (found["a"], found["b"], found["games"], found["illegal"]) == ("random", "random/random", 4, 0)
    assert found["rules"] == "classic target=off max_hands=1"
    assert found["win_rate_ci"][0] <= found["win_rate"] <= found["win_rate_ci"][1]
    assert found["points_per_hand_ci"][0] <= found["points_per_hand"] <= found["points_per_hand_ci"][1]
    for side in ("a", "b"):
        stats = found["stats"][side]
        assert {"mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept", "ms_per_move"} <= set(stats)
        assert stats["ms_per_move"] > 0
    result = arena.play("random", "random/random", "classic target=off max_hands=1", 4, seed=3)
    assert found["win_rate"] == result.win_rate


@pytest.mark.parametrize(("command", "length"), [("arena", SHORT), ("ladder", SHORT), ("variants", SHORT[:2])])
def test_deals_kept_for_the_benchmark_come_with_a_warning(command, length, capsys):
    assert main([command, "random", "random/random", *length, "--seed", "4000000", "--json"]) == 0
    assert "seeds 4,000,000 to 4,999,999 are kept for entries of the benchmark" in capsys.readouterr().err


def test_single_hands(capsys):
    assert main(["arena", "random", "random", "--hands", "4", "--rules", "solo", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["mode"], found["hands"], found["games"]) == ("hands", 4, 4)


def test_an_arena_for_people_with_files(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    page, data = tmp_path / "page.html", tmp_path / "data.json"
    assert main(["arena", "random", "random", *SHORT, "--html", str(page), "--json", str(data), "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "win rate" in out
    assert "random against random: classic target=off max_hands=1, seed 0: 4 games (2 deals" in out
    assert json.loads(data.read_text())["games"] == 4
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_a_ladder(tmp_path, capsys):
    pytest.importorskip("choix")
    pytest.importorskip("matplotlib")
    words = ["ladder", "random", "random/random", *SHORT, "--folder", str(tmp_path / "l"), "--html"]
    assert main([*words, str(tmp_path / "l.html")]) == 0
    assert "the mean rating is 0, as rule takes no part" in capsys.readouterr().out
    assert "<svg" in (tmp_path / "l.html").read_text()
    assert main([*words, str(tmp_path / "l.html"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {agent["name"] for agent in found["standings"]} == {"random", "random/random"}
    assert main([*words, str(tmp_path / "l.html"), "--seed", "1"]) == 2
    assert "with seed 0, not 1" in capsys.readouterr().err


def test_missing_libraries_are_named_before_anything_is_played(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["arena", "random", "random", "--html", "page.html"]) == 2
    assert 'this needs matplotlib: pip install "spades-env[arena]"' in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_where_somebody_looks(monkeypatch, capsys):
    pytest.importorskip("rich")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert main(["arena", "random", "random", *SHORT]) == 0
    assert "4/4" in terminal.getvalue()
    assert main(["arena", "random", "random", *SHORT, "--sprt", "0", "10"]) == 1
    assert "LLR" in terminal.getvalue()
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert main(["arena", "random", "random", *SHORT, "--json"]) == 0
    assert terminal.getvalue() == ""


def test_no_bar_without_rich(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert main(["arena", "random", "random", *SHORT]) == 0
    assert terminal.getvalue() == ""
    assert "win rate" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["arena", "ladder"])
def test_stopped_by_hand(command, monkeypatch, capsys):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "play", stop)
    assert main([command, "random", "random/random"]) == 130
    assert capsys.readouterr().err.startswith("spades: stopped")


def test_every_preset_and_trump_mode(capsys):
    assert main(["variants", "bis", "rb", "--games", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["variants"]) == {*Rules.presets(), "nyc", "barmore", "deuces", "jokers", "big_two"}
    assert {one["games"] for one in found["variants"].values()} == {2}
    rules = {name: one["rules"] for name, one in found["variants"].items()}
    assert (rules["classic"], rules["solo"], rules["jokers"]) == ("classic", "solo", "classic trumps=jokers")
    jokers = arena.play("bis", "rb", "classic trumps=jokers", 2)
    assert found["variants"]["jokers"]["points_per_hand"] == jokers.points_per_hand


def test_variants_for_people(capsys):
    assert main(["variants", "bis", "rb", "--games", "2"]) == 0
    out = capsys.readouterr().out
    assert "bis against rb, 2 games under each" in out
    assert [line.split()[0] for line in out.splitlines()[3:]] == list(variants.variants())


@pytest.mark.parametrize(
    ("elos", "most", "code", "end"),
    [
        (("-400", "-200"), "1000", 0, "H1 accepted"),
        (("200", "400"), "1000", 1, "H0 accepted"),
        (("0", "1"), "4", 1, "undecided"),
    ],
)
def test_a_sequential_test(elos, most, code, end, capsys):
    words = ["arena", "random", "random/random", *SHORT, "--games", most, "--sprt", *elos]
    assert main(words) == code
    lines = capsys.readouterr().out.splitlines()
    line = next(line for line in lines if line.startswith("H0: "))
    assert line.endswith(end)
    assert f"H1: {float(elos[1]):+g} Elo" in line
    assert main([*words, "--json", "--alpha", "0.04", "--beta", "0.2"]) == code
    found = json.loads(capsys.readouterr().out)["sprt"]
    assert (found["alpha"], found["beta"]) == (0.04, 0.2)
    assert found["bounds"][0] > -1.6


def test_only_whole_games_say_elo(capsys):
    assert main(["arena", "random", "random/random", *SHORT]) == 0
    out = " ".join(capsys.readouterr().out.split())
    found = arena.play("random", "random/random", "classic target=off max_hands=1", 4)
    first, *pairs = found.pairs.tolist()
    assert f" Elo {found.elo:+.1f} [{found.elo_ci[0]:+.1f}, {found.elo_ci[1]:+.1f}] " in out
    assert f" {found.los:.1%} deals of 0, ½, 1, 1½, 2 points {first} {', '.join(map(str, pairs))} " in out
    assert main(["arena", "random", "random/random", "--hands", "4"]) == 0
    assert "Elo" not in capsys.readouterr().out


def test_risks_without_a_test_are_refused(capsys):
    assert main(["arena", "random", "random", "--alpha", "0.1"]) == 2
    assert "give --sprt ELO0 ELO1, too" in capsys.readouterr().err
