"""What the names of styles look like: with all colours, with sixteen, with none; on dark or light; with which deck.

Nothing is shown by colour alone, so nothing is lost without colours: the winning card has a heavy border and a star,
cards that may not be played have a dotted one, the cursor lifts its card. Terminals without UTF-8 get ASCII.
"""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from spades_env.cards import SUIT_LETTERS

FULL, FEWER, SIXTEEN, NONE = "full", "256", "16", "none"
COLOURS = (FULL, FEWER, SIXTEEN, NONE)
DECKS = {  # ink of clubs, diamonds, hearts, spades on paper; the same on a dark table
    "four": (("#007a33", "#1257c4", "#c3161c", "#101314"), ("#7fd69a", "#82b8ff", "#ff8f87", "#f4f4f0")),
    "two": (("#101314", "#c3161c", "#c3161c", "#101314"), ("#f4f4f0", "#ff8f87", "#ff8f87", "#f4f4f0")),
    "safe": (("#7a5a00", "#0060a8", "#c64a00", "#101314"), ("#e0bd5c", "#6cc0f5", "#ff9a57", "#f4f4f0")),
}
DARK = {
    "frame": "#54806a",
    "quiet": "#93ab9e",
    "strong": "bold #eef4f0",
    "alarm": "bold #ff8f87",
    "good": "#7fd69a",
    "gold": "bold #f2bd55",
    "turn": "bold #14201a on #f2bd55",
    "back": "#5d8fc4",
    "cursor": "bold #14201a on #f2bd55",
    "bar": "#6fb7e8",
}
LIGHT = DARK | {
    "frame": "#7fa08d",
    "quiet": "#4f6257",
    "strong": "bold #16231b",
    "alarm": "bold #ab1f18",
    "good": "#176c36",
    "gold": "bold #8a5200",
    "turn": "bold #ffffff on #8a5200",
    "back": "#2f5f99",
    "cursor": "bold #ffffff on #8a5200",
    "bar": "#1c69a8",
}
GROUNDS = {  # of the screen, the table, cards, dimmed cards; greys where there are 256 colours: their dark green glares
    "table-dark": ("#13211a", "#1d3328", "#f6f3ea", "#24362d"),
    "table-light": ("#eef3ec", "#ffffff", "#ffffff", "#d3dcd5"),
    "table-dark-256": ("#1c1c1c", "#262626", "#eeeeee", "#3a3a3a"),
    "table-light-256": ("#eeeeee", "#ffffff", "#ffffff", "#d0d0d0"),
}
SIXTEEN_STYLES = {
    "frame": "green",
    "quiet": "default",
    "strong": "bold",
    "alarm": "bold red",
    "good": "green",
    "gold": "bold yellow",
    "turn": "bold reverse",
    "back": "bright_blue",
    "cursor": "bold reverse",
    "bar": "bright_blue",
    "edge": "default",
    "edge:dim": "dim",
    "edge:on": "bold yellow",
}
SIXTEEN_INKS = {
    "four": ("green", "bright_blue", "red", "default"),
    "two": ("default", "red", "red", "default"),
    "safe": ("yellow", "bright_blue", "bright_red", "default"),
}
NO_STYLES = {
    "frame": "default",
    "quiet": "default",
    "strong": "bold",
    "alarm": "bold",
    "good": "default",
    "gold": "bold",
    "turn": "bold reverse",
    "back": "default",
    "cursor": "bold reverse",
    "bar": "bold",
    "edge": "default",
    "edge:dim": "dim",
    "edge:on": "bold",
}

ASCII_LETTERS = str.maketrans(  # each as wide as the letter it stands for
    "─═▔▁│║▏▕▎╭╮╰╯├┤┬┴┼┌┐└┘┄┊┏┓┗┛┃━█▉▊▋▌▍▂▃▄▅▆▇▀♠♥♦♣●○■◆★☆▶◀▲△▼▒✗…–−·×±‹›•→←↑↓“”’",
    "----|||||+++++++++.....:#####=############" + "#SHDC@.#%*.><^^v:x~---x~<>*><^v" + chr(34) * 2 + chr(39),
)


@dataclass(frozen=True)
class Look:
    """How a terminal shows things. deck: "four", "two" or "safe" colours; ascii: with no other letters."""

    colours: str = FULL
    deck: str = "four"
    light: bool = False
    ascii: bool = False

    @property
    def theme(self) -> str:
        """The name of Textual's theme that goes with it."""
        ground = "light" if self.light else "dark"
        if self.colours in (SIXTEEN, NONE):
            return f"ansi-{ground}"
        return f"table-{ground}{'-256' if self.colours == FEWER else ''}"

    @property
    def styles(self) -> dict[str, str]:
        """Style names and what they mean; a suit's are `ink:S`, `card:S` and `card:S:dim`."""
        if self.colours in (FULL, FEWER):
            return self._full()
        inks = SIXTEEN_INKS[self.deck] if self.colours == SIXTEEN else ("default",) * len(SUIT_LETTERS)
        styles = dict(SIXTEEN_STYLES if self.colours == SIXTEEN else NO_STYLES)
        for letter, ink in zip(SUIT_LETTERS, inks, strict=True):
            styles |= {
                f"ink:{letter}": f"bold {ink}",
                f"card:{letter}": f"bold {ink}",
                f"card:{letter}:dim": f"dim {ink}",
            }
        return styles

    def _full(self) -> dict[str, str]:
        on_paper, on_dark = DECKS[self.deck]
        _, _, paper, dim_paper = GROUNDS[self.theme]
        styles = dict(LIGHT if self.light else DARK)
        styles |= {"edge": f"#8a8f86 on {paper}", "edge:on": f"bold #8a5200 on {paper}"}
        styles["edge:dim"] = f"{styles['quiet']} on {dim_paper}"
        for letter, ink, bright in zip(SUIT_LETTERS, on_paper, on_dark, strict=True):
            seen = ink if self.light else bright
            styles |= {f"ink:{letter}": f"bold {seen}", f"card:{letter}:dim": f"{seen} on {dim_paper}"}
            styles[f"card:{letter}"] = f"bold {ink} on {paper}"
        return styles


def themes() -> list[Theme]:
    """Return Textual's themes, for terminals with many colours."""
    return [_theme(name, *grounds[:2], light="light" in name) for name, grounds in GROUNDS.items()]


def _theme(name: str, background: str, surface: str, light: bool) -> Theme:
    styles = LIGHT if light else DARK
    frame, gold, alarm = (styles[key].removeprefix("bold ") for key in ("frame", "gold", "alarm"))
    text = styles["strong"].removeprefix("bold ")
    theme = Theme(name, primary=frame, accent=gold, error=alarm, background=background, surface=surface, dark=not light)
    theme.foreground = text
    return theme


def ascii_text(text: str) -> str:
    """Return the text in ASCII, as many cells wide."""
    return "".join(letter if letter.isascii() else "?" * cell_len(letter) for letter in text.translate(ASCII_LETTERS))


class Ascii(LineFilter):
    """Turns all that is sent to a terminal without UTF-8 into ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(ascii_text(text), style, control) for text, style, control in segments]
