"""The web server: uvicorn, with a limiter that counts connections and drops those that keep it waiting.

Each connection carries its `Peer` in the ASGI scope's state, so the application can tell the limiter who is asking.
"""

import asyncio
import inspect
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spades_env.play.commands.parsing import terminated
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.net.limiter import Limiter, Peer, address_group, open_files
from spades_env.play.server.net.log import keep_log_short
from spades_env.play.server.routes import Site
from spades_env.play.server.sessions import Session

UNKNOWN_UVICORN = f"This version of spades-env can't use uvicorn {uvicorn.__version__}: install uvicorn 0.54"
try:
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
except ImportError:
    raise RefusedError(UNKNOWN_UVICORN) from None

PEER = "spades.peer"  # its name in the state of a scope
AT_ONCE = 1  # connections accepted in a row, so that a request is read before a flood pushes it out
BACKLOG = 1024  # connections that may wait to be accepted
SWEEP_SECONDS = 1.0
SLACK = 50_000  # bytes beyond the longest message allowed, so that one slightly too long gets an answer
PROXIES = ["127.0.0.1", "::1"]  # may say how a request reached them: those on this computer
GRACE_SECONDS = 2  # that connections have to close when the server ends


class WebServer(uvicorn.Server):
    """Uvicorn with a limiter."""

    def __init__(self, config: uvicorn.Config, limiter: Limiter):
        super().__init__(config)
        self.limiter = limiter
        self.on_start: Callable[[], Awaitable[None]] | None = None
        self._sweeping: asyncio.Task | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or []:
            listening.listen(BACKLOG)
        self._sweeping = asyncio.create_task(self._sweep())
        if self.on_start:
            with suppress(RefusedError):
                await self.on_start()
        self.should_exit |= terminated.is_set()  # Python drops a KeyboardInterrupt in a callback, as of an import

    async def listen_on(self, listening: socket.socket) -> None:
        """Take connections from another socket, too, until the server ends."""
        config = self.config

        def protocol() -> asyncio.Protocol:
            kind: Any = config.http_protocol_class
            return kind(config=config, server_state=self.server_state, app_state=self.lifespan.state)

        loop = asyncio.get_running_loop()
        self.servers.append(await loop.create_server(protocol, sock=listening, backlog=config.backlog))
        listening.listen(BACKLOG)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.limiter.drop_slow()


class Tracker:
    """Wrap the site, and tell the limiter who asks and when a request begins and ends.

    A stranger's connection is closed after one answer. With many requests sent at once and no answer read, strangers
    would otherwise keep the server so busy that new connections wait to be accepted until they give up.
    """

    def __init__(self, app: ASGIApp, limiter: Limiter, session_of: Callable[[HTTPConnection], Session | None]):
        self.app, self.limiter, self.session_of = app, limiter, session_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        peer: Peer = scope["state"].pop(PEER)
        session = self.session_of(HTTPConnection(scope))
        if session:
            self.limiter.mark_known(peer, session)
        peer.requests += 1
        try:
            await self.app(scope, receive, send if session else _closing(send))
        finally:
            peer.requests -= 1
            peer.since = self.limiter.now()


def _closing(send: Send) -> Send:
    """Return what sends the same, and closes an HTTP connection after the answer."""

    async def send_and_close(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"connection", b"close")]
        await send(message)

    return send_and_close


def make_web_server(site: Site) -> WebServer:
    """Return the web server of a site; run it with the sockets to listen on."""
    _check_uvicorn()
    limits = site.server.services.limits
    limiter = Limiter(limits, open_files())
    config = uvicorn.Config(
        Tracker(site.app(), limiter, site.session),
        http=_http_protocol(limiter),
        ws=_websocket_protocol(limiter),
        loop="asyncio",
        lifespan="on",
        backlog=AT_ONCE,
        timeout_keep_alive=limits.idle_seconds,
        ws_ping_interval=limits.ping_seconds,
        ws_ping_timeout=limits.ping_seconds,
        ws_max_size=limits.text + SLACK,
        ws_per_message_deflate=False,  # it would take 300 kB a page
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=True,  # says that a request came by HTTPS
        forwarded_allow_ips=PROXIES,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    keep_log_short()
    return WebServer(config, limiter)


def _check_uvicorn() -> None:
    """Check that a connection can pass its peer on in `app_state`: without it nothing could be served."""
    for protocol in (H11Protocol, WebSocketsSansIOProtocol):
        if "app_state" not in inspect.signature(protocol).parameters:
            raise RefusedError(UNKNOWN_UVICORN)


def _http_protocol(limiter: Limiter) -> type[H11Protocol]:
    """Return HTTP whose connections are counted."""

    class CountedHTTP(H11Protocol):
        def __init__(self, *, app_state: dict[str, Any], **options: Any):
            self._own_state = dict(app_state)
            super().__init__(app_state=self._own_state, **options)

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            address = transport.get_extra_info("peername")
            peer = Peer(transport, address_group(address[0]) if address else "", limiter.now())
            self._own_state[PEER] = peer
            limiter.add(peer)
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            limiter.remove(self._own_state[PEER])
            super().connection_lost(exc)

    return CountedHTTP


def _websocket_protocol(limiter: Limiter) -> type[WebSocketsSansIOProtocol]:
    """Return WebSockets whose connections were counted as HTTP."""

    class CountedWebSocket(WebSocketsSansIOProtocol):
        def __init__(self, *, app_state: dict[str, Any], **options: Any):
            self._peer = app_state[PEER]
            super().__init__(app_state=app_state, **options)

        def connection_lost(self, exc: Exception | None) -> None:
            limiter.remove(self._peer)
            super().connection_lost(exc)
            self.resume_writing()  # otherwise a task that waits to write would wait for ever

    return CountedWebSocket
