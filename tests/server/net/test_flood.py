"""Strangers flood the server, send half requests, read nothing; the owner is served all the while."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import product
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from support.paths import ROOT
from support.play.servers import PATIENT, QUICK, Page, Running, get, owner, running, speak, wait_for
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from spades_env.play.commands import cli
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits
from spades_env.play.server.net import serving
from spades_env.play.server.net.limiter import FEWEST, SPARE_FILES
from spades_env.play.store.database import Store

FILES = 256
LONGEST_LOG = 100_000  # bytes
SOON = 15.0  # seconds that the owner may have to wait
HIGH_WATER = 65_536  # bytes that asyncio keeps for a reader before writers have to wait
HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HURRIED = Limits(rate=1e9, burst=10**9, request_seconds=1, unread_seconds=1, ping_seconds=1000)


@pytest.fixture(autouse=True)
def many_files() -> Iterator[None]:
    """The strangers need open files too."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 4096 if before[1] == resource.RLIM_INFINITY else min(4096, before[1])
    if most < 2048:
        pytest.skip("this machine allows too few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(most, before[0]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


class Program:
    """`spades table` as a program that may open few files: its address, then its log."""

    def __init__(self, folder: Path, files: int):
        with Store(folder) as store:
            store.settings.set("last", QUICK)
        self.log = folder / "log"
        words = ["table", "--port", "0", "--no-browser", "--data", str(folder)]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "spades_env.play.commands.cli", *words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
                env={"NUMBA_DISABLE_JIT": "0"} | os.environ,
                preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (files, files)),
            )

    def way_in(self) -> tuple[int, str]:
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("The table is at "):
                address = urlsplit(line.split()[-1])
                return address.port or 0, f"/?{address.query}"
        raise AssertionError(self.log.read_text())

    def stop(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


@contextmanager
def program(folder: Path, files: int) -> Iterator[Program]:
    started = Program(folder, files)
    try:
        yield started
    finally:
        started.stop()


class Strangers:
    """Connections that send half a request."""

    def __init__(self, port: int):
        self.port, self._open, self._all = port, ExitStack(), []

    def __enter__(self) -> "Strangers":
        return self

    def __exit__(self, *_) -> None:
        self._open.close()

    def come(self, number: int) -> None:
        for _ in range(number):
            with suppress(OSError):  # perhaps it has been dropped by now
                self._all.append(self.one())

    def one(self) -> socket.socket:
        stranger = self._open.enter_context(socket.create_connection(("127.0.0.1", self.port), timeout=SOON))
        stranger.setblocking(False)
        stranger.send(HALF)
        return stranger

    def left(self) -> int:
        """How many have not been dropped?"""
        return sum(not is_closed(stranger) for stranger in self._all)


def is_closed(connection: socket.socket) -> bool:
    """Tell whether the other side has closed it; what it sent is dropped."""
    connection.setblocking(False)
    try:
        while connection.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def ask(page: Page) -> None:
    """The owner soon has answers, on a new connection and on the open one."""
    start = time.monotonic()
    assert page.get("/")[0].status == 200
    assert page.done("stop")
    assert time.monotonic() - start < SOON


def test_a_flood_keeps_the_owner_from_nothing(tmp_path):
    with program(tmp_path, FILES) as served:
        port, path = served.way_in()
        page = Page(port, path)
        page.until(lambda: page.is_at_table)
        with Strangers(port) as strangers:
            for number in (300, 900):
                strangers.come(number)
                for _ in range(3):
                    ask(page)
                    time.sleep(0.5)
            newcomer = Page(port, path)  # another page of the owner's, without a cookie at first
            newcomer.until(lambda: newcomer.is_at_table)
            wait_for(lambda: strangers.left() < FILES / 4)
            wait_for(lambda: strangers.left() == 0)
            ask(page)
        assert served.log.stat().st_size < LONGEST_LOG
        newcomer.close()
        page.close()


def test_the_owner_comes_through_while_a_flood_goes_on(tmp_path):
    with program(tmp_path, FILES) as served:
        port, path = served.way_in()
        page = Page(port, path)
        page.until(lambda: page.is_at_table)
        with Strangers(port) as strangers:
            flood = Thread(target=strangers.come, args=[1500])
            flood.start()
            for _ in range(10):
                assert patiently(page) == 200
                assert page.done("stop")
            flood.join()
        assert served.log.stat().st_size < LONGEST_LOG
        page.close()


def patiently(page: Page) -> int:
    """Ask as browsers do: try once more if a connection is lost before the answer."""
    for _ in range(5):
        with suppress(OSError):
            return page.get("/")[0].status
    raise AssertionError("the owner doesn't get through")


def test_too_few_files_are_refused_in_a_sentence(tmp_path):
    with program(tmp_path, SPARE_FILES + FEWEST - 1) as served:
        assert served.process.wait(60) == cli.REFUSED
        assert served.log.read_text().splitlines()[-1] == (
            "spades: The table needs 128 open files, and only 127 are allowed: raise the limit, for example with "
            "`ulimit -n 1024`"
        )


# Deadlines


@pytest.fixture(scope="module")
def hurried(tmp_path_factory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("hurried"), limits=HURRIED) as server:
        yield server


@contextmanager
def connected(server: Running) -> Iterator[socket.socket]:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(SOON)
        connection.connect(("127.0.0.1", server.port))
        yield connection


def until_dropped(connection: socket.socket, meanwhile: bytes = b"") -> None:
    """Read until the server closes the connection."""

    def dropped() -> bool:
        with suppress(OSError):
            connection.send(meanwhile)
            time.sleep(0.1)
        return is_closed(connection)

    wait_for(dropped, seconds=30)


def test_a_request_must_come_within_a_time(hurried):
    """However much of it has come, and whether or not more follows letter by letter."""
    with ExitStack() as stack:
        waiting = []
        for begun, meanwhile in product((b"", b"G", HALF), (b"", b"x")):
            connection = stack.enter_context(connected(hurried))
            connection.send(begun)
            waiting.append((connection, meanwhile))

        def dropped() -> bool:
            for connection, meanwhile in waiting:
                with suppress(OSError):
                    connection.send(meanwhile)
            time.sleep(0.1)
            return all(is_closed(connection) for connection, _ in waiting)

        wait_for(dropped, seconds=30)


def request(server: Running, path: str, cookie: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie}\r\n\r\n".encode()


@pytest.fixture(scope="module")
def cookie(hurried) -> str:
    page = owner(hurried)
    page.close()
    return page.cookie


def test_so_must_the_next_one(hurried, cookie):
    with connected(hurried) as connection:
        connection.send(request(hurried, "/", cookie))
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        until_dropped(connection, b"x")


@pytest.mark.parametrize("known", [False, True])
def test_a_stranger_gets_one_answer_on_a_connection(hurried, cookie, known):
    """With many requests at once, and no answer read, strangers kept the server too busy to accept others in time."""
    with connected(hurried) as connection:
        connection.send(20 * request(hurried, "/page/icon.svg", cookie if known else ""))
        read = b""
        while read.count(b"</svg>") < (20 if known else 1):
            read += connection.recv(65_536)
        assert (b"connection: close" in read) is not known
        until_dropped(connection)
    assert read.count(b"HTTP/1.1 200 OK") == (20 if known else 1)


def test_so_must_the_body_of_one(hurried):
    asked = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\nContent-Length: 1000000\r\n\r\n".encode()
    with connected(hurried) as connection:
        connection.send(asked)
        assert connection.recv(100).startswith(b"HTTP/1.1 405")
        until_dropped(connection, b"x")


def test_who_reads_no_files_is_dropped(hurried, cookie):
    name, file = max(hurried.site.files.items(), key=lambda named: len(named[1].content))
    asked = request(hurried, f"/page/{name}", cookie)
    with connected(hurried) as connection:
        wait_for(lambda: has_sent(connection, asked) and unread(hurried) > 0)
        assert unread(hurried) < HIGH_WATER + 2 * len(file.content)
        wait_for(lambda: not hurried.limiter.peers, seconds=30)


def has_sent(connection: socket.socket, text: bytes) -> bool:
    """Send as much as the other side takes at once."""
    connection.setblocking(False)
    with suppress(BlockingIOError):
        connection.send(text)
    return True


def unread(server: Running) -> int:
    """How many bytes the server keeps for slow readers."""
    return sum(peer.transport.get_write_buffer_size() for peer in server.limiter.peers)


def test_a_page_that_reads_nothing_is_dropped(hurried, cookie):
    where = f"ws://127.0.0.1:{hurried.port}/live"
    own = Origin(f"http://127.0.0.1:{hurried.port}")
    asked = json.dumps({"id": 1, "do": "x" * 900})
    with (
        connected(hurried) as connection,
        suppress(ConnectionClosed),
        connect(where, sock=connection, origin=own, additional_headers={"Cookie": cookie}, max_queue=1) as deaf,
    ):
        for _ in range(20_000):
            deaf.send(asked)
    wait_for(lambda: not hurried.limiter.peers, seconds=30)
    wait_for(lambda: not hurried.server.connections)


def test_a_page_that_answers_no_ping_is_dropped(tmp_path):
    with running(tmp_path, limits=Limits(ping_seconds=1)) as server:
        page = owner(server)
        page.close()
        with connected(server) as connection:
            key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
            own = f"Host: 127.0.0.1:{server.port}\r\nOrigin: http://127.0.0.1:{server.port}\r\nCookie: {page.cookie}"
            upgrade = "Upgrade: websocket\r\nConnection: Upgrade"
            connection.send(f"GET /live HTTP/1.1\r\n{own}\r\n{upgrade}\r\n{key}\r\n\r\n".encode())
            assert connection.recv(12) == b"HTTP/1.1 101"
            until_dropped(connection)


def test_nobody_who_has_gone_is_counted(tmp_path):
    with running(tmp_path, limits=PATIENT) as server:
        page = owner(server)
        get(server.port, "/")
        with suppress(Exception), speak(server.port, "", None):
            pass
        page.close()
        wait_for(lambda: not server.limiter.peers)


# What it needs of uvicorn


def test_a_uvicorn_that_cannot_be_used_is_refused_in_a_sentence(hurried, monkeypatch):
    monkeypatch.setattr(serving, "H11Protocol", socket.socket)
    with pytest.raises(RefusedError, match=r"^This version of spades-env can't use uvicorn .*: install uvicorn 0"):
        serving.make_web_server(hurried.site)
