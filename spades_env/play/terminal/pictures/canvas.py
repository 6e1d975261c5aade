"""A grid of cells to draw on. Styles are names, such as "gold"; a `Look` says what they mean."""

import textwrap
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter

from rich.cells import cell_len
from rich.text import Text

FRAME = ("╭─╮", "│ │", "╰─╯")
HEAVY = ("┏━┓", "┃ ┃", "┗━┛")
DOTTED = ("┌┄┐", "┊ ┊", "└┄┘")


class Canvas:
    """Rows of cells, each a character and the name of its style. Text outside the grid is cut off."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self._rows = [[(" ", "")] * width for _ in range(height)]

    def put(self, row: int, column: int, text: str, style: str = "") -> int:
        """Write text from this column on; return the column after it."""
        for letter in text:
            wide = cell_len(letter)
            if 0 <= row < self.height and column >= 0 and wide and column + wide <= self.width:
                self._rows[row][column : column + wide] = [(letter, style), *[("", style)] * (wide - 1)]
            column += wide
        return column

    def centred(self, row: int, text: str, style: str = "", left: int = 0, right: int | None = None) -> None:
        right = self.width if right is None else right
        self.put(row, left + max(0, right - left - cell_len(text)) // 2, text, style)

    def right(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write text that ends just before this column."""
        self.put(row, column - cell_len(text), text, style)

    def box(self, row: int, column: int, width: int, height: int, style: str = "frame", lines=FRAME) -> None:
        for i in range(height):
            left, middle, right = lines[0 if i == 0 else 2 if i == height - 1 else 1]
            self.put(row + i, column, left + middle * (width - 2) + right, style)

    def text(self, styles: Mapping[str, str]) -> Text:
        """Return the picture; `styles` says what the names of styles mean."""
        drawn = Text(no_wrap=True, end="")
        for number, row in enumerate(self._rows):
            drawn.append("\n" * (number > 0))
            for style, run in groupby(row, key=itemgetter(1)):
                drawn.append("".join(letter for letter, _ in run), styles[style] if style else None)
        return drawn


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, max(width, len(indent) + 1), subsequent_indent=indent)


def cut(text: str, width: int) -> str:
    """Shorten text that does not fit, with … at the end."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[:-1]
    return text + "…" if width > 0 else ""
