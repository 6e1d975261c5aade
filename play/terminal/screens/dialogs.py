"""Small screens over the table: a page to read, a question, a line to write."""

from collections.abc import Callable
from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

Answer = TypeVar("Answer")
Build = Callable[[int], Text]  # returns the text of a page for so many columns


class Dialog(ModalScreen[Answer]):
    """A frame over the table, a title above, its keys below. A subclass says what stands inside."""

    SMALL = True  # is it no larger than what stands in it?

    def __init__(self, title: str, keys: str):
        super().__init__()
        self._title, self._keys = title, keys

    def inside(self) -> ComposeResult:
        """Make the widgets that stand in the frame."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(classes=f"dialog{' small' * self.SMALL}") as frame:
            frame.border_title, frame.border_subtitle = self._title, self._keys
            yield from self.inside()


class Page(Dialog[None]):
    """A page to read. Arrows turn it; Escape, Enter, Space and Q close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,Q", "close", "close"),
        Binding("up,i,I", "turn(-1)", "up"),
        Binding("down,k,K", "turn(1)", "down"),
        Binding("pageup,left,j,J", "turn(-10)", "page up"),
        Binding("pagedown,right,l,L", "turn(10)", "page down"),
    ]

    SMALL = False

    def __init__(self, title: str, build: Build, keys: str = "↑ ↓ turn  Esc back"):
        super().__init__(title, keys)
        self._build = build

    def inside(self) -> ComposeResult:
        with VerticalScroll(can_focus=False):
            yield Static(id="page")

    def on_mount(self) -> None:
        """Write the page once its width is known."""
        self.call_after_refresh(self.build)

    def on_resize(self) -> None:
        """Write the page again for the new width."""
        self.call_after_refresh(self.build)

    def build(self) -> None:
        """Write the page again."""
        scroll = self.query_one(VerticalScroll)
        self.query_one("#page", Static).update(self._build(scroll.scrollable_content_region.width))

    def action_turn(self, rows: int) -> None:
        """Move so many rows down, or up where they are negative."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss()


class Ask(Dialog[bool]):
    """A question: Enter or Y is yes, Escape or N is no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,Y,enter", "answer(True)", "yes"),
        Binding("n,N,escape,q,Q", "answer(False)", "no"),
    ]

    def __init__(self, question: str, yes: str = "yes", no: str = "no"):
        super().__init__("", f"Enter, Y: {yes}   Esc, N: {no}")
        self._question = question

    def inside(self) -> ComposeResult:
        yield Static(self._question, markup=False)

    def action_answer(self, yes: bool) -> None:
        """Close the question with this answer."""
        self.dismiss(yes)


class Write(Dialog[str | None]):
    """A line to write; the answer is None when the person would rather not."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "back")]

    def __init__(self, question: str, text: str = ""):
        super().__init__("", "Enter: done   Esc: back")
        self._question, self._text = question, text

    def inside(self) -> ComposeResult:
        yield Static(self._question, markup=False)
        yield Input(self._text, compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the line, without blanks around it."""
        self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Close it without an answer."""
        self.dismiss(None)
