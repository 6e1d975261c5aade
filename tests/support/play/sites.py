"""A static site of the table for tests: built once, served with the headers that docs/table.md asks for."""

import json
import os
import shutil
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT
from support.play.browsers import WANTED, Person
from support.play.servers import SECONDS
from support.strategies import SCALE

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex  # of all processes of a run
CACHED = "async () => !!(await navigator.serviceWorker.getRegistration())?.active"  # is all kept for the next visit?
OVERHEAR = """
  window.heard = [];
  window.ends = [];
  const make = RTCPeerConnection.prototype.createDataChannel;
  RTCPeerConnection.prototype.createDataChannel = function (label, ...more) {
    const channel = make.call(this, label, ...more);
    channel.addEventListener('message', ({ data }) => heard.push([label, data]));
    ends.push({ pc: this, channel });
    return channel;
  };
"""
NOTE_WORDS = """
  window.shown = [];
  new MutationObserver(() => {
    const words = document.querySelector("#loading p")?.textContent;
    const value = document.querySelector("#loading progress")?.getAttribute("value");
    if (words && words !== shown.at(-1)?.[0]) shown.push([words, value]);
  }).observe(document, { childList: true, subtree: true });
"""


def needs_the_site() -> None:
    """Skip the module that calls this where the site can't be built."""
    from web.wasm import BuildError, linker

    if SCALE < 1 and not WANTED:
        pytest.skip("the site is tested with SPADES_TEST_SCALE=1 or SPADES_BROWSER_TESTS=1", allow_module_level=True)
    missing = [name for name in ("node", "npm") if not shutil.which(name)]
    try:
        linker()
    except BuildError as error:
        missing.append(str(error))
    if missing and WANTED:
        pytest.fail(f"SPADES_BROWSER_TESTS=1, but there is no {missing[0]}", pytrace=False)
    if missing:
        pytest.skip(f"there is no {missing[0]}", allow_module_level=True)


@pytest.fixture(scope="module")
def site() -> Path:
    """Return the site. One process builds it in a run of the tests, and others wait meanwhile."""
    import fcntl

    from web.build import build

    folder = ROOT / "build" / "play"
    folder.parent.mkdir(exist_ok=True)
    with open(folder.with_name("play.run"), "a+", encoding="utf-8") as built:
        fcntl.flock(built, fcntl.LOCK_EX)
        built.seek(0)
        if built.read() != RUN:
            build(folder)
            built.truncate(0)
            built.write(RUN)
    return folder


@pytest.fixture(scope="module")
def page(site) -> Iterator["Served"]:
    """The site behind an address."""
    with served(site) as found:
        yield found


@pytest.fixture
def anna(browser, page, request) -> Iterator["Visitor"]:
    """A visitor of the page."""
    person = Visitor(browser, page, **getattr(request, "param", {}))
    yield person
    person.leave()


class Handler(SimpleHTTPRequestHandler):
    """Answers with files and strict headers, and notes what was asked for. Weights are in no cache but our own."""

    asked: list[str]

    def __init__(self, asked: list[str], *given: Any, **options: Any):
        self.asked = asked
        super().__init__(*given, **options)

    def send_head(self) -> Any:
        self.asked.append(self.path)
        return super().send_head()

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store" if "/weights/" in self.path else "max-age=600")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Served:
    def __init__(self, port: int, folder: Path, asked: list[str]):
        self.port, self.asked = port, asked
        self.version = next(path.name for path in folder.iterdir() if path.name.startswith("v-"))


@contextmanager
def served(folder: Path, handler: type[Handler] = Handler) -> Iterator[Served]:
    asked: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, asked, directory=os.fspath(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Served(server.server_port, folder, asked)
    server.shutdown()
    server.server_close()


class Visitor(Person):
    """A person in front of the static page."""

    def __init__(self, browser: Any, site: Served, **options: Any):
        self.modules = f"/{site.version}/page"
        super().__init__(browser, site.port, "/", **options)
        self.hurry()

    def open(self, browser: Any, script: str = "", **options: Any) -> None:
        super().open(browser, OVERHEAR + script, **options)

    def reopen(self, link: str) -> None:
        """Open a link in a new tab of the same browser."""
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * SECONDS)
        self.page.goto(link)


class Friend(Visitor):
    """A guest of the static page."""

    def __init__(self, browser: Any, site: Served, link: str, **options: Any):
        self.modules = f"/{site.version}/page"
        self.open(browser, **options)
        self.link = link
        self.page.goto(link)

    def sit(self, seat: int, name: str) -> None:
        self.page.wait_for_selector(".lobby")
        self.ask("sit", seat=seat, name=name)
        self.page.wait_for_selector(".table.lively")
        self.hurry()

    def heard(self) -> list[dict]:
        """Return all messages that came since the page was loaded."""
        found, begun = [], ""
        for channel, data in self.page.evaluate("heard"):
            if channel == "talk":
                found.append(json.loads(data))
            elif data[0] == "+":
                begun += data[1:]
            else:
                found.append(json.loads(begun + data[1:]))
                begun = ""
        return found


def invite(host: Visitor) -> str:
    """Return a link of the host's that nobody has."""
    host.menu("Play with others")
    link = host.page.get_by_label("Link", exact=True)
    link.wait_for()
    before = link.input_value()
    host.button("Another link for another friend").click()
    host.wait(lambda: link.input_value() != before, "another link")
    return link.input_value()


def let_in(host: Visitor, friend: Visitor) -> None:
    """Bring a friend's answer to the host's open dialog."""
    answer = friend.page.locator(".recovery input")
    answer.wait_for()
    host.page.get_by_label("Your friend's answer").fill(answer.input_value())
    host.button("Let them in").click()
