"""Forms: rows with values to set and things to open; the base of most screens beside the table.

╭─ New game ──────────────────────────────╮
│ ▶ Partner            ‹ Zofia ★★★★★ ›    │     ← → change the value, Enter opens a list or acts
│   Left opponent      ‹ Dara ★★★ ›       │
│ The champion: no habits, no holes.      │     the note of the row under the cursor
╰─ ↑ ↓ row  ← → value  Enter open  Esc ───╯
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from spades_env.errors import SpadesError
from spades_env.play.terminal.pictures.canvas import Canvas, cut, wrapped
from spades_env.play.terminal.screens.dialogs import ask_line
from spades_env.play.terminal.screens.drawn import Drawn
from spades_env.play.terminal.words import said, spoken

T = TypeVar("T")
Item = tuple[T, str, str, str]  # value, label, text beside it, note
NOTE_ROWS = 4
LABEL_ROOM = 0.52  # of the width; the rest is for values


@dataclass(frozen=True)
class FormRow:
    """A row of a form. step: changes the value; enter: what Enter does. With neither it is a heading, or idle."""

    label: str
    value: str = ""
    note: str = ""
    step: Callable[[int], None] | None = None
    enter: Callable[[], object] | None = None
    is_idle: bool = False  # a value that means nothing now

    @property
    def is_open(self) -> bool:
        """Can the cursor stand on it?"""
        return self.step is not None or self.enter is not None


@dataclass(frozen=True)
class FormState:
    """What a form shows. foot: a line below all rows; message: a sentence in place of the note."""

    title: str
    rows: Sequence[FormRow]
    cursor: int
    foot: str = ""
    message: str = ""


def draw_form(canvas: Canvas, state: FormState) -> None:
    """Draw the rows around the cursor, the note of its row, and the foot."""
    rows, cursor, width, height = state.rows, state.cursor, canvas.width, canvas.height
    canvas.box(0, 0, width, height)
    canvas.put(0, 2, f" {cut(state.title, width - 6)} ", "strong")
    note, style, foot = _note_of(canvas, state)
    note_rows = max(NOTE_ROWS, min(len(wrapped(note, width - 4)) + bool(foot), height // 2))
    room = height - 2 - note_rows - 1
    first = max(0, min(cursor - room // 2, len(rows) - room))
    for line, number in enumerate(range(first, min(first + room, len(rows))), 1):
        _draw_row(canvas, line, rows[number], number == cursor)
    if first:
        canvas.put(1, width - 2, "▲", "quiet")
    if first + room < len(rows):
        canvas.put(room, width - 2, "▼", "quiet")
    canvas.put(room + 1, 0, f"├{'─' * (width - 2)}┤", "frame")
    for line, words in enumerate(_fitted(note, width - 4, note_rows - bool(foot)), room + 2):
        canvas.put(line, 2, words, style)
    canvas.put(height - 2, 2, cut(foot, width - 4), "gold")
    canvas.put(height - 1, 2, f" {said('terminal.keys.form')} ", "quiet")


def _draw_row(canvas: Canvas, line: int, row: FormRow, on: bool) -> None:
    start = int(canvas.width * LABEL_ROOM) if row.value else canvas.width - 2
    if row.is_idle:
        canvas.put(line, 4, cut(row.label, start - 5), "quiet")
        canvas.put(line, start, cut(row.value, canvas.width - start - 2), "quiet")
        return
    if not row.is_open:
        canvas.put(line, 2, row.label, "gold")
        canvas.put(line, start, cut(row.value, canvas.width - start - 2), "quiet")
        return
    canvas.put(line, 2, "▶ " if on else "  ", "gold")
    canvas.put(line, 4, cut(row.label, start - 5), "cursor" if on else "")
    value = f"‹ {row.value} ›" if row.step and row.value else row.value
    canvas.put(line, start, cut(value, canvas.width - start - 2), "strong" if on else "")


def _note_of(canvas: Canvas, state: FormState) -> tuple[str, str, str]:
    """Return what stands below the rows, with its style, and the foot."""
    if state.message:
        return state.message, "alarm", ""
    return _note(canvas, state.rows[state.cursor]) if state.rows else "", "quiet", state.foot


def _fitted(note: str, width: int, rows: int) -> list[str]:
    """Wrap a note, without the last sentences of one that is too long."""
    sentences, lines = note.split(". "), wrapped(note, width)
    while len(lines) > rows and len(sentences) > 1:
        sentences.pop()
        lines = wrapped(f"{'. '.join(sentences)}. …", width)
    return lines[:rows]


def _note(canvas: Canvas, row: FormRow) -> str:
    """Return the note of a row; if its label or value was cut off, they come first in full."""
    start = int(canvas.width * LABEL_ROOM)
    whole = cell_len(row.label) <= start - 5 and cell_len(row.value) <= canvas.width - start - 6
    return row.note if whole or not row.value else f"{row.label}: {row.value}. {row.note}"


class Form(ModalScreen[Any]):
    """Rows under a title. A subclass gives the rows and the foot."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,i,I", "move(-1)", "up"),
        Binding("down,k,K", "move(1)", "down"),
        Binding("pageup", "move(-8)", "up"),
        Binding("pagedown", "move(8)", "down"),
        Binding("left,j,J", "step(-1)", "value"),
        Binding("right,l,L", "step(1)", "value"),
        Binding("enter", "enter", "open"),
        Binding("escape,q,Q", "dismiss", "back"),
    ]

    def __init__(self, title: str):
        super().__init__()
        self.heading, self.cursor, self.message = title, 0, ""

    def rows(self) -> list[FormRow]:
        """Return the rows as they are now."""
        raise NotImplementedError

    def foot(self) -> str:
        """Return a line to show below all rows."""
        return ""

    def compose(self) -> ComposeResult:
        yield Drawn(self._draw, id="form")

    def on_mount(self) -> None:
        """Put the cursor on the first row where it can stand."""
        self.action_move(0)

    def action_move(self, way: int) -> None:
        """Move the cursor by this many rows, past headings and idle rows."""
        rows, self.message = self.rows(), ""
        last = len(rows) - 1
        place = max(0, min(self.cursor + way, last))
        while 0 <= place <= last and not rows[place].is_open:
            place += 1 if way >= 0 else -1
        self.cursor = place if 0 <= place <= last else self.cursor
        self.redraw()

    def action_step(self, way: int) -> None:
        """Set the next value (way 1) or the previous one (−1) in the row under the cursor."""
        row = self._row()
        if row and row.step:
            self.do(lambda: row.step and row.step(way))

    def action_enter(self) -> None:
        """Do what Enter does in this row; if it only has values, set the next one."""
        row = self._row()
        if row and row.enter:
            self.do(row.enter)
        elif row and row.step:
            self.action_step(1)

    def do(self, act: Callable[[], Any]) -> None:
        """Do something; if it is refused, show why."""
        self.message = ""
        try:
            act()
        except SpadesError as error:
            self.message = spoken(error.args[0])
        self.redraw()

    def send(self, act: Coroutine[Any, Any, Any]) -> None:
        """Ask the server for something; if it is refused, show why."""
        self.message = ""
        self.run_worker(self._attempt(act), group="asking")

    async def _attempt(self, act: Coroutine[Any, Any, Any]) -> None:
        try:
            await act
        except SpadesError as error:
            self.message = str(error)
        if self.is_mounted:
            self.redraw()

    def write(self, question: str, take: Callable[[str], Any], text: str = "") -> None:
        ask_line(self, question, lambda line: self.do(lambda: take(line)), text)

    def pick(self, title: str, items: Sequence[Item[T]], take: Callable[[T], Any], chosen: object = None) -> None:
        """Ask for one of several values, and take it unless it is refused."""

        def answer(value: T | None) -> None:
            if value is not None:
                self.do(lambda: take(value))

        self.app.push_screen(Pick(title, items, chosen), answer)

    def redraw(self) -> None:
        self.query_one("#form", Drawn).redraw()

    def _rows_now(self) -> list[FormRow]:
        """Return the rows, with the cursor on one of them: some may have gone."""
        rows = self.rows()
        self.cursor = max(0, min(self.cursor, len(rows) - 1))
        return rows

    def _row(self) -> FormRow | None:
        rows = self._rows_now()
        return rows[self.cursor] if rows else None

    def _draw(self, canvas: Canvas) -> None:
        rows = self._rows_now()
        draw_form(canvas, FormState(self.heading, rows, self.cursor, self.foot(), self.message))


class Pick(Form):
    """A choice among several values; the answer is the value."""

    def __init__(self, title: str, items: Sequence[Item[Any]], chosen: object = None):
        super().__init__(title)
        self._items = items
        self.cursor = next((i for i, item in enumerate(items) if item[0] == chosen), 0)

    def rows(self) -> list[FormRow]:
        return [
            FormRow(label, beside, note, enter=lambda value=value: self.dismiss(value))
            for value, label, beside, note in self._items
        ]
