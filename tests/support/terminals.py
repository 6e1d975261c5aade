"""Helpers for the tests of the terminal: a table on a headless screen, and keys to press."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual")

from support.strategies import scaled
from textual.pilot import Pilot
from textual.screen import Screen

from spades_env.play.ready import ready_rules
from spades_env.play.store.database import Store
from spades_env.play.store.sitting import Sitting, begin
from spades_env.play.terminal.app import SpadesApp
from spades_env.play.terminal.screens import review as review_screen
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.table import TableScreen

review_screen.WORLDS = scaled(review_screen.WORLDS)
ONE_HAND = "classic target=off max_hands=1 blind_nil_deficit=off"
TWO_HANDS = "classic target=off max_hands=2 blind_nil_deficit=off"
QUICK = {"terminal.pause": 0.0, "terminal.stay": 0.0}
BUSY = ("table", "clock", "advice", "differences", "deals")


def on_screen(test: Callable) -> Callable:
    """Run an asynchronous test."""

    @functools.wraps(test)
    def run(*arguments, **named) -> None:
        asyncio.run(test(*arguments, **named))

    return run


class Terminal:
    """Keys to press, and what is on the screen."""

    def __init__(self, app: SpadesApp, pilot: Pilot):
        self.app, self.pilot = app, pilot

    @property
    def screen(self) -> Screen:
        return self.app.screen

    @property
    def table(self) -> TableScreen:
        """The table's screen, even under other screens."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, TableScreen))

    @property
    def sitting(self) -> Sitting:
        return self.table.sitting

    @property
    def view(self) -> dict:
        """The person's view of the table."""
        return self.sitting.view

    @property
    def rows(self) -> list[str]:
        """The text on the screen, row by row."""
        strips = self.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip) for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other; after each, let the bots move until it is the person's turn."""
        for key in keys:
            self.app.simulate_key(key)
            await self.settle()

    async def settle(self) -> None:
        """Wait until nothing is being computed, or a page is open."""
        for _ in range(3):
            await self.pilot.pause(0)
        while self._busy() and isinstance(self.screen, TableScreen) and not self.table.turns.wait.is_on:
            await self.pilot.pause(0.002)
        for _ in range(2):
            await self.pilot.pause(0)

    async def write(self, text: str) -> None:
        """Type a line, and press Enter."""
        await self.pilot.press(*text)
        await self.press("enter")

    async def play_hand(self, bid: str = "3") -> None:
        """Bid, and play the card under the cursor, until the score sheet opens."""
        while not isinstance(self.screen, Page):
            await self.press(bid if self.view["phase"] == "bid" else "enter")

    def _busy(self) -> bool:
        return any(not worker.is_finished and worker.group in BUSY for worker in self.app.workers)


@asynccontextmanager
async def opened(
    store: Store, sitting: Sitting | None = None, size: tuple[int, int] = (80, 24), **look: Any
) -> AsyncIterator[Terminal]:
    """Run the program on a screen of this size."""
    ready_rules()
    app = SpadesApp(store, sitting, **look)
    async with app.run_test(size=size) as pilot:
        terminal = Terminal(app, pilot)
        await pilot.pause()
        while not any(isinstance(screen, TableScreen) for screen in app.screen_stack) and len(app.screen_stack) < 2:
            await pilot.pause()
        await terminal.settle()
        yield terminal


@asynccontextmanager
async def seated(
    folder: Path, rules: str = "classic", bots: str = "rb", size: tuple[int, int] = (80, 24), **more: Any
) -> AsyncIterator[Terminal]:
    """Run a new game, with quick bots unless others are named. look: arguments of the app."""
    look, settings = more.pop("look", {}), QUICK | more.pop("settings", {})
    with Store(folder) as store:
        for name, value in settings.items():
            store.settings.set(name, value)
        sitting = begin(store, rules, [bots] * 4, "Anna", **{"seed": 7} | more)
        async with opened(store, sitting, size, **look) as terminal:
            yield terminal
