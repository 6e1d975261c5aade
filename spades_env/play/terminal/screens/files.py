"""Finished games as text files, written and read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from textual.screen import Screen

from spades_env.agents.files import write_whole
from spades_env.play.store import text as sitting_text
from spades_env.play.table.seats import TableError
from spades_env.play.table.table import Table
from spades_env.play.terminal.screens.dialogs import ask_line
from spades_env.play.terminal.screens.turns import Turns
from spades_env.play.texts import text


class GameFiles:
    """Asks for the name of a file to write or to read."""

    def __init__(self, screen: Screen[None], turns: Turns, review: Callable[[Table], None]):
        self._screen, self._turns, self._sitting, self._review = screen, turns, turns.sitting, review

    def ask_to_write(self) -> None:
        """Ask where to write the game; before it is over, its text would show hidden cards."""
        if not self._sitting.table.over:
            self._turns.panels.say(text("error.record_early"))
            return
        name = f"spades-{self._sitting.table.key}.txt"
        ask_line(self._screen, "Save the game to which file?", self._write, name)

    def ask_to_read(self) -> None:
        ask_line(self._screen, "Import a game from which file?", self._read)

    def _write(self, name: str) -> None:
        def write() -> None:
            write_new(name, sitting_text.write(self._sitting.table))
            self._turns.panels.say(f"Saved to {name}")

        if name:
            self._turns.attempt(write)

    def _read(self, name: str) -> None:
        def read() -> None:
            table = read_sitting(name)
            self._sitting.store.save(table)
            self._review(table)

        if name:
            self._turns.attempt(read)


@contextmanager
def _errors_in_words() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TableError(f"{error.strerror}: {error.filename or 'the file'}") from None
    except RuntimeError as error:  # the home folder of a user that this system does not know
        raise TableError(str(error)) from None


@_errors_in_words()
def write_new(name: str, content: str) -> None:
    path = Path(name).expanduser()
    if path.exists():
        raise TableError(f"{path} already exists: choose another name")
    write_whole(path, content)


@_errors_in_words()
def read_sitting(name: str) -> Table:
    """Return the finished game in a file."""
    path = Path(name).expanduser()
    try:
        return sitting_text.read_finished(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise TableError(f"{path} isn't a text file") from None
