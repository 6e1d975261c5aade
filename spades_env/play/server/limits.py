"""What protects the server: the names it answers to, the headers it sends, how much anybody may ask for."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

LOCAL = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
MOST_BUCKETS = 10_000  # of one kind; the one that was not used for longest is forgotten


@dataclass(frozen=True)
class Limits:
    """How much anybody may ask for. Sizes are in bytes, rates in messages a second, times in seconds."""

    message: int = 4096
    text: int = 262_144  # of an import
    rate: float = 30  # of one session
    burst: int = 90
    connections: int = 12  # of one session
    watchers: int = 12  # of one table, at a time
    phrases: int = 3  # quick ones that somebody says at once
    phrase_rate: float = 0.2
    joins: int = 16  # at once from one address: a household, or all guests of a proxy
    join_rate: float = 1
    link_joins: int = 32  # at once by one link, from everywhere
    link_join_rate: float = 2
    all_connections: int = 1200
    tables: int = 1000  # open at once
    unfinished: int = 2000  # saved games
    unsent: int = 2000  # messages that wait for a slow connection
    sockets: int = 1500  # open at once, fewer where few files may be open
    request_seconds: float = 10  # until a whole request has arrived
    idle_seconds: int = 5  # between requests
    unread_seconds: float = 30  # until sent data is read
    ping_seconds: float = 20  # between pings of a WebSocket, and until one is answered


class HostNames:
    """The host names that the server answers to: its own, and those of `--allow`."""

    def __init__(self, port: int, bound: str = "127.0.0.1", allowed: Iterable[str] = ()):
        local = [*LOCAL, f"[{bound}]" if ":" in bound else bound]
        hosts = [*allowed, *(f"{name}:{port}" for name in [*local, *allowed]), *(local if port == 80 else ())]
        self.hosts = {host.lower() for host in hosts}

    def add(self, host: str) -> None:
        """Answer to another host, with its port, from now on."""
        self.hosts.add(host.lower())

    def knows(self, host: str | None) -> bool:
        return host is not None and host.lower() in self.hosts

    def is_own_page(self, origin: str | None, host: str | None) -> bool:
        return self.knows(host) and (origin or "").lower() in (f"http://{host}".lower(), f"https://{host}".lower())


class TokenBucket:
    """A rate limit: `burst` messages at once, `rate` a second in the long run."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic):
        self._rate, self._burst, self._now = rate, burst, now
        self._tokens, self._at = float(burst), now()

    def take(self) -> bool:
        """Count one more message; False if that is too many."""
        at = self._now()
        self._tokens = min(self._burst, self._tokens + (at - self._at) * self._rate)
        self._at = at
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class TokenBuckets:
    """The same rate limit for each of many: sessions, addresses, links."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic):
        self._rate, self._burst, self._now = rate, burst, now
        self._buckets: dict[str, TokenBucket] = {}  # who was counted last is last

    def take(self, who: str) -> bool:
        """Count one more; False if that is too many."""
        bucket = self._buckets.pop(who, None) or TokenBucket(self._rate, self._burst, self._now)
        self._buckets[who] = bucket
        if len(self._buckets) > MOST_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take()
