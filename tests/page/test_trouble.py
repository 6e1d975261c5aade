"""When something goes wrong at the page, or happens twice: lost connections, refusals, clocks, double clicks."""

import re
import threading
import time

import pytest
from support.play.browsers import SOUTH_BIDS, TWO_HANDS, Person, expect, needs_a_browser, owner
from support.play.servers import SECONDS

from spades_env.play import ready
from spades_env.play.server.connection import Connection
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.requests import page as requests
from spades_env.play.server.requests import review as after
from spades_env.play.server.requests import setup as before
from spades_env.play.server.requests import table as playing
from spades_env.play.table.seats import Question

needs_a_browser()

TWO_PASSED = "classic blind_nil_deficit=0 blind_nil_pass=2"
DRAW = "async () => (await import('/page/state.js')).change()"
NOT_SECURE = """() => {
  Object.defineProperty(crypto, 'subtle', { value: undefined });
  Object.defineProperty(navigator, 'clipboard', { value: undefined });
}"""  # as browsers have it at http://192.168.1.2
PRESS = "(keys) => document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...keys }))"
NOTICE = "async () => (await import('/page/speech.js')).notice('Words')"
ON_TOP = """() => {
  const node = document.getElementById('notice');
  node.style.pointerEvents = 'auto';
  const { x, y } = node.getBoundingClientRect();
  return document.elementFromPoint(x + 10, y + 10) === node;
}"""
LIMITED = """async (seconds) => {
  const { state } = await import('/page/state.js');
  state.view.clock.per_move = seconds;
}"""


def test_what_the_server_says_unasked_is_read(anna, monkeypatch):
    """A table that cannot be opened, for example."""

    async def refused(_):
        raise RefusedError("This table cannot be opened")

    monkeypatch.setattr(requests, "enter_first", refused)
    anna.page.reload()
    anna.page.wait_for_selector("#notice.seen:text-is('This table cannot be opened')")
    assert "This table cannot be opened" in anna.said


def test_the_clock_never_jumps_back(anna):
    """Drawing the page again while the person thinks does not set it back."""
    anna.new(move_seconds=90)
    anna.on_turn()
    shown = anna.page.locator(".clock")
    anna.wait(lambda: shown.inner_text() <= "1:27", "three seconds on the clock")
    anna.page.evaluate(DRAW)
    anna.page.wait_for_timeout(50)
    assert shown.inner_text() <= "1:27"


def test_a_dragged_card_that_stays_in_the_hand_goes_home(anna, server, monkeypatch):
    """The first of two that are passed; one that is refused."""
    anna.new(TWO_PASSED)
    anna.on_turn()
    anna.button("Blind nil ±200").click()
    anna.button("Yes, blind nil").click()
    anna.page.wait_for_selector(".hand .legal")
    passed = anna.legal[0]
    anna.drag(passed)
    anna.page.wait_for_selector(f'.given[data-card="{passed}"]')
    anna.until("!state.busy")
    assert at_home(anna, passed)
    refused = anna.legal[0]
    monkeypatch.setattr(server.rooms[anna.state("state.key")].table, "act", refuse)
    anna.drag(refused)
    anna.page.wait_for_selector("#notice.seen:text-is('Not now')")
    anna.until("!state.busy")
    assert at_home(anna, refused)


def test_a_card_that_was_let_go_elsewhere_does_not_follow_the_mouse(anna):
    anna.play(moves=1)
    anna.on_turn()
    first, other = (anna.card(name).bounding_box() for name in anna.state(LONG_LANE))
    edge = other["x"] - 2
    anna.page.mouse.move(edge, first["y"] + 40)
    anna.page.mouse.down()
    anna.page.mouse.move(edge + 5, first["y"] + 40)
    anna.page.mouse.up()
    anna.page.mouse.move(first["x"] + 5, first["y"] + 40, steps=3)
    expect(anna.page.locator(".dragged")).to_have_count(0)


LONG_LANE = "state.view.lanes.find(lane => lane.cards.length > 1).cards.slice(0, 2)"


def at_home(anna, name):
    """Tell whether the card lies at its place in the hand."""
    return anna.card(name).evaluate("node => node.style.translate") == ""


def test_who_types_a_name_is_not_disturbed(browser, server):
    """Moves at the table leave the seats alone; where a seat changes, the cursor stays where it was."""
    anna = owner(browser, server)
    path = anna.ask("invite")["path"]
    bela = Person(browser, server.port, path)
    name = bela.page.locator("#lobby-name")
    name.fill("Bela")
    name.evaluate("node => node.setSelectionRange(1, 3)")
    name.evaluate("node => { node.dataset.same = 'yes'; }")
    anna.play(moves=3)
    bela.page.wait_for_timeout(200)
    assert field_with_focus(bela) == ["lobby-name", "Bela", 1, 3]
    assert name.get_attribute("data-same") == "yes"
    anna.ask("rename", name="Anna")
    bela.page.wait_for_selector(".places b:text-is('Anna')")
    assert field_with_focus(bela) == ["lobby-name", "Bela", 1, 3]
    anna.leave()
    bela.leave()


