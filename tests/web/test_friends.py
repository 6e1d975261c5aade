"""Friends at the static page: they come by a link and an answer, and the host's tab is their server."""

import time
from collections.abc import Iterator

import pytest
from support.paths import ROOT
from support.play.browsers import GERMAN, PHONE, SHORT, TWO_HANDS, expect, violations
from support.play.hidden import check_view, named
from support.play.sites import CACHED, NOTE_WORDS, Friend, Visitor, invite, let_in, needs_the_site
from support.strategies import scaled

from spades_env.game.cards import action_name
from spades_env.play.server.limits import Limits
from spades_env.play.store.sitting_text import read
from spades_env.play.table.hands import PERSON
from spades_env.play.table.table import Table
from spades_env.play.texts import catalogue

needs_the_site()

SOON = 5.0  # seconds from the link to the seat
EAST = 3
OPEN_ENDS = "ends.filter(({ channel }) => channel.readyState === 'open')"
TABLES = f"{OPEN_ENDS}.filter(({{ channel }}) => channel.label === 'table')"
BACK = f"{TABLES}.some((one) => !window.dead?.includes(one))"
ASK = "(what, more) => import('PAGE/connection.js').then(({ ask }) => ask(what, more)).then(() => '', (e) => e.message)"
SEATED = "state.view.seats.map(({ seat, who }) => [seat, who])"
HEARD_WAYS = "heard.some(([channel, data]) => channel === 'talk' && data.includes('\"ways\"'))"
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
LOST = (("anna", "channel"), ("zoe", "channel"), ("zoe", "pc"))  # who breaks a connection, and what they close


@pytest.fixture
def zoe(browser, page) -> Iterator[Visitor]:
    """The host, who is to bid at a table of two hands."""
    host = Visitor(browser, page)
    host.new(f"{TWO_HANDS} first_dealer=south", seed=5)
    host.ask("rename", name="Zoe")
    yield host
    host.leave()


@pytest.fixture
def anna(browser, page, zoe) -> Iterator[Friend]:
    """A friend at East."""
    friend = seated(browser, page, zoe, "Anna", EAST)
    yield friend
    friend.leave()


def seated(browser, page, host: Visitor, name: str, seat: int) -> Friend:
    friend = come(browser, page, host)
    friend.ask("sit", seat=seat, name=name)
    friend.page.wait_for_selector(".table.lively")
    friend.hurry()
    return friend


def come(browser, page, host: Visitor) -> Friend:
    """Open the page of a friend who is let in, and has no seat yet."""
    friend = Friend(browser, page, invite(host))
    let_in(host, friend)
    friend.page.wait_for_selector(".lobby, .table.lively")
    knows_the_way(friend)
    host.page.keyboard.press("Escape")
    return friend


def move(person: Visitor) -> str:
    """Make somebody's first legal move, and return it."""
    person.until("state.online && state.view?.your_turn && !state.busy")
    action, version = person.state("[state.view.legal[0], state.view.version]")
    person.ask("act", action=action, version=version)
    person.until(f"state.view.version > {version}")
    return action


def is_back(friend: Friend) -> None:
    """Wait until a friend's page has another connection."""
    friend.wait(lambda: friend.page.evaluate(BACK) and friend.state("state.online"), "back at the table")
    knows_the_way(friend)


def knows_the_way(friend: Friend) -> None:
    """Wait until a friend's page has heard how it can come back."""
    friend.wait(lambda: friend.page.evaluate(HEARD_WAYS), "the ways back")


def test_a_friend_is_seated_soon(browser, page, zoe):
    """From the link to the cards, with the answer brought by hand."""
    anna = sat_down(browser, page, zoe, "Anna")
    expect(zoe.button("Let them in")).to_be_focused()
    expect(zoe.page.locator("dialog.invite [role=status]")).to_have_text(catalogue()["friends.arrived"])
    expect(zoe.page.locator(".guests")).to_contain_text("A guest")
    assert len(anna.link) < 300  # a QR code of it can be read from a screen
    assert invite_text(zoe) != anna.link
    anna.leave()


