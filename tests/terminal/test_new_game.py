"""A new game in the terminal: its form, its rules, its seed; the name and the settings."""

from support.play.terminals import offered, on_screen, seated
from textual.widgets import Input

from spades_env import Rules
from spades_env.play.terminal.screens.dialogs import Write
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.rules_form import RulesForm
from spades_env.play.terminal.screens.table import TableScreen


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
    """Choosing an opponent ends the fair fight."""
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
async def test_a_game_with_a_chosen_seed_is_not_counted(tmp_path):
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
async def test_a_person_without_a_name_is_named_at_once(tmp_path):
    async with offered(tmp_path) as it:
        await it.press("m", *["down"] * 2, "enter", *["backspace"] * 3)
        await it.write("Anna")
        assert "You are Anna" in it.text
        assert it.played.seats.people[0] == "Anna"
        await it.press("m", *["down"] * 2, "enter", *["backspace"] * 4)
        await it.write("Bela")
        assert "Your next game will be under the name Bela" in it.text
        assert (it.played.seats.people[0], it.store.settings.all()["name"]) == ("Anna", "Bela")


@on_screen
async def test_settings_take_effect_at_once(tmp_path):
    async with seated(tmp_path, start={"dealer": 1}) as it:
        first = it.table.panels.view["lanes"][0]["suit"]
        await it.press("m", "down", "enter", *["down"] * 6, "right", "escape")
        assert first == "spades"
        assert it.table.panels.view["lanes"][0]["suit"] == "hearts"
        assert it.app.settings["order"] == "HCDS"
