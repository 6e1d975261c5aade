"""`spades play` beside the table: saved games, new games, reviews, text files, the menu, settings."""

import json
import sqlite3
import sys

import pytest
from support.play.sittings import overwrite, play, refuses
from support.play.terminals import ONE_HAND, TWO_HANDS, Terminal, offered, on_screen, saved, seated
from textual.screen import Screen
from textual.widgets import Input

from spades_env import Game, Rules
from spades_env.folder_lock import InUseError
from spades_env.play.coach.grade import FAULTS, Judge
from spades_env.play.daily.deal_of_day import RULES, Daily, local_day
from spades_env.play.progress.daily import daily_status
from spades_env.play.review.grades import grades
from spades_env.play.store import sitting_text as sitting_text
from spades_env.play.store.database import Store
from spades_env.play.store.saved import packed
from spades_env.play.store.sitting_rows import OPEN, OVER
from spades_env.play.store.statistics import statistics
from spades_env.play.table.rating import bot_name
from spades_env.play.table.seats import names_at
from spades_env.play.table.table import Table
from spades_env.play.terminal.client import hosted
from spades_env.play.terminal.pictures.log_lines import end_lines
from spades_env.play.terminal.screens.dialogs import Ask, Write
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.review import ReviewScreen
from spades_env.play.terminal.screens.rules_form import RulesForm
from spades_env.play.terminal.screens.table import TableScreen
from spades_env.play.terminal.setup import GameSetup

# Going on


@on_screen
async def test_an_unfinished_game_is_offered(tmp_path):
    first = saved(tmp_path, begun())
    async with offered(tmp_path) as it:
        assert isinstance(it.screen, Ask)
        assert "Anna with Point counter" in it.text
        await it.press("enter")
        assert it.key == first
        assert it.view["seats"][0]["bid"] == 4
    async with offered(tmp_path) as it:
        await it.press("n")
        new = it.key
        assert new != first
        assert len(it.store.unfinished()) == 2
        await it.press("m", "enter", "down", "enter")
        assert it.key == first
        assert len(it.store.unfinished()) == 1  # nothing was done in the new one


def begun() -> Table:
    """Return a game in which Anna has bid."""
    table = Table("classic", ["rb"] * 4, {0: "Anna"}, seed=7, start={"dealer": 1})
    table.act(0, "bid:4")
    return table


@on_screen
async def test_a_new_table_stands_at_once_where_nothing_is_unfinished(tmp_path):
    async with offered(tmp_path) as it:
        assert isinstance(it.screen, TableScreen)
        assert it.played.seats.people == ["You", None, None, None]
        assert it.played.counted


@on_screen
async def test_a_game_that_nobody_has_asked_for_is_like_the_last_one_without_a_clock(tmp_path):
    last = {"rules": "showdown", "bots": ["rb", "bis", "rule", "random"], "seat": 3, "move_seconds": 20.0}
    with Store(tmp_path) as store:
        store.settings.set("last", last)
    async with offered(tmp_path) as it:
        assert it.played.rules == Rules.preset("showdown", time_limit_s=None)
        assert it.played.seats.bots == ["random", "rb", "bis", "rule"]
        assert it.played.clock.move is None
        assert it.store.settings.all()["last"] == last


@on_screen
async def test_a_game_that_cannot_be_gone_on_with_gives_way_to_a_new_one(tmp_path):
    key = saved(tmp_path, begun())
    with Store(tmp_path) as store:
        overwrite(store, key, packed(store.load(key)) | {"format": 99})
    async with offered(tmp_path, (140, 40)) as it:
        await it.press("enter")
        assert it.key != key
        assert "A new game: This game cannot be read: a table saved in format 99" in it.text


@on_screen
async def test_a_folder_has_one_server(tmp_path):
    async with seated(tmp_path):
        with refuses("another server keeps its games in…", InUseError):
            async with hosted(tmp_path):
                pass


# Before and after


