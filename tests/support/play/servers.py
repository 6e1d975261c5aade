"""Helpers for the tests of the server: a server in a thread, and pages that talk to it."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from spades_env._jit import JIT_ON, wrap_around
from spades_env.play.server.limits import HostNames, Limits
from spades_env.play.server.net.serving import make_web_server
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.routes import Site
from spades_env.play.server.server import Server
from spades_env.play.store.database import Store
from spades_env.play.table.table import Table

SECONDS = 120.0  # to wait for anything: bots may have to be compiled
PATIENT = Limits(rate=1e9, burst=10**9, joins=10**9, link_joins=10**9)  # for tests that ask more than people do
slow = pytest.mark.skipif(not JIT_ON, reason="minutes without the compiler")
BOTS = ["random"] * 4
ONE_HAND, TWO_HANDS = (  # South deals first, so South bids before North
    f"match target=off max_hands={hands} first_dealer=south" for hands in (1, 2)
)
QUICK = {"rules": "classic target=off max_hands=1", "bots": BOTS, "seat": 0, "move_seconds": None}


class Running:
    """A server in a thread of the test, which can inspect it."""

    def __init__(
        self,
        folder: Path,
        limits: Limits = PATIENT,
        absent_after: float = 60.0,
        last: dict | None = None,
        adviser: str = "rule",
    ):
        with Store(folder) as store:
            store.settings.set("last", last or QUICK)
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        self.server = Server(folder, absent_after, reach="near", limits=limits, adviser=adviser)
        self.services, self.rooms, self.connections = self.server.services, self.server.rooms, self.server.connections
        self.key = self.services.sessions.key
        names = HostNames(self.port, allowed=["table.example"])
        self.site = Site(self.server, names, self.port, make_ready=False)
        self._web_server = make_web_server(self.site)
        self.limiter = self._web_server.limiter
        self._thread = threading.Thread(target=self._run, args=[listening], daemon=True)
        self._thread.start()
        wait_for(lambda: self._web_server.started)

    def _run(self, listening: socket.socket) -> None:
        wrap_around()
        self._web_server.run(sockets=[listening])

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._web_server.should_exit = True
        self._thread.join(SECONDS)
        assert not self.alive

    def room(self, page: "Page") -> Room:
        """Return the room that a page shows."""
        return self.rooms[page.key]

    def table(self, page: "Page") -> Table:
        return self.room(page).table

    def up_to_date(self, *pages: "Page") -> None:
        """Wait until the pages show the current table."""
        for page in pages:
            page.until(lambda page=page: page.view["version"] == self.table(page).version)

    def rest(self, page: "Page") -> None:
        """Wait until no bot is at work in a page's room."""
        wait_for(lambda: not self.room(page).busy)


@contextmanager
def running(folder: Path, **options) -> Iterator[Running]:
    """Run a server for the length of a block."""
    server = Running(folder, **options)
    try:
        yield server
    finally:
        server.stop()


