"""Which connection has to go when there are too many, and how often the log says the same."""

import errno
import logging
from dataclasses import dataclass, replace

import pytest

from play.server.guard import Limits
from play.server.net.door import LEAST, SPARE, Door, Visit, neighbourhood, open_files
from play.server.net.log import LOGGERS, SELDOM, Seldom, keep_log_short
from play.server.refusals import RefusedError
from play.server.sessions import OWNER, Session

FILES = SPARE + 64  # 16 strangers, 8 from one address, 48 who are known
LIMITS = Limits(connections=5)


@dataclass(eq=False)
class Transport:
    """A connection that only tells what happens to it."""

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
def door(clock) -> Door:
    return Door(LIMITS, FILES, clock)


def come(door: Door, address: str = "192.0.2.1", session: str | None = None) -> Visit:
    """A new connection, perhaps with a cookie."""
    visit = Visit(Transport(), address, door.now())  # type: ignore[arg-type]
    door.enter(visit)
    if session:
        door.recognize(visit, Session(session))
    return visit


def left(visits: list[Visit]) -> list[int]:
    """Which of them have not been dropped?"""
    return [number for number, visit in enumerate(visits) if not visit.transport.dropped]  # type: ignore[attr-defined]


def test_the_oldest_stranger_of_an_address_goes_first(door):
    other = come(door, "192.0.2.2")
    flood = [come(door) for _ in range(20)]
    assert left(flood) == list(range(12, 20))
    assert left([other]) == [0]


def test_the_oldest_of_all_strangers_goes_when_their_share_is_full(door):
    flood = [come(door, f"192.0.2.{number}") for number in range(40)]
    assert left(flood) == list(range(24, 40))
    assert len(door.visits) == 16


def test_strangers_push_out_nobody_who_is_known(door):
    known = [come(door, session=f"guest {number}") for number in range(48)]
    assert len(left([come(door, f"192.0.2.{number}") for number in range(100)])) == 16
    assert left(known) == list(range(48))


def test_the_owner_comes_in_when_guests_have_filled_their_share(door):
    for number in range(48):
        come(door, session=f"guest {number}")
    guest, owner = come(door, "192.0.2.2", "one more"), come(door, "192.0.2.2", OWNER)
    for number in range(100):
        come(door, f"198.51.100.{number}")
    assert left([guest, owner]) == [1]


def test_a_session_pushes_out_its_own_idle_connections(door):
    visits = [come(door, session="guest") for _ in range(10)]
    visits[0].at_work = 1  # a WebSocket
    visits.append(come(door, session="guest"))
    assert left(visits) == [0, *range(2, 11)]
    for visit in visits:
        visit.at_work = 1
    late = come(door, session="guest")
    assert late.session is None
    assert len(left(visits)) == 10


def test_who_was_dropped_stays_dropped(door):
    first, *_ = [come(door) for _ in range(9)]
    door.recognize(first, Session(OWNER))
    assert first not in door.visits
    door.leave(first)


def test_a_request_has_its_time(door, clock):
    idle, at_work = come(door), come(door, session=OWNER)
    at_work.at_work = 1
    clock.at = LIMITS.request_seconds
    door.sweep()
    assert left([idle, at_work]) == [0, 1]
    clock.at += 1
    door.sweep()
    assert left([idle, at_work]) == [1]


def test_a_reader_has_time_and_it_starts_anew_when_all_is_read(door, clock):
    slow, fast = come(door), come(door)
    for visit in (slow, fast):
        visit.at_work = 1
        visit.transport.buffered = 100  # type: ignore[attr-defined]
    for second in range(int(LIMITS.unread_seconds) + 2):
        clock.at = second
        fast.transport.buffered = 100 * (second != 20)  # type: ignore[attr-defined]
        slow.transport.buffered = 100 + second  # type: ignore[attr-defined]
        door.sweep()
    assert left([slow, fast]) == [1]


def test_few_files_mean_few_connections():
    assert open_files() is None or open_files() > 0  # type: ignore[operator]
    for files, most in [(SPARE + LEAST, LEAST), (256, 192), (None, LIMITS.sockets), (10**6, LIMITS.sockets)]:
        door = Door(LIMITS, files)
        assert door.most_known + door.most_strangers == most
    with pytest.raises(RefusedError, match="needs 128 open files, and only 127 are allowed"):
        Door(LIMITS, SPARE + LEAST - 1)
    assert Door(replace(LIMITS, sockets=80), None).most_strangers == 20


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
    assert neighbourhood(address) == same


# The log


def passes(log: Seldom, words: str, error: Exception | None = None) -> str | None:
    """What is written of a message, if anything is."""
    told = (type(error), error, None) if error else None
    record = logging.LogRecord("asyncio", logging.ERROR, "", 0, words, None, told)
    return logging.Formatter().format(record) if log.filter(record) else None


def test_the_same_message_is_seldom_written(clock):
    log = Seldom(60, 50, clock)
    assert passes(log, "Invalid request") == "Invalid request"
    assert [passes(log, "Invalid request") for _ in range(1000)] == [None] * 1000
    assert passes(log, "Another") == "Another"
    assert "first" in (passes(log, "Another", ValueError("first")) or "")
    clock.at = 61
    assert passes(log, "Invalid request") == "Invalid request (1000 more like this were left out)"
    assert passes(log, "Another") == "Another"


def test_messages_of_many_kinds_are_limited_too(clock):
    log = Seldom(60, 50, clock)
    assert sum(passes(log, f"Message {number}") is not None for number in range(1000)) == 50
    clock.at = 61
    assert passes(log, "Message 999") == "Message 999"


def test_a_lack_of_files_is_one_sentence(clock):
    log = Seldom(60, 50, clock)
    lack = OSError(errno.EMFILE, "Too many open files")
    written = [passes(log, f"socket.accept() out of system resource\nsocket: {number}", lack) for number in range(9)]
    assert written[1:] == [None] * 8
    assert written[0] == "No more files can be opened, so connections have to wait: `ulimit -n` raises the limit"


def test_the_loggers_that_strangers_reach_are_kept_short():
    keep_log_short()
    keep_log_short()
    for name in LOGGERS:
        assert logging.getLogger(name).filters.count(SELDOM) == 1
