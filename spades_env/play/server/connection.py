"""A connection to one open page. It reads requests, answers each, and sends what happens at the page's table.

Requests are answered one after the other, in their order. Only those that take long, which have a group, are answered
in the background. Such a request stops when another one of its group comes from the same person, on any of their pages,
when the page says `stop`, or when it goes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeVar

from spades_env.play.server.computing import Place
from spades_env.play.server.errors import RefusedError, failure_of
from spades_env.play.server.requests.request import Asked, Client, MessageError, Request, check, parse
from spades_env.play.server.rooms.people import come_in
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.server import Server
from spades_env.play.server.sessions import Session
from spades_env.play.texts import text, to_json

GOING_ON, TOO_MUCH = 1001, 1008  # why a WebSocket is closed

T = TypeVar("T")
Begin = Callable[[Client], Awaitable[None]]


class Socket(Protocol):
    """What messages go through: a WebSocket, or a `Line` within the process."""

    async def receive(self) -> Any:
        """Return the next message in ASGI's form, such as {"type": "websocket.receive", "text": "…"}."""

    async def send_text(self, data: str) -> None: ...

    async def close(self, code: int = 1000, reason: str | None = None) -> None: ...


class Connection:
    """One open page.

    requests: all that it may ask for; begin: runs before its first request; language: of the sentences that it gets.
    Without one it gets their keys, too. here: was it opened on the server's own computer, by a name that leads
    nowhere else?
    """

    def __init__(
        self,
        socket: Socket,
        session: Session,
        server: Server,
        requests: Mapping[str, Request],
        begin: Begin,
        language: str | None = None,
        here: bool = False,
    ):
        self.socket, self.session, self.server, self.services = socket, session, server, server.services
        self._requests, self._begin, self._language, self.here = requests, begin, language, here
        self.code = GOING_ON
        self._room: Room | None = None
        self._out: asyncio.Queue[str] = asyncio.Queue(self.services.limits.unsent)
        self._background: dict[str, tuple[int, asyncio.Task]] = {}  # by group: a request's number, its task
        self._tasks: list[asyncio.Task] = []

    async def run(self) -> None:
        """Serve the page until it goes, or is cut off."""
        self.server.connections.append(self)
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.server.connections.remove(self)
            self._look_at(None)
            self.stop(*list(self._background))
            self._cut_off()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def hang_up(self, code: int) -> None:
        """Take and send nothing more; code: why the WebSocket is closed."""
        self.code = code
        self._cut_off()

    # Out

    def tell(self, message: dict[str, Any]) -> None:
        """Queue a message to be sent; a page that does not read is cut off."""
        try:
            self._out.put_nowait(to_json(message, self._language))
        except asyncio.QueueFull:
            self._cut_off()

    async def _write(self) -> None:
        while True:
            await self.socket.send_text(await self._out.get())

    def _cut_off(self) -> None:
        for task in self._tasks:
            task.cancel()

    # In

    async def _read(self) -> None:
        if failure := await failure_of(self._begin(self)):
            self.tell({"re": None, "error": self.services.words(failure)})
        while (message := await self.socket.receive())["type"] == "websocket.receive":
            if not self.services.messages.take(self.session.id):
                await self.socket.close(TOO_MUCH, "Too many messages")
                return
            await self._answer(message.get("text"))

    async def _answer(self, text: str | None) -> None:
        """Do what a message asks, or say why not."""
        try:
            asked = parse(text, self._requests, self.services.limits)
        except MessageError as error:
            self.tell({"re": error.number, "error": self.services.words(error)})
            return
        group = asked.request.group
        if not group:
            await self._do(asked)
            return
        for other in self.server.connections:
            if other.session.id == self.session.id:
                other.stop(group)
        self._background[group] = asked.number, asyncio.create_task(self._do(asked))

    async def _do(self, asked: Asked) -> None:
        answer: dict[str, Any] = {"ok": True}

        async def run() -> None:
            await check(asked.request.who, self, asked.fields.get("key"))
            answer.update(await asked.request.run(self, **asked.fields) or {})

        failure = await failure_of(run())
        self.tell({"re": asked.number} | ({"error": self.services.words(failure)} if failure else answer))

    def stop(self, *groups: str) -> None:
        for group in groups:
            number, task = self._background.pop(group, (None, None))
            if task and not task.done():
                task.cancel()
                self.tell({"re": number, "error": text("error.unwanted")})

    async def compute(self, function: Callable[[], T]) -> T:
        """Let a thread compute what this person has asked for, when it is their turn."""
        asker, place = self.session.id, Place.OWNER
        if not self.session.is_owner:
            is_seated = self._room and self._room.seating.held_by(self.session) is not None
            asker, place = (asker, Place.SEATED) if is_seated else (self.session.table or asker, Place.OTHER)
        return await self.services.computing.run(function, asker, place)

    # The room

    @property
    def room(self) -> Room:
        if self._room is None or self._room.closed:
            raise RefusedError(text("error.no_table"))
        return self._room

    async def enter(self, room: Room) -> None:
        before, room = self._room, self.server.rooms.setdefault(room.key, room)
        self._look_at(room)
        await come_in(room, self)
        if before is not room:
            await self.server.drop_if_untouched(before)

    def _look_at(self, room: Room | None) -> None:
        if self._room:
            self._room.audience.remove(self)
        self._room = room
