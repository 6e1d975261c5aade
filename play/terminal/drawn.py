"""A widget that shows what a function draws in the room there is, and sends only the rows that have changed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual.geometry import Region
from textual.widget import Widget

if TYPE_CHECKING:
    from play.terminal.app import SpadesApp

Draw = Callable[[int, int], Text]


class Drawn(Widget):
    """draw(width, height) makes the picture."""

    def __init__(self, draw: Draw, *, id: str | None = None):
        super().__init__(id=id)
        self._draw = draw
        self._rows: list[Text] = []

    def render(self) -> Text:
        picture = self._draw(self.size.width, self.size.height)
        self._rows = list(picture.split("\n"))
        return picture

    def redraw(self) -> None:
        """The rows that are not as they were; nothing before there is room."""
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
    """What the names of styles mean in the program that a widget belongs to."""
    return cast("SpadesApp", widget.app).look.styles
