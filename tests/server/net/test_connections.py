"""Which connection is dropped when there are too many, and how often the log repeats a message."""

import errno
import logging
from dataclasses import dataclass, replace

import pytest

from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits
from spades_env.play.server.net.limiter import FEWEST, SPARE_FILES, Limiter, Peer, address_group, open_files
from spades_env.play.server.net.log import LOGGERS, REPEAT_FILTER, RepeatFilter, keep_log_short
from spades_env.play.server.sessions import OWNER, Session

FILES = SPARE_FILES + 64  # 16 strangers, 8 from one address, 48 who are known
LIMITS = Limits(connections=5)


@dataclass(eq=False)
class Transport:
    """A connection that only notes what happens to it."""

    buffered: int = 0
    dropped: bool = False

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def abort(self) -> None:
        self.dropped = True


class Clock:
    at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limiter(clock) -> Limiter:
    return Limiter(LIMITS, FILES, clock)


def come(limiter: Limiter, address: str = "192.0.2.1", session: str | None = None) -> Peer:
    """A new connection, perhaps with a cookie."""
    peer = Peer(Transport(), address, limiter.now())  # type: ignore[arg-type]
    limiter.add(peer)
    if session:
        limiter.mark_known(peer, Session(session))
    return peer


def left(peers: list[Peer]) -> list[int]:
    """Which of them have not been dropped?"""
    return [number for number, peer in enumerate(peers) if not peer.transport.dropped]  # type: ignore[attr-defined]


def test_the_oldest_stranger_of_an_address_goes_first(limiter):
    other = come(limiter, "192.0.2.2")
    flood = [come(limiter) for _ in range(20)]
    assert left(flood) == list(range(12, 20))
    assert left([other]) == [0]


def test_the_oldest_of_all_strangers_goes_when_their_share_is_full(limiter):
    flood = [come(limiter, f"192.0.2.{number}") for number in range(40)]
    assert left(flood) == list(range(24, 40))
    assert len(limiter.peers) == 16


def test_strangers_push_out_nobody_who_is_known(limiter):
    known = [come(limiter, session=f"guest {number}") for number in range(48)]
    assert len(left([come(limiter, f"192.0.2.{number}") for number in range(100)])) == 16
    assert left(known) == list(range(48))


def test_the_owner_comes_in_when_guests_have_filled_their_share(limiter):
    for number in range(48):
        come(limiter, session=f"guest {number}")
    guest, owner = come(limiter, "192.0.2.2", "one more"), come(limiter, "192.0.2.2", OWNER)
    for number in range(100):
        come(limiter, f"198.51.100.{number}")
    assert left([guest, owner]) == [1]


def test_a_session_pushes_out_its_own_idle_connections(limiter):
    peers = [come(limiter, session="guest") for _ in range(10)]
    peers[0].requests = 1  # a WebSocket
    peers.append(come(limiter, session="guest"))
    assert left(peers) == [0, *range(2, 11)]
    for peer in peers:
        peer.requests = 1
    late = come(limiter, session="guest")
    assert late.session is None
    assert len(left(peers)) == 10


def test_who_was_dropped_stays_dropped(limiter):
    first, *_ = [come(limiter) for _ in range(9)]
    limiter.mark_known(first, Session(OWNER))
    assert first not in limiter.peers
    limiter.remove(first)


def test_a_request_has_its_time(limiter, clock):
    idle, busy = come(limiter), come(limiter, session=OWNER)
    busy.requests = 1
    clock.at = LIMITS.request_seconds
    limiter.drop_slow()
    assert left([idle, busy]) == [0, 1]
    clock.at += 1
    limiter.drop_slow()
    assert left([idle, busy]) == [1]


def test_a_reader_has_time_and_it_starts_anew_when_all_is_read(limiter, clock):
    slow, fast = come(limiter), come(limiter)
    for peer in (slow, fast):
        peer.requests = 1
        peer.transport.buffered = 100  # type: ignore[attr-defined]
    for second in range(int(LIMITS.unread_seconds) + 2):
        clock.at = second
        fast.transport.buffered = 100 * (second != 20)  # type: ignore[attr-defined]
        slow.transport.buffered = 100 + second  # type: ignore[attr-defined]
        limiter.drop_slow()
    assert left([slow, fast]) == [1]


def test_few_files_mean_few_connections():
    assert open_files() is None or open_files() > 0  # type: ignore[operator]
    for files, most in [(SPARE_FILES + FEWEST, FEWEST), (256, 192), (None, LIMITS.sockets), (10**6, LIMITS.sockets)]:
        limiter = Limiter(LIMITS, files)
        assert limiter.most_known + limiter.most_strangers == most
    with pytest.raises(RefusedError, match="needs 128 open files, and only 127 are allowed"):
        Limiter(LIMITS, SPARE_FILES + FEWEST - 1)
    assert Limiter(replace(LIMITS, sockets=80), None).most_strangers == 20


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::"),
        ("2001:db8::ffff:0:0:1", "2001:db8::"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        ("fe80::1%eth0", "fe80::"),
        ("somewhere", "somewhere"),
    ],
)
def test_what_counts_as_one_address(address, same):
    assert address_group(address) == same


# The log


def passes(log: RepeatFilter, words: str, error: Exception | None = None) -> str | None:
    """Return what the log writes of a message, if anything."""
    told = (type(error), error, None) if error else None
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, words, None, told)
    return logging.Formatter().format(record) if log.filter(record) else None


def test_the_same_message_is_seldom_written(clock):
    log = RepeatFilter(60, 50, clock)
    assert passes(log, "Invalid request") == "Invalid request"
    assert [passes(log, "Invalid request") for _ in range(1000)] == [None] * 1000
    assert passes(log, "Another") == "Another"
    assert "first" in (passes(log, "Another", ValueError("first")) or "")
    clock.at = 61
    assert passes(log, "Invalid request") == "Invalid request (1000 more like this were left out)"
    assert passes(log, "Another") == "Another"


def test_messages_of_many_kinds_are_limited_too(clock):
    log = RepeatFilter(60, 50, clock)
    assert sum(passes(log, f"Message {number}") is not None for number in range(1000)) == 50
    clock.at = 61
    assert passes(log, "Message 999") == "Message 999"


def test_a_lack_of_files_is_one_sentence(clock):
    log = RepeatFilter(60, 50, clock)
    lack = OSError(errno.EMFILE, "Too many open files")
    written = [passes(log, f"socket.accept() out of system resource\nsocket: {number}", lack) for number in range(9)]
    assert written[1:] == [None] * 8
    assert written[0] == "No more files can be opened, so connections have to wait: `ulimit -n` raises the limit"


def test_the_loggers_that_strangers_reach_are_kept_short():
    keep_log_short()
    keep_log_short()
    for name in LOGGERS:
        assert logging.getLogger(name).filters.count(REPEAT_FILTER) == 1
