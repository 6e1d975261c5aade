"""The web server: uvicorn, with a door that counts connections and drops those that keep it waiting.

Each connection carries its visit in the ASGI scope's state, so the application can tell the door who is asking.
"""

import asyncio
import inspect
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from play.server.net.door import Door, Visit, neighbourhood, open_files
from play.server.net.log import keep_log_short
from play.server.refusals import RefusedError
from play.server.sessions import Session
from play.server.site import Site

UNKNOWN_UVICORN = f"This version of spades-env can't use uvicorn {uvicorn.__version__}: install uvicorn 0.54"
try:
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
except ImportError:
    raise RefusedError(UNKNOWN_UVICORN) from None

VISIT = "spades.visit"  # its name in the state of a scope
AT_ONCE = 1  # connection accepted between other work: so a request is read before a flood pushes it out
WAITING = 1024  # connections that may wait to be accepted
SWEEP_SECONDS = 1.0
ROOM = 50_000  # bytes beyond the longest message allowed, so that one slightly too long gets an answer
GRACE_SECONDS = 2  # for connections to close when the server ends


class Server(uvicorn.Server):
    """Uvicorn, with a door."""

    def __init__(self, config: uvicorn.Config, door: Door):
        super().__init__(config)
        self.door = door
        self._sweeping: asyncio.Task | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening; from then on the door is swept."""
        await super().startup(sockets)
        for listening in sockets or []:
            listening.listen(WAITING)
        self._sweeping = asyncio.create_task(self._sweep())

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.door.sweep()


class Attended:
    """Around the site: tells the door who asks, and when a request begins and ends."""

    def __init__(self, app: ASGIApp, door: Door, who: Callable[[HTTPConnection], Session | None]):
        self.app, self.door, self.who = app, door, who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        visit: Visit = scope["state"].pop(VISIT)
        session = self.who(HTTPConnection(scope))
        if session:
            self.door.recognize(visit, session)
        visit.at_work += 1
        try:
            await self.app(scope, receive, send)
        finally:
            visit.at_work -= 1
            visit.since = self.door.now()


def make_server(site: Site) -> Server:
    """Return a server of a site, to be run with the sockets it listens at."""
    _check_uvicorn()
    limits = site.house.limits
    door = Door(limits, open_files())
    config = uvicorn.Config(
        Attended(site.app(), door, site.session),
        http=_counted(door),
        ws=_counted_live(door),
        loop="asyncio",
        lifespan="on",
        backlog=AT_ONCE,
        timeout_keep_alive=limits.idle_seconds,
        ws_ping_interval=limits.ping_seconds,
        ws_ping_timeout=limits.ping_seconds,
        ws_max_size=limits.text + ROOM,
        ws_per_message_deflate=False,  # it would take 300 kB a page
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    keep_log_short()
    return Server(config, door)


def _check_uvicorn() -> None:
    """A connection hands its visit on through `app_state`: without it nothing could be served."""
    for protocol in (H11Protocol, WebSocketsSansIOProtocol):
        if "app_state" not in inspect.signature(protocol).parameters:
            raise RefusedError(UNKNOWN_UVICORN)


def _counted(door: Door) -> type[H11Protocol]:
    """HTTP whose connections pass the door."""

    class Counted(H11Protocol):
        def __init__(self, *, app_state: dict[str, Any], **given: Any):
            self._door_state = dict(app_state)
            super().__init__(app_state=self._door_state, **given)

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            peer = transport.get_extra_info("peername")
            visit = Visit(transport, neighbourhood(peer[0]) if peer else "", door.now())
            self._door_state[VISIT] = visit
            door.enter(visit)
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self._door_state[VISIT])
            super().connection_lost(exc)

    return Counted


def _counted_live(door: Door) -> type[WebSocketsSansIOProtocol]:
    """WebSockets whose connections have passed the door as HTTP."""

    class CountedLive(WebSocketsSansIOProtocol):
        def __init__(self, *, app_state: dict[str, Any], **given: Any):
            self._door_visit = app_state[VISIT]
            super().__init__(app_state=app_state, **given)

        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self._door_visit)
            super().connection_lost(exc)
            self.resume_writing()  # else whoever waits to write waits for ever

    return CountedLive
