"""Small screens over the table: a page to read, a question, a line of input."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from spades_env.play.terminal.pictures.pages import Fill, Lines
from spades_env.play.terminal.screens.drawn import program_of
from spades_env.play.terminal.words import said

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """A frame over the table, with a title above and keys below. A subclass fills it."""

    SMALL = True  # is it only as large as its content?

    def __init__(self, title: str, keys: str):
        super().__init__()
        self._title, self._keys = title, keys

    def inside(self) -> ComposeResult:
        """Make the widgets inside the frame."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(classes=f"dialog{' small' * self.SMALL}") as frame:
            frame.border_title, frame.border_subtitle = self._title, self._keys
            yield from self.inside()


class Page(Dialog[None]):
    """A page to read. Arrows scroll it; Escape, Enter, Space and Q close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,Q", "dismiss", "close"),
        Binding("up,i,I", "turn(-1)", "up"),
        Binding("down,k,K", "turn(1)", "down"),
        Binding("pageup,left,j,J", "turn(-10)", "page up"),
        Binding("pagedown,right,l,L", "turn(10)", "page down"),
    ]

    SMALL = False

    def __init__(self, title: str, fill: Fill, keys: str = ""):
        super().__init__(title, keys or said("terminal.keys.page"))
        self._fill = fill

    def inside(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield Static(id="page")

    def on_mount(self) -> None:
        """Write the page once its width is known."""
        self.call_after_refresh(self._write_page)

    def on_resize(self) -> None:
        self.call_after_refresh(self._write_page)

    def _write_page(self) -> None:
        width = self.query_one(VerticalScroll).scrollable_content_region.width
        lines = Lines(width, program_of(self).look.styles)
        self._fill(lines)
        self.query_one("#page", Static).update(lines.text())

    def action_turn(self, rows: int) -> None:
        """Scroll this many rows down; up if negative."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)


class Ask(Dialog[bool]):
    """A question: Enter or Y is yes, Escape or N is no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,Y,j,J,enter", "dismiss(True)", "yes"),
        Binding("n,N,escape,q,Q", "dismiss(False)", "no"),
    ]

    def __init__(self, question: str, yes: str = "", no: str = ""):
        yes, no = yes or said("terminal.yes"), no or said("terminal.no")
        super().__init__("", f"Enter, Y: {yes}   Esc, N: {no}")
        self._question = question

    def inside(self) -> ComposeResult:
        yield Static(self._question, markup=False)


class Write(Dialog[str | None]):
    """A line of input; the answer is None if the person escapes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "back")]

    def __init__(self, question: str, text: str = ""):
        super().__init__("", said("terminal.keys.write"))
        self._question, self._text = question, text

    def inside(self) -> ComposeResult:
        yield Static(self._question, markup=False)
        yield Input(self._text, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


def ask(screen: Screen[Any], question: str, act: Callable[[], Any]) -> None:
    screen.app.push_screen(Ask(question), lambda yes: act() if yes else None)


def ask_line(screen: Screen[Any], question: str, take: Callable[[str], Any], text: str = "") -> None:
    """Ask for a line, and take it unless the person escapes."""
    screen.app.push_screen(Write(question, text), lambda line: None if line is None else take(line))