def field_with_focus(anna):
    node = "document.activeElement"
    return anna.page.evaluate(f"[{node}.id, {node}.value, {node}.selectionStart, {node}.selectionEnd]")


def test_giving_up_takes_two_presses(anna):
    """A double click counts as one; moving the focus away cancels."""
    given_up = anna.state("state.key")
    anna.play(moves=1)
    anna.new()
    anna.menu("My games")
    anna.button("Abandon").dblclick()
    again = anna.button("Abandon for good?")
    again.wait_for()
    assert anna.said[-1] == "Abandon for good?"
    anna.page.locator("dialog h2").first.focus()
    anna.button("Abandon").wait_for()
    anna.page.wait_for_timeout(600)  # a third click within a double one's time would be a triple one
    anna.button("Abandon").click()
    assert [one["state"] for one in anna.ask("sittings")["sittings"] if one["key"] == given_up] == ["open"]
    again.click()
    anna.page.locator(".games li", has_text="Abandoned").wait_for()


def test_giving_up_a_game_that_counts_asks_whether_to_lose_it(anna, monkeypatch):
    monkeypatch.setattr("spades_env.play.store.listing.is_forfeit", lambda *_: True)
    anna.play(moves=1)
    anna.new()
    anna.menu("My games")
    anna.button("Abandon").click()
    anna.button("Abandon? It counts as a loss").wait_for()


def test_a_review_that_is_refused(anna, monkeypatch):
    """An error of the adviser is shown, and the request repeated after a reconnection."""
    anna.skip()
    with monkeypatch.context() as patched:
        patched.setattr(after, "graded", refuse)
        anna.button("Review").click()
        anna.page.wait_for_selector(".grades >> text=Not now")
    anna.page.context.set_offline(True)
    anna.page.wait_for_selector("#banner:visible")
    anna.page.context.set_offline(False)
    anna.page.wait_for_selector(".grades >> text=/margin of error/")
    anna.forgive_lost_lines()


def refuse(*_, **__):
    raise RefusedError("Not now")


def test_a_dead_line_is_noticed(anna, server, monkeypatch):
    """The server is silent: a click says so, and after ten seconds the page reconnects."""
    anna.play(moves=1)
    anna.on_turn()
    first, second = anna.legal[0], anna.page.locator(".hand .legal").last.get_attribute("data-card")
    dead, tell = list(server.connections), Connection.tell
    monkeypatch.setattr(Connection, "tell", lambda self, message: None if self in dead else tell(self, message))
    anna.card(first).click()
    began = time.monotonic()
    anna.page.wait_for_timeout(1500)
    anna.card(second).click(force=True)
    anna.page.wait_for_selector('#notice.seen:text-is("One moment: the server hasn\'t answered yet")')
    anna.page.wait_for_selector("#notice.seen:text-is('The connection was lost: try again')")
    assert time.monotonic() - began > 9
    anna.until("state.online && !state.busy")
    anna.card(first).wait_for(state="detached")  # it had been played
    anna.play()


def test_a_hint_that_takes_long_is_announced(anna, monkeypatch):
    """On the first start it may take twenty seconds."""
    thought, go = threading.Event(), playing.coached

    def slowly(*given):
        assert thought.wait(SECONDS)
        return go(*given)

    monkeypatch.setattr(playing, "coached", slowly)
    anna.on_turn()
    anna.button("Hint").click()
    anna.page.wait_for_selector("#notice.seen:text-is('Rule book is thinking about your hand')")
    expect(anna.button("Hint")).to_have_class(re.compile(r"\bon\b"))
    thought.set()
    anna.until("state.hint")
    expect(anna.page.locator("#notice.seen")).to_have_count(0)


def test_fairness_without_a_secure_address(anna):
    """At http://192.168.1.2 a browser cannot hash or copy: the proofs are shown, the text is selected."""
    anna.page.evaluate(NOT_SECURE)
    anna.skip()
    anna.button("Copy the game as text").click()
    anna.page.wait_for_selector("dialog textarea")
    anna.until("(getSelection().toString() || document.activeElement.value || '').startsWith('spades sitting 1')")
    assert "Ctrl C" in anna.page.locator("#notice").inner_text()
    anna.button("Copy the game as text").click()
    anna.page.wait_for_timeout(200)
    expect(anna.page.locator("dialog textarea")).to_have_count(1)
    anna.page.keyboard.press("Escape")
    anna.menu("Fairness")
    anna.button("Check the finished hands").click()
    anna.page.wait_for_selector(".proof")
    told = anna.page.locator(".proof").first.inner_text()
    assert "this browser can check only over HTTPS or on the server's own machine" in told
    assert "| sha256sum" in told
    expect(anna.page.locator(".good, .bad")).to_have_count(0)


