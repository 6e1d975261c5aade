"""`spades play` with a damaged store: the damage is reported where the data would be shown; the rest works."""

from support.play.damaged import DAMAGED, damaged_store
from support.play.terminals import offered, on_screen

from spades_env.play.store.database import Store
from spades_env.play.store.sitting_rows import UNREADABLE
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.table import TableScreen


def words(text: str) -> str:
    """Return the text on the screen without lines and frames."""
    return " ".join("".join(" " if letter in "│┃▎▊▏▕" else letter for letter in text).split())


@on_screen
async def test_what_is_damaged_is_shown_in_its_place(tmp_path):
    damaged_store(tmp_path)
    async with offered(tmp_path) as it:
        assert isinstance(it.screen, TableScreen)
        assert "cannot be read" in words(it.text)
        await it.press("m", "enter")
        place = [saved.key for saved in it.store.sittings()].index(DAMAGED)
        await it.press(*["down"] * place)
        assert UNREADABLE in words(it.text)
        await it.press("enter")
        assert "This game cannot be read: its told is not text" in words(it.text)
        await it.press("n")
        assert isinstance(it.screen, NewGame)
        await it.press("down")
        assert "'Ours' cannot be read" in words(it.text)
        await it.press("escape", "b")
        assert "esult of a game cannot be read" in words(it.text)


@on_screen
async def test_damaged_settings_are_said_and_replaced(tmp_path):
    with Store(tmp_path) as store:
        store.settings.set("terminal", "long")
    async with offered(tmp_path, (140, 40)) as it:
        assert "The setting 'terminal' cannot be read" in it.text
        assert it.app.settings["pause"] == 0.5
