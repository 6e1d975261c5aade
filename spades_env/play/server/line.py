"""A connection within one process, for a page or a terminal that runs its own server.

line = ProcessLine(tell)                                tell: takes each message of the server
Connection(line, session, server, REQUESTS, begin)
line.push('{"id": 1, "do": "lessons"}')          a message to the server
"""

import asyncio
from collections.abc import Callable
from typing import Any

from spades_env.play.server.limits import Limits

NO_LIMITS = Limits(rate=1e9, burst=10**9, message=1 << 20)  # for the only person there is


class ProcessLine:
    """What a WebSocket is elsewhere."""

    def __init__(self, tell: Callable[[str], None]):
        self._tell = tell
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def receive(self) -> dict[str, Any]:
        return await self._in.get()

    async def send_text(self, data: str) -> None:
        self._tell(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self.hang_up()

    def push(self, text: str | None) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    def hang_up(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect"})