@on_screen
async def test_a_new_game_from_its_form(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("n", "down", *["right"] * Rules.presets().index("pagat"))
        form = it.screen
        assert isinstance(form, NewGame)
        assert "‹ Pagat ›" in it.text
        before = [row for row in it.rows if "Difficulty" in row]
        await it.press("down", "down", "down", "right", "right", "right")
        assert [row for row in it.rows if "Difficulty" in row] != before
        await it.press("up", "up", "up", "up", "enter")
        assert isinstance(it.screen, TableScreen)
        assert it.view["rules"]["text"] == "pagat"
        assert it.view["seats"][2]["bot"]["agent"] != "rb"
        assert len(it.store.unfinished()) == 1
        await it.press("n")
        assert "‹ Pagat ›" in it.text


@on_screen
async def test_a_fair_fight_from_the_form(tmp_path):
    """Choosing an opponent ends it."""
    async with seated(tmp_path) as it:
        await it.press("n")
        form = it.screen
        assert isinstance(form, NewGame)

        def bring(words: str) -> str:
            labels = [row.label for row in form.rows()]
            form.cursor = labels.index(words)
            form.action_move(0)
            return form.rows()[form.cursor].value

        assert bring("A fair fight") == "no"
        await it.press("right")
        assert "Opponents: ★★★ · ★★★. Their stars will follow your results." in it.text
        assert all("★★★" in bring(f"On your {side} · Opponent") for side in ("left", "right"))
        await it.press("right")
        assert bring("A fair fight") == "no"
        await it.press("right", *["up"] * 8, "enter")
        assert isinstance(it.screen, TableScreen)
        assert it.store.settings.all()["last"]["fair"]


@on_screen
async def test_rules_option_by_option(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("n", "down", "down", "enter", "down", "down", "right")
        assert "‹ 8 hands ›" in it.text
        assert "classic target=off max_hands=8" in it.text
        form = it.screen
        assert isinstance(form, RulesForm)

        async def go(words: str) -> None:
            labels = [row.label for row in form.rows()]
            form.cursor = labels.index(words)
            form.action_move(0)
            await it.settle()

        await go("Tricks of a failed nil")
        await it.press("right")
        assert "‹ Count toward the partner's bid ›" in it.text
        await go("Partners across from each other")
        await it.press("right")
        assert "“Count toward the partner's bid” needs partners" in it.text
        await go("Tricks of a failed nil")
        await it.press("right")
        await go("Partners across from each other")
        await it.press("right")
        [row] = [row for row in form.rows() if row.label == "Cards swapped after a blind nil"]
        assert row.is_idle
        await go("What may be bid")
        await it.press("right")
        assert "‹ Mirror: the trumps you hold ›" in it.text
        [row] = [row for row in form.rows() if row.label == "Blind nil from this many points behind"]
        assert (row.is_idle, row.value) == (True, "off")
        await it.press("left")
        await go("Points that end the game")
        await it.press("enter")
        assert isinstance(it.screen, Write)
        await it.write("many")
        assert "“Points that end the game” takes a whole number from 1 to 10000" in it.text
        await it.press("enter")
        await it.write("333")
        assert "‹ 333 ›" in it.text
        await go("Save variant")
        await it.press("enter")
        await it.write("mine")
        assert it.store.variants.all()["mine"].target == 333
        await it.press("up", "enter")
        assert isinstance(it.screen, NewGame)
        assert "‹ mine ›" in it.text


@on_screen
async def test_a_seed_of_ones_own_is_not_counted(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("n", *["down"] * 10, "enter")
        assert isinstance(it.screen.query_one(Input), Input)
        await it.write("x")
        assert "A seed is a whole number" in it.text
        await it.press("enter")
        await it.write("12")
        await it.press(*["up"] * 10, "enter")
        assert it.played.game.seed == 12
        assert not it.played.counted


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
async def test_a_full_disk_takes_in_no_game_and_begins_none(tmp_path, monkeypatch):
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
    """Neither to review the game nor to play its deal again."""
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
async def test_an_adviser_that_cannot_be_had_is_said(tmp_path, monkeypatch):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.play_hand()
        monkeypatch.setattr(it.server.services, "_adviser", "nobody")
        await it.press("space", "e", "y")
        await until_reviewed(it)
        assert "'nobody'" in it.text


@on_screen
async def test_a_kept_game_that_cannot_be_read_is_said(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("3")
        text = json.dumps(packed(it.played) | {"format": 99})
        for key, state, changes in (("f" * 16, OPEN, 10**6 + 1), ("e" * 16, OVER, 10**6)):
            row = {"key": key, "state": state, "told": text, "changes": changes}
            it.store.file.insert(
                "INSERT INTO sittings", [row | dict.fromkeys(("began", "changed"), "2030-01-01T00:00")]
            )
        for place in (0, 1):
            await it.press("m", "enter", *["down"] * place, "enter")
            assert "a table saved in format 99 cannot be read" in it.text


@on_screen
async def test_the_menu_gives_up_and_opens_what_was_kept(tmp_path):
    async with seated(tmp_path) as it:
        first = it.key
        await it.press("3", "m", *["down"] * 5, "enter", "enter")
        assert it.key != first
        assert [saved.state for saved in it.store.sittings()] == [OPEN, "given up"]
        second = it.key
        while it.room.saved.untouched:
            await it.press("3")
        await it.press("n", "enter")
        assert it.key not in (first, second)
        await it.press("m", "enter", "down", "enter")
        assert it.key == second


@on_screen
async def test_a_game_abandoned_after_its_first_hand_is_lost_and_the_question_says_so(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.press("m", *["down"] * 5, "enter")
        assert "Abandon this game?" in it.text
        assert "counts as a loss" not in it.text
        await it.press("escape")
        await it.play_hand()
        await it.press("space", "m", *["down"] * 5, "enter")
        assert "counts as a loss" in it.text
        await it.press("enter")
        assert statistics(it.store, "Anna").total.losses == 1


@on_screen
async def test_the_list_of_kept_games_shows_the_score_and_the_name_of_the_rules(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        it.store.variants.save("Two hands", Rules.parse(TWO_HANDS))
        await it.play_hand()
        own, other = (str(side["score"]).replace("-", "−") for side in it.view["sides"])
        await it.press("space", "m", "enter")
        assert f"Unfinished, {own} to {other}" in it.text
        assert "Two hands" in it.text


@on_screen
async def test_the_game_on_the_table_stays_when_it_is_opened_from_the_list(tmp_path):
    """Even before the first move, when another game would be deleted."""
    async with seated(tmp_path) as it:
        key = it.key
        await it.press("m", "enter", "enter")
        assert it.key == key
        assert [saved.key for saved in it.store.unfinished()] == [key]


@on_screen
async def test_who_has_no_name_is_named_at_once(tmp_path):
    async with offered(tmp_path) as it:
        await it.press("m", *["down"] * 2, "enter", *["backspace"] * 3)
        await it.write("Anna")
        assert "You are Anna" in it.text
        assert it.played.seats.people[0] == "Anna"
        await it.press("m", *["down"] * 2, "enter", *["backspace"] * 4)
        await it.write("Bela")
        assert "Your next game is under the name Bela" in it.text
        assert (it.played.seats.people[0], it.store.settings.all()["name"]) == ("Anna", "Bela")


@on_screen
async def test_settings_hold_at_once(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it:
        first = it.table.panels.view["lanes"][0]["suit"]
        await it.press("m", "down", "enter", *["down"] * 6, "right", "escape")
        assert first == "spades"
        assert it.table.panels.view["lanes"][0]["suit"] == "hearts"
        assert it.app.settings["order"] == "HCDS"


def test_no_name_of_ours_hides_one_of_the_library():
    from textual.widget import Widget

    from spades_env.play.terminal.screens import form
    from spades_env.play.terminal.screens import table as table_screen

    ours = (form.Form, form.Pick, table_screen.TableScreen, ReviewScreen, NewGame)
    theirs = set(dir(Screen())) | set(dir(Widget()))
    meant = {"compose", "rows"}
    for kind in ours:
        own = {name for name in vars(kind) if not name.startswith("__") and callable(getattr(kind, name))}
        assert own & theirs <= meant, kind


# The daily deal, achievements, the end of a game


@pytest.fixture
def quick_daily(monkeypatch):
    """A daily deal among bots that need no time."""
    bots = ("rule", "rb", "rule", "rb")
    monkeypatch.setattr("spades_env.play.progress.daily.BOTS", bots)
    monkeypatch.setattr("spades_env.play.daily.champion_game.BOTS", bots)


@on_screen
async def test_a_daily_deal_in_the_terminal(tmp_path, quick_daily):
    """Its cards, neither undo nor hints, and the champion's result at the end."""
    async with seated(tmp_path) as it:
        await it.press("m", *["down"] * 9, "enter")
        daily = it.played.daily
        assert daily
        await it.until(lambda: daily.complete)
        assert it.played.hands[0].start.deal == Game(RULES, Daily(local_day()).seed).deal
        await it.press("3", "z")
        assert "The daily deal is played without undo" in it.text
        await it.press("a")
        assert "The daily deal is played without hints" in it.text
        while not it.view["outcome"]:
            await it.play_hand()
            if it.view["outcome"]:
                assert daily.complete
                assert "champion" in it.text
                assert "Zofia" in end_lines(it.view)[0], "it is won or lost against her"
            await it.press("space")
        assert daily_status(it.store, "Anna", local_day())["streak"]["now"] == 1
        first = it.played
        await it.press("m", *["down"] * 9, "enter")
        assert it.played is not first
        assert it.played.daily
        assert it.played.daily.champion == daily.champion
        assert not it.played.no_help


@on_screen
async def test_the_end_of_a_game_says_what_it_has_changed(tmp_path):
    rules = "match target=off max_hands=4"
    async with seated(tmp_path, rules, counted=True, size=(100, 50)) as it:
        shown = ""
        while not it.view["outcome"]:
            await it.play_hand()
            shown = it.text
            await it.press("space")
        rating = statistics(it.store, "Anna").rating
        assert f"Rating: 0 → {rating}" in shown
        for words in ("Wins in a row:", "With Point counter:", "Against Point counter:", "Best hand:"):
            assert words in shown
        await it.press("m", *["down"] * 11, "enter")
        assert "of 12 earned" in it.text
        await it.press("escape", "m", *["down"] * 10, "enter")
        assert "Days in a row: 0" in it.text
