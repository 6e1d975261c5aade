"""At the table in a real browser: blind nil, passing, takebacks, reloads and kills, other people, what comes after."""

import re
import signal

import pytest
from support.play.browsers import (
    SHORT,
    TWO_HANDS,
    USUAL_SIZES,
    Person,
    expect,
    needs_a_browser,
    opened,
    owner,
    same_moment,
)
from support.play.programs import Program

from spades_env.play.server.net.browser_file import browser_file

needs_a_browser()

BLIND = "classic blind_nil_deficit=0 blind_nil_pass=1"
WAITING = """async () => {
  const { state } = await import('/page/state.js');
  const { newest } = await import('/page/queue.js');
  return state.held !== null || state.view !== newest();
}"""
NOW = "({...state.view, clock: 0})"


def test_blind_nil_and_passing(anna):
    """The offer comes before any card, says its worth, and must be confirmed; then a card is passed each way."""
    anna.new(BLIND)
    anna.play(moves=1)  # looks, which ends the offer
    anna.page.wait_for_selector(".bid")
    expect(anna.page.locator(".hand [data-card]")).to_have_count(13)
    anna.new(BLIND)
    assert anna.on_turn() == "offer"
    expect(anna.page.locator(".hand .back")).to_have_count(13)
    expect(anna.page.locator("[data-card]")).to_have_count(0)
    assert "+200 if you make it, −200 if you don't" in anna.page.locator(".offer").inner_text()
    anna.page.keyboard.press("a")
    anna.page.wait_for_selector(".offer .weight:not([hidden])")
    anna.button("Blind nil ±200").click()
    assert anna.state("state.view.phase") == "blind"
    anna.button("Yes, blind nil").click()
    anna.page.wait_for_selector(".hand .legal")
    assert anna.state("state.view.phase") == "pass"
    assert anna.page.locator(".seat.south .nil").inner_text() == "blind nil"
    given = anna.legal[0]
    anna.card(given).click()
    anna.card(given).wait_for(state="detached")
    anna.until("state.view.phase === 'play' && state.view.your_turn")
    expect(anna.page.locator(".hand [data-card]")).to_have_count(13)
    received = anna.page.locator(".hand .received")
    assert [received.get_attribute("data-card")] == anna.state("state.view.passing.received")


def test_takebacks_reach_into_the_hand_before(anna):
    """Z undoes one move; several go at once, also those of a hand that was over."""
    anna.new(TWO_HANDS)
    anna.play(moves=14)
    anna.on_turn()
    check_said_of_the_end(anna)
    anna.play(moves=2)
    first = anna.state("state.view.graph.length")
    assert first == 2
    anna.on_turn()
    anna.menu("Undo several moves")
    anna.page.locator("dialog input").fill("3")
    anna.page.get_by_role("dialog").get_by_role("button", name="Undo", exact=True).click()
    anna.until("state.view.hand_number === 1 && state.view.your_turn")
    assert anna.state("state.view.tricks.length") >= 11
    expect(anna.page.locator(".hand button")).to_have_count(1)
    assert anna.said[-2] == "Move undone."
    assert anna.said[-1].startswith(anna.state("state.view.prompt"))
    anna.page.keyboard.press("z")
    anna.until("state.view.help.takebacks === 4 && state.view.your_turn")
    assert anna.said.count("Move undone.") == 2
    expect(anna.page.locator(".hand button")).to_have_count(2)
    anna.skip()
    assert anna.state("state.view.graph.length") == 3


def check_said_of_the_end(anna):
    """To move in the second hand: the last card and trick of the first, its result, the bids since."""
    view = anna.state("state.view")
    last, names = view["previous"]["tricks"][-1], {seat["seat"]: seat["called"] for seat in view["seats"]}
    sides = [
        f"{side['called']}: {side['words']}. {str(side['score']).replace('-', '−')} points."
        for side in view["sheet"][0]["sides"]
    ]
    bids = [f"{event['words']}." for event in view["events"]]
    wins, deals, plays = (
        f"{names[seat]} {verb}{'s' * bool(seat)}"
        for seat, verb in ((last["winning"], "win"), (view["dealer"], "deal"), (last["cards"][-1]["seat"], "play"))
    )
    lines = [f"{wins} the trick.", *sides, f"Hand 2, {deals.lower() if deals == 'You deal' else deals}.", *bids]
    told = anna.said[-len(lines) - 2 :]
    assert told[0].startswith(f"{plays} the ")
    assert told[1:] == [*lines, view["prompt"]]


