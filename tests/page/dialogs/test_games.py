"""The list of games, and a review of one that can still be undone."""

import pytest
from support.play.browsers import SHORT, TWO_HANDS, expect, needs_a_browser

needs_a_browser()

GAMES = "My games"


def to_the_second_hand(anna):
    anna.new(TWO_HANDS)
    anna.skip(moves=14)
    anna.until("state.view.hand_number === 2 && !state.held")
    anna.on_turn()


def open_review(anna, how):
    if how == "menu":
        anna.menu("Review a hand")
    else:
        anna.menu(GAMES)
        anna.page.locator(".games li", has_text="on the table").get_by_role("button", name="Review").click()


@pytest.mark.parametrize("how", ["menu", "games"])
def test_a_review_that_would_end_undo_is_asked_for_first(anna, how):
    """After a no, every move can be undone; after a yes, the question does not come again."""
    to_the_second_hand(anna)
    moves = anna.state("state.view.can.takeback")
    assert moves >= 14
    open_review(anna, how)
    anna.page.wait_for_selector("dialog.sure")
    assert "nobody can undo" in anna.page.locator("dialog.sure").inner_text()
    expect(anna.page.locator(".in-line")).to_have_count(0)
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


def test_the_list_of_games_shows_whose_they_are_and_how_they_went(anna):
    """The person's face first, then the others; saved rules by name; the score, and who won."""
    to_the_second_hand(anna)
    anna.ask("rename", name="Anna")
    anna.ask("save_variant", name="Two hands", rules=TWO_HANDS)
    scores = [str(side["score"]).replace("-", "−") for side in anna.state("state.view.sides")]
    anna.menu(GAMES)
    row = anna.page.locator(".games li", has_text="on the table")
    assert row.locator("b").inner_text() == "Two hands"
    assert f"Unfinished, {scores[0]} to {scores[1]} after 1 hand" in row.inner_text()
    expect(row.locator(".face")).to_have_count(4)
    assert row.locator(".face").first.get_attribute("title") == "Anna"
    anna.page.keyboard.press("Escape")
    anna.skip()
    view = anna.state("state.view")
    anna.page.keyboard.press("Escape")
    anna.menu(GAMES)
    result = {"win": "Won", "loss": "Lost", "draw": "Drawn"}[view["outcome"]["outcome"]]
    own, other = (str(side["score"]).replace("-", "−") for side in view["sides"])
    assert f"{result} {own} to {other} after 2 hands" in row.inner_text()


def test_a_seat_elsewhere_is_the_own_one_too(anna):
    anna.new(SHORT, bots=("zofia", "rule", "rule", "rule"), seat=2)
    anna.play(moves=1)
    anna.menu(GAMES)
    row = anna.page.locator(".games li", has_text="on the table")
    row.wait_for()
    names = [face.get_attribute("title") for face in row.locator(".face").all()]
    assert names == ["You", "Rule book", "Zofia", "Rule book"]


def test_a_game_too_short_for_the_rating_says_so(anna):
    """Before the deal and at the end; a full game does not."""
    anna.button("New game").click()
    told = anna.page.locator(".difficulty", has_text="Too short to change your rating")
    told.wait_for()  # the server's usual game is one hand
    anna.button("Rules").click()
    anna.page.get_by_label("Pagat").check()
    told.wait_for(state="detached")
    anna.page.keyboard.press("Escape")
    anna.skip()
    anna.page.locator("dialog.end", has_text="A game this short doesn't change your rating.").wait_for()
    assert ". ·" not in anna.page.locator("dialog.end").inner_text()
    assert anna.ask("statistics")["statistics"]["ratings"] == [0]


def test_a_seed_is_for_one_game(anna):
    anna.button("New game").click()
    anna.button("Rules").click()
    anna.page.get_by_text("Time and chosen cards").click()
    anna.page.get_by_label("Deal from this seed").fill("seed 7")
    anna.page.get_by_label("Seconds per move").fill("5000")
    before = anna.state("state.key")
    anna.button("Deal").click()
    anna.until(f"state.key !== '{before}' && state.hello.last.move_seconds === 3600")
    assert not {"seed", "deal"} & set(anna.state("Object.keys(state.hello.last)"))


def test_a_game_without_a_finished_hand_offers_no_review(anna):
    """There was nothing to see in it."""
    anna.new(TWO_HANDS)
    anna.menu(GAMES)
    row = anna.page.locator(".games li", has_text="on the table")
    row.wait_for()
    expect(row.get_by_role("button", name="Review")).to_have_count(0)
    anna.page.keyboard.press("Escape")
    anna.skip(moves=14)
    anna.until("state.view.hand_number === 2 && !state.held")
    anna.menu(GAMES)
    expect(row.get_by_role("button", name="Review")).to_be_visible()
