"""Reading what version 1 wrote: games replay by the rules they were played by.

The program wrote the files in `earlier` before `spades_lead` had a value `discarded`. In their hand South leads a spade
from a hand of spades; then West leads one although it holds a heart, and nobody has ruffed. `whole_game` is a golden
game of that time.
"""

import sqlite3

import pytest
from support.paths import ROOT

from spades_env import Game, Rules
from spades_env.game import earlier
from spades_env.game.record import RecordError
from spades_env.play.store import text as sitting_text
from spades_env.play.store.database import FILE, Store
from spades_env.play.store.saved import packed, unpacked
from spades_env.play.store.schema import SCHEMA
from spades_env.play.store.sitting import usual_game
from spades_env.play.store.statistics import statistics
from spades_env.play.store.text import SittingError

FOLDER = ROOT / "tests" / "earlier"
RECORD, SITTING, WHOLE_GAME = ((FOLDER / f"{name}.txt").read_text() for name in ("record", "sitting", "whole_game"))
PLAYED_BY = "pagat target=off max_hands=1 spades_lead=broken"


@pytest.fixture
def folder(tmp_path):
    """Make a data folder of version 1: a finished game, one in its second hand, one in the middle of a hand."""
    with sqlite3.connect(tmp_path / FILE) as db:
        db.executescript((FOLDER / "kept.sql").read_text())
    db.close()
    return tmp_path


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


# Sittings as text


def test_an_earlier_sitting_is_read():
    table = sitting_text.read(SITTING)
    assert table.rules == Rules.parse(PLAYED_BY)
    assert table.seats.people[0] == "Anna"
    again = sitting_text.write(table)
    assert "spades record 2" in again
    assert sitting_text.write(sitting_text.read(again)) == again


def test_an_earlier_record_alone_is_a_sitting_of_bots():
    table = sitting_text.read(RECORD)
    assert (table.over, table.rules) == (True, Rules.parse(PLAYED_BY))


@pytest.mark.parametrize(
    ("this", "that"), [("pbbpb\n", "pbbbb\n"), ("record 1", "record 2"), ("rules: pagat", "rules: solo")]
)
def test_an_earlier_sitting_that_was_changed_is_refused(this, that):
    assert this in SITTING
    with pytest.raises(SittingError, match="This saved game is damaged"):
        sitting_text.read(SITTING.replace(this, that))


# Kept games


def test_earlier_games_go_on(folder):
    with Store(folder) as store:
        assert {saved.key for saved in store.unfinished()} == {"open1", "half1"}
        for key, preset in (("open1", "pagat"), ("half1", "solo"), ("over1", "pagat target=off max_hands=1")):
            table = store.load(key)
            assert table.rules == Rules.parse(f"{preset} spades_lead=broken")
            assert unpacked(packed(table)).game.state.tobytes() == table.game.state.tobytes()
        table = store.load("half1")
        assert table.step()
        store.save(table)
        assert packed(table)["format"] == 2
        assert store.load("half1").rules == Rules.parse("solo spades_lead=broken")


def test_the_list_of_earlier_games_tells_their_rules(folder):
    with Store(folder) as store:
        rules = {saved.key: Rules.parse(saved.rules) for saved in store.sittings()}
    assert rules["open1"] == Rules.parse("pagat spades_lead=broken")
    assert rules["half1"] == Rules.parse("solo spades_lead=broken")


def test_earlier_hands_replay_as_they_were_played(folder):
    with Store(folder) as store:
        for key in ("over1", "open1"):
            (hand,) = store.hands.of(key)
            assert hand.result is not None
            assert hand.result.points == [101, -30]
            assert hand.tricks()[10][0] == (1, 50)  # West leads the king of spades


def test_earlier_variants_stay_as_they_were_and_presets_follow_the_book(folder):
    with Store(folder) as store:
        assert store.variants.all() == {"house": Rules.parse("showdown trumps=nyc spades_lead=broken")}
        assert usual_game(store).rules == Rules.parse("pagat")


def test_a_folder_is_brought_up_to_date_once(folder):
    with Store(folder) as store:
        store.variants.save("new", Rules.parse("pagat"))
    with Store(folder) as store:
        assert store.variants.all()["new"] == Rules.parse("pagat")
        assert store.file.rows("PRAGMA user_version") == [(SCHEMA,)]


def test_what_is_damaged_stays_as_it_is(folder):
    with sqlite3.connect(folder / FILE) as db:
        db.execute("UPDATE hands SET rules = 'bridge' WHERE key = 'over1'")
        db.execute("UPDATE sittings SET told = '{' WHERE key = 'half1'")
    db.close()
    with Store(folder) as store:
        assert store.file.rows("SELECT rules FROM hands WHERE key = 'over1'") == [("bridge",)]
        assert len(store.hands.of("open1")) == 1
        assert [saved.rules for saved in store.sittings() if saved.key == "half1"] == ["This game cannot be read"]
        found = statistics(store, "Anna")
        assert found.total.games
        assert any("bridge" in sentence for sentence in found.left_out)
