"""All rooms of the server, and who is connected. Opens and closes rooms, and keeps their clocks going."""

import asyncio
import gc
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from spades_env.agents import AgentError
from spades_env.errors import SpadesError
from spades_env.game.cards import Seat
from spades_env.play.cold_start import OTHERS, Compiler, is_cold
from spades_env.play.ready import ready_others, ready_table
from spades_env.play.server.errors import RefusedError, failure_of
from spades_env.play.server.rooms.audience import SIGNED_OUT, Viewer
from spades_env.play.server.rooms.people import leave_for_good, name_owner
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.rooms.ticks import tick
from spades_env.play.server.services import Services
from spades_env.play.server.sessions import OWNER, Session
from spades_env.play.table.table import Table
from spades_env.play.texts import grouped, text

TICK_SECONDS = 0.25


class Way(Protocol):
    """A way in from the network that can be opened."""

    @property
    def address(self) -> str | None:
        """Where others would reach the server; None if nowhere."""
        ...

    async def open(self) -> str:
        """Open it, and return the address for others."""
        ...


class Server:
    """The rooms of one server.

    absent_after: seconds until a bot plays for a person who is away; reach: who can come, in words; origin: the address
    for other machines, if known; services: makes the services; options: see `Services`. on_invite is called with each
    link that the owner asks for.
    door: opens the server to the network, if that is offered.
    """

    def __init__(
        self,
        folder: Path | None = None,
        absent_after: float = 60.0,
        reach: str = "",
        origin: str = "",
        services: Callable[..., Services] = Services,
        **options: Any,
    ):
        self.services = services(folder, **options)
        self.absent_after, self.reach, self.origin = absent_after, reach, origin
        self.rooms: dict[str, Room] = {}
        self.connections: list[Viewer] = []
        self.on_invite: Callable[[str], None] = lambda link: None
        self.door: Way | None = None
        self._opening = asyncio.Lock()

    # Rooms

    async def room(self, key: str) -> Room:
        """Return the room of a table. The table is loaded if nobody is there."""
        if key not in self.rooms:
            async with self._opening:
                if key not in self.rooms:
                    await self._load(key)
        return self.rooms[key]

    async def _load(self, key: str) -> None:
        services = self.services
        table = await services.write(lambda: services.store.load(key))
        given_up = await services.write(lambda: services.store.is_given_up(key))
        if not (table.over or given_up):
            with suppress(AgentError):  # a bot that can't be loaded is reported when it is to move
                await services.set_up(table.seats.load_all)
        self._open(table, given_up)

    async def new_room(self, make: Callable[[], Table], seat: Seat | None = None) -> Room:
        """Return the room of a new table, saved from the first moment. seat: the owner's."""
        table = await self._new_table(make)
        if seat is not None:
            self.services.sessions.set_holders(table.key, {seat: OWNER})
        return self._open(table)

    async def rematch_room(self, before: Room, make: Callable[[], Table], holders: dict[Seat, str]) -> Room:
        """Return the room of a new table to which the guests and the link of another one go."""
        table, held = await self._new_table(make), before.seating.holders
        sessions = self.services.sessions
        sessions.move(before.key, table.key, holders)
        try:
            await self.services.write_sessions()
        except RefusedError:
            sessions.move(table.key, before.key, held)
            raise
        return self._open(table)

    async def _new_table(self, make: Callable[[], Table]) -> Table:
        services = self.services
        self._check_space()
        if await services.write(services.store.count_unfinished) >= (most := services.limits.unfinished):
            raise RefusedError(text("error.games_full", count=grouped(most)))
        table = await services.set_up(make)
        await services.write(lambda: services.store.save(table))
        return table

    def _open(self, table: Table, given_up: bool = False) -> Room:
        self._check_space()
        room = self.rooms[table.key] = Room(table, self.services, given_up)
        return room

    def _check_space(self) -> None:
        if len(self.rooms) >= (most := self.services.limits.tables):
            raise RefusedError(text("error.tables_full", count=most))

    async def give_up(self, key: str) -> None:
        """End an unfinished game for good."""
        end = partial(self.services.store.give_up, key)
        async with self._opening:
            room = self.rooms.get(key)
            if room is None:
                await self.services.write(end)
        if room:
            await room.end(end)
        self._forget(key)

    async def drop_if_untouched(self, room: Room | None) -> None:
        if room and room.is_untouched:
            await room.end(lambda: self.services.store.forget(room.table))
            self._forget(room.key)

    async def open_door(self) -> None:
        """Let others on the network connect, who still need a link."""
        if self.door is None or self.origin:
            raise RefusedError(text("error.open_already"))
        self.origin = await self.door.open()

    def _forget(self, key: str) -> None:
        self.rooms.pop(key, None)
        with suppress(RefusedError):  # what the file still holds goes when the next server starts
            self.services.sessions.forget(key)

    async def rename_owner(self, name: str) -> None:
        """Change the owner's name. Games that were played without a name become theirs."""
        await self.services.rename(name)
        for room in list(self.rooms.values()):
            await name_owner(room)

    async def sign_out(self, session: Session) -> None:
        """Make somebody's cookies invalid, and close their pages. A guest's seat is free for anybody from then on."""
        if session.table:
            with suppress(SpadesError):  # a table that can't be read has no seat to give up
                await leave_for_good(await self.room(session.table), session)
        self.services.sessions.sign_out(session)
        await self.services.write_sessions()
        for page in self.connections:
            if page.session.id == session.id:
                page.hang_up(SIGNED_OUT)

    # Time

    async def run(self) -> None:
        """Check clocks and absences for as long as the server runs."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            for room in list(self.rooms.values()):
                await failure_of(self._tick(room))  # the clocks of the other rooms go on

    async def _tick(self, room: Room) -> None:
        """Do what is due in a room, and close it if nobody is there: the store has all of it."""
        if room.bots.may_retry:
            room.go_on()
        room.play_champion()
        with suppress(SpadesError):
            await tick(room, self.absent_after)
        idle = not room.busy and room.audience.empty_for_long()
        if idle and self.rooms.get(room.key) is room:
            if room.table.over and not self.services.sessions.guest_names(room.key):
                self._forget(room.key)
            self.rooms.pop(room.key, None)

    async def make_ready(self) -> None:
        """Compile and load what people would wait for later; bots that somebody is waiting for come first."""
        try:
            await self._in_steps(ready_table(self.services.adviser))
            if await self.services.work(lambda: is_cold(OTHERS)):
                await self._compile_others()
            await self._in_steps(ready_others())
            gc.freeze()  # what is loaded by now stays: the garbage collector needn't look at it again
        except Exception:
            traceback.print_exc(file=sys.stderr)

    async def _in_steps(self, steps: Iterator[bool]) -> None:
        while await self.services.think(lambda: next(steps, False)):
            while any(room.busy for room in self.rooms.values()):
                await asyncio.sleep(TICK_SECONDS)

    async def _compile_others(self) -> None:
        """Let another process compile, whose memory is free again when it ends."""
        compiler = Compiler(OTHERS)
        try:
            while compiler.running:
                await asyncio.sleep(TICK_SECONDS)
        finally:
            compiler.stop()

    async def shut(self) -> None:
        for room in list(self.rooms.values()):
            room.closed = True
            await room.bots.cancel()
            await room.champion.cancel()
        self.services.close()
