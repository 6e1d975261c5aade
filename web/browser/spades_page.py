"""The server of play/server in a web page: messages come from JavaScript instead of a WebSocket.

A change is kept in the browser's database before anybody hears of it, so a tab may be closed at any moment. What can't
be kept is not done, as on a full disk.
"""

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pyodide.ffi import to_js  # pyright: ignore[reportMissingImports]

from spades_env.agents import AgentError
from spades_env.agents.network.level import Level
from spades_env.play.server.connection import Connection
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import TokenBuckets
from spades_env.play.server.line import ProcessLine
from spades_env.play.server.requests.page import REQUESTS, begin
from spades_env.play.server.server import Server
from spades_env.play.server.services import Services
from spades_env.play.server.sessions import OWNER, Session
from spades_env.play.store.opening import StoreError
from spades_env.play.texts import ENGLISH, in_language, text
from web.browser.friends import Friend, Friends, Tell
from web.browser.kept import FOLDER, LEVELS, Files, Keep, Keeper, NotKeptError, plain, unpacked

UNFETCHED = {errno.ENETUNREACH: "site.offline", errno.ESTALE: "site.newer"}  # as worker.js numbers them

T = TypeVar("T")


class GuestBuckets(TokenBuckets):
    """The rate limit of guests; the owner's own tab has none."""

    def take(self, who: str) -> bool:
        return who == OWNER or super().take(who)


class PageServices(Services):
    """Services whose store is in the browser's database, too."""

    def __init__(self, keeper: Keeper, *given: Any, **options: Any):
        super().__init__(*given, **options)
        self._keeper = keeper
        self.messages = GuestBuckets(self.limits.rate, self.limits.burst)

    async def write(self, function: Callable[[], T]) -> T:
        """Read or write the store; RefusedError if what was written can't be kept: it's as if it had not been."""
        async with self._keeper.busy:
            result = await super().write(function)
            try:
                await self._keeper.save()
            except NotKeptError:
                self.store.file.replace(self._keeper.restore)
                raise
            return result

    def words(self, error: Exception | str) -> str:
        """Return an error as a sentence; there are others for levels that can't be fetched."""
        unfetched = (text(key) for number, key in UNFETCHED.items() if f"[Errno {number}]" in str(error))
        return next(unfetched, None) or super().words(error)


class Page:
    """The one server of a page. JavaScript calls `connect`, and the rest for the menu's own entries.

    These return nothing, or what is wrong.
    """

    def __init__(self, keep: Keep, replace: Keep):
        os.chdir(FOLDER)
        own = tuple(f"./{path}" for path in sorted(LEVELS.glob("*.safetensors")))
        self._keeper, self._replace, self._language = Keeper(keep), replace, ENGLISH
        services = partial(PageServices, self._keeper)
        self._server = Server(FOLDER, services=services, extra_bots=own)
        self._friends = Friends(self._server)
        self._tasks = [asyncio.ensure_future(self._server.run())]

    def connect(self, tell: Callable[[str], None], language: str) -> ProcessLine:
        """Begin a conversation in this language, which is that of all answers from now on."""
        self._language, line = language, ProcessLine(tell)
        connection = Connection(line, Session(OWNER), self._server, REQUESTS, begin, language)
        self._tasks.append(asyncio.ensure_future(connection.run()))
        return line

    @property
    def limits(self) -> Any:
        """How much a guest may send: the longest message, how many a second and at once."""
        limits = self._server.services.limits
        return to_js([limits.text, limits.rate, limits.burst])

    async def admit(self, code: Any, cookie: Any, language: Any, tell: Tell) -> Friend | None:
        """Let a guest in, and return their line."""
        friend = await self._friends.admit(code, cookie, language, tell)
        if friend:
            self._tasks.append(asyncio.ensure_future(friend.run()))
        return friend

    async def add_level(self, name: str, content: Any) -> str:
        """Keep a level of the person's own."""
        path = LEVELS / f"{Path(name).stem}.safetensors"
        async with self._keeper.busy:
            path.write_bytes(content.to_bytes())
            try:
                Level.read(path)
                await self._keeper.save()
            except (AgentError, NotKeptError) as error:
                self._keeper.restore()
                return self._refusal(error)
        return ""

    async def import_all(self, content: Any) -> str:
        """Keep the files of an export in place of all that are here."""
        try:
            return await self._exchange(unpacked(content.to_bytes()))
        except RefusedError as error:
            return self._refusal(error)

    async def bring_back(self) -> str:
        """Keep the files that were replaced last in place of all that are here."""
        return await self._exchange({})

    async def _exchange(self, files: Files) -> str:
        """Let other files be kept. Then nothing is written any more: the page loads again."""
        await self._keeper.busy.acquire()
        if why := await self._replace(files):
            self._keeper.busy.release()
            return self._refusal(NotKeptError(why))
        return ""

    def _refusal(self, error: Exception) -> str:
        return in_language(self._server.services.words(error), self._language)


def started(keep: Callable[[Any], Awaitable[str]], replace: Callable[[Any], Awaitable[str]]) -> Page | str:
    """Start the server with JavaScript's ways to keep files; return what is wrong with those that are kept."""
    try:
        return Page(lambda files: keep(to_js(list(files.items()))), lambda files: replace(to_js(list(files.items()))))
    except StoreError as error:
        return plain(error)
