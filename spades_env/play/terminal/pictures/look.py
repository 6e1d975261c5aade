"""The look of each style: in all colours, sixteen or none, on a dark or a light table, for each deck.

Nothing is shown by colour alone, so nothing is lost without colours: the winning card has a heavy border and a star,
cards that may not be played have a dotted one, the cursor lifts its card. Terminals without UTF-8 get ASCII.
"""

from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from spades_env.game.cards import SUIT_LETTERS

FULL, FEWER, SIXTEEN, NONE = "full", "256", "16", "none"
COLOURS = (FULL, FEWER, SIXTEEN, NONE)
DECKS = {  # inks of clubs, diamonds, hearts and spades: on paper, and on a dark table
    "four": (("#007a33", "#1257c4", "#c3161c", "#101314"), ("#7fd69a", "#82b8ff", "#ff8f87", "#f4f4f0")),
    "two": (("#101314", "#c3161c", "#c3161c", "#101314"), ("#f4f4f0", "#ff8f87", "#ff8f87", "#f4f4f0")),
    "safe": (("#7a5a00", "#0060a8", "#c64a00", "#101314"), ("#e0bd5c", "#6cc0f5", "#ff9a57", "#f4f4f0")),
}
STYLES = {  # on a dark table, on a light one, in 16 colours, in none; {paper} and {dim} are the grounds of cards
    "frame": ("#54806a", "#7fa08d", "green", "default"),
    "quiet": ("#93ab9e", "#4f6257", "default", "default"),
    "strong": ("bold #eef4f0", "bold #16231b", "bold", "bold"),
    "alarm": ("bold #ff8f87", "bold #ab1f18", "bold red", "bold"),
    "good": ("#7fd69a", "#176c36", "green", "default"),
    "gold": ("bold #f2bd55", "bold #8a5200", "bold yellow", "bold"),
    "turn": ("bold #14201a on #f2bd55", "bold #ffffff on #8a5200", "bold reverse", "bold reverse"),
    "back": ("#5d8fc4", "#2f5f99", "bright_blue", "default"),
    "cursor": ("bold #14201a on #f2bd55", "bold #ffffff on #8a5200", "bold reverse", "bold reverse"),
    "bar": ("#6fb7e8", "#1c69a8", "bright_blue", "bold"),
    "edge": ("#8a8f86 on {paper}", "#8a8f86 on {paper}", "default", "default"),
    "edge:dim": ("#93ab9e on {dim}", "#4f6257 on {dim}", "dim", "dim"),
    "edge:on": ("bold #8a5200 on {paper}", "bold #8a5200 on {paper}", "bold yellow", "bold"),
}
GROUNDS = {  # of the screen, the table, cards, dimmed cards; greys in 256 colours, whose dark greens glare
    "table-dark": ("#13211a", "#1d3328", "#f6f3ea", "#24362d"),
    "table-light": ("#eef3ec", "#ffffff", "#ffffff", "#d3dcd5"),
    "table-dark-256": ("#1c1c1c", "#262626", "#eeeeee", "#3a3a3a"),
    "table-light-256": ("#eeeeee", "#ffffff", "#ffffff", "#d0d0d0"),
}
SIXTEEN_INKS = {
    "four": ("green", "bright_blue", "red", "default"),
    "two": ("default", "red", "red", "default"),
    "safe": ("yellow", "bright_blue", "bright_red", "default"),
}
ASCII_LETTERS = str.maketrans(  # each as wide as the character it replaces
    "─═▔▁│║▏▕▎╭╮╰╯├┤┬┴┼┌┐└┘┄┊┏┓┗┛┃━█▉▊▋▌▍▂▃▄▅▆▇▀♠♥♦♣●○■◆★☆▶◀▲△▼▒✗…–−·×±‹›•→←↑↓“”’",
    "----|||||+++++++++.....:#####=############" + "#SHDC@.#%*.><^^v:x~---x~<>*><^v" + chr(34) * 2 + chr(39),
)


@dataclass(frozen=True)
class Look:
    """How a terminal shows the game. deck: "four", "two" or "safe" colours; ascii: use ASCII characters only."""

    colours: str = FULL
    deck: str = "four"
    light: bool = False
    ascii: bool = False

    @property
    def theme(self) -> str:
        ground = "light" if self.light else "dark"
        if self.colours in (SIXTEEN, NONE):
            return f"ansi-{ground}"
        return f"table-{ground}{'-256' if self.colours == FEWER else ''}"

    @property
    def styles(self) -> dict[str, str]:
        """What the names of styles mean; a suit's are `ink:S`, `card:S` and `card:S:dim`."""
        if self.colours in (FULL, FEWER):
            return self._full()
        column, inks = 3, ("default",) * len(SUIT_LETTERS)
        if self.colours == SIXTEEN:
            column, inks = 2, SIXTEEN_INKS[self.deck]
        styles = {name: looks[column] for name, looks in STYLES.items()}
        for letter, ink in zip(SUIT_LETTERS, inks, strict=True):
            styles |= dict.fromkeys((f"ink:{letter}", f"card:{letter}"), f"bold {ink}")
            styles[f"card:{letter}:dim"] = f"dim {ink}"
        return styles

    def _full(self) -> dict[str, str]:
        on_paper, on_dark = DECKS[self.deck]
        _, _, paper, dim = GROUNDS[self.theme]
        styles = {name: looks[self.light].format(paper=paper, dim=dim) for name, looks in STYLES.items()}
        for letter, ink, bright in zip(SUIT_LETTERS, on_paper, on_dark, strict=True):
            on_table = ink if self.light else bright
            styles |= {f"ink:{letter}": f"bold {on_table}", f"card:{letter}:dim": f"{on_table} on {dim}"}
            styles[f"card:{letter}"] = f"bold {ink} on {paper}"
        return styles


def themes() -> list[Theme]:
    return [_theme(name, *grounds[:2], light="light" in name) for name, grounds in GROUNDS.items()]


def _theme(name: str, background: str, surface: str, light: bool) -> Theme:
    frame, gold, alarm, text = (
        STYLES[style][light].removeprefix("bold ") for style in ("frame", "gold", "alarm", "strong")
    )
    theme = Theme(name, primary=frame, accent=gold, error=alarm, background=background, surface=surface, dark=not light)
    theme.foreground = text
    return theme


def ascii_text(text: str) -> str:
    """Replace characters outside ASCII by others of the same width."""
    return "".join(letter if letter.isascii() else "?" * cell_len(letter) for letter in text.translate(ASCII_LETTERS))


class Ascii(LineFilter):
    """Converts everything sent to the terminal to ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(ascii_text(text), style, control) for text, style, control in segments]
