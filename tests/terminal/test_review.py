"""Finished games in the terminal: reviewed, played again, written to text files and read from them."""

import sqlite3
import sys

from support.play.sittings import ONE_HAND, play
from support.play.terminals import TWO_HANDS, Terminal, on_screen, saved, seated
from textual.widgets import Input

from spades_env import Game, Rules
from spades_env.play.coach.grade import FAULTS, Judge
from spades_env.play.review.grades import grades
from spades_env.play.store import sitting_text
from spades_env.play.store.database import Store
from spades_env.play.store.statistics import statistics
from spades_env.play.table.rating import bot_name
from spades_env.play.table.seats import names_at
from spades_env.play.table.table import Table
from spades_env.play.terminal.client import hosted
from spades_env.play.terminal.screens.review import ReviewScreen
from spades_env.play.terminal.screens.table import TableScreen
from spades_env.play.terminal.setup import GameSetup


@on_screen
async def test_review_steps_and_plays_again_from_another_seat(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.press("e")
        assert "No hand is finished yet" in it.text
        await it.play_hand()
        moves = it.view["can"]["takeback"]
        await it.press("space", "e", "n")
        assert isinstance(it.screen, TableScreen)
        assert it.view["can"]["takeback"] == moves > 1
        await it.press("e", "y")
        assert isinstance(it.screen, ReviewScreen)
        assert it.view["can"]["takeback"] == 0
        moves = len(it.played.finished[0].moves)
        assert f"move 1 of {moves}" in it.text
        await it.press("right", "right")
        assert f"move 3 of {moves}" in it.text
        await until_reviewed(it)
        hand, adviser = it.played.finished[0], it.server.services.adviser
        names = names_at(it.played.seats, 0)
        expected = [one.as_dict() for one in grades(it.played.rules, hand, 0, Judge(adviser), names, bot_name(adviser))]
        assert it.screen._grades == expected
        faults = [one for one in expected if one["grade"] in FAULTS]
        assert faults
        for place, one in enumerate(faults):
            await it.press("home", *["d"] * (1 + place - (faults[0]["number"] == 0)))
            assert f"move {one['number'] + 1} of {moves}" in it.text
            assert f"{one['grade'].capitalize()}, −" in it.text
            assert "Better: " in it.text
        await it.press("end")
        assert "the end" in it.text
        assert "now" in it.text
        await it.press("g", *["down"] * 2, "enter")
        assert isinstance(it.screen, TableScreen)
        table = it.played
        assert (it.view["seat"], table.counted, table.hands[0].number) == (2, False, 0)
        assert table.start["deal"]


@on_screen
async def test_export_and_import(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with seated(tmp_path / "data", ONE_HAND) as it:
        await it.press("m", *["down"] * 3, "enter")
        assert "you can have it when the game is over" in it.text
        await it.play_hand()
        await it.press("space", "m", *["down"] * 3, "enter", "enter")
        files = list(tmp_path.glob("spades-*.txt"))
        assert len(files) == 1
        await it.press("m", *["down"] * 3, "enter", "enter")
        assert "choose another name" in it.text
        await it.press("m", *["down"] * 4, "enter")
        await it.write(files[0].name)
        assert isinstance(it.screen, ReviewScreen)
        await it.press("escape")
        (tmp_path / "other.txt").write_text("nothing")
        (tmp_path / "open.txt").write_text(Game(ONE_HAND, seed=1).record())
        refused = {
            "other.txt": "That doesn't look like a saved game",
            "none.txt": "No such file",
            "open.txt": "only finished games can be imported",
            "~nobody-here/x.txt": "home directory",
        }
        for name, words in refused.items():
            await it.press("m", *["down"] * 4, "enter")
            await it.write(name)
            assert words in it.text
        for name, words in (("~nobody-here/x.txt", "home directory"), ("x" * 300, "too long")):
            await it.press("m", *["down"] * 3, "enter")
            it.screen.query_one(Input).value = name
            await it.press("enter")
            assert words in it.text
        assert statistics(it.store, "Anna").total.games == 1


@on_screen
async def test_a_full_disk_neither_imports_nor_begins_a_game(tmp_path, monkeypatch):
    (tmp_path / "game.txt").write_text(play(Table(ONE_HAND, people={}, seed=1)).game.record())
    async with seated(tmp_path / "data") as it:
        full = sqlite3.OperationalError("database or disk is full")
        save = it.store.is_given_up  # asked inside the transaction that saves

        def refuse(key: str) -> bool:
            if key != it.key:
                raise full
            return save(key)

        monkeypatch.setattr(it.store, "is_given_up", refuse)
        first = it.key
        await it.press("m", *["down"] * 4, "enter")
        await it.write(str(tmp_path / "game.txt"))
        assert "database or disk is full" in it.text
        await it.press("3", "m", *["down"] * 5, "enter", "enter")
        assert "database or disk is full" in it.text
        assert it.key == first


async def until_reviewed(it: Terminal) -> None:
    """Wait until the moves of the hand that is shown are graded."""
    shown = it.screen
    assert isinstance(shown, ReviewScreen)
    await it.until(lambda: shown.is_graded or shown._refused)


def forged(bot: str) -> str:
    """Return the text of a finished game that names this bot as West and as the adviser."""
    table = play(Table(ONE_HAND, ["rb"] * 4, {0: "Anna"}, seed=3))
    head, _, record = sitting_text.write(table).partition("\n\n")
    lines = head.replace("West: rb", f"West: {bot}").replace("adviser: rule", f"adviser: {bot}").splitlines()[:-1]
    return "\n".join([*lines, f"check: {sitting_text._check(chr(10).join(lines), record)}", "", record])


@on_screen
async def test_what_a_text_names_is_never_loaded(tmp_path, monkeypatch):
    """A bot that a text names is loaded neither to review the game nor to play its deal again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "named_in_a_text.py").write_text("def bot(view):\n    return view.legal_actions()[0]\n")
    (tmp_path / "game.txt").write_text(forged("named_in_a_text:bot"))
    async with seated(tmp_path / "data", ONE_HAND) as it:
        await it.press("m", *["down"] * 4, "enter")
        await it.write("game.txt")
        assert isinstance(it.screen, ReviewScreen)
        await until_reviewed(it)
        assert "named_in_a_text" not in sys.modules
        await it.press("g", "enter")
        assert it.played.start["deal"]
        assert it.played.seats.bots == ["rb", "rule", "rb", "rb"]
        assert "named_in_a_text" not in sys.modules


@on_screen
async def test_own_bots_play_a_deal_again(tmp_path):
    """The bots of the last new game are the person's own choice, so they are loaded."""
    key = saved(tmp_path, play(Table(ONE_HAND, ["rb", "mc:2x2", "rb", "mc:3x3"], {0: "Anna"}, seed=3)))
    with Store(tmp_path) as store:
        store.settings.set("last", GameSetup(Rules(), ["rb", "mc:2x2", "rb", "rb"], None).as_fields())
    async with hosted(tmp_path) as client:
        assert client.server
        again = (await client.ask("again", key=key, hand=1, seat=0))["key"]
        assert client.server.rooms[again].table.seats.bots == ["rb", "mc:2x2", "rb", "rule"]


@on_screen
async def test_an_adviser_that_cannot_be_loaded_is_named(tmp_path, monkeypatch):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.play_hand()
        monkeypatch.setattr(it.server.services, "_adviser", "nobody")
        await it.press("space", "e", "y")
        await until_reviewed(it)
        assert "'nobody'" in it.text
