"""Helpers for the tests of the page: a real Chromium, and people who click, type and tap in it.

They run with SPADES_TEST_SCALE=1 where there are Playwright and a Chromium. SPADES_BROWSER_TESTS=1 says that they must
run, at any scale.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.play.servers import SECONDS, Running, running
from support.play.sittings import SPADES_FOR_SOUTH
from support.strategies import SCALE

WANTED = os.environ.get("SPADES_BROWSER_TESTS") == "1"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SMALL, TALL, LOW = (390, 844), (820, 1180), (1080, 680)  # a phone, a tablet, a small notebook
USUAL_SIZES = [SMALL, TALL, LOW, (1440, 900), (1920, 1080), (2560, 1440)]
TABLET = {"viewport": {"width": 820, "height": 1180}}
GERMAN = {"locale": "de-DE"}
SHORT = "match target=off max_hands=1"
TWO_HANDS = "match target=off max_hands=2"
SOUTH_BIDS, EAST_BIDS = f"{SHORT} first_dealer=west", f"{SHORT} first_dealer=south"
# settings without waiting
PACE = {"botPause": 0, "trickStay": 0, "motion": "off", "soundOffered": True}
TURN = ".bid, .offer, .hand .legal, dialog.end"  # one of them is there when the person is to move, or all is over
STATE = "async () => {{ const {{ state }} = await import('PAGE/state.js'); return {} }}"
ASK = "async ([what, fields]) => (await import('PAGE/connection.js')).ask(what, fields)"
OVERLAPS = """([some, others]) => {
  const all = (names) => [...document.querySelectorAll(names)].filter((one) => one.checkVisibility())
    .map((node) => [node.className || node.parentNode.className, node.getBoundingClientRect()]);
  const meets = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return all(some).flatMap(([name, a]) => all(others).filter(([_, b]) => meets(a, b)).map((one) => [name, one[0]]));
}"""
STAYING = """() => {
  const later = window.setTimeout;
  window.setTimeout = (f, wait, ...more) => (wait >= 4000 ? 0 : later(f, wait, ...more));
}"""
SKIP = """async ([moves, bid, patience]) => {
  const { state } = await import('PAGE/state.js');
  const { newest } = await import('PAGE/queue.js');
  const { ask } = await import('PAGE/connection.js');
  const until = async (holds) => {
    for (const end = performance.now() + patience; !holds();) {
      if (performance.now() > end) throw new Error('the turn never comes');
      await new Promise((done) => setTimeout(done, 2));
    }
  };
  const ready = () => state.view === newest() && !state.held && (state.view.your_turn || state.view.outcome);
  for (let made = 0; made < moves; made += 1) {
    await until(ready);
    const { outcome, phase, version } = state.view;
    if (outcome) return true;
    const card = document.querySelector('.hand .legal')?.dataset.card;
    await ask('act', { action: { bid: `bid:${bid}`, blind: 'look' }[phase] ?? card, version });
    await until(() => state.view.version > version);
  }
  return false;
}"""
UNTIL = """async (patience) => {{
  const {{ state }} = await import('PAGE/state.js');
  for (const end = performance.now() + patience; performance.now() < end;) {{
    if ({}) return true;
    await new Promise((done) => setTimeout(done, 5));
  }}
  return false;
}}"""
PATIENCE = 2000  # milliseconds that a page waits without an answer
# Nobody looks at what is painted, which takes a third of the time.
UNSEEN = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { opacity: 0 }');
  document.adoptedStyleSheets = [sheet];
})()"""
SEEN = "document.adoptedStyleSheets = []"
AXE = "(options) => axe.run(options).then(({ violations }) => violations.map((one) => [one.id, one.nodes[0].html]))"
SET = """async (settings) => {
  const { adopt, USUAL } = await import('PAGE/settings.js');
  adopt({ ...USUAL, ...settings });
}"""


def needs_a_browser() -> None:
    """Skip the module that calls this where the browser is missing."""
    if SCALE < 1 and not WANTED:
        pytest.skip("the page is tested with SPADES_TEST_SCALE=1 or SPADES_BROWSER_TESTS=1", allow_module_level=True)
    missing = _missing()
    if missing and WANTED:
        pytest.fail(f"SPADES_BROWSER_TESTS=1, but there is no {missing}", pytrace=False)
    if missing:
        pytest.skip(f"there is no {missing}", allow_module_level=True)


def _missing() -> str | None:
    try:
        import axe_playwright_python.sync_playwright  # noqa: F401
        import playwright.sync_api  # noqa: F401
    except ImportError as error:
        return error.name
    return None if browser_path() else "Chromium"


