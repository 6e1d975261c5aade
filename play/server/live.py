"""A connection: one page that is open. It reads requests, answers each, and is told what happens at its table.

Requests are answered one after the other, so that what was asked first is done first. Only what takes long is answered
beside the others; it stops when the page asks for the like again, says `stop`, or goes.
"""

import asyncio
import json
import sys
import traceback
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from play.server.after import AFTER
from play.server.at_table import AT_TABLE, enter_first
from play.server.before import BEFORE
from play.server.fields import MOST, check_size, checked, read, shown
from play.server.guard import Bucket
from play.server.hello import hello
from play.server.house import House
from play.server.refusals import OWN_FAULT, REFUSALS, RefusedError
from play.server.requests import Request
from play.server.rooms import Room
from play.server.sessions import Session

REQUESTS: dict[str, Request] = AT_TABLE | BEFORE | AFTER
LONG = "import"  # the one request that may be long
GOING_ON, TOO_MUCH = 1001, 1008  # why a WebSocket is closed


class Connection:
    """One page that is open."""

    def __init__(self, socket: WebSocket, session: Session, house: House):
        self.socket, self.session, self.house = socket, session, house
        self.room: Room | None = None
        self._out: asyncio.Queue[str] = asyncio.Queue(house.limits.unsent)
        self._bucket = Bucket(house.limits.rate, house.limits.burst)
        self._beside: dict[str, tuple[int, asyncio.Task]] = {}
        self._tasks: list[asyncio.Task] = []

    async def run(self) -> None:
        """Until the page goes, or is sent away."""
        self.house.connections.append(self)
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._read())]
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.house.connections.remove(self)
            self.look_at(None)
            self.stop(*list(self._beside))
            self._cut_off()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            with suppress(RuntimeError, WebSocketDisconnect):  # it may be closed by now
                await self.socket.close(GOING_ON)

    # Out

    def send(self, message: str) -> None:
        """Put a message on its way; a page that does not read is cut off."""
        try:
            self._out.put_nowait(message)
        except asyncio.QueueFull:
            self._cut_off()

    def tell(self, told: dict[str, Any]) -> None:
        """Send an object."""
        self.send(json.dumps(told, separators=(",", ":")))

    async def _write(self) -> None:
        while True:
            await self.socket.send_text(await self._out.get())

    def _cut_off(self) -> None:
        for task in self._tasks:
            task.cancel()

    # In

    async def _begin(self) -> None:
        """Say hello, and open a table."""
        try:
            self.tell({"hello": await hello(self)})
            await enter_first(self)
        except REFUSALS as refusal:
            self.tell({"re": None, "error": self.house.words(refusal)})
        except Exception:
            traceback.print_exc(file=sys.stderr)
            self.tell({"re": None, "error": OWN_FAULT})

    async def _read(self) -> None:
        await self._begin()
        while (message := await self.socket.receive())["type"] == "websocket.receive":
            if not self._bucket.take():
                await self.socket.close(TOO_MUCH, "Too many messages")
                return
            await self._answer(message.get("text"))

    async def _answer(self, message: str | None) -> None:
        """Do what a message asks, or say why not."""
        number = None
        try:
            told = self._understood(message)
            number = _number(told)
            request = self._request(told)
            fields = checked(told, request.fields)
        except RefusedError as refusal:
            self.tell({"re": number, "error": self.house.words(refusal)})
            return
        if not request.beside:
            await self._do(number, request, fields)
            return
        self.stop(request.beside)
        self._beside[request.beside] = number, asyncio.create_task(self._do(number, request, fields))

    def _understood(self, message: str | None) -> dict:
        if message is None:
            raise RefusedError("A message is text, not bytes")
        limits = self.house.limits
        told = read(message, limits.text)
        if told.get("do") != LONG:
            check_size(message, limits.message)
        return told

    def _request(self, told: dict) -> Request:
        do = told.get("do")
        if not isinstance(do, str) or do not in REQUESTS:
            raise RefusedError(f"There is no request {shown(do)}: there are {', '.join(REQUESTS)}")
        request = REQUESTS[do]
        if request.owner and not self.session.is_owner:
            raise RefusedError("Only who started the server may do that")
        return request

    async def _do(self, number: int | None, request: Request, fields: dict) -> None:
        try:
            answer = {"ok": True} | (await request.run(self, **fields) or {})
        except REFUSALS as refusal:
            answer = {"error": self.house.words(refusal)}
        except Exception:
            traceback.print_exc(file=sys.stderr)
            answer = {"error": OWN_FAULT}
        self.tell({"re": number} | answer)

    def stop(self, *what: str) -> None:
        """What takes long is no longer wanted."""
        for name in what:
            number, task = self._beside.pop(name, (None, None))
            if task and not task.done():
                task.cancel()
                self.tell({"re": number, "error": "This is no longer wanted"})

    # Where it looks

    def look_at(self, room: Room | None) -> None:
        """Look at another table, or at none."""
        if self.room:
            self.room.leave(self)
        self.room = room

    async def enter(self, room: Room) -> None:
        """Look at this table from now on."""
        before, room = self.room, self.house.rooms.setdefault(room.key, room)
        self.look_at(room)
        await room.join(self)
        if before is not room:
            await self.house.clear(before)

    def here(self) -> Room:
        """The table it looks at."""
        if self.room is None or self.room.closed:
            raise RefusedError("No table is open")
        return self.room


def _number(told: dict) -> int:
    """The number that an answer is to bear."""
    number = told.get("id")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST:
        raise RefusedError(f"id must be a whole number from 0 to {MOST}, not {shown(number)}")
    return number
