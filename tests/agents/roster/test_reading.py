"""The roster as it is read: characters by name, lists of them, and what is refused."""

import json

import pytest
from support.agents.characters import learned

from spades_env import agents
from spades_env.agents import roster
from spades_env.agents.network.player import NetworkAgent
from spades_env.agents.pair import Pair
from spades_env.agents.roster import RosterError, read_roster
from spades_env.play.commands.cli import main

# By name


def test_a_character_is_loaded_by_name(small):
    learned(small, "ada", "bo")
    for text in ("ada", "Ada", " ADA "):
        agent = agents.load(text, seed=3)
        assert isinstance(agent, Pair)
        assert (agent.name, agent.seed) == ("ada", 3)
        assert isinstance(agent.first, NetworkAgent)
        assert (agent.first.level.name, agent.second.name) == ("ada", "mc:2x1+rule")
    assert isinstance(agents.load("bo"), NetworkAgent)
    assert agents.names()[-2:] == ("ada", "bo")


def test_in_a_longer_string_the_name_is_the_level(small):
    learned(small, "ada", "bo")
    hot, two = agents.load("Ada+temperature:1"), agents.load("ada/bo")
    assert isinstance(hot, NetworkAgent)
    assert (hot.level.name, hot.temperature) == ("ada", 1)
    assert isinstance(two, Pair)
    assert isinstance(two.first, NetworkAgent)
    assert isinstance(two.second, NetworkAgent)
    assert (two.first.level.name, two.second.level.name) == ("ada", "bo")


@pytest.mark.parametrize("text", ["ada", "Ada", "ada+temperature:1", "bis/ada"])
def test_a_character_without_a_level_cannot_play(small, text):
    with pytest.raises(agents.AgentError, match=r"Ada hasn't been trained yet: level file ada\.safetensors not found"):
        agents.load(text)


# Lists


def test_as_json(small, capsys):
    assert main(["roster", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["stars"], one["agent"], one["rating"]) for one in found] == [
        ("Bo", 1, "bo", None),
        ("Ada", 2, "ada/mc:2x1+rule", None),
    ]
    assert found[0]["style"] == "Plays as it falls."


def test_as_a_table(small, capsys):
    assert main(["roster"]) == 0
    head, bo, ada = capsys.readouterr().out.splitlines()
    assert "nil kept" in head
    assert bo.startswith("Bo ")
    assert "★☆☆☆☆" in bo
    assert "★★☆☆☆" in ada
    assert ada.endswith("Plays as it falls, and thinks about it.")


# Refusals


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["[[character]]"]),
        ("name = 3", ["[[character]]"]),
        ("character = 3", ["[[character]]"]),
        ("character = [3]", ["character 1", "section", "3"]),
        ("[[character]\n", ["is not TOML"]),
        ('[[character]]\nname = "Bo"\nstars = 1', ["character 1: style must be text", "None"]),
        ('[[character]]\nname = "Bo"\nstars = 0\nstyle = "x"', ["character 1: stars", "from 1 to 5", "0"]),
        ('[[character]]\nname = "Bo"\nstars = true\nstyle = "x"', ["stars", "from 1 to 5", "True"]),
        ('[[character]]\nname = "bo"\nstars = 1\nstyle = "x"', ["name must be a capital and small letters", "'bo'"]),
        ('[[character]]\nname = "Bo"\nstars = 1\nstyle = " "', ["style must be text"]),
        ('[[character]]\nname = "Bo"\nstyel = "x"', ["unknown key styel", "did you mean 'style'?", "stars"]),
        (
            '[[character]]\nname = "Bo"\nstars = 1\nstyle = "x"\nshows = { bid = "high" }',
            ["shows", "mean_bid", "high or low"],
        ),
        ('[[character]]\nname = "Bo"\nstars = 1\nstyle = "x"\nshows = { set_rate = "good" }', ["shows", "high or low"]),
        (
            '[[character]]\nname = "Bo"\nstars = 1\nstyle = "x"\n' * 2,
            ["character 2: name must be a name that no other has", "'Bo'"],
        ),
    ],
)
def test_a_damaged_roster_is_refused(tmp_path, text, parts):
    (tmp_path / "roster.toml").write_text(text)
    with pytest.raises(RosterError) as error:
        read_roster(tmp_path / "roster.toml", tmp_path / "roster.json")
    assert [part for part in parts if part not in str(error.value)] == [], str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "[]", '{"characters": 3}', '{"characters": {"bo": {}}}'])
def test_damaged_figures_are_refused(small, text):
    (small / "out").mkdir()
    (small / "out" / "roster.json").write_text(text)
    with pytest.raises(
        RosterError, match=r"roster\.json is damaged: delete it and run spades roster build to recreate it"
    ):
        roster.roster()


def test_unknown_characters_are_refused(small, capsys):
    assert main(["roster", "train", "adda"]) == 2
    assert "unknown character 'adda' (did you mean 'ada'?); expected bo, ada" in capsys.readouterr().err
