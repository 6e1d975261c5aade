"""Helpers for the tests of the terminal: a table on a headless screen, and keys to press."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen

from spades_env import Game, agents
from spades_env.play.ready import ready_rules
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.server import Server
from spades_env.play.store.database import Store
from spades_env.play.table.table import Table
from spades_env.play.terminal.app import SpadesApp
from spades_env.play.terminal.client import TableClient, hosted
from spades_env.play.terminal.screens import panels
from spades_env.play.terminal.screens.dialogs import Page
from spades_env.play.terminal.screens.table import TableScreen

TWO_HANDS = "match target=off max_hands=2"
QUICK = {"pause": 0.0, "stay": 0.0}
BUSY = {"table", "asking", "beginning", "lesson"}
PAUSE = 0.002
SECONDS = 120.0  # for a whole test


def on_screen(test: Callable) -> Callable:
    """Run an asynchronous test."""

    @functools.wraps(test)
    def run(*arguments, **named) -> None:
        compile_first()
        asyncio.run(in_time(test(*arguments, **named)))

    async def in_time(work: Coroutine) -> None:
        try:
            await asyncio.wait_for(work, SECONDS)
        except TimeoutError as error:  # its cause says where the test was
            raise AssertionError("never: what the screen was to show") from error

    return run


@cache
def compile_first() -> None:
    """Compile the rules and the quick bots, which takes long on a new machine, before a test's time begins."""
    ready_rules()
    game, bots = Game(seed=1), [agents.load(name) for name in ("rule", "rb")]
    while not game.view(0).tricks_played:
        actions = [bot.act(game.view(game.turn)) for bot in bots]
        game.apply(actions[0])


class Terminal:
    """Keys to press, and what is on the screen."""

    def __init__(self, app: SpadesApp, pilot: Pilot, server: Server):
        self.app, self.pilot, self.client, self.server = app, pilot, app.client, server

    @property
    def screen(self) -> Screen:
        return self.app.screen

    @property
    def table(self) -> TableScreen:
        """The table's screen, even under other screens."""
        assert self.app.table
        return self.app.table

    @property
    def store(self) -> Store:
        return self.server.services.store

    @property
    def key(self) -> str:
        return self.table.key

    @property
    def room(self) -> Room:
        """The server's room of the table."""
        return self.server.rooms[self.key]

    @property
    def played(self) -> Table:
        """The table as the server has it, with all that is hidden."""
        return self.room.table

    @property
    def view(self) -> dict:
        """The person's view of the table."""
        return self.table.turns.latest

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
        """Wait until nothing is being computed or told, or a page is open."""
        for _ in range(3):
            await self.pilot.pause(0)
        while self._busy():
            await self.pilot.pause(PAUSE)
        for _ in range(2):
            await self.pilot.pause(0)

    async def tick(self) -> None:
        """Let the server do what is due, and wait for what follows."""
        await self.server._tick(self.room)
        self.table.turns.tick()
        await self.settle()

    async def until(self, holds: Callable[[], Any]) -> None:
        while not holds():
            await self.pilot.pause(PAUSE)

    async def write(self, text: str) -> None:
        """Type a line, and press Enter."""
        await self.pilot.press(*text)
        await self.press("enter")

    async def play_hand(self, bid: str = "3") -> None:
        """Bid, and play the card under the cursor, until the score sheet opens."""
        while not isinstance(self.screen, Page):
            await self.press(bid if self.view["phase"] == "bid" else "enter")

    def _busy(self) -> bool:
        at_work = {worker.group for worker in self.app.workers if not worker.is_finished and worker.group in BUSY}
        if isinstance(self.screen, ModalScreen) or (self.app.table and self.table.turns.wait.is_on):
            at_work -= {"table", "beginning"}  # they wait for a key
        if isinstance(self.screen, Page):
            at_work -= {"lesson"}
        rooms = self.server.rooms.values()
        thinking = any(room.bots.running or room.lock.locked() for room in rooms)
        return bool(at_work) or thinking or not self.client.messages.empty() or self._is_behind()

    def _is_behind(self) -> bool:
        """Does the server have a later version of the table than the terminal?"""
        room = self.server.rooms.get(self.key) if self.app.table else None
        return room is not None and not room.closed and self.view["version"] != room.table.version


@asynccontextmanager
async def opened(
    client: TableClient, size: tuple[int, int] = (80, 24), server: Server | None = None, **options: Any
) -> AsyncIterator[Terminal]:
    """Run the program on a screen of this size. server: the client's, in another thread; options: of the app."""
    app, server = SpadesApp(client, **options), server or client.server
    assert server
    async with app.run_test(size=size) as pilot:
        terminal = Terminal(app, pilot, server)
        await terminal.until(lambda: len(app.screen_stack) > 1)
        await terminal.settle()
        yield terminal


@asynccontextmanager
async def offered(folder: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Terminal]:
    """Run the program as `spades play` does without arguments."""
    async with hosted(folder, "rule") as client, opened(client, size, offer=True) as terminal:
        yield terminal


@asynccontextmanager
async def seated(
    folder: Path,
    rules: str = "classic",
    bots: str = "rb",
    size: tuple[int, int] = (80, 24),
    settings: dict | None = None,
    look: dict | None = None,
    now: Callable[[], float] | None = None,
    **more: Any,
) -> AsyncIterator[Terminal]:
    """Run a new game, with quick bots unless others are named. look: arguments of the app; more: of the table."""
    key = saved(folder, Table(rules, [bots] * 4, {0: "Anna"}, **{"seed": 7, "adviser": "rule"} | more), settings)
    with pytest.MonkeyPatch.context() as patched:
        async with hosted(folder, "rule") as client:
            assert client.server
            if now:
                patched.setattr(panels, "monotonic", now)
                (await client.server.room(key)).table.clock._now = now
            await client.ask("open", key=key)
            async with opened(client, size, **look or {}) as terminal:
                yield terminal


def saved(folder: Path, table: Table, settings: dict | None = None) -> str:
    """Save a table, with settings for a quick terminal in English, and return its key."""
    with Store(folder) as store:
        store.settings.set("terminal", QUICK | (settings or {}))
        store.settings.set("page", {"language": "en"})
        store.settings.set("name", "Anna")
        store.save(table)
    return table.key
