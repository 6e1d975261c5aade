"""Friends join on the static page with a link and an answer; the host's tab is their server."""

from collections.abc import Iterator

import pytest
from support.play.browsers import GERMAN, PHONE, expect, violations
from support.play.friends import sat_down
from support.play.sites import CACHED, NOTE_WORDS, Friend, Visitor, invite, let_in, needs_the_site

from spades_env.play.texts import catalogue

needs_the_site()


SLOW_TO_ANSWER = """() => {
  const take = RTCPeerConnection.prototype.setRemoteDescription;
  const late = (done) => new Promise((go) => setTimeout(() => go(done), 1000));
  RTCPeerConnection.prototype.setRemoteDescription = function (...of) { return take.apply(this, of).then(late); };
}"""
HANGS_UP = """() => {
  const make = RTCPeerConnection.prototype.createDataChannel;
  RTCPeerConnection.prototype.createDataChannel = function (...of) {
    const channel = make.apply(this, of);
    channel.addEventListener('message', () => this.close());
    return channel;
  };
}"""


@pytest.fixture(scope="module")
def alone(browser, page) -> Iterator[Visitor]:
    """A host to whom nobody comes."""
    host = Visitor(browser, page)
    host.new(seed=5)
    yield host
    host.leave()


def test_a_friend_is_seated_soon(browser, page, zoe):
    """From the link to the cards, with the answer brought by hand."""
    anna = sat_down(browser, page, zoe, "Anna")
    expect(zoe.button("Let them in")).to_be_focused()
    expect(zoe.page.locator("dialog.invite [role=status]")).to_have_text(catalogue()["friends.arrived"])
    expect(zoe.page.locator(".guests")).to_contain_text("A guest")
    assert len(anna.link) < 300  # a QR code of it can be read from a screen
    assert invite_text(zoe) != anna.link
    anna.leave()


def test_the_link_comes_with_the_network(alone):
    alone.context.set_offline(True)
    alone.menu("Play with others")
    words = alone.page.get_by_text("This device is offline")
    expect(words).to_be_visible()
    alone.context.set_offline(False)
    expect(words).to_be_hidden()
    assert "#join=" in invite_text(alone)
    alone.page.keyboard.press("Escape")


def test_the_answer_comes_with_the_network(browser, page, zoe):
    """A browser that has cached the page opens a link offline."""
    friend = Visitor(browser, page)
    friend.wait(lambda: friend.page.evaluate(CACHED), "the page kept")
    friend.context.set_offline(True)
    friend.reopen(invite(zoe))
    words = friend.page.get_by_text("This device is offline")
    expect(words).to_be_visible()
    friend.context.set_offline(False)
    expect(words).to_be_hidden()
    let_in(zoe, friend)
    friend.page.wait_for_selector(".lobby")
    friend.leave()


def test_a_friend_may_be_faster_than_the_host(browser, page, zoe):
    """What their page says first waits until the host's page has taken the answer in."""
    zoe.page.evaluate(SLOW_TO_ANSWER)
    sat_down(browser, page, zoe, "Anna").leave()


def test_a_connection_lost_before_the_table_is_there_is_said(browser, page, zoe):
    zoe.page.evaluate(HANGS_UP)
    friend = Friend(browser, page, invite(zoe))
    let_in(zoe, friend)
    expect(friend.page.get_by_role("alert")).to_contain_text("The host's tab can't be reached")
    friend.leave()


def test_an_answer_stays_where_it_was_pasted(alone):
    """Another link for another friend leaves it there."""
    invite(alone)
    field, before = alone.page.get_by_label("Your friend's answer"), invite_text(alone)
    field.fill("an answer")
    alone.button("Another link for another friend").click()
    alone.wait(lambda: invite_text(alone) != before, "another link")
    assert field.input_value() == "an answer"
    expect(alone.button("Another link for another friend")).to_be_focused()
    alone.page.keyboard.press("Escape")


def test_an_answer_is_opened_as_a_link(browser, page, zoe):
    anna = Friend(browser, page, invite(zoe))
    anna.page.locator(".recovery input").wait_for()
    waiting, tab = zoe.context.new_page(), zoe.context.new_page()
    waiting.goto(f"http://127.0.0.1:{page.port}/")
    waiting.wait_for_selector("#loading >> text=open in another tab")
    tab.add_init_script(NOTE_WORDS)
    tab.goto(anna.page.locator(".recovery input").input_value())
    anna.page.wait_for_selector(".lobby")
    words = tab.locator("#loading p")
    expect(words).to_have_text(catalogue()["friends.arrived"])
    assert catalogue()["friends.old_answer"] not in str(tab.evaluate("shown"))
    waiting.close()
    tab.reload()
    expect(words).to_have_text(catalogue()["friends.old_answer"])
    zoe.page.close()
    tab.reload()
    expect(words).to_have_text(catalogue()["friends.no_host"])
    tab.get_by_role("button", name=catalogue()["friends.open"]).click()
    tab.wait_for_selector(".table.lively")
    anna.leave()


def test_an_answer_is_opened_in_the_hosts_own_tab(browser, page, zoe):
    """The table in it stays open, and so does the friend's page."""
    anna = Friend(browser, page, invite(zoe))
    answer = anna.page.locator(".recovery input")
    answer.wait_for()
    anna.page.keyboard.press("Escape")
    anna.page.keyboard.press("Escape")
    expect(answer).to_be_visible()
    zoe.page.goto(answer.input_value())
    anna.page.wait_for_selector(".lobby")
    expect(zoe.page.locator("dialog.invite [role=status]")).to_have_text(catalogue()["friends.arrived"])
    assert "#" not in zoe.page.url
    anna.leave()


def test_what_is_no_answer(alone):
    invite(alone)
    field, status = alone.page.get_by_label("Your friend's answer"), alone.page.locator("dialog.invite [role=status]")
    for answer in ("", "nonsense", "abcd.AAAA", "#answer=abcd." + "A" * 2000):
        status.evaluate("(node) => node.replaceChildren()")
        field.fill(answer)
        alone.button("Let them in").click()
        expect(status).to_have_text(catalogue()["friends.no_answer"])
    alone.page.keyboard.press("Escape")


def test_a_link_that_is_cut_off(browser, page):
    anna = Friend(browser, page, f"http://127.0.0.1:{page.port}/#join=abcdefgh.QUJD")
    expect(anna.page.locator(".recovery")).to_contain_text(catalogue()["friends.bad_link"])
    anna.leave()


def test_a_german_guest_on_a_phone(browser, page, zoe):
    german = catalogue("de")
    anna = Friend(browser, page, invite(zoe), **GERMAN | PHONE)
    expect(anna.page.locator(".recovery h2")).to_have_text(german["friends.joining"])
    expect(anna.page.locator(".recovery")).to_contain_text(german["friends.trust_host"])
    assert violations(anna) == []
    assert anna.page.evaluate("document.documentElement.scrollWidth") <= 360
    let_in(zoe, anna)
    expect(anna.page.locator(".lobby h2")).to_have_text(german["lobby.take"])
    assert violations(zoe) == []
    anna.leave()


def invite_text(host: Visitor) -> str:
    return host.page.get_by_label("Link", exact=True).input_value()
