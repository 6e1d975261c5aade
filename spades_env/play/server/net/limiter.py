"""All open connections, and which one has to go when there are too many.

    stranger    has shown no cookie yet: a new connection, a half-open one, a flood
    known       its last request carried the cookie of the owner or of a guest

Strangers have a share of the connections to themselves. When it's full, the oldest stranger is dropped for the new one,
so a flood only pushes itself out. A known connection is never dropped for a stranger.

    limiter = Limiter(limits, open_files())
    limiter.add(peer)                  a connection is made
    limiter.mark_known(peer, session)  its request carried a cookie
    limiter.remove(peer)               it's gone
    limiter.drop_slow()                once a second: drop connections that keep us waiting
"""

import time
from asyncio import Transport
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits
from spades_env.play.server.sessions import Session

SPARE_FILES = 64  # open files for the store, levels, and connections that are just being accepted or closed
FEWEST = 64  # with fewer connections, a flood could push the owner out before we read the key
MOST_STRANGERS = 256


@dataclass(eq=False)
class Peer:
    """An open connection. requests: being answered now, WebSockets included; since: when the last one ended."""

    transport: Transport
    address: str
    since: float
    requests: int = 0
    session: str | None = None
    unread_since: float | None = None


def open_files() -> int | None:
    """Return how many files this process may have open, or None without a limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if most == resource.RLIM_INFINITY else most


def address_group(address: str) -> str:
    """Return what counts as one address: of IPv6 a whole /64, since one machine usually has all of it."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))


def is_loopback(host: str) -> bool:
    """Does a name or an address, as it stands in a link, lead everybody to their own computer?"""
    try:
        return host.lower() == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Limiter:
    """The open connections of one server."""

    def __init__(self, limits: Limits, files: int | None, now: Callable[[], float] = time.monotonic):
        most = limits.sockets if files is None else min(limits.sockets, files - SPARE_FILES)
        if most < FEWEST:
            raise RefusedError(
                f"The table needs {SPARE_FILES + FEWEST} open files, and only {files} are allowed: "
                "raise the limit, for example with `ulimit -n 1024`"
            )
        self.limits, self.now = limits, now
        self.most_strangers = min(MOST_STRANGERS, most // 4)
        self.most_known = most - self.most_strangers
        self.most_an_address = self.most_strangers // 2
        self.most_a_session = 2 * limits.connections
        self._strangers: dict[Peer, None] = {}  # the oldest first
        self._known: dict[Peer, None] = {}

    @property
    def peers(self) -> list[Peer]:
        return [*self._strangers, *self._known]

    def add(self, peer: Peer) -> None:
        """Add a new connection. If there are too many, drop the oldest stranger."""
        same_address = [other for other in self._strangers if other.address == peer.address]
        if len(same_address) >= self.most_an_address:
            self._drop(same_address[0])
        elif len(self._strangers) >= self.most_strangers:
            self._drop(next(iter(self._strangers)))
        self._strangers[peer] = None

    def mark_known(self, peer: Peer, session: Session) -> None:
        """Move a connection out of the strangers' share, unless its session, or all of them together, have too many."""
        if peer.session == session.id or not (peer in self._strangers or peer in self._known):
            return
        own = [other for other in self._known if other.session == session.id]
        if len(own) >= self.most_a_session:
            idle = next((other for other in own if not other.requests), None)
            if idle is None:
                return
            self._drop(idle)
        if len(self._known) >= self.most_known and not session.is_owner:
            return
        self.remove(peer)
        self._known[peer] = None
        peer.session = session.id

    def remove(self, peer: Peer) -> None:
        self._strangers.pop(peer, None)
        self._known.pop(peer, None)

    def drop_slow(self) -> None:
        for peer in self.peers:
            late = not peer.requests and self.now() - peer.since > self.limits.request_seconds
            if late or self._reads_too_slowly(peer):
                self._drop(peer)

    def _reads_too_slowly(self, peer: Peer) -> bool:
        """Tell whether something was left unread for too long. A few bytes now and then don't count as reading."""
        if peer.transport.get_write_buffer_size() == 0:
            peer.unread_since = None
            return False
        if peer.unread_since is None:
            peer.unread_since = self.now()
        return self.now() - peer.unread_since > self.limits.unread_seconds

    def _drop(self, peer: Peer) -> None:
        """Close a connection at once: a polite close would wait until the other side has read everything."""
        self.remove(peer)
        peer.transport.abort()
