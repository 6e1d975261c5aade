"""Several people at one table, each with a page in a real browser: undo requests, absences; and advice."""

import asyncio
import re
import threading

import pytest
from support.play.browsers import (
    PHONE,
    USUAL_SIZES,
    Person,
    expect,
    needs_a_browser,
    opened,
    overlaps,
    owner,
    same_moment,
    serving,
    two_people,
    violations,
)

from spades_env.agents.measures import CHANCE, CHOICE
from spades_env.game.cards import parse_action
from spades_env.play.server.net.door import OPENED, Door
from spades_env.play.table.company.faces import FACES
from spades_env.play.texts import text

needs_a_browser()


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setattr("spades_env.play.server.rooms.absence.AWAY_SECONDS", 0.2)
    with serving(tmp_path) as found:
        yield found


@pytest.fixture
def pair(pair):
    """The host in South, who has bid, and Anna in North, who is to play."""
    host, anna = pair
    host.play(moves=1)
    anna.on_turn()
    same_moment(*pair)
    return pair


def test_an_undo_is_asked_for_and_allowed_by_keyboard(pair):
    host, anna = pair
    focus = anna.page.evaluate("document.activeElement.tagName")
    host.page.keyboard.press("z")
    host.page.locator(".undo-bar", has_text="You want to undo 1 move. Waiting for Anna.").wait_for()
    bar = anna.page.locator(".undo-bar", has_text="Zoe wants to undo 1 move.")
    bar.wait_for()
    assert "Zoe wants to undo 1 move. Allow or decline." in anna.said
    assert anna.page.evaluate("document.activeElement.tagName") == focus, "the bar takes no focus"
    assert violations(anna) == violations(host) == []
    bar.get_by_role("button", name="Allow").focus()
    anna.page.keyboard.press("Enter")
    host.until("state.view.help.takebacks === 1 && state.view.your_turn")
    bar.wait_for(state="hidden")
    anna.page.wait_for_selector("#notice.seen:text-is('Zoe took back 1 move.')")
    host.page.locator(".undo-bar").wait_for(state="hidden")


def test_an_undo_is_declined_or_no_longer_wanted(pair):
    host, anna = pair
    host.button("Undo").click()
    anna.button("Decline").click()
    host.page.wait_for_selector("#notice.seen:text-is('Anna declined the undo.')")
    host.page.locator(".undo-bar").wait_for(state="hidden")
    host.button("Undo").click()
    anna.page.locator(".undo-bar").wait_for()
    host.button("Cancel").click()
    anna.page.locator(".undo-bar").wait_for(state="hidden")
    anna.page.wait_for_selector("#notice.seen:text-is('Zoe withdrew the undo request.')")
    assert host.state("state.view.help.takebacks") == 0


@opened("pair", phone=PHONE | {"viewport": {"width": 390, "height": 844}})
def test_the_offer_of_sound_does_not_cover_an_undo_request(pair):
    """Both stand in the same place on a phone, and a tap on Allow hit the offer."""
    host, anna = pair
    undoable = "state.view.tricks.length && state.view.can.takeback"
    while not (anna.state("state.view.your_turn") and host.state(undoable)):  # while bots move, a request may come late
        for person in (anna, host):
            if person.state("state.view.your_turn"):
                person.play(moves=1)
    anna.set(soundOffered=False)
    offer = anna.page.locator(".sound-offer")
    offer.wait_for()
    same_moment(host, anna)
    host.button("Undo").click()
    anna.page.locator(".undo-bar").wait_for()
    for size in reversed(USUAL_SIZES):  # the phone's last
        anna.resize(size)
        assert overlaps(anna, ".sound-offer, #notice.seen", ".undo-bar") == [], size
    box = anna.button("Allow").bounding_box()
    anna.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    host.until("state.view.help.takebacks === 1")
    assert anna.state("state.settings.sound") is False


