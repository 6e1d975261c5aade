"""Finished games as text files, written and read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from textual.screen import Screen

from spades_env.agents.atomic_files import write_whole
from spades_env.play.table.seats import TableError
from spades_env.play.terminal.screens.dialogs import ask_line
from spades_env.play.terminal.screens.turns import Turns
from spades_env.play.terminal.words import said


class GameFiles:
    """Asks for the name of a file to write or to read. review: opens the review of a game."""

    def __init__(self, screen: Screen[None], turns: Turns, review: Callable[[str], None]):
        self._screen, self._turns, self._client, self._review = screen, turns, turns.client, review

    def ask_to_write(self) -> None:
        """Ask where to write the game; before it is over, its text would show hidden cards."""
        view = self._turns.panels.view
        if not view["outcome"]:
            self._turns.panels.say(said("error.record_early"))
            return
        question, name = said("terminal.ask_write"), f"spades-{view['key']}.txt"
        ask_line(self._screen, question, lambda name: self._turns.do(self._write(name, view["key"])), name)

    def ask_to_read(self) -> None:
        ask_line(self._screen, said("terminal.ask_read"), lambda name: self._turns.do(self._read(name)))

    async def _write(self, name: str, key: str) -> None:
        if name:
            write_new(name, (await self._client.ask("text", key=key))["text"])
            self._turns.panels.say(said("terminal.written", name=name))

    async def _read(self, name: str) -> None:
        if name:
            imported = await self._client.ask("import", text=read_text(name))
            self._review(imported["key"])


@contextmanager
def _errors_in_words() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TableError(f"{error.strerror}: {error.filename or said('terminal.the_file')}") from None
    except RuntimeError as error:  # the home folder of a user that this system does not know
        raise TableError(str(error)) from None


@_errors_in_words()
def write_new(name: str, content: str) -> None:
    path = Path(name).expanduser()
    if path.exists():
        raise TableError(said("terminal.exists", path=str(path)))
    write_whole(path, content)


@_errors_in_words()
def read_text(name: str) -> str:
    path = Path(name).expanduser()
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise TableError(said("terminal.no_text", path=str(path))) from None
