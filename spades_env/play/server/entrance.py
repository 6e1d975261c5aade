"""How guests come in, whatever their messages go through: a few at a time, and no more than a table can take."""

from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import TokenBuckets
from spades_env.play.server.server import Server
from spades_env.play.server.sessions import Session


class Entrance:
    """Lets guests in by links, and says whether somebody may open another page."""

    def __init__(self, server: Server):
        self._server, self._services, self._sessions = server, server.services, server.services.sessions
        limits = server.services.limits
        self._joins_from = TokenBuckets(limits.join_rate, limits.joins)
        self._joins_by = TokenBuckets(limits.link_join_rate, limits.link_joins)

    def may_join(self, code: str, address: str = "") -> bool:
        """Count one more who comes by a link from an address; False if that is too many."""
        return self._joins_from.take(address) and self._joins_by.take(code)

    async def admit(self, table: str) -> str:
        """Return a new guest's cookie. After a power cut they may have to open the link again."""
        here = {other.session.id for other in self._server.connections}
        cookie = self._sessions.join(table, here)
        try:
            await self._services.write_sessions(lasting=False)
        except RefusedError:
            if guest := self._sessions.by_cookie(cookie):
                del self._sessions.guests[guest.id]
            raise
        return cookie

    def is_full(self, session: Session) -> bool:
        """Are so many pages open that this person can't have another one?"""
        limits, all_open = self._services.limits, self._server.connections
        own = sum(other.session.id == session.id for other in all_open)
        return own >= limits.connections or len(all_open) >= limits.all_connections
