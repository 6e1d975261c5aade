"""Reading what version 1 wrote: games replay by the rules they were played by.

The program wrote the files in `earlier` before `spades_lead` had a value `discarded`. In their hand South leads a spade
from a hand of spades; then West leads one although it holds a heart, and nobody has ruffed. `whole_game` is a golden
game of that time.
"""

import pytest
from support.paths import ROOT

from spades_env import Game, Rules
from spades_env.game import earlier
from spades_env.game.record import RecordError

FOLDER = ROOT / "tests" / "earlier"
RECORD, WHOLE_GAME = ((FOLDER / f"{name}.txt").read_text() for name in ("record", "whole_game"))
PLAYED_BY = "pagat target=off max_hands=1 spades_lead=broken"


# Rules


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("classic", "classic"),
        ("pagat", "pagat spades_lead=broken"),
        ("showdown trumps=nyc", "showdown trumps=nyc spades_lead=broken"),
        ("solo spades_lead=any", "solo spades_lead=any"),
    ],
)
def test_a_preset_means_what_it_meant(text, meant):
    assert earlier.rules(text) == Rules.parse(meant)
    assert Rules.parse(earlier.rules_text(text)) == Rules.parse(meant)
    assert earlier.rules(earlier.rules_text(text)) == Rules.parse(meant)


def test_a_text_that_names_no_rules_stays_as_it_is():
    assert earlier.rules_text("bridge") == "bridge"


# Records


def test_an_earlier_record_replays():
    game = Game.replay(RECORD)
    assert game.rules == Rules.parse(PLAYED_BY)
    assert (game.over, game.scores) == (True, [101, -30])
    lines, before = game.record().splitlines(), RECORD.splitlines()
    assert lines[0] == "spades record 2"
    assert Rules.parse(lines[1].removeprefix("rules: ")) == game.rules
    assert lines[2:] == before[2:]
    assert Game.replay(game.record()).record() == game.record()


def test_an_earlier_whole_game_replays():
    game = Game.replay(WHOLE_GAME)
    assert game.over
    assert game.rules == Rules.parse("pagat spades_lead=broken")
    assert game.record().splitlines()[2:] == WHOLE_GAME.splitlines()[2:]


def test_the_same_moves_are_refused_under_todays_preset():
    with pytest.raises(RecordError, match="line 22: West cannot play the king of spades: spades are not broken"):
        Game.replay(RECORD.replace("record 1", "record 2"))


@pytest.mark.parametrize(
    ("line", "instead", "why"),
    [
        (1, "spades record 0", "line 1: expected 'spades record 2', found 'spades record 0'"),
        (2, "rules: bridge", "line 2: no preset is named 'bridge'"),
        (2, "rule: pagat", "line 2: expected 'rules: ', found 'rule: pagat'"),
        (22, "11. West KD JS 9S 3S, West", "line 22: West cannot play the king of diamonds: you do not hold it"),
        (25, "South & North: bid 10, took 11, points +102, bags 1, score 102", "line 25: found"),
    ],
)
def test_an_earlier_record_that_is_wrong_is_refused(line, instead, why):
    lines = RECORD.splitlines()
    lines[line - 1] = instead
    with pytest.raises(RecordError) as error:
        Game.replay("\n".join(lines) + "\n")
    assert str(error.value).startswith(why)


def test_half_an_earlier_record_is_refused_or_an_unfinished_game():
    assert not Game.replay("\n".join(RECORD.splitlines()[:22])).over
    with pytest.raises(RecordError, match="line 2: expected 'rules: ', found the end"):
        Game.replay("spades record 1")
