"""Who may sit at a table: everybody who can play, with stars, and nobody who cannot."""

import re

import pytest
from support.paths import ROOT

from spades_env import Rules, agents
from spades_env.agents.roster import roster
from spades_env.play.table import choices
from spades_env.play.table.rating import bot_name, difficulty, stars


@pytest.fixture
def levels(tmp_path, monkeypatch):
    """A folder that stands for the one of the levels."""
    monkeypatch.setattr(choices, "LEVELS", tmp_path)
    return tmp_path


def test_all_who_are_offered_can_be_loaded_and_none_cheats():
    for one in choices.offered():
        assert not agents.load(one.key).cheats
        assert one.stars == stars(one.key)
        assert one.style


def test_a_character_is_offered_once_it_has_learned(levels):
    plain = choices.offered()
    assert {one.key for one in plain} >= {"rule", "bis", "standard", "mc:30x30"}
    yusuf = next(one for one in roster() if one.key == "yusuf")
    (levels / yusuf.level).touch()
    found = choices.offered()
    assert [one.key for one in found] == ["yusuf", *(one.key for one in plain)]
    assert (found[0].name, found[0].stars, found[0].style) == (yusuf.name, yusuf.stars, yusuf.style)
    assert found[0].about == yusuf.about


def test_the_weakest_come_first(levels):
    for one in roster():
        (levels / one.level).touch()
    found = choices.offered()
    characters, others = found[: len(roster())], found[len(roster()) :]
    for group in (characters, others):
        assert [one.stars for one in group] == sorted(one.stars for one in group)


def test_a_strong_partner_against_two_of_three_stars(levels):
    assert choices.default_bots() == ["standard", "rule", "standard", "rule"]
    assert choices.default_adviser() == "standard"
    for one in roster():
        (levels / one.level).touch()
    bots = choices.default_bots()
    assert [stars(bot) for bot in bots] == [5, 3, 5, 3]
    assert bots[1] != bots[3]
    assert stars(choices.default_adviser()) == 5
    assert difficulty(Rules(), 0, [None, *bots[1:]]) == 6


def test_the_guide_names_those_who_sit_down_by_default():
    text = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    told = re.search(
        r"Your partner is (\w+), who breaks the fewest nils of the strongest players;\s+"
        r"(\w+) and (\w+) sit beside you. .* your partner is (\w+), who needs no search",
        text,
        re.DOTALL,
    )
    assert told, "the sentence about who sits where"
    _, west, north, east = map(bot_name, choices.default_bots())
    assert told.groups() == (north, west, east, bot_name(choices.steady_partner(at_once=True)))


def test_a_newcomers_partner_breaks_fewer_nils_than_others_as_strong():
    best = [one for one in roster() if one.stars == 5]
    broken = {one.key: one.figures["nil_rate"][0] * (1 - one.figures["nil_kept"][0]) for one in best}
    assert broken[choices.steady_partner()] == min(broken.values()) < broken[choices.default_adviser()]


def test_a_bot_for_the_stars_that_nobody_else_is():
    turns = [choices.of_stars(3, turn, taken={"mei"}) for turn in range(3)]
    assert sorted(turns) == ["dara", "kwame", "yusuf"]


def test_without_characters_the_nearest_is_taken(levels):
    assert [stars(choices.of_stars(wanted, 0)) for wanted in range(1, 6)] == [1, 2, 3, 4, 4]
