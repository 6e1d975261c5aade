"""Every screen of the page: accessible (axe-core finds nothing), light, dark, narrow and small."""

import re

import pytest
from support.paths import ROOT
from support.play.browsers import PHONE, TWO_HANDS, Person, needs_a_browser, opened, overlaps, owner, violations

from spades_env.play.texts import FOLDER

needs_a_browser()

PAGE = ROOT / "spades_env" / "play" / "page"
MOST_BYTES = 420_000
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|"
    r"setAttribute\(\"style\"|https?://(?!www\.w3\.org|\$)"
)
NAME = re.compile(r"\w+ of (spades|hearts|diamonds|clubs)(, playable|, not now: .+)?")
BLIND = "classic blind_nil_deficit=0 blind_nil_pass=1"
LONG_NAME = "Wilhelmina Featherstoneh"
WINDOWS = ((360, 640), (1280, 800))  # a phone's, and the usual one, in which the walk goes on


def blind(anna):
    anna.new(BLIND)
    anna.on_turn()
    yield "blind nil offered"
    anna.button("Blind nil ±200").click()
    yield "blind nil asked back"
    anna.button("Yes, blind nil").click()
    anna.page.wait_for_selector(".hand .legal")
    yield "passing"


def playing(anna):
    anna.new(TWO_HANDS)
    anna.on_turn()
    anna.page.keyboard.press("a")
    anna.page.wait_for_selector(".bids .weight:not([hidden])")
    yield "bids with advice"
    anna.play(moves=3)
    anna.on_turn()
    anna.page.keyboard.press("a")
    anna.page.wait_for_selector(".hand .weight:not([hidden])")
    anna.page.locator(".hand button").last.click(force=True)
    yield "cards with advice, and a notice"
    anna.page.keyboard.press("r")
    yield "the last trick"
    anna.page.keyboard.press("Escape")
    anna.skip(moves=11 if anna.page.locator(".hand button").count() == 11 else 10)
    anna.until("state.view.hand_number === 2 && !state.held")
    yield "the hand before"


def dialogs(anna):
    anna.new(TWO_HANDS)
    anna.skip(moves=17)
    for name in ("Rules of this table", "Undo several moves", "Review a hand", "My games"):
        yield from entry(anna, name)
    for name in ("Statistics", "Play with others", "Settings", "Keys"):
        yield from entry(anna, name)
    anna.menu("Fairness")
    anna.button("Check the finished hands").click()
    anna.page.wait_for_selector(".proof")  # the dialog has grown, and its buttons have moved
    anna.button("Ten thousand deals").click()
    anna.page.wait_for_selector(".deals details")
    anna.page.locator(".deals summary").first.click()
    yield "fairness"
    anna.page.keyboard.press("Escape")
    anna.button("More").click()
    yield "the menu"
    anna.page.keyboard.press("Escape")
    anna.button("New game").click()
    anna.page.wait_for_selector(".difficulty .marks")
    yield "players"
    anna.button("Rules").click()
    for group in anna.page.locator(".new-game summary").all():
        if not group.evaluate("node => node.parentElement.open"):
            group.click()
    yield "rules to choose"
    anna.page.keyboard.press("Escape")


def entry(anna, name):
    anna.menu(name)
    anna.page.wait_for_selector("dialog:not(.menu)")
    yield name
    anna.page.keyboard.press("Escape")


def the_end(anna):
    anna.new(TWO_HANDS, seed=None)
    anna.skip()
    yield "the end"
    anna.page.keyboard.press("Escape")
    yield "the table after the end"
    anna.button("Scores").click()
    yield "scores"
    anna.page.keyboard.press("Escape")
    anna.menu("Statistics")
    anna.page.wait_for_selector(".figure")
    yield "statistics with figures"


@pytest.mark.parametrize("screens", [blind, playing, dialogs, the_end])
def test_axe_finds_nothing(anna, screens):
    """Names, roles, contrast, focus: what a program can check of accessibility."""
    seen = 0
    for screen in screens(anna):
        anna.page.evaluate("document.documentElement.dataset.theme = 'light'")
        for window in WINDOWS:
            anna.resize(window)
            assert violations(anna) == [], (screen, window)
            assert anna.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (screen, window)
        anna.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert violations(anna, runOnly=["color-contrast"]) == [], f"{screen}, dark"
        seen += 1
    assert seen >= 3


def test_axe_would_notice(anna):
    anna.page.evaluate("document.querySelector('.action').replaceChildren()")
    anna.page.evaluate("document.querySelector('.action').removeAttribute('aria-label')")
    anna.page.evaluate("document.querySelector('.action').removeAttribute('title')")
    assert "button-name" in [name for name, _ in violations(anna)]


def test_the_page_is_small():
    """All of its files but the typeface, and the largest of its catalogues: a browser loads one."""
    files = [path for path in PAGE.rglob("*") if path.is_file() and path.parent.name != "type"]
    size = sum(path.stat().st_size for path in files)
    size += max(path.stat().st_size for path in (FOLDER / "page").iterdir())
    assert size <= MOST_BYTES


def test_the_first_hand_comes_from_one_server(browser, server):
    """From the address to cards that can be bid on, with requests to no other server."""
    asked: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"http://127.0.0.1:{server.port}/?key={server.key}")
    page.wait_for_selector(".hand [data-card]")
    assert len(asked) > 10
    assert all(url.startswith((f"http://127.0.0.1:{server.port}/", f"ws://127.0.0.1:{server.port}/")) for url in asked)
    context.close()


