"""All that lives on the server: the store, who may come in, the rooms, and the threads that work for them.

Bots think in `think`, one thread a core. What takes long (reviews, comparisons) goes through `work`, one thread, step
by step, so that it keeps nobody waiting. One thread, `write`, reads and writes the store. Tables are set up in
`set_up`, whose threads no bot ever holds: a page that opens waits for no bot, not even for one that is compiled.
"""

import asyncio
import gc
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from agents import AgentError
from play.choices import default_adviser
from play.parsing import warn
from play.server.guard import Limits
from play.server.refusals import REFUSALS, RefusedError, sentence
from play.server.rooms import Looker, Room
from play.server.sessions import DEFAULT_NAME, OWNER, Sessions, only_server
from play.server.warm import warm
from play.store import Store, data_folder
from play.table import Table
from play.threads import in_thread, threads
from spades_env.cards import Seat

T = TypeVar("T")
TICK_SECONDS = 0.25


class House:
    """One server's state. also: bots to choose beside those that everybody has; adviser: who gives hints and reviews,
    unless it is the strongest there is; reach: who can come, in words; origin: how others reach the server, if known.
    """

    def __init__(
        self,
        folder: Path | None = None,
        limits: Limits | None = None,
        absent_after: float = 60.0,
        also: tuple[str, ...] = (),
        adviser: str | None = None,
        reach: str = "",
        origin: str = "",
    ):
        folder = Path(folder or data_folder())
        self._lock = only_server(folder)
        self.store = Store(folder, warn)
        self.store.check()
        self.sessions = Sessions(folder, warn)
        self.sessions.keep({sitting.key for sitting in self.store.unfinished()})
        self.settings: dict[str, Any] = self.store.settings()
        self.limits, self.absent_after, self.also = limits or Limits(), absent_after, also
        self.reach, self.origin = reach, origin
        self._adviser = adviser
        self.rooms: dict[str, Room] = {}
        self.connections: list[Looker] = []
        self._opening = asyncio.Lock()
        self._thinkers = threads("thinker", os.cpu_count() or 1)
        self._openers = threads("opener")
        self._worker = threads("worker", 1)
        self._writer = threads("writer", 1)

    @property
    def name(self) -> str:
        """What the owner is called."""
        return self.settings.get("name", DEFAULT_NAME)

    @property
    def adviser(self) -> str:
        """Who gives hints and reviews."""
        return self._adviser or default_adviser()

    @property
    def last(self) -> dict[str, Any] | None:
        """How the last table was set up."""
        return self.settings.get("last")

    def words(self, error: Exception | str) -> str:
        """An error as a page shows it, without the folder that games are kept in: guests need not know of it."""
        return sentence(error).replace(f"{self.store.path.parent}{os.sep}", "")

    # Threads

    async def think(self, function: Callable[[], T]) -> T:
        """What a bot does."""
        return await in_thread(function, pool=self._thinkers)

    async def set_up(self, function: Callable[[], T]) -> T:
        """What makes a table, or loads its bots."""
        return await in_thread(function, pool=self._openers)

    async def work(self, function: Callable[[], T]) -> T:
        """A step of what takes long."""
        return await in_thread(function, pool=self._worker)

    async def write(self, function: Callable[[], T]) -> T:
        """What reads or writes the store; RefusedError where the disk refuses."""
        try:
            return await in_thread(function, pool=self._writer)
        except sqlite3.Error as error:
            raise RefusedError(f"It could not be kept, so it has not happened: {error}") from None

    async def save(self, table: Table) -> None:
        """Keep a sitting as it stands now."""
        await self.write(lambda: self.store.save(table))

    async def load(self, key: str) -> Table:
        """A sitting as it was kept last, on a table of its own."""
        return await self.write(lambda: self.store.load(key))

    async def is_given_up(self, key: str) -> bool:
        """Will nobody go on with this sitting?"""
        return await self.write(lambda: self.store.is_given_up(key))

    async def set(self, name: str, value: Any) -> None:
        """Keep a setting."""
        await self.write(lambda: self.store.set(name, value))
        self.settings[name] = value

    async def rename(self, name: str) -> None:
        """The owner is called otherwise. What was played without a name is theirs, too."""
        before = self.name
        if before == DEFAULT_NAME:
            await self.write(lambda: self.store.rename(before, name))
        await self.set("name", name)
        for room in list(self.rooms.values()):
            await room.name_owner()

    # Rooms

    async def room(self, key: str) -> Room:
        """The room of a table, which is fetched from the store if nobody is there."""
        async with self._opening:
            if key not in self.rooms:
                table = await self.load(key)
                given_up = await self.is_given_up(key)
                if not (table.over or given_up):
                    with suppress(AgentError):  # whoever has gone is missed when it is to move
                        await self.set_up(table.seats.load_all)
                self._open(table).closed = given_up
            return self.rooms[key]

    async def new_room(self, make: Callable[[], Table], seat: Seat | None = None) -> Room:
        """A new table, kept from the first moment; seat: the owner's."""
        self._check_space()
        if await self.write(self.store.count_unfinished) >= (most := self.limits.unfinished):
            raise RefusedError(f"{most:,} games are unfinished, as many as there can be: give one up first")
        table = await self.set_up(make)
        await self.save(table)
        if seat is not None:
            self.sessions.hold(table.key, {seat: OWNER})
        return self._open(table)

    def _open(self, table: Table) -> Room:
        self._check_space()
        room = self.rooms[table.key] = Room(table, self)
        return room

    def _check_space(self) -> None:
        if len(self.rooms) >= self.limits.tables:
            raise RefusedError(f"{self.limits.tables} tables are open, as many as there can be: try again in a while")

    async def give_up(self, key: str) -> None:
        """An unfinished sitting will not be gone on with."""
        ended = partial(self.store.give_up, key)
        async with self._opening:
            room = self.rooms.get(key)
            if room is None:
                await self.write(ended)
        if room:
            await room.end(ended)
        self._forget(key)

    async def clear(self, room: Room | None) -> None:
        """A table that nobody looks at, and nobody has done anything at, need not be kept."""
        if room and room.is_untouched:
            await room.end(lambda: self.store.forget(room.key))
            self._forget(room.key)

    def _forget(self, key: str) -> None:
        self.rooms.pop(key, None)
        with suppress(RefusedError):  # what the file tells of it goes when the next server starts
            self.sessions.forget(key)

    # Time

    async def run(self) -> None:
        """Clocks and absences, for as long as the server runs."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            for room in list(self.rooms.values()):
                await self._tick(room)

    async def make_ready(self) -> None:
        """Compile and load what would be waited for otherwise; bots that somebody waits for already come first."""
        steps = warm(self.adviser)
        try:
            while await self.think(lambda: next(steps, False)):
                while any(room.busy for room in self.rooms.values()):
                    await asyncio.sleep(TICK_SECONDS)
            gc.freeze()  # what is loaded by now stays: looking for garbage need not look there
        except Exception:
            traceback.print_exc(file=sys.stderr)

    def _leave_alone(self, room: Room) -> None:
        """Nobody is in this room: the store has all of it."""
        self.store.let_go(room.key)
        if room.table.over and not self.sessions.names(room.key):
            self._forget(room.key)
        self.rooms.pop(room.key, None)

    async def _tick(self, room: Room) -> None:
        """What time demands of a room. Whatever fails in one, the clocks of the others go on."""
        try:
            room.try_again()
            with suppress(*REFUSALS):
                await room.waiting.tick(room, self.absent_after)
            if room.waiting.is_idle(room) and self.rooms.get(room.key) is room:
                self._leave_alone(room)
        except Exception:
            traceback.print_exc(file=sys.stderr)

    async def shut(self) -> None:
        """No more work; what is being written is written, what else was begun nobody waits for."""
        for room in list(self.rooms.values()):
            await room.stop()
        for pool in (self._thinkers, self._openers, self._worker, self._writer):
            pool.shutdown(wait=pool is self._writer, cancel_futures=True)
        self.store.close()
        self._lock.close()