def test_the_link_comes_with_the_network(zoe):
    zoe.context.set_offline(True)
    zoe.menu("Play with others")
    words = zoe.page.get_by_text("This device has no network")
    expect(words).to_be_visible()
    zoe.context.set_offline(False)
    expect(words).to_be_hidden()
    assert "#join=" in invite_text(zoe)


def test_the_answer_comes_with_the_network(browser, page, zoe):
    """A browser that keeps the page opens a link offline."""
    friend = Visitor(browser, page)
    friend.wait(lambda: friend.page.evaluate(CACHED), "the page kept")
    friend.context.set_offline(True)
    friend.reopen(invite(zoe))
    words = friend.page.get_by_text("This device has no network")
    expect(words).to_be_visible()
    friend.context.set_offline(False)
    expect(words).to_be_hidden()
    let_in(zoe, friend)
    friend.page.wait_for_selector(".lobby")
    friend.leave()


def invite_text(host: Visitor) -> str:
    return host.page.get_by_label("Link", exact=True).input_value()


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


def test_an_answer_stays_where_it_was_pasted(zoe):
    """Another link for another friend leaves it there."""
    invite(zoe)
    field, before = zoe.page.get_by_label("Your friend's answer"), invite_text(zoe)
    field.fill("an answer")
    zoe.button("Another link for another friend").click()
    zoe.wait(lambda: invite_text(zoe) != before, "another link")
    assert field.input_value() == "an answer"
    expect(zoe.button("Another link for another friend")).to_be_focused()
    zoe.page.keyboard.press("Escape")


def test_a_connection_lost_a_hundred_times_loses_nothing(zoe, anna):
    """However it ends, the guest's page comes back by itself, and every move that was made stays."""
    people, moves = {"anna": anna, "zoe": zoe}, []
    key = zoe.state("state.key")
    for count in range(scaled(100)):
        who, what = LOST[count % len(LOST)]
        anna.page.evaluate(f"window.dead = {OPEN_ENDS}")
        people[who].page.evaluate(f"{OPEN_ENDS}.forEach((one) => one.{what}.close())")
        if zoe.state("state.view.your_turn") and count % 2:
            moves.append(move(zoe))  # while she is away
        is_back(anna)
        if not zoe.state("state.view.outcome"):
            moves.append(move(on_turn(zoe, anna)))
    while not zoe.state("state.view.outcome"):
        moves.append(move(on_turn(zoe, anna)))
    table = read(zoe.ask("text", key=key)["text"])
    assert [action_name(one.action) for one in table.moves if one.by == PERSON] == moves


def on_turn(*people: Visitor) -> Visitor:
    """Wait until one of these people is to move, and return them."""
    people[0].wait(lambda: any(one.state("state.view?.your_turn && !state.busy") for one in people), "somebody's turn")
    return next(one for one in people if one.state("state.view.your_turn"))


def test_both_pages_are_loaded_again(zoe, anna):
    move(zoe)
    for person in (anna, zoe, anna):
        seen = anna.state("state.view.hand")
        anna.page.evaluate(f"window.dead = {OPEN_ENDS}")
        person.page.reload()
        person.page.wait_for_selector(".table.lively")
        is_back(anna)
        person.hurry()
        assert anna.state("state.view.hand") == seen
        assert anna.state("state.view.seats[0].who") == "Anna"
        move(on_turn(zoe, anna))


def test_the_host_leaves_and_comes_back(zoe, anna, page):
    """Meanwhile the guest's page says what there is to know. Nobody has to send anything again."""
    move(zoe)
    shown = anna.state("state.view.hand_number")
    anna.page.evaluate(f"window.dead = {OPEN_ENDS}")
    zoe.page.close()
    expect(anna.page.locator(".banner")).to_contain_text("The host's tab can't be reached", timeout=60_000)
    anna.menu("Leave this table")
    anna.page.locator("dialog").get_by_role("button", name="Leave this table").click()
    expect(anna.page.locator("#notice")).to_have_text(catalogue()["unreachable"])
    anna.page.keyboard.press("Escape")
    assert anna.page.locator(".hand .card").count()
    zoe.reopen(f"http://127.0.0.1:{page.port}/")
    zoe.page.wait_for_selector(".table.lively")
    is_back(anna)
    expect(anna.page.locator(".banner")).to_be_hidden()
    assert anna.state("state.view.hand_number") == shown
    zoe.hurry()
    zoe.until("!state.view.seats.some((seat) => seat.away)")
    move(on_turn(zoe, anna))


