"""A notice disappears as soon as it is no longer true."""

import threading

import pytest
from support.play.browsers import PHONE, SHORT, SOUTH_BIDS, needs_a_browser, opened

from spades_env import Rules
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.requests import review as after
from spades_env.play.table.seats import Question

needs_a_browser()

SEEN = "#notice.seen"
SAY = "async (words) => (await import('/page/speech.js')).notice(words)"


@pytest.fixture
def anna(anna):
    """A person whose notices never time out."""
    anna.let_words_stay()
    return anna


def refused(anna):
    """A person to move who has pressed a card that may not be played."""
    anna.new(SOUTH_BIDS)
    anna.play(moves=1)
    while not anna.page.locator(".hand .dim").count():
        anna.play(moves=1)
        anna.on_turn()
    anna.page.locator(".hand .dim").last.click(force=True)
    anna.page.wait_for_selector(SEEN)


def test_why_a_card_was_refused_goes_with_the_next_one(anna):
    refused(anna)
    anna.play(moves=1)
    anna.page.wait_for_selector(SEEN, state="detached")


@opened(phone=PHONE)
def test_on_a_phone_the_first_tap_is_enough(anna):
    refused(anna)
    card = anna.legal[0]
    anna.card(card).tap(position={"x": 12, "y": 20})
    anna.page.wait_for_selector(f'.lifted[data-card="{card}"]')
    anna.page.wait_for_selector(SEEN, state="detached")


def test_not_yet_goes_when_the_others_have_moved(anna, monkeypatch):
    anna.new(SOUTH_BIDS)
    anna.on_turn()
    may_answer, answer = threading.Event(), Question.answer
    monkeypatch.setattr(Question, "answer", lambda asked: may_answer.wait(60) and answer(asked))
    anna.play(moves=1)
    anna.page.locator(".hand button").last.click()
    anna.page.wait_for_selector(f"{SEEN}:text-matches('^Wait for Rule book')")
    may_answer.set()
    anna.on_turn()
    anna.page.wait_for_selector(SEEN, state="detached")


def test_rules_that_were_refused_are_forgotten_when_others_are_taken(anna):
    anna.button("New game").click()
    anna.button("Rules").click()
    anna.page.locator("summary", has_text="The end of the game").click()
    for hands in ("", "4"):
        anna.page.locator("#option-max_hands").fill(hands)
        anna.page.locator("#option-max_hands").press("Tab")
        if not hands:
            anna.page.wait_for_selector(f"{SEEN}:text-matches('would never end')")
            assert anna.state("state.view.rules.text") == str(Rules.parse(SHORT))
    anna.page.wait_for_selector(".rules-in-words >> text=when 4 hands have been played")
    anna.page.wait_for_selector(SEEN, state="detached")


@pytest.mark.parametrize("name", ["Scores", "New game", "More"])
def test_another_screen_is_about_something_else(anna, name):
    anna.page.evaluate(SAY, "Not now")
    anna.button(name).click()
    anna.page.wait_for_selector(SEEN, state="detached")


def test_what_is_said_of_one_table_is_not_seen_at_another(anna):
    refused(anna)
    anna.new()
    anna.page.wait_for_selector(SEEN, state="detached")


def test_why_a_game_cannot_be_read_in_is_seen_at_the_table_that_comes_back(anna, monkeypatch):
    """The notice comes while the other table is still open."""
    anna.skip()
    text = anna.ask("text", key=anna.state("state.key"))["text"]
    anna.page.keyboard.press("Escape")
    home = anna.new()
    anna.play(moves=1)
    anna.menu("My games")
    anna.page.locator("#import").fill(text)
    monkeypatch.setattr(after, "look_at", refuse)
    anna.button("Import").click()
    anna.page.wait_for_selector(f"{SEEN}:text-is('Not now')")
    anna.until(f"state.key === '{home}'")
    anna.page.wait_for_timeout(300)
    assert anna.page.locator(SEEN).inner_text() == "Not now"


def refuse(*_, **__):
    raise RefusedError("Not now")
