"""How characters are trained, measured and built."""

import json
from pathlib import Path

import pytest
from support.agents.characters import RECIPE, learned, slow
from support.agents.levels import random_level

from spades_env.agents import roster
from spades_env.agents.arena import characters as measure
from spades_env.agents.figures import FIGURES
from spades_env.agents.network.level import Level
from spades_env.agents.roster import chosen
from spades_env.play.commands.cli import main
from spades_env.play.commands.parsing import STOPPED

# Training


def test_train_goes_on_where_it_was_stopped(small, capsys):
    pytest.importorskip("torch").set_num_threads(1)
    pytest.importorskip("tensorboard")
    from spades_env.training import character_runs as train_roster

    runs = ["--runs", str(small / "runs"), "--device", "cpu", "--threads", "1"]
    assert main(["roster", "train", "bo", *runs]) == 0
    assert (small / "runs" / "roster" / "bo" / "level.safetensors").is_file()
    assert "Bo (1 of 1): Plays as it falls." in capsys.readouterr().out
    assert main(["roster", "train", "Bo", *runs]) == 0
    assert "Bo (1 of 1) has learned already" in capsys.readouterr().out
    (small / "runs" / "roster" / "bo" / "level.safetensors").unlink()
    assert main(["roster", "train", "bo", *runs]) == 0
    assert "done" in capsys.readouterr().out
    level = train_roster.level_from(chosen(["bo"])[0], small / "runs")
    assert (level.name, level.widths) == ("Bo", (12, 8))
    assert json.loads(level.recipe)["tables"] == 4
    (small / "short.toml").write_text(RECIPE.replace("tables = 4", "tables = 5"))
    assert main(["roster", "train", "bo", *runs]) == 1
    assert "was run by another recipe" in capsys.readouterr().out


# Building


def build(folder: Path, *more: str) -> int:
    runs, out = str(folder / "runs"), str(folder / "out")
    return main(["roster", "build", "--runs", runs, "--out", out, "--games", "4", "--jobs", "1", *more])


@slow
def test_build(small, capsys):
    pytest.importorskip("choix")
    out = learned(small, "ada", "bo")
    code = build(small)
    printed = capsys.readouterr().out
    assert "Ada has no run" in printed
    assert "earned: " in printed
    found = json.loads((out / "roster.json").read_text())
    assert set(found["characters"]) == {"ada", "bo"}
    played = {(pairing["a"], pairing["b"]): pairing["games"] for pairing in found["pairings"]}
    tied = [("ada", "bis"), ("ada", "rule"), ("bis", "bo"), ("bo", "rule")]
    assert played == {("ada", "bo"): 4} | dict.fromkeys(tied, 16)
    assert found["bytes"] == sum(path.stat().st_size for path in (out / "levels").iterdir())
    missed = [check["asked"] for check in found["checks"] if not check["earned"]]
    assert code == bool(missed)
    assert printed.count("missed: ") == len(missed)
    assert {
        "2 stars win 57% to 90% of their games against 1",
        "Ada beats everybody with 1 stars",
        "Ada shows “mean bid” high",
    } <= {check["asked"] for check in found["checks"]}
    roster.roster.cache_clear()
    for one in roster.roster():
        level = Level.read(out / "levels" / one.level)
        assert (level.name, level.style) == (one.name, one.style)
        assert level.ratings["ladder"]["rating"] == one.rating == found["characters"][one.key]["rating"]
        assert set(FIGURES) | {"faults", "alike", "like_rule"} == set(one.figures)


@slow
def test_a_build_that_is_stopped_leaves_the_levels_that_were_there(small, monkeypatch, capsys):
    pytest.importorskip("choix")
    out = learned(small, "ada", "bo")
    before = {path.name: path.read_bytes() for path in (out / "levels").iterdir()}

    def stopped(*asked):
        raise KeyboardInterrupt

    monkeypatch.setattr("spades_env.play.commands.roster.checks", stopped)
    assert build(small) == STOPPED
    assert {path.name: path.read_bytes() for path in (out / "levels").iterdir()} == before
    assert not (out / "roster.json").exists()


@slow
def test_a_character_that_plays_differently_is_measured_again(small, monkeypatch, capsys):
    """A search with the same string and level that decides differently is another player."""
    pytest.importorskip("choix")
    learned(small, "ada", "bo")
    build(small)
    played, pair = [], measure.ladder.play_pair
    monkeypatch.setattr(
        measure.ladder,
        "play_pair",
        lambda a, b, *rest, **how: played.append((a.name, b.name)) or pair(a, b, *rest, **how),
    )
    monkeypatch.setattr("spades_env.agents.search.trials.CARD_LOYALTY", 50.0)
    build(small)
    assert sorted(played) == [("ada", "bis"), ("ada", "bo"), ("ada", "rule")]


@slow
def test_what_was_played_is_not_played_again(small, monkeypatch, capsys):
    pytest.importorskip("choix")
    out = learned(small, "ada", "bo")
    build(small)
    first, played = (out / "roster.json").read_text(), []
    pair = measure.ladder.play_pair
    monkeypatch.setattr(
        measure.ladder,
        "play_pair",
        lambda a, b, *rest, **how: played.append((a.name, b.name)) or pair(a, b, *rest, **how),
    )
    build(small)
    assert played == []
    timeless = [json.loads(text)["pairings"] for text in (first, (out / "roster.json").read_text())]
    assert timeless[0] == timeless[1]
    random_level(7).write(out / "levels" / "bo.safetensors")
    build(small)
    assert sorted(played) == [("ada", "bo"), ("bis", "bo"), ("bo", "rule")]


@slow
def test_build_takes_levels_from_runs(small, capsys):
    pytest.importorskip("choix")
    pytest.importorskip("torch").set_num_threads(1)
    pytest.importorskip("tensorboard")
    assert main(["roster", "train", "bo", "--runs", str(small / "runs"), "--device", "cpu", "--threads", "1"]) == 0
    assert build(small) == 1
    printed = capsys.readouterr().out
    assert "missed: Ada has no level" in printed
    level = Level.read(small / "out" / "levels" / "bo.safetensors")
    assert json.loads(level.recipe)["name"] == "short"
    assert level.trained["iterations"] == 1


@slow
def test_nothing_to_build(small, capsys):
    assert build(small) == 2
    assert "no level to measure: found no runs in" in capsys.readouterr().err


# Figures


def test_figures_are_means_over_both_yardsticks():
    assert measure._mean([[0.2, 0.1, 0.3], [0.4, 0.3, 0.5]]) == pytest.approx(
        [0.3, 0.2, 0.4]  # met on the same deals, so that errors may add up
    )
    assert measure._mean([None, [0.4, 0.3, 0.5]]) == pytest.approx([0.4, 0.3, 0.5])
    assert measure._mean([None, None]) is None
