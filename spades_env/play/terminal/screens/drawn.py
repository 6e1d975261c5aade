"""A widget that shows a drawing, and what the screens use of the app they belong to."""

from collections.abc import Callable
from typing import Any, Protocol, TextIO, cast

from rich.text import Text
from textual.dom import DOMNode
from textual.geometry import Region
from textual.widget import Widget

from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.pictures.canvas import Canvas
from spades_env.play.terminal.pictures.look import Look

Draw = Callable[[Canvas], object]


class Program(Protocol):
    """The app, as its screens know it."""

    client: TableClient
    look: Look
    log_file: TextIO | None

    @property
    def settings(self) -> dict[str, Any]: ...
    def set_look(self) -> None: ...
    async def begin_usual(self) -> None: ...
    def action_leave(self) -> None: ...


def program_of(node: DOMNode) -> Program:
    return cast("Program", node.app)


class Drawn(Widget):
    """Shows what `draw` puts on a canvas of its size, and sends only the rows that have changed."""

    def __init__(self, draw: Draw, *, id: str | None = None):
        super().__init__(id=id)
        self._draw = draw
        self._rows: list[Text] = []

    def render(self) -> Text:
        picture = self._picture()
        self._rows = list(picture.split("\n"))
        return picture

    def redraw(self) -> None:
        """Send the rows that have changed, once the widget has a size."""
        if not self.size:
            return
        rows = list(self._picture().split("\n"))
        if len(rows) != len(self._rows):
            self.refresh()
            return
        changed = [row for row, (now, before) in enumerate(zip(rows, self._rows, strict=True)) if now != before]
        if changed:
            self.refresh(*(Region(0, row, self.size.width, 1) for row in changed))

    def _picture(self) -> Text:
        canvas = Canvas(*self.size)
        self._draw(canvas)
        return canvas.text(program_of(self).look.styles)
