"""Lists to walk through with keys, to set, choose or open something; the base of all screens beside the table.

╭─ New game ──────────────────────────────╮
│ ▶ Partner            ‹ Zofia ★★★★★ ›    │     ← → another value, Enter opens or does it
│   Left opponent      ‹ Dara ★★★ ›       │
│ The champion: no habits, no holes.      │     the note of the row under the cursor
╰─ ↑ ↓ row  ← → value  Enter open  Esc ───╯
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from play.terminal.pictures.canvas import Canvas, cut, wrapped
from play.terminal.screens.dialogs import Write
from play.terminal.screens.drawn import Drawn, styles_of

NOTE_ROWS = 4
LABEL_ROOM = 0.52  # of the width; the rest is for values


@dataclass(frozen=True)
class Row:
    """A row of a form. step: takes another value; enter: what Enter does. With neither it is a heading."""

    label: str
    value: str = ""
    note: str = ""
    step: Callable[[int], None] | None = None
    enter: Callable[[], object] | None = None

    @property
    def is_heading(self) -> bool:
        """Is there nothing to do in this row?"""
        return self.step is None and self.enter is None


@dataclass(frozen=True)
class FormState:
    """What a form shows. foot: a line below all rows; message: a sentence in place of notes."""

    title: str
    rows: Sequence[Row]
    cursor: int
    foot: str = ""
    message: str = ""


def form_picture(state: FormState, width: int, height: int, styles: Mapping[str, str]) -> Text:
    """Draw the rows around the cursor, the note of its row, and a foot."""
    rows, cursor = state.rows, state.cursor
    canvas = Canvas(width, height)
    canvas.box(0, 0, width, height)
    canvas.put(0, 2, f" {cut(state.title, width - 6)} ", "strong")
    room = height - 2 - NOTE_ROWS - 1
    first = max(0, min(cursor - room // 2, len(rows) - room))
    for line, number in enumerate(range(first, min(first + room, len(rows))), 1):
        _draw_row(canvas, line, rows[number], number == cursor)
    if first:
        canvas.put(1, width - 2, "▲", "quiet")
    if first + room < len(rows):
        canvas.put(room, width - 2, "▼", "quiet")
    canvas.put(room + 1, 0, f"├{'─' * (width - 2)}┤", "frame")
    _draw_note(canvas, room + 2, state)
    canvas.put(height - 1, 2, " ↑ ↓ row  ← → value  Enter open or do  Esc back ", "quiet")
    return canvas.text(styles)


def _draw_row(canvas: Canvas, line: int, row: Row, on: bool) -> None:
    start = int(canvas.width * LABEL_ROOM) if row.value else canvas.width - 2
    if row.is_heading:
        canvas.put(line, 2, row.label, "gold")
        canvas.put(line, start, cut(row.value, canvas.width - start - 2), "quiet")
        return
    canvas.put(line, 2, "▶ " if on else "  ", "gold")
    canvas.put(line, 4, cut(row.label, start - 5), "cursor" if on else "")
    value = f"‹ {row.value} ›" if row.step and row.value else row.value
    canvas.put(line, start, cut(value, canvas.width - start - 2), "strong" if on else "")


def _draw_note(canvas: Canvas, top: int, state: FormState) -> None:
    note, foot, style = state.message, "", "alarm"
    if not state.message:
        note, foot, style = _note(canvas, state.rows[state.cursor]) if state.rows else "", state.foot, "quiet"
    lines = wrapped(note, canvas.width - 4)[: NOTE_ROWS - bool(foot)]
    for line, words in enumerate(lines, top):
        canvas.put(line, 2, words, style)
    canvas.put(top + NOTE_ROWS - 1, 2, cut(foot, canvas.width - 4), "gold")


def _note(canvas: Canvas, row: Row) -> str:
    """Return the note of a row, after what was cut there."""
    start = int(canvas.width * LABEL_ROOM)
    whole = cell_len(row.label) <= start - 5 and cell_len(row.value) <= canvas.width - start - 6
    return row.note if whole or not row.value else f"{row.label}: {row.value}. {row.note}"


class Form(ModalScreen[Any]):
    """Rows under a title. A subclass says which rows there are, and what stands at the foot."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,i,I", "move(-1)", "up"),
        Binding("down,k,K", "move(1)", "down"),
        Binding("pageup", "move(-8)", "up"),
        Binding("pagedown", "move(8)", "down"),
        Binding("left,j,J", "step(-1)", "value"),
        Binding("right,l,L", "step(1)", "value"),
        Binding("enter", "enter", "open"),
        Binding("escape,q,Q", "close", "back"),
    ]

    def __init__(self, title: str):
        super().__init__()
        self.heading, self.cursor, self.message = title, 0, ""

    def rows(self) -> list[Row]:
        """Return the rows as they are now."""
        raise NotImplementedError

    def foot(self) -> str:
        """Return the line below the rows, whatever the cursor is on."""
        return ""

    def compose(self) -> ComposeResult:
        yield Drawn(self._draw, id="form")

    def on_mount(self) -> None:
        """Put the cursor on the first row that is no heading."""
        self.action_move(0)

    def action_move(self, way: int) -> None:
        """Move the cursor to another row that is no heading."""
        rows, self.message = self.rows(), ""
        last = len(rows) - 1
        place = max(0, min(self.cursor + way, last))
        while 0 <= place <= last and rows[place].is_heading:
            place += 1 if way >= 0 else -1
        self.cursor = place if 0 <= place <= last else self.cursor
        self.redraw()

    def action_step(self, way: int) -> None:
        """Take the next value (way 1) or the one before (−1) in the row under the cursor."""
        row = self._row()
        if row and row.step:
            self.do(lambda: row.step and row.step(way))

    def action_enter(self) -> None:
        """Do what the row is for; where it has only values, take the next one."""
        row = self._row()
        if row and row.enter:
            self.do(row.enter)
        elif row and row.step:
            self.action_step(1)

    def action_close(self) -> None:
        """Leave the form without an answer."""
        self.dismiss(None)

    def do(self, act: Callable[[], Any]) -> None:
        """Do something; what refuses it is shown at the foot."""
        self.message = ""
        try:
            act()
        except ValueError as error:
            self.message = str(error)
        self.redraw()

    def write(self, question: str, take: Callable[[str], Any], text: str = "") -> None:
        """Ask for a line, and take it if one is written."""

        def answer(written: str | None) -> None:
            if written is not None:
                self.do(lambda: take(written))

        self.app.push_screen(Write(question, text), answer)

    def redraw(self) -> None:
        """Draw the rows as they are now."""
        self.query_one("#form", Drawn).redraw()

    def _row(self) -> Row | None:
        rows = self.rows()
        self.cursor = max(0, min(self.cursor, len(rows) - 1))
        return rows[self.cursor] if rows else None

    def _draw(self, width: int, height: int) -> Text:
        state = FormState(self.heading, self.rows(), self.cursor, self.foot(), self.message)
        return form_picture(state, width, height, styles_of(self))


class Pick(Form):
    """A choice among several; the answer is the value. items: value, label, what stands beside it, note."""

    def __init__(self, title: str, items: Sequence[tuple[Any, str, str, str]], chosen: Any = None):
        super().__init__(title)
        self._items = items
        self.cursor = next((i for i, item in enumerate(items) if item[0] == chosen), 0)

    def rows(self) -> list[Row]:
        return [
            Row(label, beside, note, enter=lambda value=value: self.dismiss(value))
            for value, label, beside, note in self._items
        ]