def test_a_link_leads_others_here_or_the_dialog_says_why_there_is_none(anna, server):
    link = anna.page.get_by_label("Link", exact=True)
    server.server.reach = text("invite.only_here")
    anna.menu("Play with others")
    anna.page.get_by_text("Only this computer can connect, so there is no link for others.").wait_for()
    assert not link.count()
    assert not anna.button("Copy").count()
    anna.page.keyboard.press("Escape")
    server.server.origin = "http://192.168.1.5:8321"
    anna.menu("Play with others")
    link.wait_for()
    assert link.input_value().startswith("http://192.168.1.5:8321/join/")


def test_the_host_opens_the_table_to_the_network(anna, server, monkeypatch):
    """127.0.0.2 is the network's address."""
    monkeypatch.setenv(OPENED, "")
    server.server.reach = text("invite.only_here")
    server.server.door = Door(server._web_server, server.site.names, server.port, lambda: "127.0.0.2")
    anna.menu("Play with others")
    told = anna.page.get_by_text("every device on your network can then reach it at 127.0.0.2, without encryption")
    told.wait_for()
    key = anna.state("state.key")
    anna.button("Open the table to my network").click()
    link = anna.page.get_by_label("Link", exact=True)
    expect(link).to_have_value(re.compile(f"^http://127.0.0.2:{server.port}/join/"))
    expect(anna.page.locator(".qr svg")).to_be_visible()
    bela = Person.__new__(Person)
    bela.open(anna.context.browser)
    bela.page.goto(link.input_value())
    bela.page.wait_for_selector(".lobby")
    bela.leave()
    assert anna.state("state.key") == key


def test_signing_out_ends_every_page_of_a_person(browser, server):
    host, anna = two_people(browser, server)
    other = owner(browser, server)
    anna.menu("Leave this table")
    anna.button("Stay").click()
    anna.menu("Leave this table")
    anna.page.get_by_text("Anybody may take your seat, and this browser forgets you.").wait_for()
    anna.page.locator("dialog").get_by_role("button", name="Leave this table").click()
    anna.page.get_by_text("This table is private").wait_for()
    host.page.wait_for_selector("#notice.seen:text-is('Anna left. Rule book plays on.')")
    host.menu("Sign out")
    host.page.locator("dialog").get_by_role("button", name="Sign out").click()
    for person in (host, other):
        person.page.get_by_text("This table is private").wait_for()
        person.context.close()  # the browser itself reports the refusal as an error
    anna.context.close()


def test_who_goes_leaves_a_mark(pair):
    host, anna = pair
    anna.page.goto("about:blank")
    host.page.wait_for_selector("#notice.seen:text-is('Anna is away.')")
    plate = host.page.locator(".seat.north")
    plate.get_by_text("away", exact=True).wait_for()
    assert "away" in (plate.get_attribute("aria-label") or "")
    anna.page.go_back()
    host.page.wait_for_selector("#notice.seen:text-is('Anna is back.')")
    anna.page.wait_for_selector(".table.lively")
    anna.ask("leave")
    note = plate.get_by_text("for Anna", exact=True)
    for size in USUAL_SIZES:
        host.resize(size)
        expect(note).to_be_visible()
        assert note.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1"), size
    host.page.wait_for_selector("#notice.seen:text-is('Anna left. Rule book plays on.')")


def test_the_lobby_says_who_plays_with_whom_and_who_is_a_bot(pair, browser, server):
    host, anna = pair
    anna.ask("leave")
    bela = Person(browser, server.port, host.ask("invite")["path"])
    expect(bela.page.locator(".lobby li b")).to_have_text(["Zoe", "Rule book", "Rule book", "Rule book"])
    words = ["taken · partner: Rule book", "plays for Anna · partner: Zoe", *["bot · partner: Rule book"] * 2]
    expect(bela.page.locator(".lobby li small")).to_have_text(words)
    assert violations(bela) == []
    bela.leave()


