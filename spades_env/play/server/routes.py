"""The routes: the page and its files, the entrances for the owner and for guests, and the WebSocket.

The page's files are read once, at the start, so no path is ever made from a request.
"""

import asyncio
import gzip
import hashlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from spades_env.play.server.connection import TOO_MUCH, Connection
from spades_env.play.server.entrance import Entrance
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import HEADERS, HostNames
from spades_env.play.server.net.limiter import address_group, is_loopback
from spades_env.play.server.requests.page import REQUESTS, begin
from spades_env.play.server.server import Server
from spades_env.play.server.sessions import Session
from spades_env.play.texts import languages, names, no_script, text

PAGE = Path(__file__).parent.parent / "page"
TEXTS = PAGE.parent / "texts" / "page"
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
NO_SCRIPT = b"<noscript></noscript>"  # in the page, for what is said there in all languages
YEAR = 365 * 24 * 3600
FULL = 1013  # why a WebSocket is closed
HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Spades</title><link rel=icon href=/page/icon.svg>"
    "<meta name=viewport content='width=device-width'><link rel=stylesheet href=/page/styles/base.css><body class=door>"
)
NO_KEY = (
    f"{HEAD}<h1>This table is private</h1><p>If you started the server, open the address that "
    "<code>spades table</code> has printed. If not, you need a link to a table."
)
REDIRECT = f'{HEAD}<meta http-equiv=refresh content="0;url=%s"><p><a href="%s">To the table</a>'
AGAIN = "again"  # in a guest's address after the redirect
OWN_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


@dataclass(frozen=True)
class File:
    """A file of the page, plain and compressed."""

    content: bytes
    packed: bytes
    media_type: str
    tag: str


def page_files(folder: Path = PAGE) -> dict[str, File]:
    """Read all files of the page, by name."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in TYPES]
    return {path.relative_to(folder).as_posix(): _file(path.suffix, path.read_bytes()) for path in paths}


def texts_files() -> dict[str, File]:
    """Read the page's own sentences in each language, and the list of languages."""
    return page_files(TEXTS) | {"languages.json": _file(".json", json.dumps(names(), ensure_ascii=False).encode())}


def _file(suffix: str, content: bytes) -> File:
    if suffix == ".html":
        content = content.replace(NO_SCRIPT, b"<noscript>" + no_script().encode() + b"</noscript>")
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return File(content, gzip.compress(content, mtime=0), TYPES[suffix], tag)


