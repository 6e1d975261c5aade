"""Company at the table, in a real browser: bubbles and faces, quick phrases, people who watch, rematches, tables."""

import pytest
from support.play.browsers import (
    GERMAN,
    PHONE,
    SHORT,
    TABLET,
    TWO_HANDS,
    Person,
    expect,
    needs_a_browser,
    opened,
    violations,
)

from spades_env.play.texts import catalogue, text

needs_a_browser()

COVERED = """() => {
  const bubble = document.querySelector(".bubble").getBoundingClientRect();
  const hides = (rect) => rect.width && bubble.left < rect.right - 1 && bubble.right > rect.left + 1
    && bubble.top < rect.bottom - 1 && bubble.bottom > rect.top + 1;
  const cards = [...document.querySelectorAll(".hand .card, .trick .laid, .panel button, .seat .face")];
  return cards.filter((card) => hides(card.getBoundingClientRect())).length;
}"""
IN_WINDOW = """() => {
  const { left, right, top, bottom } = document.querySelector(".bubble").getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}"""
WORDS = "says.milly.nil_made.1"


def visitor(browser, server, host: Person, **options) -> Person:
    """Return somebody who has followed the host's link."""
    found = Person(browser, server.port, host.ask("invite")["path"], **options)
    found.hurry()
    return found


def remark(seat: int, mood: str = "happy", moment: str = "nil_made") -> dict:
    about = {"hand_number": 1, "moves": 1, "seat": seat, "moment": moment, "mood": mood}
    return about | {"words": text(WORDS)}


@pytest.fixture
def speaks(monkeypatch):
    """What characters say, in place of what they would."""
    said: list[dict] = []
    monkeypatch.setattr("spades_env.play.table.company.remarks.Remarks.shown", lambda remarks, table: list(said))
    return said


# Characters


@opened(wide={}, phone=PHONE, tablet=TABLET)
def test_a_character_speaks_and_changes_face(anna):
    anna.let_words_stay()
    anna.new(rules=TWO_HANDS, bots=("milly",) * 4)
    anna.on_turn()
    anna.page.locator(".bid").first.focus()
    for seat in (1, 2, 3):
        plate = anna.page.locator(f".seat.{['south', 'west', 'north', 'east'][seat]} .face")
        before = plate.inner_html()
        anna.page.evaluate(RESHOW, [seat, text(WORDS) + " " * seat])
        bubble = anna.page.locator(".bubble")
        bubble.wait_for()
        assert bubble.count() == 1, "never two at once"
        assert plate.inner_html() != before
        assert anna.page.evaluate(COVERED) == 0
        assert anna.page.evaluate(IN_WINDOW)
        assert anna.page.evaluate("document.activeElement.matches('.bid')"), "it takes no focus"
        assert anna.said[-1].startswith("Milly: Not one trick!")
    assert violations(anna) == []


# As if the server had sent the view again, with a remark in it
RESHOW = """async ([seat, words]) => {
  const { newest, receive } = await import("/page/queue.js");
  const remark = { hand_number: 1, moves: 1, seat, moment: "nil_made", mood: "happy", words };
  receive({ ...newest(), remarks: [remark] });
}"""


def test_a_bubble_goes_and_the_face_comes_back(anna):
    anna.new(rules=TWO_HANDS, bots=("milly",) * 4)
    anna.on_turn()
    face = anna.page.locator(".seat.north .face")
    before = face.inner_html()
    anna.page.evaluate(RESHOW, [2, "Hm."])
    anna.page.locator(".bubble").wait_for()
    anna.page.locator(".bubble").wait_for(state="detached")
    assert face.inner_html() == before
    anna.page.evaluate(RESHOW, [2, "Hm."])
    anna.page.wait_for_timeout(200)
    assert anna.page.locator(".bubble").count() == 0, "no line twice"
    # Nor any more once they are switched off
    anna.menu("Settings")
    anna.page.get_by_label("Characters speak up now and then").uncheck()
    anna.page.keyboard.press("Escape")
    anna.page.evaluate(RESHOW, [1, "Ahem."])
    anna.page.wait_for_timeout(200)
    expect(anna.page.locator(".bubble")).to_have_count(0)
    assert not any("Ahem." in line for line in anna.said)


