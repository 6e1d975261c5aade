"""The list of games, and a review of one that can still be undone."""

import pytest
from support.browsers import SHORT, browser, needs_a_browser, owner, server

needs_a_browser()

TWO_HANDS = "classic target=off max_hands=2 blind_nil_deficit=off"
GAMES = "My games"


@pytest.fixture
def anna(browser, server):
    """In the second hand of a game."""
    person = owner(browser, server)
    person.new(TWO_HANDS)
    person.play(moves=14)
    person.until("state.view.hand_number === 2 && !state.held")
    person.on_turn()
    yield person
    person.leave()


def open_review(anna, how):
    if how == "menu":
        anna.menu("Review a hand")
    else:
        anna.menu(GAMES)
        anna.page.locator(".games li", has_text="on the table").get_by_role("button", name="Review").click()


@pytest.mark.parametrize("how", ["menu", "games"])
def test_a_review_that_would_end_undo_is_asked_for_first(anna, how):
    """After a no, every move can be undone; after a yes, the question does not come again."""
    moves = anna.state("state.view.can.takeback")
    assert moves >= 14
    open_review(anna, how)
    anna.page.wait_for_selector("dialog.sure")
    assert "nobody can undo" in anna.page.locator("dialog.sure").inner_text()
    assert anna.page.locator(".in-line").count() == 0
    anna.button("Not now").click()
    anna.page.wait_for_selector("dialog.records" if how == "games" else "dialog", state=SHOWN[how])
    anna.page.keyboard.press("Escape")
    assert anna.state("state.view.can.takeback") == moves
    open_review(anna, how)
    anna.button("Open the review").click()
    anna.page.wait_for_selector("dialog.review .in-line")
    anna.until("state.view.can.takeback < 14 && !state.view.unsettled")
    anna.page.keyboard.press("Escape")
    open_review(anna, how)
    anna.page.wait_for_selector("dialog.review .in-line")


SHOWN = {"games": "visible", "menu": "detached"}


def test_a_review_after_the_game_asks_nothing(browser, server):
    anna = owner(browser, server)
    anna.play()
    anna.button("Review").click()
    anna.page.wait_for_selector("dialog.review")
    anna.page.keyboard.press("Escape")
    anna.leave()


def test_the_list_of_games_shows_whose_they_are_and_how_they_went(anna):
    """The person's initial first, then the others; saved rules by name; the score, and who won."""
    anna.ask("rename", name="Anna")
    anna.ask("save_variant", name="Two hands", rules=TWO_HANDS)
    scores = [str(side["score"]).replace("-", "−") for side in anna.state("state.view.sides")]
    anna.menu(GAMES)
    row = anna.page.locator(".games li", has_text="on the table")
    assert row.locator("b").inner_text() == "Two hands"
    assert f"Unfinished, {scores[0]} to {scores[1]} after 1 hand" in row.inner_text()
    assert row.locator(".face").count() == 4
    assert row.locator(".face").first.locator("text").text_content() == "A"
    assert row.locator(".face .letter").count() == 1
    anna.page.keyboard.press("Escape")
    anna.play()
    view = anna.state("state.view")
    anna.page.keyboard.press("Escape")
    anna.menu(GAMES)
    result = {"win": "Won", "loss": "Lost", "draw": "Drawn"}[view["outcome"]["outcome"]]
    own, other = (str(side["score"]).replace("-", "−") for side in view["sides"])
    assert f"{result} {own} to {other} after 2 hands" in row.inner_text()


def test_a_seat_elsewhere_is_the_own_one_too(browser, server):
    anna = owner(browser, server)
    anna.new(SHORT, bots=("zofia", "rule", "rule", "rule"), seat=2)
    anna.play(moves=1)
    anna.menu(GAMES)
    row = anna.page.locator(".games li", has_text="on the table")
    row.wait_for()
    assert [face.get_attribute("title") for face in row.locator(".face").all()] == [
        "You",
        "Rule book",
        "Zofia",
        "Rule book",
    ]
    assert row.locator(".face .letter").count() == 1
    anna.leave()


def test_a_game_too_short_for_the_rating_says_so(browser, server):
    """Before the deal and at the end; a full game does not."""
    anna = owner(browser, server)
    anna.button("New game").click()
    told = anna.page.locator(".difficulty", has_text="Too short to change your rating")
    told.wait_for()  # the server's usual game is one hand
    anna.button("Rules").click()
    anna.page.get_by_label("Pagat (the rules described at pagat.com)").check()
    told.wait_for(state="detached")
    anna.page.keyboard.press("Escape")
    anna.play()
    anna.page.locator("dialog.end", has_text="A game this short doesn't change your rating.").wait_for()
    assert anna.ask("statistics")["statistics"]["ratings"] == [0]
    anna.leave()
