"""Cards: small ones of 5 × 3 cells, big ones of 7 × 5.

╭───╮  may be played     ┏━━━┓  wins, or lies     ┌┄┄┄┐  may not be played
│10♥│                    ┃ A♠┃  under the cursor  ┊ 2♣┊
╰───╯                    ┗━━━┛                    └┄┄┄┘
"""

from typing import NamedTuple

from spades_env.game.cards import SUIT_LETTERS, SUIT_SYMBOLS, card
from spades_env.play.terminal.pictures.canvas import DOTTED, FRAME, HEAVY, Canvas
from spades_env.play.terminal.words import said
from spades_env.show.captions import card_text, colour_of


class Size(NamedTuple):
    """How many cells a card takes."""

    width: int
    height: int


SMALL, BIG = Size(5, 3), Size(7, 5)
PLAIN, STRONG, DIM = "plain", "strong", "dim"
LINES = {PLAIN: FRAME, STRONG: HEAVY, DIM: DOTTED}
EDGES = {PLAIN: "edge", STRONG: "edge:on", DIM: "edge:dim"}


def draw_card(canvas: Canvas, row: int, column: int, name: str, size: Size = SMALL, kind: str = PLAIN) -> None:
    """Draw a card whose upper left corner is in this cell."""
    canvas.box(row, column, *size, EDGES[kind], LINES[kind])
    style = f"card:{suit_letter(name)}" + ":dim" * (kind == DIM)
    text = face(name)
    if size == SMALL:
        canvas.put(row + 1, column + 1, f"{text:>3}", style)
        return
    canvas.put(row + 1, column + 1, f"{text:<5}", style)
    is_joker = name.endswith("J") and name[0] in "BR"
    canvas.put(row + 2, column + 1, f"{'★' if is_joker else SUIT_SYMBOLS[card(name) // 13]:^5}", style)
    canvas.put(row + 3, column + 1, f"{text:>5}", style)


def draw_back(canvas: Canvas, row: int, column: int, size: Size = SMALL) -> None:
    """Draw a card face down."""
    canvas.box(row, column, *size, "back")
    for i in range(1, size.height - 1):
        canvas.put(row + i, column + 1, "▒" * (size.width - 2), "back")


def face(name: str) -> str:
    """Return a card's short text: A♠, 10♥, RJ."""
    return card_text(card(name))


def suit_letter(name: str) -> str:
    """Return the letter of the suit in whose colour a card is drawn."""
    return SUIT_LETTERS[colour_of(card(name))]


def nil_words(kind: str) -> str:
    """Return "nil" or "blind nil" in the chosen language."""
    return said(f"plate.{kind.replace(' ', '_')}")