@pytest.mark.parametrize(
    ("anna", "motion"),
    [({"reduced_motion": "reduce"}, "system"), ({}, "off")],
    ids=["system", "setting"],
    indirect=["anna"],
)
def test_a_bubble_does_not_move_for_who_wants_no_motion(anna, motion):
    anna.set(motion=motion)
    anna.let_words_stay()
    anna.on_turn()
    anna.page.evaluate(RESHOW, [2, "Hm."])
    anna.page.locator(".bubble").wait_for()
    assert anna.page.evaluate("document.querySelector('.bubble').getAnimations().length") == 0


def test_what_was_said_before_the_page_opened_is_not_said_again(anna, speaks):
    speaks[:] = [remark(2)]
    anna.page.reload()
    anna.on_turn()
    anna.page.wait_for_timeout(200)
    expect(anna.page.locator(".bubble")).to_have_count(0)


def test_the_end_of_a_game_has_a_last_word(anna, speaks):
    speaks[:] = [remark(1, "worried", "lost")]
    anna.new(bots=("milly",) * 4)
    anna.skip()
    last = anna.page.locator("dialog.end .last-word")
    assert last.inner_text().strip() == "Milly: Not one trick! I counted twice."
    assert violations(anna) == []


@opened(german=GERMAN)
def test_a_character_speaks_german_to_germans(anna, speaks):
    line = catalogue("de")[WORDS]
    anna.new(bots=("milly",) * 4)
    anna.on_turn()
    speaks[:] = [remark(2)]
    act(anna)
    anna.page.locator(".bubble", has_text=line).wait_for()
    anna.until_page(f"[...document.querySelectorAll('#speech p')].some((one) => one.textContent === 'Milly: {line}')")
    assert not any(key.startswith("says.") for key in anna.page.evaluate(CATALOGUE)), "the server sends these lines"
    speaks[:] = [remark(1, "worried", "lost")]
    while anna.on_turn() != "end":
        act(anna)
    assert anna.page.locator("dialog.end .last-word").inner_text().strip() == f"Milly: {line}"


def act(person: Person) -> None:
    """Make the first move that is legal, in any language."""
    version = person.state("state.view.version")
    person.ask("act", action=person.state("state.view.legal[0]"), version=version)
    person.until(f"state.view.version > {version}")


CATALOGUE = "async () => Object.keys(await (await fetch('/texts/de.json')).json())"


# People


@opened("pair", german=GERMAN)
def test_a_phrase_is_said_in_each_readers_language(pair):
    host, anna = pair
    anna.let_words_stay()
    focus = anna.page.evaluate("document.activeElement.tagName")
    host.page.keyboard.press("q")
    assert violations(host) == []
    host.button("Well played!").click()
    host.page.locator(".bubble", has_text="Well played!").wait_for()
    assert host.page.evaluate(COVERED) == 0
    anna.page.locator(".bubble", has_text="Gut gespielt!").wait_for()
    anna.until_page("[...document.querySelectorAll('#speech p')].at(-1).textContent === 'Zoe: Gut gespielt!'")
    assert anna.page.evaluate("document.activeElement.tagName") == focus
    assert anna.page.evaluate(COVERED) == 0
    assert violations(anna) == []
    anna.set(language="de", phrases=False)
    host.page.locator(".bubble").wait_for(state="detached")
    host.button("Say").click()
    host.button("Oops, sorry!").click()
    host.page.locator(".bubble", has_text="Oops, sorry!").wait_for()
    expect(anna.page.locator(".bubble", has_text="Ups")).to_have_count(0)


@opened("pair", german_phone=GERMAN | PHONE)
def test_a_phone_has_space_for_every_action(pair):
    """In German too, whose words are longer, and with people to talk to."""
    _, anna = pair
    cut = """() => [...document.querySelectorAll(".action")].filter((node) => node.checkVisibility()).map((node) => {
      const words = document.createRange();
      words.selectNodeContents(node);
      const [box, text] = [node.getBoundingClientRect(), words.getBoundingClientRect()];
      return [node.textContent, box.left >= 0 && box.right <= innerWidth && text.left >= box.left - 1];
    })"""
    found = dict(anna.page.evaluate(cut))
    assert {catalogue("de")[name] for name in ("undo", "say", "more")} <= set(found)
    assert all(found.values()), found


