"""Friends at the static page lose the connection, load the page again, leave and come back."""

from support.paths import ROOT
from support.play.browsers import expect
from support.play.friends import OPEN_ENDS, come, is_back, knows_the_way, move, on_turn
from support.play.sites import Visitor, invite, let_in, needs_the_site
from support.strategies import scaled

from spades_env.game.cards import action_name
from spades_env.play.store.sitting_text import read
from spades_env.play.table.hands import PERSON
from spades_env.play.texts import catalogue

needs_the_site()


LOST = (("anna", "channel"), ("zoe", "channel"), ("zoe", "pc"))  # who breaks a connection, and what they close


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
    script = (ROOT / "web" / "browser" / "webrtc" / "host.js").read_text(encoding="utf-8")
    hasty = script.replace("[20, 6000]", "[1, 1]")
    assert hasty != script
    host.page.route("**/host.js", lambda route: route.fulfill(body=hasty, content_type="text/javascript"))
    host.page.reload()
    host.page.wait_for_selector(".table.lively")
    host.page.wait_for_timeout(1000)
    known = f"async () => (await (await import('/{page.version}/kept.js')).recall('host/guest/')).length"
    assert host.page.evaluate(known) == 1
    anna.leave()
    host.leave()


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
