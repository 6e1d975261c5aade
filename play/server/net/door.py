"""All open connections, and which one has to go when there are too many.

    stranger    has shown no cookie yet: a new connection, a half-open one, a flood
    known       its last request bore the cookie of the owner or of a guest

Strangers have a share of the connections to themselves. When it's full, the oldest stranger is dropped for the new one,
so a flood only pushes itself out. Nobody who is known is ever dropped for a stranger.

    door = Door(limits, open_files())
    door.enter(visit)               a connection is made
    door.recognize(visit, session)  its request bore a cookie
    door.leave(visit)               it's gone
    door.sweep()                    once a second: drop whoever keeps us waiting
"""

import time
from asyncio import Transport
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from play.server.guard import Limits
from play.server.refusals import RefusedError
from play.server.sessions import Session

SPARE = 64  # open files for the store, levels, and connections that are just being accepted or closed
LEAST = 64  # connections: with fewer, a flood could push the owner out before the key is read
MOST_STRANGERS = 256


@dataclass(eq=False)
class Visit:
    """An open connection. at_work: requests being answered now (a WebSocket is one); since: when the last one ended."""

    transport: Transport
    address: str
    since: float
    at_work: int = 0
    session: str | None = None
    unread_since: float | None = None


def open_files() -> int | None:
    """Return how many files this process may have open, or None if nobody says."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if most == resource.RLIM_INFINITY else most


def neighbourhood(address: str) -> str:
    """Return what counts as one address: a whole /64 of IPv6, since one machine usually has all of it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


class Door:
    """The open connections of one server."""

    def __init__(self, limits: Limits, files: int | None, now: Callable[[], float] = time.monotonic):
        most = limits.sockets if files is None else min(limits.sockets, files - SPARE)
        if most < LEAST:
            raise RefusedError(
                f"The table needs {SPARE + LEAST} open files, and only {files} are allowed: "
                "raise the limit, for example with `ulimit -n 1024`"
            )
        self.limits, self.now = limits, now
        self.most_strangers = min(MOST_STRANGERS, most // 4)
        self.most_known = most - self.most_strangers
        self.most_an_address = self.most_strangers // 2
        self.most_a_session = 2 * limits.connections
        self._strangers: dict[Visit, None] = {}  # the oldest first
        self._known: dict[Visit, None] = {}

    def __len__(self) -> int:
        return len(self._strangers) + len(self._known)

    @property
    def visits(self) -> list[Visit]:
        """All open connections."""
        return [*self._strangers, *self._known]

    def enter(self, visit: Visit) -> None:
        """Take in a new connection; the oldest stranger goes if there are too many."""
        neighbours = [other for other in self._strangers if other.address == visit.address]
        if len(neighbours) >= self.most_an_address:
            self._drop(neighbours[0])
        elif len(self._strangers) >= self.most_strangers:
            self._drop(next(iter(self._strangers)))
        self._strangers[visit] = None

    def recognize(self, visit: Visit, session: Session) -> None:
        """Move a connection out of the strangers' share, unless its session, or all of them together, have too many."""
        if visit.session == session.id or not (visit in self._strangers or visit in self._known):
            return
        own = [other for other in self._known if other.session == session.id]
        if len(own) >= self.most_a_session and not self._drop_idle(own):
            return
        if len(self._known) >= self.most_known and not session.is_owner:
            return
        self.leave(visit)
        self._known[visit] = None
        visit.session = session.id

    def leave(self, visit: Visit) -> None:
        """Forget a connection."""
        self._strangers.pop(visit, None)
        self._known.pop(visit, None)

    def sweep(self) -> None:
        """Drop whoever takes too long to ask, or to read what we sent."""
        for visit in self.visits:
            if self._is_late(visit) or self._reads_too_slowly(visit):
                self._drop(visit)

    def _is_late(self, visit: Visit) -> bool:
        return not visit.at_work and self.now() - visit.since > self.limits.request_seconds

    def _reads_too_slowly(self, visit: Visit) -> bool:
        """Has there been something unread for too long? A few bytes now and then don't count as reading."""
        if visit.transport.get_write_buffer_size() == 0:
            visit.unread_since = None
            return False
        if visit.unread_since is None:
            visit.unread_since = self.now()
        return self.now() - visit.unread_since > self.limits.unread_seconds

    def _drop_idle(self, visits: Iterable[Visit]) -> bool:
        idle = next((visit for visit in visits if not visit.at_work), None)
        if idle:
            self._drop(idle)
        return idle is not None

    def _drop(self, visit: Visit) -> None:
        """Close a connection at once: a polite close would wait until the other side has read everything."""
        self.leave(visit)
        visit.transport.abort()