def test_a_reload_in_a_trick_changes_nothing(anna):
    anna.play(moves=4)
    anna.on_turn()
    before = anna.state(NOW)
    cards = anna.page.locator(".hand button").count()
    anna.page.reload()
    anna.page.wait_for_selector(".hand .legal")
    assert anna.state(NOW) == before
    assert anna.page.locator(".hand button").count() == cards
    assert anna.page.locator(".laid").count() == len(before["trick"]["cards"])


def test_the_file_that_opens_the_browser_leads_to_the_table(browser, server, tmp_path):
    """Browsers send no strict cookies after a link from a file, so our own page redirects."""
    address = f"http://127.0.0.1:{server.port}/"
    context = browser.new_context()
    page = context.new_page()
    with browser_file(tmp_path, f"{address}?key={server.key}") as path:
        page.goto(path.as_uri())
        page.wait_for_selector(".table.lively, .lobby")
    assert page.url == address
    context.close()


def test_a_killed_server_comes_back_to_the_letter(browser, tmp_path):
    """A quiet banner while it is gone; then the same cards, and the game goes on."""
    program = Program(tmp_path)
    anna = Person(browser, program.port, program.path)
    anna.hurry()
    anna.new(SHORT, seed=3)
    anna.play(moves=5)
    anna.on_turn()
    before = anna.state(NOW)
    program.end(signal.SIGKILL)
    anna.page.wait_for_selector("#banner:visible")
    assert "Connection lost. Reconnecting…" in anna.said
    program = Program(tmp_path, program.port)
    anna.page.wait_for_selector("#banner", state="hidden")
    anna.until("state.online && state.view.your_turn")
    assert "The table is back" in anna.said
    assert anna.state(NOW) == before
    anna.play()
    assert anna.state("state.view.outcome.outcome") in ("win", "draw", "loss")
    anna.forgive_lost_lines()
    anna.leave()
    program.end()


def test_two_people_at_one_table(browser, server):
    """A link leads to the seats; each person sees only their cards; a bot plays for those who leave."""
    server.server.origin = f"http://127.0.0.1:{server.port}"
    anna = owner(browser, server)
    anna.menu("Play with others")
    anna.page.get_by_label("Your name").fill("Anna")
    anna.button("Save").click()
    link = anna.page.get_by_label("Link").input_value()
    anna.page.keyboard.press("Escape")
    bela = Person(browser, server.port, link.partition(str(server.port))[2])
    bela.hurry()
    bela.page.locator("#lobby-name").fill("Bela")
    bela.page.locator("#seat-2").click()
    bela.page.wait_for_selector(".seat.south .who:text-is('You')")
    anna.page.wait_for_selector(".seat.north .who:text-is('Bela')")
    bela.page.wait_for_selector(".seat.north .who:text-is('Anna')")
    hands = [set(one.state("state.view.lanes.flatMap(lane => lane.cards)")) for one in (anna, bela)]
    assert not hands[0] & hands[1]
    for one in (anna, bela, anna, bela):
        anna.wait(lambda: any(each.state("state.view.your_turn") for each in (anna, bela)), "one of them is to move")
        if one.state("state.view.your_turn"):
            one.play(moves=1)
    anna.wait(lambda: any(one.state("state.view.your_turn") for one in (anna, bela)), "one of them is to move")
    same_moment(anna, bela)
    shown = [one.state("state.view.events.map(event => [event.seat, event.action])") for one in (anna, bela)]
    assert shown[0] == shown[1]
    assert {0, 2} <= {seat for seat, _ in shown[0]}
    assert anna.state("state.view.seats[0].called") == bela.state("state.view.seats[0].called") == "You"
    bela.menu("Leave the seat")
    bela.button("Leave my seat").click()
    bela.page.wait_for_selector(".lobby")
    expect(bela.page.locator("[data-card]:visible")).to_have_count(0)
    anna.page.wait_for_selector(".seat.north .who:text-is('Rule book')")
    bela.button("Come back: Rule book").click()
    bela.page.wait_for_selector(".seat.south .who:text-is('You')")
    anna.leave()
    bela.leave()


