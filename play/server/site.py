"""The routes: the page, its files, the doors for the owner and for guests, the WebSocket; nothing else.

The page's files are read once, at the start, so that no path is ever made of what is asked for.
"""

import asyncio
import gzip
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from play.server.guard import HEADERS, Names
from play.server.house import House
from play.server.live import TOO_MUCH, Connection
from play.server.refusals import RefusedError
from play.server.sessions import Session

PAGE = Path(__file__).parent.parent / "page"
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
YEAR = 365 * 24 * 3600
FULL = 1013  # why a WebSocket is closed
HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Spades</title><link rel=icon href=/page/icon.svg>"
    "<meta name=viewport content='width=device-width'><link rel=stylesheet href=/page/base.css><body class=door>"
)
PRIVATE = (
    f"{HEAD}<h1>This table is private</h1><p>Who started the server comes in by the address that "
    "<code>spades table</code> has printed, everybody else by a link to a table."
)
LEAD_ON = f'{HEAD}<meta http-equiv=refresh content="0;url=%s"><p><a href="%s">To the table</a>'
AGAIN = "again"  # in the address of who comes from elsewhere, the second time


@dataclass(frozen=True)
class File:
    """A file of the page, as it is and packed."""

    content: bytes
    packed: bytes
    kind: str
    tag: str


def page_files(folder: Path = PAGE) -> dict[str, File]:
    """All files of the page, by name."""
    return {
        path.relative_to(folder).as_posix(): _read(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in TYPES
    }


def _read(path: Path) -> File:
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return File(content, gzip.compress(content, mtime=0), TYPES[path.suffix], tag)


class Site:
    """What is behind each route. The cookie bears the port: several servers on one machine do not meet in it."""

    def __init__(self, house: House, names: Names, port: int, warm: bool = True):
        self.house, self.names, self.cookie, self.warm = house, names, f"spades-{port}", warm
        self.files = page_files()

    def app(self) -> ASGIApp:
        """The application that a server runs."""
        routes = [
            Route("/", self.index),
            Route("/page/{name:path}", self.file),
            Route("/join/{word}", self.join),
            WebSocketRoute("/live", self.live),
        ]
        app = Starlette(routes=routes, lifespan=self._lifespan)
        app.router.redirect_slashes = False
        return Guarded(app, self.names)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        running = [asyncio.create_task(self.house.run())]
        if self.warm:
            running.append(asyncio.create_task(self.house.make_ready()))
        yield
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.house.shut()

    def session(self, asked: HTTPConnection) -> Session | None:
        """Who asks, as the cookie tells; None for a stranger."""
        return self.house.sessions.by_cookie(asked.cookies.get(self.cookie))

    async def index(self, request: Request) -> Response:
        """The page; with the key in its address, a cookie in place of it.

        A browser sends strict cookies after a redirect only if the user typed the address. From the file that the
        browser is opened with, a page of our own has to lead on.
        """
        key = request.query_params.get("key")
        if key is not None and self.house.sessions.is_key(key):
            typed = request.headers.get("sec-fetch-site") == "none"
            return self._with_cookie(RedirectResponse("/", 303) if typed else _lead_on("/"), key)
        if self.session(request) is None:
            return HTMLResponse(PRIVATE, 403, {"Cache-Control": "no-store"})
        return self._sent(request, "index.html")

    async def file(self, request: Request) -> Response:
        """A file of the page, for anybody who asks."""
        return self._sent(request, request.path_params["name"])

    async def join(self, request: Request) -> Response:
        """A guest comes in. Who follows a link from elsewhere bears no strict cookie until our own page has led on:
        so such a one is asked to come again, lest the owner's cookie be replaced by a guest's.
        """
        word, session = request.path_params["word"], self.session(request)
        table = self.house.sessions.invites.get(word)
        if table is None:
            return PlainTextResponse("This link leads to no table: the game may be over", 404)
        from_elsewhere = request.headers.get("sec-fetch-site") == "cross-site"
        if session is None and from_elsewhere and AGAIN not in request.query_params:
            return _lead_on(f"/join/{word}?{AGAIN}")
        if session and (session.is_owner or session.table == table):
            return RedirectResponse("/", 303)
        try:
            return self._with_cookie(_lead_on("/"), self.house.sessions.join(table))
        except RefusedError as refusal:
            return PlainTextResponse(self.house.words(refusal), 403)

    def _with_cookie(self, response: Response, cookie: str) -> Response:
        response.set_cookie(self.cookie, cookie, max_age=YEAR, httponly=True, samesite="strict")
        response.headers["Cache-Control"] = "no-store"
        return response

    def _sent(self, request: Request, name: str) -> Response:
        file = self.files.get(name)
        if file is None:
            return PlainTextResponse("There is nothing here", 404)
        headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, media_type=file.kind, headers=headers | {"Content-Encoding": "gzip"})
        return Response(file.content, media_type=file.kind, headers=headers)

    async def live(self, socket: WebSocket) -> None:
        """The WebSocket, for who has come in, from our own page."""
        session = self.session(socket)
        origin, host = (socket.headers.get(name) for name in ("origin", "host"))
        if session is None or not self.names.is_own_page(origin, host):
            await socket.close(TOO_MUCH)
            return
        await socket.accept()
        if self._is_full(session):
            await socket.close(FULL, "Too many pages are open")
            return
        await Connection(socket, session, self.house).run()

    def _is_full(self, session: Session) -> bool:
        limits, all_open = self.house.limits, self.house.connections
        own = sum(one.session.id == session.id for one in all_open)
        return own >= limits.connections or len(all_open) >= limits.all_connections


def _lead_on(path: str) -> HTMLResponse:
    """A page of our own that leads somewhere: from there on strict cookies come along."""
    return HTMLResponse(LEAD_ON % (path, path), headers={"Cache-Control": "no-store"})


class Guarded:
    """Around everything: an unknown Host is turned away, and every answer bears the headers that keep a page safe."""

    def __init__(self, app: ASGIApp, names: Names):
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *OWN_HEADERS]
            await send(message)

        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and self.names.knows(hosts[0]):
            await self.app(scope, receive, send_guarded)
        elif scope["type"] == "http":
            refusal = PlainTextResponse("This server does not answer to that name; --allow NAME makes it", 421)
            await refusal(scope, receive, send_guarded)
        else:
            await send({"type": "websocket.close", "code": TOO_MUCH})


OWN_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
