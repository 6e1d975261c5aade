"""All that is shown, in ASCII, for terminals without UTF-8: every letter becomes one that is as wide."""

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

LETTERS = str.maketrans(
    "─═▔▁│║▏▕▎╭╮╰╯├┤┬┴┼┌┐└┘┄┊┏┓┗┛┃━█▉▊▋▌▍▂▃▄▅▆▇▀♠♥♦♣●○■◆★☆▶◀▲△▼▒✗…–−·×±‹›•→←↑↓“”’",
    "----|||||+++++++++.....:#####=############" + "#SHDC@.#%*.><^^v:x~---x~<>*><^v" + chr(34) * 2 + chr(39),
)


def ascii_text(text: str) -> str:
    """The text in ASCII, as many cells wide."""
    return "".join(letter if letter.isascii() else "?" * cell_len(letter) for letter in text.translate(LETTERS))


class Ascii(LineFilter):
    """Between what is drawn and the terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(ascii_text(text), style, control) for text, style, control in segments]
