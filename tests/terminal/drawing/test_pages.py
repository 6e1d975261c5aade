"""Drawn pages: the score graph and sheet, reviews, and forms that scroll and end notes with a sentence."""

import re

import pytest
from support.play.drawings import STYLES, drawn, new
from support.play.sittings import play

from spades_env import Rules
from spades_env.play.review.hand_review import steps
from spades_env.play.rule_words import rule_words
from spades_env.play.table.seat_view import seat_view
from spades_env.play.terminal.pictures.cards import face
from spades_env.play.terminal.pictures.pages import Lines, graph_lines, write_scores
from spades_env.play.terminal.pictures.review import ReviewState, draw_review
from spades_env.play.terminal.screens.form import FormRow, FormState, draw_form


def test_the_score_graph_reaches_from_corner_to_corner():
    lines = graph_lines([[0, 0], [50, -30], [120, 40]], [0, 1], 40)
    assert lines[0].startswith("   120 │")
    assert lines[0].endswith("●")
    assert lines[-1].startswith("   −30 │")
    assert sum(line.count("▲") for line in lines) == 2  # at first both stand at 0, the own mark on top
    assert sum(line.count("●") for line in lines) == 3
    assert max(map(len, graph_lines([[i, -i] for i in range(300)], [0, 1], 40))) <= 40


def test_the_score_sheet_explains_every_number():
    table = play(new("classic target=off max_hands=2"))
    view = seat_view(table, 0)
    page = Lines(78, STYLES)
    write_scores(page, view)
    text = re.sub(r"\s+", " ", page.text().plain)
    for hand in view["sheet"]:
        for side in hand["sides"]:
            assert re.sub(r"\s+", " ", side["words"]) in text


def test_a_review_shows_all_four_hands():
    table = play(new("classic target=off max_hands=1"))
    found = steps(table.rules, table.finished[0])
    names = [table.seats.name(seat) for seat in range(4)]
    for step in found[:-1]:
        text = drawn(draw_review, ReviewState("Hand 1", step, 0, names, [("words", "")]))
        moved = (step["move"]["seat"], step["move"]["action"])
        for seat, hand in enumerate(step["hands"]):
            for symbol, lane in zip("♣♦♥♠", hand, strict=True):
                cards = [f"[{face(card)[:-1]}]" if (seat, card) == moved else face(card)[:-1] for card in lane]
                assert f"{symbol} {' '.join(cards) or '–'}" in text


def test_a_review_has_room_for_every_note():
    """A solo hand ends with a line for each side and a tally, and reasons wrap."""
    notes = [(f"note {number} is too long for a line " * 3, "") for number in range(6)]
    text = drawn(draw_review, ReviewState("Hand 1", {}, 0, ["South"] * 4, notes))
    assert all(text.count(f"note {number}") == 3 for number in range(6))


def test_what_a_row_has_no_room_for_stands_below():
    long, short = (
        FormRow("a label " * 6, "a value " * 6, enter=lambda: None),
        FormRow("label", "value", enter=lambda: None),
    )
    text = drawn(draw_form, FormState("Title", [long, short], 0))
    assert re.sub(r"[│\s]+", " ", text.split("├")[1]).count("a value") == 6
    assert "label:" not in drawn(draw_form, FormState("Title", [long, short], 1))


def test_a_form_scrolls_with_its_cursor():
    rows = [FormRow(f"row {i}", "value", "note", enter=lambda: None) for i in range(40)]
    for place in (0, 20, 39):
        text = drawn(draw_form, FormState("Title", rows, place, "foot"))
        assert f"▶ row {place} " in text
        assert "foot" in text
        assert "note" in text


@pytest.mark.parametrize("size", [(120, 40), (80, 18)])
def test_a_note_ends_with_a_sentence(size):
    """The rules in words are the note of a new game; a note that has no room for all says so."""
    words = " ".join(map(str, rule_words(Rules())))
    rows = [FormRow(f"row {number}", enter=print, note=words) for number in range(12)]
    text = drawn(draw_form, FormState("New game", rows, 0, foot="foot"), width=size[0], height=size[1])
    note = " ".join(line.strip("│ ") for line in text.split("├")[1].splitlines()[1:-2])
    assert note == words or (note.endswith(". …") and words.startswith(note[:-2]))
    assert (note == words) == (size[0] == 120)