def test_a_new_game_asks_before_it_leaves_people(pair):
    host, question = pair[0], "Leave Anna here and deal?"
    for name in ("Deal", "Play today's deal"):
        key = host.state("state.key")
        if name == "Deal":
            host.button("New game").click()
        else:
            host.menu("Daily deal")
        host.page.locator("dialog").get_by_role("button", name=name).click()
        host.button(question).wait_for()
        assert question in host.said
        host.page.wait_for_timeout(100)
        assert host.state("state.key") == key
        host.page.keyboard.press("Escape")
    host.button("New game").click()
    host.button("Deal").click()
    host.button(question).click()
    host.until(f"state.key !== '{key}'")


def test_a_face_that_somebody_picks_is_seen_by_the_others_and_kept(pair):
    zoe, anna = pair
    assert len(set(zoe.state("state.view.seats.filter((seat) => seat.person).map((seat) => seat.face)"))) == 2
    anna.menu("Settings")
    anna.page.get_by_label("Lion", exact=True).check()
    anna.page.get_by_label("Plum", exact=True).check()
    anna.page.keyboard.press("Escape")
    zoe.until("state.view.seats[2].face === 'lion'")
    drawn = "document.querySelector('.seat.{} .face').innerHTML"
    zoe.until_page(f"{drawn.format('north')} !== {drawn.format('south')}")
    assert zoe.page.evaluate(drawn.format("north")) == anna.page.evaluate(drawn.format("south"))
    anna.page.reload()
    anna.page.wait_for_selector(".table.lively")
    assert anna.state("state.view.seats[0].face") == "lion"
    assert anna.page.evaluate("[document.documentElement.dataset.felt, document.querySelector('.letter')]") == [
        "plum",
        None,
    ]
    every = "(async () => Object.keys((await import('/page/art/animals.js')).ANIMALS))()"
    assert anna.page.evaluate(every) == list(FACES)


def test_a_page_that_waits_for_its_table_says_so(anna, server, monkeypatch):
    anna.on_turn()
    found, let_go = server.server.room, threading.Event()

    async def slow(key: str):
        while not let_go.is_set():
            await asyncio.sleep(0.01)
        return await found(key)

    monkeypatch.setattr(server.server, "room", slow)
    anna.page.reload()
    anna.page.locator("#banner", has_text="Opening the table…").wait_for()
    let_go.set()
    anna.page.locator("#banner").wait_for(state="hidden")
    anna.page.wait_for_selector(".table.lively")


@pytest.mark.parametrize(
    ("weighed", "kind", "line", "figures"),
    [
        (
            [("bid:4", 0.362), ("bid:3", 0.337)],
            CHANCE,
            "Bid 4. Chance to win the game. Best: bid 4, 36.2%. That's 2.5 percentage points ahead of bid 3.",
            ["36.2%", "33.7%"],
        ),
        (
            [("bid:4", 0.62), ("bid:3", 0.38)],
            CHOICE,
            "Bid 4. How likely Rule book is to choose each. Most likely: bid 4, 62%. Next: bid 3, 38%.",
            ["62%", "38%"],
        ),
    ],
)
def test_advice_names_its_measure_on_the_page_and_aloud(anna, monkeypatch, weighed, kind, line, figures):
    told = [(parse_action(action), weight) for action, weight in weighed]
    monkeypatch.setattr("spades_env.play.table.seats.Question.hint", lambda question: told)
    monkeypatch.setattr("spades_env.play.table.advice.measure", lambda *given: kind)
    monkeypatch.setattr("spades_env.play.coach.hint.explain", lambda *given: None)
    anna.on_turn()
    anna.page.keyboard.press("a")
    anna.page.locator(".advice:visible").wait_for()
    assert anna.page.locator(".advice").inner_text().replace("\n", " ") == line
    assert anna.page.locator(".best").all_inner_texts() == [f"4\n{figures[0]}"]
    assert f"Hint from Rule book. {line}" in anna.said
    assert anna.page.locator(".bid .weight:visible b").all_inner_texts() == figures[::-1]
    assert violations(anna) == []
    anna.page.keyboard.press("a")
    anna.page.locator(".advice").wait_for(state="hidden")