def browser_path() -> str | None:
    """Return the path of the system's browser."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def expect(what: Any) -> Any:
    """Assert about a page or a locator, and wait until it holds."""
    from playwright.sync_api import expect

    return expect(what)


@contextmanager
def chromium() -> Iterator[Any]:
    """Run a browser for the length of a block."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=QUIET.split())
        yield browser
        browser.close()


@contextmanager
def serving(folder: Path, bots: tuple[str, ...] = ("rule",) * 4, **options: Any) -> Iterator[Running]:
    """Run a server whose first table is a short game with these bots."""
    with running(
        folder, last={"rules": SHORT, "bots": list(bots), "seat": 0, "move_seconds": None}, **options
    ) as server:
        yield server


# Fixtures; a conftest.py or a module of tests imports them by name


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def server(tmp_path) -> Iterator[Running]:
    with serving(tmp_path) as found:
        yield found


@pytest.fixture
def anna(browser, server, request) -> Iterator["Person"]:
    """The page of the server's owner."""
    person = owner(browser, server, **getattr(request, "param", {}))
    yield person
    person.leave()


@pytest.fixture
def pair(browser, server, request) -> Iterator[tuple["Person", "Person"]]:
    """The pages of the host, Zoe, and of Anna."""
    people = two_people(browser, server, **getattr(request, "param", {}))
    yield people
    for person in people:
        person.leave()


def opened(fixture: str = "anna", /, **windows: dict[str, Any]) -> pytest.MarkDecorator:
    """Run a test once for each of these options of Anna's browser, by name."""
    return pytest.mark.parametrize(fixture, list(windows.values()), ids=list(windows), indirect=True)


class Person:
    """A person in front of the page. An error in the page fails the test."""

    modules = "/page"  # where the page's own are

    def __init__(self, browser: Any, port: int, way_in: str, **options: Any):
        self.open(browser, **options)
        self.page.goto(f"http://127.0.0.1:{port}{way_in}")
        self.page.wait_for_selector(".table.lively, .lobby")

    def open(self, browser: Any, script: str = "", **options: Any) -> None:
        """Open a window of their own. script: what every page of it runs first."""
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | options)
        self.context.add_init_script(UNSEEN + script)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * SECONDS)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))

    def leave(self) -> None:
        self.context.close()
        assert not self.errors, self.errors

    def forgive_lost_lines(self) -> None:
        """Forget the errors that a browser reports when a connection breaks."""
        self.errors = [error for error in self.errors if "WebSocket" not in error and "net::" not in error]

    def hurry(self) -> None:
        """Play without pauses."""
        self.set()

    def set(self, **settings: Any) -> None:
        self._evaluate(SET, PACE | settings)

    def let_words_stay(self) -> None:
        """Let no notice and no bubble end by the clock: on a slow machine one is gone before it is looked at."""
        self.page.evaluate(STAYING)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window this size, and wait until the page is drawn in it."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    def ask(self, what: str, **fields: Any) -> dict:
        """Send a request as the page does, and return the answer."""
        return self._evaluate(ASK, [what, fields])

    def new(self, rules: str = SHORT, seed: int | None = 5, bots: tuple[str, ...] = ("rule",) * 4, **more: Any) -> str:
        """Open a new table, wait for it, and return its key."""
        fields = {"rules": rules, "bots": list(bots)} | ({"seed": str(seed)} if seed is not None else {}) | more
        key = self.ask("new", **fields)["key"]
        self.until(f"state.key === '{key}'")
        return key

    def state(self, words: str) -> Any:
        """Evaluate an expression in the page: "state.view.phase"."""
        return self._evaluate(STATE.format(words))

    def _evaluate(self, code: str, given: Any = None) -> Any:
        return self.page.evaluate(code.replace("PAGE", self.modules), given)

    def until(self, words: str) -> None:
        """Wait until an expression is true in the page, which may be left meanwhile."""
        began = time.monotonic()
        while time.monotonic() - began < SECONDS:
            try:
                if self._evaluate(UNTIL.format(words), PATIENCE):
                    return
            except Exception as error:
                if "context was destroyed" not in str(error):
                    raise
        raise AssertionError(f"never: {words}")

    def until_page(self, words: str) -> None:
        """Wait until a condition on the document holds; a strict page forbids Playwright's own way of waiting."""
        self.wait(lambda: self.page.evaluate(words), words)

    def wait(self, holds: Callable[[], Any], words: str) -> None:
        began = time.monotonic()
        while time.monotonic() - began < SECONDS:
            if holds():
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(f"never: {words}")

    @property
    def said(self) -> list[str]:
        """Return the lines for screen readers."""
        return self.page.locator("#speech p").all_inner_texts()

    @property
    def legal(self) -> list[str]:
        """Return the cards that can be played."""
        return self.page.locator(".hand .legal").evaluate_all("(cards) => cards.map((card) => card.dataset.card ?? '')")

    def card(self, name: str) -> Any:
        return self.page.locator(f'.hand [data-card="{name}"]')

    @property
    def focused_card(self) -> str | None:
        return self.page.evaluate("document.activeElement.dataset?.card ?? null")

    def drag(self, name: str) -> None:
        """Take a card to the middle of the table."""
        box = self.card(name).bounding_box()
        self.page.mouse.move(box["x"] + 12, box["y"] + 30)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + 40, box["y"] - 60, steps=4)
        self.page.mouse.move(640, 380, steps=4)
        self.page.mouse.up()

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)

    def menu(self, name: str) -> None:
        """Choose an entry of the menu."""
        self.button("More").click()
        self.button(name).click()

    def on_turn(self) -> str:
        """Wait until there is something to do, and return what: bid, offer, card, or end."""
        self.page.wait_for_selector(TURN)
        self.until("!state.busy && (state.view.your_turn || state.view.outcome)")
        phase = self.state("state.view.phase")
        return {"bid": "bid", "blind": "offer", "over": "end"}.get(phase, "card")

    def play(self, moves: int = 10**6, bid: int = 3) -> None:
        """Make this many moves by mouse, or play to the end of the game."""
        for _ in range(moves):
            doing = self.on_turn()
            if doing == "end":
                self.page.wait_for_selector("dialog.end")
                return
            version = self.state("state.view.version")
            if doing == "card":
                self.card(self.legal[0]).click()
            else:
                self.button("Look at my cards" if doing == "offer" else f"bid {bid}").click()
            self.until(f"state.view.version > {version}")

    def skip(self, moves: int = 10**6, bid: int = 3) -> None:
        """Make the moves of `play` by requests, in a fifth of the time."""
        self.on_turn()
        if self._evaluate(SKIP, [moves, bid, 1000 * SECONDS]):
            self.page.wait_for_selector("dialog.end")

    def bid_all_tricks(self, rules: str) -> None:
        """Open a table, hold all spades and bid thirteen; play until the rest can be claimed."""
        self.new(f"{rules} spades_lead=any", seed=None, deal=SPADES_FOR_SOUTH)
        self.play(moves=1, bid=13)
        self.on_turn()
        if self.button("Take the rest").count() == 0:  # somebody else led: all tricks are still sure
            self.play(moves=1)
        self.button("Take the rest").wait_for()


