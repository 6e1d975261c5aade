"""Friends at the static page, of whom one has Firefox: a guest, then the host. Either page is loaded again."""

import json
from collections.abc import Iterator

import pytest
from support.play.browsers import TWO_HANDS
from support.play.firefox import TURN, Player, firefox, needs_firefox
from support.play.sites import Friend, Visitor, invite, needs_the_site

needs_the_site()

EAST = 3
RULES = f"{TWO_HANDS} first_dealer=south"
BOTS = ("rule",) * 4
HERE = "state.online && state.view?.your_turn && !state.busy"
ANSWER = "document.querySelector('.recovery input')?.value"
LINK = "[...document.querySelectorAll('dialog.invite input')].find((one) => one.value.includes('#join='))?.value"
FIELD = "document.querySelector('dialog.invite input[placeholder]')"  # for the answer


@pytest.fixture
def fox(page, tmp_path) -> Iterator[Player]:
    """A person with Firefox, who has not come yet."""
    needs_firefox()
    with firefox(tmp_path) as tab:
        yield Player(tab, page)
        assert tab.errors == []


def bring(host: Visitor, answer: str) -> None:
    host.page.get_by_label("Your friend's answer").fill(answer)
    host.button("Let them in").click()


def play(chromium: Visitor, fox: Player, moves: int = 4) -> None:
    """Make moves on whichever page has the turn."""
    for _ in range(moves):
        chromium.wait(lambda: chromium.state(HERE) or fox.state(f"it.state.online && {TURN}"), "somebody's turn")
        (chromium if chromium.state("state.view.your_turn") else fox).play(1)


def test_a_guest_has_firefox(browser, page, fox):
    zoe = Visitor(browser, page)
    zoe.new(RULES)
    fox.tab.open(invite(zoe))
    bring(zoe, fox.tab.until(ANSWER))
    fox.tab.until("!!document.querySelector('.lobby')")
    zoe.page.keyboard.press("Escape")
    fox.ask("sit", seat=EAST, name="Anna")
    fox.is_seated()
    play(zoe, fox)
    fox.tab.reload()
    fox.is_seated()
    play(zoe, fox)
    zoe.page.reload()
    zoe.page.wait_for_selector(".table.lively")
    zoe.hurry()
    play(zoe, fox)
    assert fox.state("it.state.view.seats[0].who") == "Anna"
    zoe.leave()


def test_the_host_has_firefox(browser, page, fox):
    fox.come()
    fox.new(RULES, BOTS)
    fox.press("More")
    fox.press("Play with others")
    anna = Friend(browser, page, fox.tab.until(LINK))
    answer = anna.page.locator(".recovery input")
    answer.wait_for()
    fox.tab.evaluate(f"{FIELD}.value = {json.dumps(answer.input_value())}")
    fox.press("Let them in")
    anna.sit(EAST, "Anna")
    fox.press("×")
    play(anna, fox)
    anna.page.reload()
    anna.page.wait_for_selector(".table.lively")
    anna.hurry()
    play(anna, fox)
    fox.tab.reload()
    fox.is_seated()
    play(anna, fox)
    assert anna.state("state.view.seats[0].who") == "Anna"
    anna.leave()