def test_a_card_that_was_taken_back_does_not_go_by_itself(anna):
    """Not even with autoplay, where it is the only card allowed."""
    anna.new(TWO_HANDS)
    anna.skip(moves=14)
    anna.until("state.view.hand_number === 2 && !state.held")
    anna.on_turn()
    anna.set(autoplay=True)
    anna.page.keyboard.press("z")
    anna.until("state.view.hand_number === 1 && state.view.your_turn")
    anna.page.wait_for_timeout(1500)
    assert anna.state("state.view.hand_number === 1 && state.view.your_turn")
    anna.card(anna.legal[0]).click()
    anna.until("state.view.hand_number === 2")


def test_play_again_keeps_the_time_for_a_move(anna):
    before_it = anna.new(move_seconds=40)
    anna.page.evaluate(LIMITED, 40)
    anna.play(moves=13)
    anna.on_turn()
    anna.card(anna.legal[0]).click()
    anna.page.wait_for_selector("dialog.end")
    anna.page.evaluate(LIMITED, 40)
    anna.button("Play again").click()
    anna.until(f"state.key !== '{before_it}'")
    assert anna.state("state.view.clock.move") > 30


def test_a_new_game_keeps_partner_and_opponents(anna):
    """Even after a game from another seat, the same player sits at the left."""
    anna.new(bots=("random", "rule", "rule", "rule"), seat=1)
    anna.page.reload()
    anna.page.wait_for_selector(".bid")
    anna.button("New game").click()
    anna.page.wait_for_selector(".seat-choice")
    assert anna.page.locator(".seat-choice b").all_inner_texts() == ["Rule book", "Rule book", "Random"]


def test_keys_for_the_ends_of_a_suit_and_the_number_pad(anna):
    """U and O are the lowest and the highest card, however the hand is sorted."""
    press = anna.page.keyboard.press
    anna.on_turn()
    press("Numpad4")  # an arrow, without Num Lock
    expect(anna.page.locator(".bid")).to_have_count(14)
    anna.page.evaluate(PRESS, {"key": "4", "code": "Numpad4"})
    anna.page.wait_for_selector(".bid", state="detached")
    anna.on_turn()
    assert anna.state("state.view.seats[0].bid") == 4
    lanes = anna.state("state.view.lanes")
    for ascending in (False, True):
        anna.set(ascending=ascending)
        for lane in lanes:
            press(lane["suit"][0])
            press("u")
            assert anna.focused_card == lane["cards"][-1]
            press("o")
            assert anna.focused_card == lane["cards"][0]


def test_shift_adds_ten_unless_the_keyboard_needs_it_for_a_digit(anna):
    for key, bid in (("!", 11), ("1", 1)):  # QWERTY and AZERTY
        anna.new(SOUTH_BIDS)
        anna.on_turn()
        anna.page.evaluate(PRESS, {"key": key, "code": "Digit1", "shiftKey": True})
        anna.until(f"state.view.seats[0].bid === {bid}")


@pytest.mark.parametrize("count", [3, 70])
def test_a_long_list_of_games_says_how_many_there_are(anna, monkeypatch, count):
    told = before.list_sittings
    monkeypatch.setattr(before, "list_sittings", lambda services: (told(services) * count)[:count])
    anna.play(moves=1)
    anna.menu("My games")
    anna.page.wait_for_selector(".games li")
    assert anna.page.locator(".games li").count() == min(count, 60)
    said = anna.page.locator("dialog .body").inner_text()
    assert ("The latest 60 of 70" in said) == (count == 70)


def test_what_is_said_is_seen_and_heard_above_a_dialog(anna):
    """Everything outside a modal dialog is hidden and mute; notices show in the dialog, and stay after it closes."""
    anna.on_turn()  # nothing else is said meanwhile
    anna.menu("Settings")
    anna.page.evaluate(NOTICE)
    assert anna.page.evaluate(ON_TOP)
    expect(anna.page.locator("dialog #speech")).to_have_count(1)
    anna.page.keyboard.press("Escape")
    assert anna.page.locator("body > #notice.seen").inner_text() == "Words"
    assert anna.said[-1] == "Words"


def test_who_waits_for_a_bot_that_is_being_compiled_reads_so(browser, server, monkeypatch):
    """However long it takes, and after a reload."""
    ready_to_answer, answer = threading.Event(), Question.answer
    ready_to_answer.set()
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.05)
    monkeypatch.setattr(ready, "compiling", lambda: True)
    monkeypatch.setattr(Question, "answer", lambda asked: ready_to_answer.wait(60) and answer(asked))
    anna = owner(browser, server)
    anna.on_turn()
    ready_to_answer.clear()
    anna.play(moves=1)
    told = anna.page.locator(".prompt", has_text="Getting the bots ready.")
    told.wait_for()
    anna.page.reload()
    told.wait_for()
    ready_to_answer.set()
    told.wait_for(state="detached")
    anna.leave()
