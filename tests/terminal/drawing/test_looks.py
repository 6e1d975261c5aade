"""Looks of the terminal: its colours, its decks, none of them, and ASCII."""

import re
from dataclasses import replace

import pytest
from support.play.drawings import STYLES, new
from support.play.sittings import play_until
from support.play.terminals import on_screen, seated

from spades_env.play.table.seat_view import seat_view
from spades_env.play.terminal.pictures import canvas
from spades_env.play.terminal.pictures.canvas import Canvas
from spades_env.play.terminal.pictures.look import COLOURS, DECKS, Look, ascii_text
from spades_env.play.terminal.pictures.table import draw_table, scene_of


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("deck", DECKS)
def test_every_look_knows_every_style(colours, deck):
    look = Look(colours, deck)
    assert set(look.styles) == set(STYLES)
    sheet = Canvas(50, 15)
    draw_table(sheet, scene_of(seat_view(play_until(new(), "play"), 0)))
    sheet.text(look.styles)
    assert set(replace(look, light=True).styles) == set(STYLES)


@on_screen
async def test_without_colours_no_colour_is_sent(tmp_path):
    async with seated(tmp_path, look={"colours": "none"}) as it:
        await it.press("3", "a")
        for key in ("x", "m", "p", "n"):
            await it.press(key)
            assert colours_of(it) == {"default"}
            await it.press("escape")
        assert "┏━━━┓" in it.text
        assert "┌┄┄┄┐" in it.text


@pytest.mark.parametrize("colours", COLOURS)
@on_screen
async def test_the_hand_can_be_seen_when_nil_is_asked_about(tmp_path, colours):
    async with seated(tmp_path, look={"colours": colours}) as it:
        before = it.rows[18:21]
        await it.press("0")
        assert "Bid nil" in it.text
        assert it.rows[18:21] == before


@on_screen
async def test_sixteen_colours_are_the_terminals_own(tmp_path):
    async with seated(tmp_path, look={"colours": "16"}) as it:
        await it.press("3", "a", "x")
        found = colours_of(it)
        assert len(found) > 3
        assert all(colour == "default" or re.fullmatch(r"color\((\d|1[0-5])\)", colour) for colour in found)


@on_screen
async def test_no_color_is_heard(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with seated(tmp_path, look={"colours": "none"}) as it:
        assert colours_of(it) == {"default"}


def colours_of(it) -> set[str]:
    """Return all foreground and background colours on the screen."""
    styles = [segment.style for strip in it.screen._compositor.render_strips() for segment in strip if segment.style]
    return {colour.name for style in styles for colour in (style.color, style.bgcolor) if colour}


@on_screen
async def test_ascii_is_ascii(tmp_path):
    async with seated(tmp_path, look={"ascii": True, "colours": "none"}) as it:
        await it.press("3", "a")
        for key in ("x", "question_mark", "p", "m", "n", "f"):
            await it.press(key)
            assert it.text.isascii()
            await it.press("escape")
        assert "#===#" in it.text


def test_ascii_is_as_wide():
    assert ascii_text("10♠ ┏━★━┓ ● Łódź 日本") == "10S #=*=# @ ??d? ????"


def test_letters_that_take_two_cells():
    sheet = Canvas(10, 1)
    assert sheet.put(0, 0, "日本 A") == 6
    sheet.right(0, 10, "本")
    assert sheet.text({}).plain == "日本 A  本"
    assert canvas.cut("日本日本", 5) == "日本…"