def violations(person: Person, **options: Any) -> list[tuple[str, str]]:
    """Return what axe-core finds on the page: the rules, each with a node."""
    from axe_playwright_python.base import AXE_SCRIPT

    person.page.wait_for_timeout(150)
    if not person.page.evaluate("Boolean(window.axe)"):
        person.page.evaluate(AXE_SCRIPT)
    person.page.evaluate(SEEN)  # or there would be no contrast
    found = person.page.evaluate(AXE, {"resultTypes": ["violations"]} | options)
    person.page.evaluate(UNSEEN)
    return [(rule, html) for rule, html in found]


def overlaps(person: Person, some: str, others: str) -> list[list[str]]:
    """Return which of some nodes that are shown, by selectors, lie over which of others."""
    return person.page.evaluate(OVERLAPS, [some, others])


def owner(browser: Any, server: Running, **options: Any) -> Person:
    """Open the page of the server's owner."""
    person = Person(browser, server.port, f"/?key={server.key}", **options)
    person.hurry()
    return person


def two_people(browser: Any, server: Running, rules: str = TWO_HANDS, **options: Any) -> tuple[Person, Person]:
    """Open the pages of the host, Zoe in South, who is to bid, and of Anna in North. options: of Anna's browser."""
    zoe = owner(browser, server)
    zoe.new(f"{rules} first_dealer=south", seed=None)
    zoe.ask("rename", name="Zoe")
    zoe.on_turn()
    anna = Person(browser, server.port, zoe.ask("invite")["path"], **options)
    anna.ask("sit", seat=2, name="Anna")
    anna.page.wait_for_selector(".table.lively")
    anna.hurry()
    zoe.until("state.view.seats[2].who === 'Anna'")
    return zoe, anna


def same_moment(*people: Person) -> None:
    """Wait until these people see the same version of the table."""
    people[0].wait(lambda: len({one.state("state.view.version") for one in people}) == 1, "all see the same table")