def test_a_guest_leaves_and_comes_back_by_the_same_link(zoe, anna):
    anna.page.close()
    zoe.until("state.view.seats.some((seat) => seat.away)")
    anna.reopen(anna.link)
    anna.page.wait_for_selector(".table.lively")
    assert anna.state("state.view.seats[0].who") == "Anna"
    zoe.until("!state.view.seats.some((seat) => seat.away)")


def test_a_new_link_brings_a_guest_back_to_their_seat(zoe, anna, page):
    """Both had closed their pages, so neither knows where the other is. Then the older link leads there, too."""
    anna.page.close()
    zoe.page.close()
    zoe.reopen(f"http://127.0.0.1:{page.port}/")
    zoe.page.wait_for_selector(".table.lively")
    anna.reopen(anna.link)
    expect(anna.page.locator(".banner")).to_contain_text("ask them for a new link", timeout=60_000)
    anna.page.close()
    anna.reopen(invite(zoe))
    let_in(zoe, anna)
    anna.page.wait_for_selector(".table.lively")
    assert anna.state("state.view.seats[0].who") == "Anna"
    knows_the_way(anna)
    anna.page.close()
    anna.reopen(anna.link)
    anna.page.wait_for_selector(".table.lively")


def test_a_host_goes_on_calling_a_page_that_sleeps(browser, page):
    host = Visitor(browser, page, service_workers="block")
    anna = come(browser, page, host)
    anna.page.close()
    hasty = (
        (ROOT / "web" / "browser" / "webrtc" / "host.js").read_text(encoding="utf-8").replace("[20, 6000]", "[1, 1]")
    )
    host.page.route("**/host.js", lambda route: route.fulfill(body=hasty, content_type="text/javascript"))
    host.page.reload()
    host.page.wait_for_selector(".table.lively")
    host.page.wait_for_timeout(1000)
    known = f"async () => (await (await import('/{page.version}/kept.js')).recall('host/guest/')).length"
    assert host.page.evaluate(known) == 1
    anna.leave()
    host.leave()


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
    assert catalogue()["friends.old_answer"] not in str(tab.evaluate("told"))
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


@pytest.mark.parametrize("answer", ["", "nonsense", "abcd.AAAA", "#answer=abcd." + "A" * 2000])
def test_what_is_no_answer(zoe, answer):
    invite(zoe)
    zoe.page.get_by_label("Your friend's answer").fill(answer)
    zoe.button("Let them in").click()
    expect(zoe.page.locator("dialog.invite [role=status]")).to_have_text(catalogue()["friends.no_answer"])


def test_a_link_that_is_cut_off(browser, page):
    anna = Friend(browser, page, f"http://127.0.0.1:{page.port}/#join=abcdefgh.QUJD")
    expect(anna.page.locator(".recovery")).to_contain_text(catalogue()["friends.bad_link"])
    anna.leave()


def test_a_guest_who_is_removed_needs_a_new_link(zoe, anna):
    zoe.menu("Play with others")
    for words in ("Remove", "Remove them and end the link?"):
        zoe.page.locator(".guests").get_by_text(words, exact=True).click()
    expect(anna.page.locator(".banner")).to_have_text(catalogue()["put_out"])
    anna.page.reload()
    anna.page.locator(".recovery input").wait_for()  # this browser knows nothing of the table any more


def test_a_guest_leaves_for_good(zoe, anna):
    anna.menu("Leave this table")
    expect(anna.page.locator("dialog.sign-out")).to_contain_text(catalogue()["sign_out.guest_words"])
    with anna.page.expect_event("load"):
        anna.page.locator("dialog").get_by_role("button", name="Leave this table").click()
    anna.page.wait_for_selector(".table.lively")
    assert not anna.state("state.hello.guest"), "it is her own table"
    zoe.until("state.view.seats.every((seat) => !seat.person || seat.who === 'Zoe')")


