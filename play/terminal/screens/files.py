"""Finished games as text files: one is written, another is read and looked at."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.app import App

from agents.files import write_whole
from play.store import text as sitting_text
from play.store.sitting import Sitting
from play.table.seats import TableError
from play.table.table import Table
from play.terminal.screens.dialogs import Write


class GameFiles:
    """Asks for the name of a file, and says what refuses it.

    attempt(act) does something and says why it was refused; review(table) opens the review of a game.
    """

    def __init__(
        self,
        app: App[Any],
        sitting: Sitting,
        *,
        say: Callable[[str], None],
        attempt: Callable[[Callable[[], Any]], bool],
        review: Callable[[Table], None],
    ):
        self._app, self._sitting = app, sitting
        self._say, self._attempt, self._review = say, attempt, review

    def ask_to_write(self) -> None:
        """Ask where to write the game; while it goes on, its text would show hidden cards."""
        if not self._sitting.table.over:
            self._say("The record tells all cards: it can be had when the game is over")
            return
        name = f"spades-{self._sitting.table.key}.txt"
        self._app.push_screen(Write("Write the game to which file?", name), self._write)

    def _write(self, name: str | None) -> None:
        if name and self._attempt_with_file(lambda: write_new(name, sitting_text.write(self._sitting.table))):
            self._say(f"Written to {name}")

    def ask_to_read(self) -> None:
        """Ask for a file, and look at the game in it."""
        self._app.push_screen(Write("Read a game from which file?"), self._read)

    def _read(self, name: str | None) -> None:
        found: list[Table] = []

        def take_in() -> None:
            found.append(read_sitting(name or ""))
            self._sitting.store.save(found[0])

        if name and self._attempt_with_file(take_in):
            self._review(found[0])

    def _attempt_with_file(self, act: Callable[[], Any]) -> bool:
        try:
            return self._attempt(act)
        except OSError as error:
            self._say(f"{error.strerror}: {error.filename or 'the file'}")
        except RuntimeError as error:  # the home of a user whom this system does not know
            self._say(str(error))
        return False


def write_new(name: str, text: str) -> None:
    """Write a file that does not exist yet."""
    path = Path(name).expanduser()
    if path.exists():
        raise TableError(f"There is a file {path} already: choose another name")
    write_whole(path, text)


def read_sitting(name: str) -> Table:
    """Return the finished game in a file."""
    path = Path(name).expanduser()
    try:
        return sitting_text.read_finished(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise TableError(f"{path} is no text") from None