def test_the_trick_lies_still_until_it_is_cleared(anna):
    """With the setting, only a click or space collects it; both are quicker than any wait."""
    anna.set(trickStay=3, tapToClear=True)
    anna.play(moves=2)
    anna.page.wait_for_selector(".trick.held")
    anna.page.wait_for_timeout(400)
    expect(anna.page.locator(".laid")).to_have_count(4)
    expect(anna.page.locator(".is-winning")).to_have_count(1)
    anna.page.locator(".trick").click(position={"x": 5, "y": 5})
    anna.page.wait_for_selector(".trick.held", state="detached")
    anna.set(trickStay=600, botPause=600)
    anna.play(moves=1)

    def on_turn_again() -> bool:
        if anna.page.evaluate(WAITING):
            anna.page.keyboard.press("Space")
        return anna.state("!state.busy && state.view.your_turn")

    anna.wait(on_turn_again, "on turn again, all waits ended by Space")


@pytest.mark.parametrize("how", ["button", "key"])
def test_sure_tricks_can_be_claimed(anna, how):
    anna.on_turn()
    anna.page.keyboard.press("w")
    assert "not certain" in anna.page.locator("#notice").inner_text()
    anna.bid_all_tricks(SHORT)
    if how == "key":
        anna.page.keyboard.press("w")
    else:
        anna.button("Take the rest").click()
    anna.page.wait_for_selector("dialog.end")
    assert anna.state("state.view.seats[0].tricks") == 13


def test_the_last_card_is_no_rest(anna):
    """Two cards can be claimed, by a button that stands out from the cloth; the last one is just played."""
    anna.bid_all_tricks(SHORT)
    for size in USUAL_SIZES:
        anna.resize(size)
        grounds = [colour_of(anna, names) for names in (".panel button", ".felt")]
        assert max(abs(a - b) for a, b in zip(*grounds, strict=True)) > 100, size
    while anna.page.locator(".hand button").count() > 1:
        assert anna.button("Take the rest").count() == 1
        anna.play(moves=1)
        anna.on_turn()
    assert anna.state("state.view.can.claim")
    assert anna.button("Take the rest").count() == 0


def colour_of(anna, names):
    """Return red, green and blue of a node's ground."""
    words = anna.page.locator(names).first.evaluate("(node) => getComputedStyle(node).backgroundColor")
    return [int(part) for part in re.findall(r"\d+", words)[:3]]


def test_a_game_against_the_clock(anna):
    """Showdown shows its clock, and the tournament standing at the end; no page that opens begins another."""
    anna.new("showdown target=off max_hands=1 time_limit_s=600")
    assert re.fullmatch(r"9:\d\d|10:00", anna.page.locator(".clock").inner_text())
    anna.skip()
    told = anna.page.locator(".standing b").inner_text().replace(",", "")
    assert told == str(anna.state("state.view.outcome.standing"))
    anna.set(language="de")
    anna.page.wait_for_selector("html[lang=de]")
    anna.page.wait_for_selector(".table.lively")
    anna.until("state.view && !state.view.outcome")
    assert "time_limit_s=off" in anna.state("state.view.rules.text")
    expect(anna.page.locator(".clock")).to_be_hidden()


def test_a_hand_is_reviewed(anna):
    """All cards lie open; arrows step; graded moves lead to their step; the same deal is played again elsewhere."""
    anna.skip()
    deal = anna.state("state.view.tricks[0].cards.find(play => play.seat === 0).card")
    anna.button("Review").click()
    anna.page.wait_for_selector("dialog.review")
    anna.page.keyboard.press("Home")  # it opens at the worst moment
    expect(anna.page.locator(".in-line")).to_have_count(52)
    for key, words in (("ArrowRight", "2 of"), ("End", "The hand is over"), ("Home", "1 of"), ("ArrowDown", "5 of")):
        anna.page.keyboard.press(key)
        assert anna.page.locator(".step-words").inner_text().startswith(words)
    anna.page.wait_for_selector("text=/margin of error/", timeout=120_000)
    if anna.page.locator(".grades > ul .graded").count():
        anna.page.locator(".grades > ul .graded").first.click()
    anna.button("Let the strongest bot play it").click()
    anna.page.wait_for_selector("text=/in all four seats/")
    anna.page.locator("#again-seat").select_option(index=3)
    anna.button("Replay").click()
    anna.until("state.view.seat === 3 && !state.view.outcome")
    assert deal not in anna.state("state.view.lanes.flatMap(lane => lane.cards)")