def errors(friend: Friend) -> int:
    return sum("error" in told for told in friend.heard())


def test_guests_are_bounded_as_by_the_native_server(zoe, anna):
    """What is too long, no text, no JSON, or the host's alone is refused. Too much cuts a page off."""
    assert anna.page.evaluate(f"({ASK.replace('PAGE', anna.modules)})('sittings')") == catalogue()["error.host_only"]
    for bad in ("'nonsense'", "new Uint8Array(8)", "'[]'", f"'x'.repeat({Limits().message + 1})"):
        before = errors(anna)
        anna.page.evaluate(f"{TABLES}.at(-1).channel.send({bad})")
        anna.wait(lambda before=before: errors(anna) == before + 1, "a refusal")
    anna.page.evaluate(f"window.dead = {OPEN_ENDS}")
    flood = f"for (let i = 0; i < {2 * Limits().burst}; i += 1) channel.send('{{}}');"
    anna.page.evaluate(f"{TABLES}.forEach(({{ channel }}) => {{ {flood} }})")
    is_back(anna)
    assert move(zoe)


def test_no_hidden_card_comes_to_a_guest(browser, page, zoe, anna):
    """In a whole game, every message that the browser gets is read: of a guest with cards, and of one who watches."""
    ben = come(browser, page, zoe)
    ben.ask("watch", on=True)
    key = zoe.state("state.key")
    while not zoe.state("state.view.outcome"):
        move(on_turn(zoe, anna))
    table = read(zoe.ask("text", key=key)["text"])
    check_heard(anna, table, EAST)
    check_heard(ben, table, None)
    ben.leave()


def test_no_hidden_card_comes_to_three_friends_and_one_who_watches(browser, page, zoe):
    """All sit down soon, read each other's names and play a hand; every message that a browser gets is read."""
    zoe.new(f"{SHORT} first_dealer=south")
    friends = {}
    for name in ("Anna", "Ben", "Cleo"):
        friends[sat_down(browser, page, zoe, name)] = name
        zoe.page.keyboard.press("Escape")
    dan = come(browser, page, zoe)
    dan.ask("watch", on=True)
    people = {who.state("state.view.seat"): who for who in (zoe, *friends)}
    names = {0: "Zoe"} | {seat: friends[who] for seat, who in people.items() if seat}
    assert len(names) == 4
    for who in (*people.values(), dan):
        who.until("state.view?.seats.every((seat) => seat.person)")
        assert dict(who.state(SEATED)) == names
    key = zoe.state("state.key")
    while not zoe.state("state.view.outcome"):
        move(people[zoe.state("state.view.turn")])
    table = read(zoe.ask("text", key=key)["text"])
    for seat, friend in [*people.items(), (None, dan)]:
        if friend is not zoe:
            check_heard(friend, table, seat)
    for friend in (*friends, dan):
        friend.leave()


def sat_down(browser, page, host: Visitor, name: str) -> Friend:
    """Bring a friend from the link to the place of a bot by hand, soon."""
    link = invite(host)
    began = time.monotonic()
    friend = Friend(browser, page, link)
    let_in(host, friend)
    friend.page.get_by_label("Your name").fill(name)
    friend.button("Sit down: Rule book").first.click()
    friend.page.wait_for_selector(".hand .card")
    assert time.monotonic() - began < SOON, name
    friend.hurry()
    return friend


def check_heard(friend: Friend, table: Table, seat: int | None) -> None:
    """Check every message a friend's browser received during a finished game. seat: None for a watcher."""
    friend.until("state.view.outcome")
    messages = friend.heard()
    assert len([message for message in messages if "view" in message]) > len(table.moves) / 2
    for message in messages:
        message.pop("hello", None)  # lists the trumps, as part of the rules
        message.get("texts", {}).pop("hello", None)
        message.pop("ways", None)  # addresses and random keys, where "2D" isn't a card
        if "view" in message:
            assert message["view"]["seat"] == seat or message["view"]["watching"]
            check_view(table, message["view"], message.get("texts", {}).get("view"))
        else:
            assert not named(message), message


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
