"""`spades play` with a damaged store: the damage is reported where the data would be shown; the rest works."""

from support.damaged import DAMAGED, damaged_store
from support.terminals import on_screen, opened

from spades_env.play.store.database import FILE, Store
from spades_env.play.store.sitting_rows import UNREADABLE
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.table import TableScreen
from spades_env.play.terminal.settings import settings


def words(text: str) -> str:
    """Return the text on the screen without lines and frames."""
    return " ".join("".join(" " if letter in "│┃▎▊▏▕" else letter for letter in text).split())


@on_screen
async def test_what_is_damaged_is_shown_in_its_place(tmp_path):
    damaged_store(tmp_path)
    with Store(tmp_path) as store:
        store.check()
        async with opened(store) as it:
            assert isinstance(it.screen, TableScreen)
            assert "cannot be read" in words(it.text)
            await it.press("m", "enter")
            place = [saved.key for saved in store.sittings()].index(DAMAGED)
            await it.press(*["down"] * place)
            assert UNREADABLE in words(it.text)
            await it.press("enter")
            assert "this game cannot be read: its told is not text" in words(it.text)
            await it.press("n")
            assert isinstance(it.screen, NewGame)
            await it.press("down")
            assert "'Ours' cannot be read" in words(it.text)
            await it.press("escape", "b")
            assert "result of a game cannot be read" in words(it.text)
            store.settings.set("terminal.pause", "long")
            await it.press("escape", "m", "down", "enter")
            assert "the setting 'terminal.pause' cannot be read" in words(it.text)


def test_a_setting_that_the_terminal_does_not_know_is_said(tmp_path):
    said = []
    with Store(tmp_path, said.append) as store:
        store.settings.set("terminal.deck", "seven")
        assert settings(store)["deck"] == "four"
        settings(store)
        assert [line.partition(" (")[2] for line in said] == [f"{tmp_path / FILE}, table settings, row terminal.deck)"]
        assert store.settings.all()["terminal.deck"] == "seven"
