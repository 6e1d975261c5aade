"""Everything in a view fits on 80 × 24, nothing overlaps at any size, and no window is too small to run in."""

import random

import pytest
from support.play.drawings import drawn, faces, hand_text, new, table_text
from support.play.sittings import by_chance, move, play
from support.play.terminals import TWO_HANDS, on_screen, seated
from support.strategies import scaled

from spades_env import Rules
from spades_env.play.table.seat_view import seat_view
from spades_env.play.terminal.keys import key_line
from spades_env.play.terminal.pictures.canvas import cut
from spades_env.play.terminal.pictures.cards import face
from spades_env.play.terminal.pictures.panels import draw_panel, facts_line, pips, prompt_words, side_status
from spades_env.play.terminal.pictures.table import Scene, draw_table, has_begun, status

RULES = (*Rules.presets(), "classic trumps=nyc blind_nil_deficit=0 blind_nil_pass=2", "solo bag_limit=10")


def check_fits(view: dict) -> None:
    """Check that everything in a view fits on 80 × 24."""
    table, hand = table_text(view), hand_text(view)
    side = drawn(draw_panel, view, {"move": 9.0, "sitting": 599.0}, [], width=30, height=15)
    for text, width in ((table, 50), (hand, 80), (side, 30)):
        assert {len(line) for line in text.splitlines()} == {width}
    held = [face(card) for lane in view["lanes"] for card in lane["cards"]]
    given = list(map(face, view["passing"]["given"])) if view["phase"] == "pass" else []
    assert faces(hand) == sorted(held + given)
    lies = [face(play["card"]) for play in view["trick"]["cards"]]
    assert faces(table) == sorted(lies)
    for seat in view["seats"]:
        assert cut(seat["called"], 10) in table
        assert status(seat, has_begun(view))[0] in table
    for one in view["sides"]:
        assert cut(one["called"], 18) in side
        words = side_status(view, one)
        assert words in side or f"{words.replace('blind nil', 'blind').replace(' ✗', '✗')} " in side
        assert pips(one) in side
    assert facts_line(view) in side
    assert "move 0:09  game 9:59" in side
    assert len(prompt_words(view, "")) <= 78
    assert len(key_line(view)) <= 78


@pytest.mark.parametrize("rules", RULES)
def test_nothing_is_cut_off_at_80_by_24(rules):
    table, rng = new(rules), random.Random(rules)
    for _ in range(scaled(150)):
        if table.over:
            break
        check_fits(seat_view(table, 0))
        move(table, by_chance(rng))


def test_at_the_end_too():
    check_fits(seat_view(play(new("classic target=off max_hands=1"), person=by_chance(random.Random(1))), 0))


@pytest.mark.parametrize(("width", "height"), [(50, 15), (52, 17), (68, 21), (70, 26), (92, 33), (110, 50)])
def test_cards_do_not_meet_at_any_size(width, height):
    """No card overlaps another."""
    table = new(start={"dealer": 3})
    while len(seat_view(table, 0)["trick"]["cards"]) < 3:
        move(table)
    view = seat_view(table, 0)
    everybody = {"cards": [{"seat": seat, "card": card} for seat, card in enumerate(("TS", "2H", "AD", "7C"))]}
    trick = everybody | {"winning": 0, "leader": 0}
    text = drawn(draw_table, Scene(view, trick), width=width, height=height)
    assert len(text.splitlines()) == height
    times = 2 if text.count("10♠") == 2 else 1
    assert faces(text) == sorted(["10♠", "2♥", "A♦", "7♣"] * times)
    assert text.count("╭───") == 3 + 1 * text.startswith("╭───")
    for seat in view["seats"]:
        assert cut(seat["called"], 10) in text


@on_screen
async def test_every_screen_is_as_wide_as_the_terminal(tmp_path):
    for size in ((80, 24), (132, 44)):
        async with seated(tmp_path / str(size[0]), size=size) as it:
            await it.press("3", "a")
            for key in ("x", "question_mark", "m", "n", "p"):
                await it.press(key)
                assert len(it.rows) == size[1]
                assert {len(row) for row in it.rows} == {size[0]}
                await it.press("escape")


@on_screen
async def test_no_window_is_so_small_that_it_fails(tmp_path):
    async with seated(tmp_path, TWO_HANDS) as it:
        await it.play_hand()
        await it.press("space")
        for size in ((1, 1), (12, 4), (33, 9), (79, 23)):
            await it.pilot.resize_terminal(*size)
            for key in ("x", "question_mark", "m", "n", "p"):
                await it.press(key, "down", "escape")
            await it.press("e", "y", "right", "escape")
        assert it.app.is_running


@on_screen
async def test_a_window_that_is_too_small_says_so(tmp_path):
    async with seated(tmp_path, size=(70, 20)) as it:
        assert "This window has 70 × 20 characters: the table needs 80 × 24" in it.text
        await it.pilot.resize_terminal(80, 24)
        await it.settle()
        assert "This window" not in it.text