def test_alone_with_bots_there_is_nobody_to_talk_to(anna):
    anna.on_turn()
    anna.button("Say").wait_for(state="hidden")
    anna.page.keyboard.press("q")
    expect(anna.page.locator("dialog")).to_have_count(0)


def test_who_watches_follows_the_game_and_sits_down(pair, browser, server):
    host, anna = pair
    bela = visitor(browser, server, host)
    assert violations(bela) == []
    bela.button("Watch").click()
    bela.page.locator(".watch-bar").wait_for()
    expect(bela.page.locator(".hand .card:visible")).to_have_count(0)
    assert violations(bela) == []
    eye = host.page.get_by_role("button", name="Watching: a guest")
    eye.click()
    host.page.wait_for_selector("#notice.seen:text-is('Watching: a guest')")
    host.play(moves=1)
    anna.play(moves=1)
    bela.page.locator(".trick .laid").first.wait_for()  # Zoe is to play, so they stay
    host.play(moves=1)
    for key in "azw4q":
        bela.page.keyboard.press(key)
    bela.button("Take a seat").click()
    bela.page.get_by_label("Your name").fill("Bela")
    bela.page.locator("#seat-1").click()
    bela.until("state.view && !state.view.watching && state.view.seat === 1")
    assert bela.page.locator(".hand .card").count() > 0
    eye.wait_for(state="hidden")
    bela.leave()


@opened("pair")
def test_a_question_stays_when_somebody_comes_to_watch(pair, browser, server):
    """Else bids would appear under the pointer that is on its way to the answer."""
    host, _ = pair
    assert host.on_turn() == "bid"
    host.page.keyboard.press("0")
    host.page.wait_for_selector(".ask")
    bela = visitor(browser, server, host)
    bela.button("Watch").click()
    host.page.get_by_role("button", name="Watching: a guest").wait_for()
    assert host.page.locator(".ask").is_visible()
    bela.leave()


@opened("pair", short={"rules": SHORT})
def test_who_watches_on_a_phone_sees_the_end(pair, browser, server):
    host, anna = pair
    bela = visitor(browser, server, host, **PHONE)
    bela.button("Watch").click()
    bela.page.locator(".watch-bar").wait_for()
    assert violations(bela) == []
    while not host.state("state.view.outcome"):
        for person in (host, anna):
            if person.state("state.view.your_turn && !state.busy"):
                person.play(moves=1)
    bela.page.locator("dialog.end h2", has_text="The game is over").wait_for()
    assert violations(bela) == []
    # The host begins a rematch: everybody follows, to other seats
    host.page.locator("dialog.end").get_by_role("button", name="Rematch").click()
    assert violations(host) == []
    host.page.get_by_label("You and Rule book are partners").first.check()
    host.page.locator("dialog.rematch").get_by_role("button", name="Deal").click()
    host.until("state.view && !state.view.outcome && state.view.hand_number === 1")
    anna.until(f"state.key === '{host.state('state.key')}' && state.view.seat === 1")
    bela.until(f"state.key === '{host.state('state.key')}' && state.view.watching")
    anna.page.wait_for_selector("#notice.seen:text-is('Zoe has started a rematch.')")
    assert [person.page.locator("dialog").count() for person in (host, anna, bela)] == [0, 0, 0]
    bela.leave()


def test_the_host_goes_from_table_to_table(pair, server):
    host, anna = pair
    first = host.state("state.key")
    host.new()
    host.menu("Your tables")
    rows = host.page.locator("dialog.tables .tables > li")
    rows.nth(1).wait_for()
    assert "Anna" in rows.filter(has=host.page.get_by_role("button", name="Go there")).inner_text()
    assert violations(host) == []
    host.button("Go there").click()
    host.until(f"state.key === '{first}'")
    host.menu("Your tables")
    rows.nth(0).wait_for()
    here = rows.filter(has_text="You're here")
    expect(here).to_have_count(1)
    here.get_by_role("button", name="Close").click()
    here.get_by_role("button", name="Close it for good?").click()
    anna.page.wait_for_selector("#notice.seen")
    host.wait(lambda: first not in server.server.rooms, "the table is closed")