class Page:
    """A page in a browser: keeps every text it receives. language: what it asks for when it connects."""

    language = ""

    def __init__(self, port: int, path: str):
        """Open a page. path: `/?key=…` or `/join/…`."""
        self.port, self.news, self.heard = port, [], []
        self.cookie = ""
        response, _ = self.get(path)
        self.cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
        self._number, self._answers = 0, {}
        self.told: dict[str, Any] = {}  # the latest of each kind of news
        self.connect()

    def get(self, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
        return get(self.port, path, method, **({"Cookie": self.cookie} | headers))

    def connect(self) -> None:
        self._open = ExitStack()
        origin = f"http://127.0.0.1:{self.port}"
        self._socket = self._open.enter_context(speak(self.port, self.cookie, origin, self.language))

    def close(self) -> None:
        self._open.close()

    def reload(self) -> None:
        self.close()
        self.told = {}
        self.connect()
        self.until(lambda: self.is_at_table)

    @property
    def view(self) -> dict:
        return self.told["view"]

    @property
    def key(self) -> str:
        return self.told["table"]

    @property
    def is_at_table(self) -> bool:
        return "view" in self.told or "lobby" in self.told

    def send(self, message: str | bytes) -> None:
        self._socket.send(message)

    def ask(self, do: str, **fields: Any) -> dict:
        """Send a request, and return the answer."""
        number = self.ask_only(do, **fields)
        self.until(lambda: number in self._answers)
        return self._answers.pop(number)

    def ask_only(self, do: str, **fields: Any) -> int:
        """Send a request without waiting for the answer, and return its number."""
        self._number += 1
        self.send(json.dumps({"id": self._number, "do": do} | fields))
        return self._number

    def done(self, do: str, **fields: Any) -> dict:
        """Return the answer to a request that must be granted."""
        answer = self.ask(do, **fields)
        assert answer.get("ok"), answer
        return answer

    def refused(self, do: str, **fields: Any) -> str:
        """Send a request that must be refused, and return the reason."""
        return self.ask(do, **fields)["error"]

    def answer_to(self, message: str | bytes) -> dict:
        """Send any message, and return the answer."""
        self._answers.clear()
        self.send(message)
        self.until(lambda: self._answers)
        return self._answers.popitem()[1]

    def until(self, holds: Callable[[], Any], seconds: float = SECONDS) -> None:
        """Receive messages until a condition holds."""
        end = time.monotonic() + seconds
        while not holds():
            self._take(self._socket.recv(max(0.01, end - time.monotonic())))

    def listen(self, seconds: float = 0.2) -> None:
        """Receive messages for some time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                self._take(self._socket.recv(left))
            except TimeoutError:
                return

    def until_closed(self) -> int:
        """Receive messages until the server closes the connection, and return the reason."""
        try:
            self.until(lambda: False)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0
        raise AssertionError("the server does not hang up")

    def _take(self, message: str | bytes) -> None:
        assert isinstance(message, str)
        self.heard.append(message)
        data = json.loads(message)
        if "re" in data:
            self._answers[data["re"]] = data
            return
        self.news.append(data)
        if "view" in data or "lobby" in data:
            self.told = {name: part for name, part in self.told.items() if name not in ("view", "lobby")}
        self.told |= data

    # Play

    def to_move(self) -> bool:
        return "view" in self.told and bool(self.view["your_turn"])

    def act(self, action: str) -> dict:
        """Act, and wait until the page shows it."""
        version = self.view["version"]
        answer = self.done("act", action=action, version=version)
        self.until(lambda: self.view["version"] > version)
        return answer

    def play(self, choose: Callable[[dict], str] = lambda view: view["legal"][0], moves: int = 10**6) -> None:
        """Make this many moves, or play until the game is over."""
        for _ in range(moves):
            self.until(lambda: self.to_move() or self.view["outcome"])
            if self.view["outcome"]:
                return
            self.act(choose(self.view))


def owner(server: Running) -> Page:
    """Open the owner's page, and wait for a view."""
    page = Page(server.port, f"/?key={server.key}")
    page.until(lambda: page.is_at_table)
    return page


def guest(server: Running, path: str, seat: int | None = None, name: str = "") -> Page:
    """Open a guest's page, and take a seat if one is named."""
    page = Page(server.port, path)
    page.until(lambda: page.is_at_table)
    if seat is not None:
        page.done("sit", seat=seat, name=name)
        page.until(lambda: "view" in page.told)
    return page


def new_table(page: Page, rules: str = TWO_HANDS, bots: Sequence[str] = BOTS, **options: Any) -> str:
    """Begin a game, wait for the person's turn in it, and return its key."""
    key = page.done("new", rules=rules, bots=list(bots), **options)["key"]
    page.until(lambda: page.key == key and page.to_move())
    return key


def hosted(server: Running, rules: str = TWO_HANDS) -> Page:
    """Open the page of a host called Zoe, at a new table."""
    page = owner(server)
    new_table(page, rules)
    page.done("rename", name="Zoe")
    page.until(lambda: page.view["seats"][0]["who"] == "Zoe")
    return page


def play_together(holds: Callable[[], Any], *pages: Page) -> None:
    """Let each page make its first legal move until a condition holds."""
    while not holds():
        for page in pages:
            page.listen(0.02)
            if page.to_move():
                page.act(page.view["legal"][0])


def get(port: int, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    """Send a plain HTTP request; _ in a header's name stands for a hyphen."""
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response, content


def speak(port: int, cookie: str, origin: str | None, language: str = "") -> ClientConnection:
    """Open a WebSocket as a page of this origin does, for use in a `with`."""
    headers = {"Cookie": cookie} if cookie else {}
    where = f"ws://127.0.0.1:{port}/live?language={language}"
    return connect(
        where,
        origin=Origin(origin) if origin else None,
        additional_headers=headers,
        max_size=None,
        open_timeout=SECONDS,
    )


def wait_for(holds: Callable[[], Any], seconds: float = SECONDS) -> None:
    """Wait until a condition holds that another thread brings about."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.002)
