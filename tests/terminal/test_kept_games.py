"""Kept games in the terminal: offered at the start, listed, opened again and abandoned."""

import json

from support.play.sittings import overwrite, refuses
from support.play.terminals import TWO_HANDS, offered, on_screen, saved, seated

from spades_env import Rules
from spades_env.folder_lock import InUseError
from spades_env.play.store.database import Store
from spades_env.play.store.saved import packed
from spades_env.play.store.sitting_rows import OPEN, OVER
from spades_env.play.store.statistics import statistics
from spades_env.play.table.table import Table
from spades_env.play.terminal.client import hosted
from spades_env.play.terminal.screens.dialogs import Ask
from spades_env.play.terminal.screens.table import TableScreen


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


def begun(name: str = "Anna") -> Table:
    """Return a game in which a person has bid."""
    table = Table("classic", ["rb"] * 4, {0: name}, seed=7, start={"dealer": 1})
    table.act(0, "bid:4")
    return table


@on_screen
async def test_a_name_that_looks_like_markup_is_shown_as_it_is(tmp_path):
    saved(tmp_path, begun("[/b]"))
    async with offered(tmp_path) as it:
        assert "[/b] with Point counter" in it.text
        await it.press("n", "m", "enter")
        assert "  [/b]" in it.text


@on_screen
async def test_a_new_table_opens_at_once_where_no_game_is_unfinished(tmp_path):
    async with offered(tmp_path) as it:
        assert isinstance(it.screen, TableScreen)
        assert it.played.seats.people == ["You", None, None, None]
        assert it.played.counted


@on_screen
async def test_the_first_game_of_a_start_is_like_the_last_one_without_a_clock(tmp_path):
    last = {"rules": "showdown", "bots": ["rb", "bis", "rule", "random"], "seat": 3, "move_seconds": 20.0}
    with Store(tmp_path) as store:
        store.settings.set("last", last)
    async with offered(tmp_path) as it:
        assert it.played.rules == Rules.preset("showdown", time_limit_s=None)
        assert it.played.seats.bots == ["random", "rb", "bis", "rule"]
        assert it.played.clock.move is None
        assert it.store.settings.all()["last"] == last


@on_screen
async def test_a_game_that_cannot_be_resumed_gives_way_to_a_new_one(tmp_path):
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


@on_screen
async def test_a_kept_game_that_cannot_be_read_is_reported(tmp_path):
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
    """It stays even before its first move, when another game would be deleted."""
    async with seated(tmp_path) as it:
        key = it.key
        await it.press("m", "enter", "enter")
        assert it.key == key
        assert [saved.key for saved in it.store.unfinished()] == [key]
