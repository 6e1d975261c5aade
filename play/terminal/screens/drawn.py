"""A widget that shows what a function draws, and what the screens use of the app they belong to."""

from collections.abc import Callable
from typing import Any, Protocol, TextIO, cast

from rich.text import Text
from textual.geometry import Region
from textual.widget import Widget

from play.store.sitting import Sitting
from play.terminal.pictures.look import Look

Draw = Callable[[int, int], Text]


class Program(Protocol):
    """The app, as its screens know it."""

    look: Look
    log_file: TextIO | None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the terminal, as they are now."""
        ...

    def set_look(self) -> None:
        """Take the look from the settings."""

    def new_sitting(self) -> Sitting:
        """Begin a game like the last one."""
        ...

    def show_table(self, sitting: Sitting) -> None:
        """Show a game in place of all that is on the screen."""

    def action_leave(self) -> None:
        """End the program."""


class Drawn(Widget):
    """Shows what `draw(width, height)` returns, and sends only the rows that have changed."""

    def __init__(self, draw: Draw, *, id: str | None = None):
        super().__init__(id=id)
        self._draw = draw
        self._rows: list[Text] = []

    def render(self) -> Text:
        picture = self._draw(self.size.width, self.size.height)
        self._rows = list(picture.split("\n"))
        return picture

    def redraw(self) -> None:
        """Send the rows that have changed; nothing before there is room."""
        if not self.size:
            return
        rows = list(self._draw(self.size.width, self.size.height).split("\n"))
        if len(rows) != len(self._rows):
            self.refresh()
            return
        changed = [row for row, (now, before) in enumerate(zip(rows, self._rows, strict=True)) if now != before]
        if changed:
            self.refresh(*(Region(0, row, self.size.width, 1) for row in changed))


def styles_of(widget: Widget) -> dict[str, str]:
    """Return what the names of styles mean in the app of a widget."""
    return cast("Program", widget.app).look.styles
