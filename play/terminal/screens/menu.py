"""What can be done beside the game: other games, reviews, settings, the name, files; and the list that offers it."""

from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from play.store.listing import list_entry, rule_names
from play.store.profile import NOBODY, person, rename, when
from play.store.sitting import Sitting, replay, resume
from play.store.sitting_rows import OPEN, UNREADABLE, Saved
from play.table.table import Table
from play.terminal.screens.dialogs import Ask, Write
from play.terminal.screens.drawn import Program
from play.terminal.screens.files import GameFiles
from play.terminal.screens.form import Pick
from play.terminal.screens.new_game import NewGame
from play.terminal.screens.review import ReviewScreen
from play.terminal.screens.settings_form import SettingsForm
from play.terminal.screens.table_pages import TablePages

LOOK = "Look at finished hands with all cards open? Then nothing up to their end can be taken back any more."


class TableMenu:
    """Opens screens over the table of a sitting.

    attempt(act) does something and says why it was refused; move(act) plays on after it, too; rearrange() shows
    everything as the settings now say.
    """

    def __init__(
        self,
        screen: Screen[Any],
        program: Program,
        sitting: Sitting,
        pages: TablePages,
        *,
        say: Callable[[str], None],
        attempt: Callable[[Callable[[], Any]], bool],
        move: Callable[[Callable[[], Any]], bool],
        rearrange: Callable[[], None],
    ):
        self._app, self._program, self._sitting, self._store = screen.app, program, sitting, sitting.store
        self._say, self._attempt, self._move, self._rearrange = say, attempt, move, rearrange
        files = GameFiles(screen.app, sitting, say=say, attempt=attempt, review=self._review)
        self.by_name: dict[str, Callable[[], None]] = {  # what a key opens
            "help": pages.help,
            "rules": pages.rules,
            "scores": pages.scores,
            "fairness": pages.fairness,
            "statistics": pages.statistics,
            "review": self.review,
            "new_game": self.new_game,
            "menu": self.show,
        }
        self._entries = {
            "Games that were kept": self._pick_sitting,
            "Settings": self._set,
            "Your name": self._ask_name,
            "Write this game to a file": files.ask_to_write,
            "Read a game from a file": files.ask_to_read,
            "Give this game up": self._ask_to_give_up,
            "The rules of this game": pages.rules,
            "Fairness: the hashes": pages.fairness,
            "Fairness: ten thousand deals counted": pages.deals,
            "All keys": pages.help,
            "Leave; the game is kept": program.action_leave,
        }

    def show(self) -> None:
        """Show the list of what can be done beside the game."""
        items = [(entry, words, "", "") for words, entry in self._entries.items()]
        self._app.push_screen(Pick("Menu", items), lambda entry: entry() if entry else None)

    # Games

    def new_game(self) -> None:
        """Set up another game; this one stays until that begins."""
        self._app.push_screen(NewGame(self._store), self._open)

    def _open(self, sitting: Sitting | None) -> None:
        if sitting:
            self._program.show_table(sitting)

    def review(self) -> None:
        """Look at finished hands of this game, which can then no longer be taken back."""
        table = self._sitting.table
        if table.unsettled:
            self._app.push_screen(Ask(LOOK), lambda yes: self._settle() if yes else None)
        else:
            self._review(table)

    def _settle(self) -> None:
        number = self._sitting.table.finished[-1].number
        if self._move(lambda: self._sitting.look_at(number)):
            self._review(self._sitting.table)

    def _review(self, table: Table) -> None:
        if not table.finished:
            self._say("No hand of this game is finished yet: there is nothing to look at")
            return
        seat = next((seat for seat, one in enumerate(table.seats.people) if one), 0)
        self._app.push_screen(ReviewScreen(table, seat), lambda chosen: self._play_again(table, chosen))

    def _play_again(self, table: Table, chosen: tuple[int, int] | None) -> None:
        """Open the deal that was chosen in the review, from the seat that was chosen."""
        if chosen:
            hand, seat = chosen
            self._attempt(lambda: self._open(replay(self._store, table, hand, seat, self._sitting.name)))

    def _pick_sitting(self) -> None:
        items, names = [], rule_names(self._store)
        for saved in self._store.sittings():
            shown = list_entry(self._store, saved, self._sitting.name, names)
            items.append((saved, sitting_words(saved), shown.result, shown.title))
        self._app.push_screen(Pick("Games that were kept", items), self._open_saved)

    def _open_saved(self, saved: Saved | None) -> None:
        """Go on with an unfinished game, look at another one."""
        if saved is None:
            return
        if saved.state == OPEN and (len(saved.people) == 1 or saved.rules == UNREADABLE):
            self._attempt(lambda: self._open(resume(self._store, saved.key)))
        elif saved.state == OPEN:
            self._say("Several people sit there: go on with spades table, in a browser")
        else:
            self._attempt(lambda: self._review(self._store.load(saved.key)))

    def _ask_to_give_up(self) -> None:
        words = "Give this game up? It will be in no statistics; finished hands can still be looked at."
        self._app.push_screen(Ask(words), lambda yes: self._give_up() if yes else None)

    def _give_up(self) -> None:
        if self._attempt(lambda: self._store.give_up(self._sitting.table.key)):
            self._attempt(lambda: self._open(self._program.new_sitting()))

    # Settings and the name

    def _set(self) -> None:
        def take_look(_: Any) -> None:
            self._program.set_look()
            self._rearrange()

        self._app.push_screen(SettingsForm(self._store), take_look)

    def _ask_name(self) -> None:
        words = "Your name in games to come; statistics are kept under it"
        self._app.push_screen(Write(words, person(self._store)), self._rename)

    def _rename(self, name: str | None) -> None:
        nameless = self._sitting.name == NOBODY and not self._sitting.table.over
        if name and self._attempt(lambda: rename(self._store, name)):
            if nameless:
                self._move(lambda: self._sitting.rename(name))
            self._say(f"You are {name}" if nameless else f"From the next game on you are {name}")


def sitting_words(saved: Saved) -> str:
    """Name a saved game in a line."""
    return f"{when(saved)}  {', '.join(saved.people) or (UNREADABLE if saved.rules == UNREADABLE else 'bots alone')}"
