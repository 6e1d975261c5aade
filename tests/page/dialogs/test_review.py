"""The review of a finished game: its worst moment, the course of a hand, mistakes, the better card, a second try."""

import re
import threading
from functools import cache

import pytest
from support.play.browsers import TWO_HANDS, USUAL_SIZES, expect, needs_a_browser, overlaps, violations
from support.play.sittings import by_rule, play

from spades_env.play.coach.grade import Loss, Verdict
from spades_env.play.review.grades import Graded
from spades_env.play.server.requests import review as after
from spades_env.play.store.sitting_text import write
from spades_env.play.table.table import Table

needs_a_browser()

OPEN = "async ([key, hand]) => (await import('/page/dialogs/records/review.js')).openReview(key, hand)"
COSTS = {1: {2: 0.01, 4: 0.2}, 2: {1: 0.03, 3: 0.06}}  # of the person's decisions, by hand; all others cost nothing
CHANCE = 0.6


@cache
def game(seat: int = 0) -> Table:
    return play(Table(TWO_HANDS, ["rule"] * 4, {seat: "You"}, seed=5), person=by_rule)


def decisions(hand: int, seat: int = 0) -> list[int]:
    """Return the numbers of the moves in a hand that a seat had a choice in."""
    played = game(seat).finished[hand - 1]
    replay, found = played.start.game(game(seat).rules), []
    for number, move in enumerate(played.moves):
        if move.seat == seat and len(replay.legal_actions()) > 1:
            found.append(number)
        replay.apply(move.action)
    return found


def fault(hand: int, which: int) -> int:
    return decisions(hand)[which]


def graded(rules, hand, seat, *_):
    """Grade a hand by the table above: the better action is another that was legal."""
    costs = COSTS[hand.number + 1]
    for which, number in enumerate(decisions(hand.number + 1, seat)):
        move, legal = hand.moves[number], hand.game(rules, number).legal_actions()
        lost, better = costs.get(which, 0.0), move.action
        if lost:
            better = next(action for action in legal if action != move.action)
        weighed = [(better, CHANCE)] + [(one, CHANCE - lost) for one in legal if one != better]
        verdict = Verdict(move.action, better, Loss(lost, 0), None, None, weighed)
        yield Graded(number, move.phase, move.action, verdict, None)


@pytest.fixture
def anna(anna, monkeypatch):
    """A person at the end of a game of two hands."""
    monkeypatch.setattr(after, "graded", graded)
    anna.key = anna.ask("import", text=write(game()))["key"]
    anna.page.wait_for_selector("dialog.end .hand-line")
    return anna


def look(anna, hand: int | None = None) -> None:
    """Open a review, and wait until every hand has its grades."""
    anna.page.evaluate(OPEN, [anna.key, hand])
    for one in COSTS:
        anna.page.get_by_role("button", name=f"Hand {one}: ").wait_for()


def shows(anna, number: int, hand: int = 1) -> None:
    """Wait until this move is shown."""
    anna.page.wait_for_selector(f"dialog.review h2:text-is('Hand {hand}')")
    expect(anna.page.locator(".step-words")).to_contain_text(f"{number + 1} of ")
    assert anna.page.locator(".step-words").inner_text().startswith(f"{number + 1} of ")


def test_it_opens_at_the_worst_moment(anna):
    """Of the game, or of the hand that was asked for: the best and the costliest hand at the end of a game can be."""
    look(anna)
    shows(anna, fault(1, 4))
    look(anna, 2)
    shows(anna, fault(2, 3), hand=2)
    anna.button("Hand 1: blunder").click()
    shows(anna, fault(1, 4))
    anna.page.keyboard.press("Escape")
    anna.page.keyboard.press("Escape")
    anna.button("How it ended").click()
    for line in anna.page.locator(".hand-line").all():
        hand = int(line.locator("small").first.inner_text().removeprefix("Hand "))
        line.click()
        shows(anna, max(decisions(hand)[which] for which in COSTS[hand]), hand)
        anna.page.keyboard.press("Escape")
        anna.button("How it ended").click()


def test_it_stays_where_the_person_went(anna, monkeypatch):
    may_grade = threading.Event()
    monkeypatch.setattr(after, "graded", lambda *asked: may_grade.wait(60) and graded(*asked))
    anna.page.evaluate(OPEN, [anna.key, None])
    anna.page.wait_for_selector("dialog.review .in-line")
    anna.page.keyboard.press("ArrowRight")
    may_grade.set()
    anna.page.get_by_role("button", name="Hand 1: ").wait_for()
    shows(anna, 1, hand=2)


def test_keys_and_buttons_go_from_mistake_to_mistake(anna):
    look(anna)
    small, large = fault(1, 2), fault(1, 4)
    for press, at in (("d", small), ("Shift+D", large), ("Home", 0), ("d", small), ("d", large), ("Shift+D", small)):
        anna.page.keyboard.press(press)
        shows(anna, at)
    anna.button("Next mistake").click()
    shows(anna, large)
    anna.button("Previous mistake").click()
    shows(anna, small)
    assert "Inaccuracy" in anna.said[-1].title()
    anna.page.keyboard.press("Escape")
    anna.page.keyboard.press("?")
    assert "D, Shift D" in anna.page.locator("dialog.help").inner_text()