class Site:
    """The answer of each route.

    The cookie's name has the port in it, so each of several servers on one machine has its own. make_ready: compile and
    load bots before anybody waits for them.
    """

    def __init__(self, server: Server, names: HostNames, port: int, make_ready: bool = True):
        self.server, self.names, self.cookie, self.make_ready = server, names, f"spades-{port}", make_ready
        self.sessions = server.services.sessions
        self.files = page_files()
        self.texts = texts_files()
        self.entrance = Entrance(server)

    def app(self) -> ASGIApp:
        """Return the application that a web server runs."""
        routes = [
            Route("/", self.index),
            Route("/page/{name:path}", self.file),
            Route("/texts/{name}", self.catalogue),
            Route("/join/{code}", self.join),
            Route("/sign-out", self.sign_out, methods=["POST"]),
            WebSocketRoute("/live", self.live),
        ]
        app = Starlette(routes=routes, lifespan=self._lifespan)
        app.router.redirect_slashes = False
        return HostCheck(app, self.names)

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        running = [asyncio.create_task(self.server.run())]
        if self.make_ready:
            running.append(asyncio.create_task(self.server.make_ready()))
        yield
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self.server.shut()

    def session(self, asked: HTTPConnection) -> Session | None:
        return self.sessions.by_cookie(asked.cookies.get(self.cookie))

    async def index(self, request: Request) -> Response:
        """Answer with the page. If the key is in the address, set a cookie and redirect to the address without it.

        A browser sends strict cookies after a redirect only if the user typed the address. Otherwise, as from the file
        that opens the browser, a page of our own has to redirect.
        """
        key = request.query_params.get("key")
        if key is not None and self.sessions.is_key(key):
            typed = request.headers.get("sec-fetch-site") == "none"
            page = RedirectResponse("/", 303) if typed else _page_to("/")
            return self._with_cookie(request, page, self.sessions.owner_cookie)
        if self.session(request) is None:
            return HTMLResponse(NO_KEY, 403, {"Cache-Control": "no-store"})
        return self._sent(request, "index.html")

    async def file(self, request: Request) -> Response:
        """Answer with a file of the page. It needs no cookie."""
        return self._sent(request, request.path_params["name"])

    async def catalogue(self, request: Request) -> Response:
        """Answer with the page's own sentences in a language. They need no cookie."""
        return self._sent(request, request.path_params["name"], self.texts)

    async def join(self, request: Request) -> Response:
        """Let a guest in.

        A browser that follows a link from another site sends no strict cookie until a page of our own redirects. So it
        is redirected here once; otherwise a guest's cookie could replace the owner's.
        """
        code, session = request.path_params["code"], self.session(request)
        table = self.sessions.invites.get(code)
        if table is None:
            return PlainTextResponse("This link leads to no table: the game may be over", 404)
        from_other_site = request.headers.get("sec-fetch-site") == "cross-site"
        if session is None and from_other_site and AGAIN not in request.query_params:
            return _page_to(f"/join/{code}?{AGAIN}")
        if session and (session.is_owner or session.table == table):
            return RedirectResponse("/", 303)
        address = address_group(request.client.host) if request.client else ""
        if not self.entrance.may_join(code, address):
            return PlainTextResponse(text("error.joins_often"), 429)
        try:
            return self._with_cookie(request, _page_to("/"), await self.entrance.admit(table))
        except RefusedError as refusal:
            return PlainTextResponse(self.server.services.words(refusal), 403)

    async def sign_out(self, request: Request) -> Response:
        """End somebody's session in every browser, as a page of our own asks; the address with the key still opens."""
        session = self.session(request)
        origin, host = (request.headers.get(name) for name in ("origin", "host"))
        if session is None or not self.names.is_own_page(origin, host):
            return PlainTextResponse("Only somebody who has come in can sign out", 403)
        try:
            await self.server.sign_out(session)
        except RefusedError as refusal:
            return PlainTextResponse(self.server.services.words(refusal), 403)
        return self._with_cookie(request, Response(status_code=204), "", seconds=0)

    def _with_cookie(self, request: Request, response: Response, cookie: str, seconds: int = YEAR) -> Response:
        """Set the cookie, for HTTPS alone where it was asked for by HTTPS. seconds: 0 deletes it."""
        secure = request.url.scheme == "https"
        response.set_cookie(self.cookie, cookie, max_age=seconds, httponly=True, samesite="strict", secure=secure)
        response.headers["Cache-Control"] = "no-store"
        return response

    def _sent(self, request: Request, name: str, files: dict[str, File] | None = None) -> Response:
        file = (self.files if files is None else files).get(name)
        if file is None:
            return PlainTextResponse("There is nothing here", 404)
        headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.packed, media_type=file.media_type, headers=headers | {"Content-Encoding": "gzip"})
        return Response(file.content, media_type=file.media_type, headers=headers)

    async def live(self, socket: WebSocket) -> None:
        """Serve the WebSocket of a page of our own, in its language, for somebody who has a cookie."""
        session = self.session(socket)
        origin, host = (socket.headers.get(name) for name in ("origin", "host"))
        if session is None or not self.names.is_own_page(origin, host):
            await socket.close(TOO_MUCH)
            return
        await socket.accept()
        if self.entrance.is_full(session):
            await socket.close(FULL, "Too many pages are open")
            return
        language = next((one for one in languages() if one == socket.query_params.get("language")), None)
        here = bool(socket.client) and is_loopback(socket.client.host) and is_loopback(re.sub(r":\d+$", "", host or ""))
        connection = Connection(socket, session, self.server, REQUESTS, begin, language, here)
        try:
            await connection.run()
        finally:
            with suppress(RuntimeError, WebSocketDisconnect):  # it may be closed by now
                await socket.close(connection.code)


def _page_to(path: str) -> HTMLResponse:
    """Return a page of our own that redirects, so that the browser sends strict cookies."""
    return HTMLResponse(REDIRECT % (path, path), headers={"Cache-Control": "no-store"})


class HostCheck:
    """Wrap an application: refuse unknown hosts, and add the security headers to every answer."""

    def __init__(self, app: ASGIApp, names: HostNames):
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *OWN_HEADERS]
            await send(message)

        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and self.names.knows(hosts[0]):
            await self.app(scope, receive, send_with_headers)
        elif scope["type"] == "http":
            refusal = PlainTextResponse("This server does not answer to that name; --allow NAME makes it", 421)
            await refusal(scope, receive, send_with_headers)
        else:
            await send({"type": "websocket.close", "code": TOO_MUCH})
