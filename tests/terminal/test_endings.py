"""The daily deal in the terminal, and what is shown at the end of a game."""

import pytest
from support.play.terminals import on_screen, seated

from spades_env import Game
from spades_env.play.daily.deal_of_day import RULES, Daily, local_day
from spades_env.play.progress.daily import daily_status
from spades_env.play.store.statistics import statistics
from spades_env.play.terminal.pictures.log_lines import end_lines


@pytest.fixture
def quick_daily(monkeypatch):
    """Seat bots in the daily deal that need no time."""
    bots = ("rule", "rb", "rule", "rb")
    monkeypatch.setattr("spades_env.play.progress.daily.BOTS", bots)
    monkeypatch.setattr("spades_env.play.daily.champion_game.BOTS", bots)
    monkeypatch.setattr("spades_env.play.server.rooms.champion.PAUSE_SECONDS", 0)


@on_screen
async def test_a_daily_deal_in_the_terminal(tmp_path, quick_daily):
    """It deals the day's cards, allows neither undo nor hints, and ends with the champion's result."""
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
