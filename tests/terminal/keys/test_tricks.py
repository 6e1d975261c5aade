"""Tricks by keys in `spades play`: refused and forced cards, claims, and tricks that stay or are looked at again."""

import copy

from support.play.sittings import ONE_HAND, SPADES_FOR_SOUTH
from support.play.terminals import TWO_HANDS, on_screen, seated

from spades_env.play.table.table import Table
from spades_env.play.terminal.screens.dialogs import Ask
from spades_env.play.terminal.settings import UNTIL_KEY


@on_screen
async def test_a_card_that_may_not_be_played_says_why(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("2")
        assert it.view["refused"]
        before = it.view["version"]
        card = next(iter(it.view["refused"]))
        await it.press(card[1].lower())
        assert it.table.panels.cursor in it.view["refused"]
        await it.press("enter")
        assert it.view["refused"][it.table.panels.cursor] in it.text
        assert it.view["version"] == before
        await it.press("right")
        assert it.table.panels.cursor in it.view["legal"]


@on_screen
async def test_a_claim(tmp_path):
    start = {"deal": SPADES_FOR_SOUTH, "dealer": 3}
    async with seated(tmp_path, "classic target=off max_hands=1 first_lead=left_of_dealer", start=start) as it:
        await it.press("w")
        assert "It's not certain" in it.text
        await it.press("9")
        assert "W takes the rest" in it.text
        await it.press("w")
        assert isinstance(it.screen, Ask)
        await it.press("n")
        assert it.view["phase"] == "play"
        await it.press("w", "y")
        assert it.view["outcome"]
        result = it.played.finished[0].result
        assert result
        assert result.tricks == [13, 0, 0, 0]
        assert "You claim the rest" in it.table.panels.log.lines


@on_screen
async def test_earlier_tricks(tmp_path):
    async with seated(tmp_path) as it:
        await it.press("r")
        assert "There is no earlier trick" in it.text
        await it.press("3", "enter", "enter", "enter")
        count = len(it.view["tricks"])
        assert count >= 2
        await it.press("r")
        assert f"trick {count} of {count}" in it.text
        await it.press("r")
        assert f"trick {count - 1} of {count}" in it.text
        for play in it.view["tricks"][-2]["cards"]:
            assert play["card"][1] in "CDHS"
        before = it.view["version"]
        await it.press("enter")
        assert "of " + str(count) not in it.rows[14]
        assert it.view["version"] == before


@on_screen
async def test_a_trick_stays_until_space(tmp_path):
    async with seated(tmp_path, settings={"stay": UNTIL_KEY}) as it:
        await it.press("3")
        while not it.table.turns.wait.is_on:
            await it.press("enter")
        shown = it.table.panels.scene.trick
        assert shown == it.view["tricks"][-1]
        await it.press("x")
        assert it.table.panels.scene.trick == shown
        await it.press("space")
        assert it.table.panels.scene.trick != shown


@on_screen
async def test_keys_meant_for_the_hand_before_do_nothing_in_the_next(tmp_path):
    """The last trick is still shown: a digit ends the wait, and does not bid on cards not yet seen."""
    quiet = {"stay": UNTIL_KEY, "sheet": False}
    async with seated(tmp_path, TWO_HANDS, settings=quiet) as it:
        await it.press("3")
        while it.view["hand_number"] == 1:
            await it.press("space" if it.table.turns.wait.is_on else "enter")
        assert it.table.turns.wait.is_on
        assert it.table.panels.scene.view["hand_number"] == 1
        before = it.view["seats"][0]["bid"]
        await it.press("5")
        assert it.table.panels.scene.view["hand_number"] == 2
        assert it.view["seats"][0]["bid"] is before is None


@on_screen
async def test_a_card_that_is_forced_plays_itself_if_that_is_set(tmp_path):
    async with seated(tmp_path, ONE_HAND, settings={"forced": True}) as it:
        await it.press("3")
        while it.view["phase"] == "play":
            assert len(it.view["legal"]) > 1
            await it.press("enter")


def was_forced(table: Table) -> bool:
    """Was South's last move the only legal one?"""
    game = copy.deepcopy(table.game)
    game.undo(len(table.moves) - table.own_moves(0)[0])
    return game.phase == "play" and len(game.legal_actions()) == 1


@on_screen
async def test_a_forced_card_that_was_taken_back_waits(tmp_path):
    """Otherwise it would be played again before the person could take back more."""
    async with seated(tmp_path, ONE_HAND, settings={"forced": True}) as it:
        await it.press("3")
        while not was_forced(it.played):
            await it.press("enter")
        number = it.played.own_moves(0)[0]
        await it.press("z")
        assert len(it.played.moves) == number
        await it.press("z")
        assert len(it.played.moves) < number
        await it.press("enter")
        assert len(it.played.moves) >= number