# Views of the same position, of an earlier one as after an undo, and of one like the first; is the hint still there?
AGAIN = """async () => {
  const { newest, receive } = await import('/page/queue.js');
  const { change, hintNow, positionOf, state } = await import('/page/state.js');
  const view = newest();
  change({ hint: { stamp: positionOf(view), weighed: {}, best: '', heading: '', words: '', reason: '' } });
  const found = [];
  for (const one of [view, { ...view, events: view.events.slice(1) }, view]) {
    const version = newest().version + 1;
    receive({ ...one, version });
    while (state.view.version < version) await new Promise((done) => setTimeout(done, 5));
    found.push(Boolean(hintNow()));
  }
  return found;
}"""


def test_no_hint_outlives_an_undo(anna):
    anna.play(moves=1)
    anna.on_turn()
    assert anna.page.evaluate(AGAIN) == [True, False, False]


@opened(wide={}, phone=PHONE)
def test_a_hint_names_the_card_and_marks_it_in_the_hand(anna):
    anna.play(moves=1)
    anna.on_turn()
    anna.page.get_by_role("button", name="Hint").click()
    anna.page.locator(".advice:visible").wait_for()
    assert anna.page.locator(".advice strong").inner_text().startswith(("Lead the ", "Play the "))
    best = anna.page.locator(".hand .best")
    assert best.count() == 1
    assert best.locator("svg").first.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    assert best.get_attribute("data-card") in anna.legal


# The host and the guests


def guests_dialog(host: Person) -> None:
    host.menu("Play with others")
    host.page.locator(".guests li", has_text="Anna").wait_for()


def test_the_host_puts_a_guest_out_by_keyboard(pair):
    host, anna = pair
    guests_dialog(host)
    assert violations(host) == []
    out = host.page.get_by_role("button", name="Remove: Anna")
    out.focus()
    host.page.keyboard.press("Enter")
    assert "Remove them and end the link?" in host.said
    assert out.inner_text() == "Remove them and end the link?"
    assert violations(host) == []
    host.page.keyboard.press("Enter")
    host.page.wait_for_selector("#notice.seen:text-is('Anna was removed, and the link has ended.')")
    host.button("Make a new link").wait_for()
    expect(host.page.locator(".guests li")).to_have_count(0)
    assert host.page.evaluate("document.activeElement.closest('dialog') !== null"), "the focus stays in the dialog"
    anna.page.locator("#banner", has_text="The host has removed you from this table.").wait_for()
    assert "The host has removed you from this table." in anna.said
    assert violations(anna) == []
    anna.page.wait_for_timeout(600)
    assert anna.page.locator("#banner").inner_text() == "The host has removed you from this table.", "it tries no more"


def test_the_host_frees_a_seat_and_ends_the_link(pair, server):
    host, anna = pair
    server.server.origin = f"http://127.0.0.1:{server.port}"
    guests_dialog(host)
    field = host.page.get_by_label("Link", exact=True)
    field.wait_for()
    link = field.input_value()
    free = host.page.get_by_role("button", name="Free the seat: Anna")
    free.click()
    assert host.state("state.view.seats[2].person"), "the first press only asks"
    free.click()
    anna.page.wait_for_selector(".lobby")
    host.page.locator(".guests li", has_text="no seat").wait_for()
    end = host.page.locator("dialog .link > button")
    end.click()
    end.click()
    host.page.get_by_text("This link no longer works.").wait_for()
    host.button("Make a new link").click()
    field.wait_for()
    assert field.input_value() != link
    host.page.keyboard.press("Escape")
    host.ask("leave")
    host.page.wait_for_selector(".lobby")
    guests_dialog(host)  # which takes no seat