def test_a_later_hand_that_was_played_again_is_reviewed(anna):
    """A replayed hand keeps its number, also under Fairness; pressed twice, the review opens once."""
    anna.new(TWO_HANDS)
    anna.skip()
    again = anna.ask("again", key=anna.state("state.key"), hand=2, seat=0)
    anna.until(f"state.key === '{again['key']}'")
    anna.skip()
    anna.page.evaluate(TWICE)
    anna.page.wait_for_selector("dialog.review h2:text-is('Hand 2')")
    anna.page.keyboard.press("Home")
    anna.page.keyboard.press("ArrowRight")
    assert anna.page.locator(".step-words").inner_text().startswith("2 of")
    anna.page.keyboard.press("Escape")
    anna.menu("Fairness")
    assert anna.page.locator(".hashes dt").all_inner_texts()[1] == "Hand 2"


TWICE = """async () => {
  const { openReview } = await import('/page/dialogs/records/review.js');
  const { state } = await import('/page/state.js');
  await Promise.all([openReview(state.key), openReview(state.key)]);
}"""


PACKED = "async (text) => (await import('PAGE/dialogs/records/packing.js')).packed(text)"


@opened(with_clipboard={"permissions": ["clipboard-read", "clipboard-write"]})
def test_a_game_travels_as_text_and_as_a_link(anna):
    """A copied game can be imported; a link opens its review, and then the former table comes back.

    A server gives no links: others could not open them.
    """
    anna.skip()
    finished = anna.state("state.key")
    anna.page.keyboard.press("Escape")
    anna.menu("My games")
    anna.button("Copy text").first.click()
    anna.until_page("navigator.clipboard.readText().then(text => text.startsWith('spades sitting 1'))")
    text = anna.page.evaluate("navigator.clipboard.readText()")
    expect(anna.button("Copy link")).to_have_count(0)
    link = f"{anna.page.url}#record={anna._evaluate(PACKED, text)}"
    for damaged in (text.replace("secret:", "sEcret:"), "nonsense"):
        anna.page.locator("#import").fill(damaged)
        anna.button("Import").click()
        anna.until_page("document.querySelector('#notice').textContent.match(/^Th(at|is)/)")
    anna.page.locator("#import").fill(text)
    anna.button("Import").click()
    anna.page.wait_for_selector("dialog.review")
    anna.page.keyboard.press("Escape")
    anna.until(f"state.key === '{finished}' && !state.dialog")
    anna.page.keyboard.press("r")
    assert anna.state("state.peek") is not None
    home = anna.new()  # which can be bid on, whatever trick was looked at before
    anna.play(moves=1)
    anna.page.goto("about:blank")
    anna.page.goto(link)
    anna.page.wait_for_selector("dialog.review")
    assert "#" not in anna.page.url
    anna.page.keyboard.press("Escape")
    anna.until(f"state.key === '{home}'")


def test_fairness_is_checked_in_the_page(anna):
    """The page hashes the proofs; one that was changed on the way is noticed."""
    anna.new(TWO_HANDS, seed=None)
    anna.skip(moves=14)
    anna.until("state.view.hand_number === 2 && !state.held")
    anna.menu("Fairness")
    expect(anna.page.locator(".hashes code")).to_have_count(3)
    told = anna.page.locator("dialog.fairness").inner_text()
    assert "The secret that all hands are dealt from" in told
    assert "128 random bits" in told
    assert "the host included, can come in a second time" in told
    anna.button("Check the finished hands").click()
    anna.page.wait_for_selector(".proof .good")
    expect(anna.page.locator(".proof")).to_have_count(1)
    anna.page.evaluate(STATE_LIES)
    anna.button("Check the finished hands").click()
    anna.page.wait_for_selector(".proof .bad")
    anna.button("Ten thousand deals").click()
    anna.page.wait_for_selector(".deals table", state="attached")
    assert "10,000 deals" in anna.page.locator(".deals").inner_text()


STATE_LIES = """async () => {
  const { state } = await import('/page/state.js');
  state.view.fair.hands[0] = state.view.fair.hands[1];
}"""
