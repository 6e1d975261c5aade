"""Lessons in the terminal: a step of the tutorial, its wrong moves, and both drills."""

from support.play.terminals import on_screen, seated

from spades_env.play.lessons import drills
from spades_env.play.lessons.learnt import SETTING
from spades_env.play.lessons.tutorial_steps import steps
from spades_env.play.terminal.learn.lessons import DrillScreen, Learn, Lesson
from spades_env.play.terminal.screens.dialogs import Page

TO_LESSONS = ("m", *["down"] * 14, "enter")


@on_screen
async def test_a_step_of_the_tutorial(tmp_path):
    async with seated(tmp_path) as it:
        await it.press(*TO_LESSONS)
        assert isinstance(it.screen, Learn)
        await it.press("down", "enter")
        assert isinstance(it.screen, Lesson)
        assert "The highest card wins" in it.text
        assert "Step 2 of 10" in it.text
        [asked] = steps()[1].asked
        right = next(iter(asked.right))
        await choose_other_than(it, right)
        assert "Not quite." in it.text
        await choose(it, right)
        assert "Right." in it.text
        await it.press("enter")
        assert "Spades are trump" in it.text
        assert "Step 3 of 10" in it.text
        await it.press("escape")
        assert isinstance(it.screen, Learn)
        assert it.text.count("✓") == 1
        assert it.store.settings.all()[SETTING]["steps"] == [steps()[1].name]


async def choose(it, card: str) -> None:
    await it.until(lambda: it.screen._scene.view["your_turn"])
    while it.screen._cursor != card:
        await it.press("right")
    await it.press("enter")


async def choose_other_than(it, right: str) -> None:
    """Choose a card that may be played, but isn't right."""
    other = next(card for card in it.screen._scene.view["legal"] if card != right)
    await choose(it, other)


@on_screen
async def test_the_bid_drill(tmp_path):
    async with seated(tmp_path) as it:
        await it.press(*TO_LESSONS, *["down"] * 10, "enter")
        assert isinstance(it.screen, DrillScreen)
        assert "How many tricks do you bid on this hand?" in it.text
        number = it.screen._number
        await it.press("3")
        assert isinstance(it.screen, Page)
        assert "How the bid adds up" in it.text
        assert "1 hand, off by" in it.text
        await it.press("space")
        assert isinstance(it.screen, DrillScreen)
        assert it.screen._number != number


@on_screen
async def test_the_nil_drill(tmp_path, monkeypatch):
    monkeypatch.setattr(drills, "SEARCH", "mc:2x2+free")
    async with seated(tmp_path) as it:
        await it.press(*TO_LESSONS, *["down"] * 11, "enter")
        assert "Would you bid nil on this hand?" in it.text
        await it.press("5")
        assert isinstance(it.screen, DrillScreen)
        await it.press("n")
        assert isinstance(it.screen, Page)
        assert "Dangerous cards" in it.text
