"""Cards as they are drawn: small ones of 5 × 3 cells, big ones of 7 × 5.

╭───╮  may be played     ┏━━━┓  wins, or lies     ┌┄┄┄┐  may not be played
│10♥│                    ┃ A♠┃  under the cursor  ┊ 2♣┊
╰───╯                    ┗━━━┛                    └┄┄┄┘
"""

from typing import NamedTuple

from play.terminal.pictures.canvas import DOTTED, FRAME, HEAVY, Canvas
from spades_env.captions import card_text, colour_of
from spades_env.cards import SUIT_LETTERS, SUIT_SYMBOLS, card


class Size(NamedTuple):
    """The cells of a card."""

    width: int
    height: int


SMALL, BIG = Size(5, 3), Size(7, 5)
PLAIN, STRONG, DIM = "plain", "strong", "dim"
LINES = {PLAIN: FRAME, STRONG: HEAVY, DIM: DOTTED}
EDGES = {PLAIN: "edge", STRONG: "edge:on", DIM: "edge:dim"}


def draw_card(canvas: Canvas, row: int, column: int, name: str, size: Size = SMALL, kind: str = PLAIN) -> None:
    """Draw a card with its upper left corner in a cell."""
    canvas.box(row, column, *size, EDGES[kind], LINES[kind])
    style = f"card:{suit_letter(name)}" + ":dim" * (kind == DIM)
    text = face(name)
    if size == SMALL:
        canvas.put(row + 1, column + 1, f"{text:>3}", style)
        return
    canvas.put(row + 1, column + 1, f"{text:<5}", style)
    canvas.put(row + 2, column + 1, f"{symbol(name):^5}", style)
    canvas.put(row + 3, column + 1, f"{text:>5}", style)


def draw_back(canvas: Canvas, row: int, column: int, size: Size = SMALL) -> None:
    """Draw a card face down."""
    canvas.box(row, column, *size, "back")
    for i in range(1, size.height - 1):
        canvas.put(row + i, column + 1, "▒" * (size.width - 2), "back")


def face(name: str) -> str:
    """Return a card as it is shown: A♠, 10♥, RJ."""
    return card_text(card(name))


def symbol(name: str) -> str:
    """Return the symbol of a card's suit, or a star for a joker."""
    return "★" if name.endswith("J") and name[0] in "BR" else SUIT_SYMBOLS[card(name) // 13]


def suit_letter(name: str) -> str:
    """Return the letter of the suit whose colour a card has."""
    return SUIT_LETTERS[colour_of(card(name))]