@opened(phone=PHONE)
def test_names_and_scores_fit(anna):
    """The longest name and a negative score of four figures fit, even on a phone."""
    anna.ask("rename", name=LONG_NAME)
    anna.new(f"{TWO_HANDS} trumps=jokers")
    anna.play(moves=1)
    anna.on_turn()
    anna.page.evaluate(FAR_BEHIND)
    for box in anna.page.locator(".seat, .side, .hand, .prompt").all():
        place = box.bounding_box()
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 360
    for words in anna.page.locator(".score, .side .status, .seat .status").all():
        assert words.evaluate("node => node.scrollWidth <= node.clientWidth + 1")


FAR_BEHIND = """async () => {
  const { state, change } = await import('/page/state.js');
  for (const side of state.view.sides) Object.assign(side, { score: -1234, bags: 9, few_bags_left: true });
  change();
}"""


def test_nothing_covers_a_bid(anna):
    """In a window of any shape, with the last hand above the bids; enlarged four times, all can be scrolled to."""
    anna.new(TWO_HANDS)
    anna.skip(moves=14)
    anna.on_turn()
    for width, height in ROOMS:
        check_bids(anna, width, height)
        assert anna.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (width, height)
        assert anna.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), (width, height)
    anna.new(f"{TWO_HANDS} partners=false")
    anna.on_turn()
    for width, height in ((320, 568), (568, 320), (640, 360)):
        check_bids(anna, width, height)
    anna.page.set_viewport_size({"width": 320, "height": 256})
    anna.page.wait_for_timeout(100)
    assert anna.page.evaluate(OUT_OF_REACH) == []


def check_bids(anna, width, height):
    """Check that nothing lies over words, bids and buttons in a window of this size."""
    anna.page.set_viewport_size({"width": width, "height": height})
    anna.page.wait_for_timeout(100)
    told = ".seat .status, .who, .prompt, .hand, .progress"
    assert overlaps(anna, ".bids", f"{told}, .action") == [], (width, height)
    assert overlaps(anna, ".action", told) == [], (width, height)


ROOMS = [(320, 568), (360, 640), (601, 700), (768, 1024), (568, 320), (640, 360), (667, 375), (740, 360), (800, 360)]
ROOMS += [(821, 600), (900, 600), (1280, 400), (1280, 800)]
OUT_OF_REACH = """() => [...document.querySelectorAll('button')].filter((node) => {
  if (!node.checkVisibility()) return false;
  node.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = node.getBoundingClientRect();
  return x < 0 || x + width > innerWidth || !node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((node) => node.ariaLabel)"""


def test_settings_hold(browser, server):
    """A setting takes effect at once, survives a reload, and holds in another browser."""
    anna = owner(browser, server)
    anna.menu("Settings")
    before = anna.page.locator(".hand button").first.bounding_box()["width"]
    for words in ("Dark", "Four colours", "Large"):
        anna.page.get_by_text(words, exact=True).click()
    anna.page.get_by_text("♦ ♣ ♥ ♠", exact=True).click()
    anna.page.get_by_text("Lowest card first").click()
    anna.page.keyboard.press("Escape")
    bela = Person(browser, server.port, f"/?key={server.key}")
    for one in (anna, bela):
        one.until_page("document.documentElement.dataset.deck === 'four'")
        assert one.page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert one.page.locator(".hand button").first.bounding_box()["width"] > before
        suits = [name[1] for name in shown(one)]
        assert suits == sorted(suits, key="DCHS".index)
        ranks = ["23456789TJQKA".index(name[0]) for name in shown(one) if name[1] == suits[0]]
        assert ranks == sorted(ranks)
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--suit-{}')"
    assert len({anna.page.evaluate(colour.format(suit)) for suit in "SHDC"}) == 4
    anna.leave()
    bela.leave()


def shown(anna):
    return [card.get_attribute("data-card") for card in anna.page.locator(".hand button").all()]


def test_every_card_has_a_name_and_every_event_a_line(anna):
    anna.play(moves=2)
    anna.on_turn()
    names = [card.get_attribute("aria-label") or "" for card in anna.page.locator(".hand button").all()]
    assert len(set(names)) == 12
    assert [name for name in names if not NAME.fullmatch(name)] == []
    words = [f"{one}." for one in anna.state("state.view.events.map(event => event.words)")]
    told = [line for line in anna.said if line in words]
    assert told == words[-len(told) :]
    assert any(line.endswith((" wins the trick.", "You win the trick.")) for line in anna.said)
    assert anna.page.locator("[aria-live]:visible").count() >= 1


def test_no_markup_is_made_of_text():
    """A name can hold anything: nothing in the page turns text into markup or code."""
    for path in PAGE.rglob("*.js"):
        code = path.read_text(encoding="utf-8")
        assert not FORBIDDEN.search(code), path.name


def test_the_code_reads_like_ours():
    """Files of a few pages, each with a comment on what it is, and no line too long."""
    for path in [*PAGE.rglob("*.js"), *PAGE.rglob("*.css")]:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(("//", "/*")), path.name
        assert len(lines) < 300, path.name
        assert max(map(len, lines)) <= 120, path.name
