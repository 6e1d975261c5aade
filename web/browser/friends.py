"""Guests of the table in a web page. Their messages come through WebRTC; all else is as the native server has it."""

from collections.abc import Callable

from spades_env.play.server.connection import TOO_MUCH, Connection
from spades_env.play.server.entrance import Entrance
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.line import ProcessLine
from spades_env.play.server.requests.page import REQUESTS, begin
from spades_env.play.server.server import Server
from spades_env.play.server.sessions import Session
from spades_env.play.texts import ENGLISH, languages, text, to_json

Tell = Callable[[str, object], None]  # a kind, and what: `table`, a message of the server; `talk`, one of the page


class Friends:
    """The entrance for guests of a page."""

    def __init__(self, server: Server):
        self._server, self._sessions, self._entrance = server, server.services.sessions, Entrance(server)

    async def admit(self, code: object, cookie: object, wanted: object, tell: Tell) -> "Friend | None":
        """Let in who shows a guest's cookie, or else the code of a link. wanted: a language."""
        language = next((one for one in languages() if one == wanted), ENGLISH)
        try:
            session = await self._come(code, cookie, tell)
        except RefusedError as refusal:
            tell("talk", to_json({"refused": self._server.services.words(refusal)}, language))
            return None
        return Friend(self._server, session, tell, language)

    async def _come(self, code: object, cookie: object, tell: Tell) -> Session:
        session = self._sessions.by_cookie(cookie) if isinstance(cookie, str) else None
        if session is None or session.is_owner:
            table = self._sessions.invites.get(code) if isinstance(code, str) else None
            if table is None:
                raise RefusedError(text("friends.no_table"))
            if not self._entrance.may_join(str(code)):
                raise RefusedError(text("error.joins_often"))
            cookie = await self._entrance.admit(table)
            session = self._sessions.by_cookie(cookie)
            assert session
        if self._entrance.is_full(session):
            raise RefusedError(text("friends.full"))
        tell("talk", to_json({"cookie": cookie}))
        return session


class Friend(ProcessLine):
    """The line of one guest's page, and its connection."""

    def __init__(self, server: Server, session: Session, tell: Tell, language: str):
        super().__init__(lambda message: tell("table", message))
        self._server, self._session, self._end = server, session, tell
        self.connection = Connection(self, session, server, REQUESTS, begin, language)

    async def run(self) -> None:
        """Serve the page until it goes or is cut off, and say why."""
        await self.connection.run()
        self._end("closed", self.connection.code)

    def push(self, text: object) -> None:
        """Take a message; the page is cut off where more waits than it may send at once."""
        if self._in.qsize() > self._server.services.limits.burst:
            self.connection.hang_up(TOO_MUCH)
        else:
            super().push(text if isinstance(text, str) else None)

    async def sign_out(self) -> None:
        """Give up the seat, and forget this guest."""
        await self._server.sign_out(self._session)
