"""Tables with rule players, and what the terminal draws of them as text."""

import re

import pytest
from support.play.sittings import stand_still

pytest.importorskip("textual")

from spades_env.play.table.table import Table
from spades_env.play.terminal.pictures.canvas import Canvas
from spades_env.play.terminal.pictures.hand import HandState, draw_hand
from spades_env.play.terminal.pictures.look import Look
from spades_env.play.terminal.pictures.table import draw_table, scene_of

STYLES = Look().styles
FACE = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]|[BR]J")


def new(rules="classic", **options) -> Table:
    return Table(rules, ["rule"] * 4, {0: "Anna"}, **{"seed": 7, "now": stand_still} | options)


def drawn(draw, *what, width: int = 80, height: int = 24) -> str:
    """Return the text that a function draws on a canvas of this size."""
    sheet = Canvas(width, height)
    draw(sheet, *what)
    return sheet.text(STYLES).plain


def table_text(view: dict, width: int = 50, height: int = 15) -> str:
    return drawn(draw_table, scene_of(view), width=width, height=height)


def hand_text(view: dict, cursor: str | None = None, **more) -> str:
    return drawn(draw_hand, HandState(view, cursor, **more), height=6)


def faces(text: str) -> list[str]:
    return sorted(FACE.findall(text))
