"""`spades rules` and `spades replay`: rules in words, games checked and shown."""

import io
import json
import sys
from pathlib import Path

import pytest
from support.paths import ROOT
from support.play.sittings import play

from spades_env import Game, Rules
from spades_env.folder_lock import FolderLock
from spades_env.game.rules import OPTIONS
from spades_env.play.commands.cli import main
from spades_env.play.store.database import FILE, LOCK, Store
from spades_env.play.store.saved import packed
from spades_env.play.table.table import Table

GOLDEN = ROOT / "tests" / "golden" / "pagat.txt"


def printed(capsys, *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    return capsys.readouterr().out


def test_presets_and_variants(capsys):
    text = printed(capsys, "rules")
    assert all(name in text for name in (*Rules.presets(), "barmore", "jokers"))
    told = json.loads(printed(capsys, "rules", "--json"))
    assert told["presets"]["classic"] == {}
    assert Rules(**told["presets"]["showdown"]) == Rules.preset("showdown")


def test_rules_are_explained(capsys):
    assert "Partners sit across from each other" in printed(capsys, "rules", "classic", "target=300")
    told = json.loads(printed(capsys, "rules", "classic", "--set", "target=300", "--json"))
    assert told["rules"] == "classic target=300"
    assert Rules(**told["options"]) == Rules(target=300)
    assert any("300 points" in sentence for sentence in told["words"])


def test_every_option_is_listed(capsys):
    text = printed(capsys, "rules", "--options")
    assert all(f"  {option} " in text for option in OPTIONS)
    told = json.loads(printed(capsys, "rules", "--options", "--json"))
    assert [one["option"] for one in told] == list(OPTIONS)
    assert all(one["words"] and one["takes"] for one in told)


def test_a_record_is_shown_hand_by_hand(capsys):
    text = printed(capsys, "replay", str(GOLDEN))
    game = Game.replay(GOLDEN.read_text())
    assert all(f"hand {number + 1}, dealer" in text for number in range(len(game.results)))
    assert text.splitlines()[-1].startswith(f"{len(game.results)} hands finished, {len(game.moves)} moves")
    one = printed(capsys, "replay", str(GOLDEN), "--hand", "2")
    assert "hand 2, dealer" in one
    assert "hand 1, dealer" not in one


def test_a_record_as_data(capsys):
    told = json.loads(printed(capsys, "replay", str(GOLDEN), "--json"))
    game = Game.replay(GOLDEN.read_text())
    assert told["true"]
    assert [hand["result"] for hand in told["hands"]] == [result.as_dict() for result in game.results]
    assert (told["seed"], told["scores"], told["over"]) == (game.seed, game.scores, True)


def test_a_record_from_the_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(GOLDEN.read_text()))
    assert "hands finished" in printed(capsys, "replay", "-", "--check")


def test_a_damaged_record_fails_the_check(tmp_path, capsys):
    damaged = tmp_path / "game.txt"
    damaged.write_text(GOLDEN.read_text().replace("took 8", "took 9", 1))
    assert "damaged: The game in this text is damaged: line" in printed(capsys, "replay", str(damaged), code=1)
    assert not json.loads(printed(capsys, "replay", str(damaged), "--json", code=1))["true"]
    damaged.write_bytes(b"\xff\xfe\x00")
    assert "this is not a text" in printed(capsys, "replay", str(damaged), code=1)


@pytest.fixture
def saved(tmp_path) -> tuple[Path, Table]:
    """A game that goes on after one hand."""
    table = Table("classic", people={}, seed=3)
    while len(table.finished) < 1:
        table.step()
    with Store(tmp_path) as store:
        store.save(table)
    return tmp_path, table


def test_saved_games_are_listed(saved, capsys):
    folder, table = saved
    assert table.key in printed(capsys, "replay", "--data", str(folder))
    (one,) = json.loads(printed(capsys, "replay", "--data", str(folder), "--json"))
    assert (one["key"], one["state"]) == (table.key, "open")
    assert "no games are saved" in printed(capsys, "replay", "--data", str(folder / "none"))


def test_an_unfinished_game_keeps_its_secrets(saved, capsys):
    folder, table = saved
    text = printed(capsys, "replay", table.key, "--data", str(folder))
    assert "hand 1, dealer" in text
    assert "hand 2, dealer" not in text
    assert "seed" not in text
    told = json.loads(printed(capsys, "replay", table.key, "--data", str(folder), "--json"))
    assert told["seed"] is None
    assert len(told["hands"]) == 1
    assert main(["replay", table.key, "--data", str(folder), "--hand", "2"]) == 2
    assert "there is no hand 2 to show; expected 1 to 1" in capsys.readouterr().err


SETTLED = "You've seen all cards of hand 1: no move up to its end can be undone any more\n"


def test_who_looks_at_a_hand_has_settled_it(tmp_path, capsys):
    """Of a game that goes on no move in it is taken back any more; what is only checked or listed stays as it is."""
    table = play(Table("classic", ["rb"] * 4, {0: "Anna"}, seed=3), 120)
    assert len(table.finished) == 2
    with Store(tmp_path) as store:
        store.save(table)
        look = ("replay", table.key, "--data", str(tmp_path))
        printed(capsys, *look, "--check")
        printed(capsys, "replay", "--data", str(tmp_path))
        assert store.load(table.key).settled == -1
        assert main([*look, "--hand", "1"]) == 0
        assert capsys.readouterr().err == SETTLED
        assert store.load(table.key).settled == 0
        assert main([*look, "--hand", "1"]) == 0
        assert capsys.readouterr().err == "", "said once"
        assert store.load(table.key).own_moves(0)
        printed(capsys, *look, "--json")
        assert store.load(table.key).settled == 1
        store.give_up(table.key)
        assert "hand 2, dealer" in printed(capsys, *look)


def test_cards_of_a_game_that_a_server_holds_stay_hidden(tmp_path, capsys):
    """Else its next save would allow undo again."""
    table = play(Table("classic", ["rb"] * 4, {0: "Anna"}, seed=3), 120)
    with Store(tmp_path) as store:
        store.save(table)
    lock = FolderLock(tmp_path, LOCK, "")
    assert main(["replay", table.key, "--data", str(tmp_path)]) == 2
    lock.close()
    found = capsys.readouterr()
    assert "close the table first" in found.err
    assert not found.out


def test_why_a_saved_game_cannot_be_shown(saved, capsys):
    folder, table = saved

    def refusal() -> str:
        assert main(["replay", table.key, "--data", str(folder)]) == 2
        return capsys.readouterr().err

    with Store(folder) as store:
        told = json.dumps(packed(table) | {"format": 99})
        store.file._db.execute("UPDATE sittings SET told = ?", (told,))
    assert "a table saved in format 99 cannot be read" in refusal()
    with Store(folder) as store:
        store.file._db.execute("DELETE FROM sittings")
    assert "is neither a file nor a saved game" in refusal()
    with Store(folder) as store:
        store.file._db.execute("PRAGMA user_version = 99")
    assert "was written by another version" in refusal()
    (folder / FILE).unlink()
    assert "is neither a file nor a saved game" in refusal()