def test_the_course_leads_to_a_move(anna):
    """A slider with a name: a click at a mark shows that move, an arrow key the next; it says move and chance."""
    look(anna)
    slider = anna.page.get_by_role("slider", name="Your chance to win, move by move")
    marks = anna.page.locator(".plot span")
    expect(marks).to_have_count(len(COSTS[1]))
    expect(marks).to_have_text(["?!", "??"])
    for mark, which in zip(marks.all(), COSTS[1], strict=True):
        box, whole = mark.bounding_box(), slider.bounding_box()
        slider.click(position={"x": box["x"] + box["width"] / 2 - whole["x"], "y": 20})
        shows(anna, fault(1, which))
    assert slider.get_attribute("aria-valuetext").endswith(" Chance to win the game: 40%")
    anna.page.keyboard.press("ArrowRight")
    shows(anna, fault(1, 4) + 1)
    assert slider.input_value() == str(fault(1, 4) + 1)


def test_the_card_played_and_the_better_one_are_marked(anna):
    look(anna)
    shows(anna, fault(1, 4))
    own = anna.page.locator(".open-hand.south")
    assert own.locator(".now .unseen").text_content().strip() == "played"
    assert own.locator(".star").text_content().startswith("★better: ")
    tried = anna.page.locator(".tried li").all_inner_texts()
    assert tried[0].startswith("★ ")
    assert tried[0].endswith("60.0%")
    assert [one for one in tried if one.endswith("40.0% played")]
    assert overlaps(anna, ".middle .card", ".open-hand") == []
    anna.page.keyboard.press("ArrowRight")
    expect(anna.page.locator(".star, .tried")).to_have_count(0)


@pytest.mark.parametrize("seat", range(4))
def test_after_a_fault_the_better_card_lies_on_the_table(anna, monkeypatch, seat):
    """At the seat's place, with an arrow from its hand to each card; not at a good move, and not at a bid."""
    monkeypatch.setitem(COSTS, 1, {0: 0.1, 3: 0.001, 4: 0.2})
    anna.key = anna.ask("import", text=write(game(seat)))["key"]
    look(anna)
    bid, *_, good, worst = decisions(1, seat)[:5]
    shows(anna, worst)
    place = ("south", "west", "north", "east")[seat]
    for size in USUAL_SIZES:
        anna.resize(size)
        expect(anna.page.locator(f".ghost.{place}[aria-hidden=true] b")).to_have_text("★")
        assert anna.page.evaluate(ARROWS, place) == [True, True], size
        assert overlaps(anna, ".ghost, .arrows path", ".open-hand, dialog :is(button, input, p)") == [], size
    for _ in range(worst - good):
        anna.page.keyboard.press("ArrowLeft")
    shows(anna, good)
    expect(anna.page.locator(".open-hand .star")).to_have_count(1)
    expect(anna.page.locator(".ghost, .arrows path")).to_have_count(0)
    anna.page.keyboard.press("d")
    assert re.search("You play the .*Better: the ", anna.said[-1])
    anna.page.keyboard.press("d")
    shows(anna, bid)
    expect(anna.page.locator(".open-hand .star")).to_have_count(1)
    expect(anna.page.locator(".ghost, .arrows path")).to_have_count(0)


# Does an arrow begin at the hand, and end at the card played, at the better card?
ARROWS = """(place) => {
  const off = ({ x, y }, { left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  return [["played", ".now"], ["better", ".ghost"]].map(([name, card]) => {
    const line = document.querySelector(`.to-${name} path`);
    const [from, to] = [0, line.getTotalLength()].map(
      (at) => line.getPointAtLength(at).matrixTransform(line.getScreenCTM()),
    );
    return off(from, box(`.open-hand.${place}`)) < 2 && off(to, box(`.middle .${place}${card} .card`)) < 14;
  });
}"""


def test_axe_finds_nothing_in_a_review(anna):
    """Nor does anything stick out at the side."""
    look(anna)
    anna.page.locator(".grades summary").click()
    anna.page.evaluate("document.documentElement.dataset.theme = 'light'")
    for size in ((360, 640), (1280, 800)):
        anna.resize(size)
        assert violations(anna) == [], size
        assert anna.page.evaluate(STICKS_OUT) == [], size
    anna.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert violations(anna, runOnly=["color-contrast"]) == []


STICKS_OUT = """() => [...document.querySelectorAll('dialog .body *:not(.unseen)')]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1)
  .map((node) => node.className)"""


def test_the_other_decisions_stay_open(anna):
    look(anna)
    others = anna.page.locator(".grades details")
    others.locator("summary").click()
    others.locator(".graded").nth(1).click()
    expect(others.locator("[aria-current]")).to_have_count(1)
    assert others.evaluate("node => node.open")
    assert anna.page.evaluate("document.activeElement.matches('[aria-current]')")


def test_without_a_mistake_there_are_no_others(anna, monkeypatch):
    monkeypatch.setitem(COSTS, 1, {})
    anna.page.evaluate(OPEN, [anna.key, 1])
    expect(anna.page.locator(".grades summary")).to_have_text(f"{len(decisions(1))} decisions")


def test_a_mistake_is_played_again(anna):
    """From the decision itself, with what was played before, and nobody's hidden cards."""
    look(anna)
    number, hand = fault(1, 4), game().finished[0]
    anna.button("Play from here").click()
    anna.until(f"state.key !== '{anna.key}' && state.view?.your_turn && !state.dialog")
    anna.page.wait_for_selector("#notice.seen:text-matches('^Find something better than the ')")
    seen = anna.state("state.view.events.map(one => one.action)")
    assert len(seen) == number
    assert anna.state("state.view.can.takeback") == 0
    held = sum(move.seat == 0 and move.phase == "play" for move in hand.moves[:number])
    expect(anna.page.locator(".hand [data-card]")).to_have_count(13 - held)
    anna.skip()
    assert anna.ask("statistics")["statistics"]["total"]["games"] == 0
