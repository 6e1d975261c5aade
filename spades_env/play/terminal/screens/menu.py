"""Everything beside the game at the table: other games, reviews, settings, the name, files; and the menu of it."""

from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from spades_env.play.daily.deal import local_day
from spades_env.play.progress.daily import daily_sitting
from spades_env.play.store.listing import list_entry, rule_names
from spades_env.play.store.profile import DEFAULT_NAME, person, rename, when
from spades_env.play.store.results import is_forfeit
from spades_env.play.store.sitting import Sitting, replay, resume
from spades_env.play.store.sitting_rows import OPEN, UNREADABLE, Saved
from spades_env.play.table.choices import default_adviser
from spades_env.play.table.table import Table
from spades_env.play.terminal.screens.dialogs import ask, ask_line
from spades_env.play.terminal.screens.drawn import program_of
from spades_env.play.terminal.screens.files import GameFiles
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.new_game import NewGame
from spades_env.play.terminal.screens.review import ReviewScreen
from spades_env.play.terminal.screens.settings_form import SettingsForm
from spades_env.play.terminal.screens.table_pages import TablePages
from spades_env.play.terminal.screens.turns import Turns

LOOK = "Review the finished hands with all cards open? After that, you can't undo their moves."
ABANDON = "Abandon this game? You can still review its finished hands."
FORFEIT = "Abandon this game? It counts as a loss; you can still review its finished hands."
NAME = "Your name in future games and in statistics"


class TableMenu:
    """Opens screens over the table of a sitting."""

    def __init__(self, screen: Screen[None], turns: Turns, pages: TablePages):
        self._screen, self._app, self._program = screen, screen.app, program_of(screen)
        self._turns, self._panels, self._sitting, self._store = turns, turns.panels, turns.sitting, turns.sitting.store
        files = GameFiles(screen, turns, self._review)
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
            "My games": self._pick_sitting,
            "Settings": self._set,
            "Your name": lambda: ask_line(screen, NAME, self._rename, person(self._store)),
            "Save this game to a file": files.ask_to_write,
            "Import a game from a file": files.ask_to_read,
            "Abandon this game": self._ask_to_give_up,
            "Rules of this table": pages.rules,
            "Fairness: hashes of the deals": pages.fairness,
            "Fairness: ten thousand deals": pages.deals,
            "Daily deal: play today's": lambda: turns.attempt(self._play_daily),
            "Daily deal: streak and results": lambda: turns.attempt(pages.daily),
            "Achievements": pages.achievements,
            "Keys": pages.help,
            "Quit (your game is saved)": self._program.action_leave,
        }

    def show(self) -> None:
        items = [(entry, words, "", "") for words, entry in self._entries.items()]
        self._app.push_screen(Pick("Menu", items), lambda entry: entry() if entry else None)

    # Games

    def new_game(self) -> None:
        """Set up another game; this one stays until the other begins."""
        self._app.push_screen(NewGame(self._store), self._open)

    def _open(self, sitting: Sitting | None) -> None:
        if sitting:
            self._program.show_table(sitting)

    def _play_daily(self) -> None:
        self._open(daily_sitting(self._store, person(self._store), local_day(), default_adviser()))

    def review(self) -> None:
        """Review the finished hands of this game, which can then no longer be taken back."""
        if self._sitting.table.unsettled:
            ask(self._screen, LOOK, lambda: self._turns.attempt(self._settle))
        else:
            self._review(self._sitting.table)

    def _settle(self) -> None:
        self._sitting.look_at(self._sitting.table.finished[-1].number)
        self._turns.play_on()
        self._review(self._sitting.table)

    def _review(self, table: Table) -> None:
        if not table.finished:
            self._panels.say("No hand is finished yet: there's nothing to review")
            return
        seat = next((seat for seat, one in enumerate(table.seats.people) if one), 0)
        self._app.push_screen(ReviewScreen(table, seat), lambda chosen: self._play_again(table, chosen))

    def _play_again(self, table: Table, chosen: tuple[int, int] | None) -> None:
        if chosen:
            hand, seat = chosen
            self._turns.attempt(lambda: self._open(replay(self._store, table, hand, seat, self._sitting.name)))

    def _pick_sitting(self) -> None:
        items, names = [], rule_names(self._store)
        for saved in self._store.sittings():
            shown = list_entry(self._store, saved, self._sitting.name, names)
            people = ", ".join(saved.people) or (UNREADABLE if saved.rules == UNREADABLE else "bots alone")
            items.append((saved, f"{when(saved)}  {people}", shown.result, shown.title))
        self._app.push_screen(Pick("My games", items), self._open_saved)

    def _open_saved(self, saved: Saved | None) -> None:
        """Resume an unfinished game, review any other."""
        if saved is None:
            return
        if saved.state == OPEN and (len(saved.people) == 1 or saved.rules == UNREADABLE):
            self._turns.attempt(lambda: self._open(resume(self._store, saved.key)))
        elif saved.state == OPEN:
            self._panels.say("Several people play in this game: resume it in a browser with spades table")
        else:
            self._turns.attempt(lambda: self._review(self._store.load(saved.key)))

    def _ask_to_give_up(self) -> None:
        table = self._sitting.table
        lost = is_forfeit(table.counted, table.seats.people, self._store.hands.was_any_finished(table.key))
        ask(self._screen, FORFEIT if lost else ABANDON, lambda: self._turns.attempt(self._give_up))

    def _give_up(self) -> None:
        self._store.give_up(self._sitting.table.key)
        self._open(self._program.new_sitting())

    # Settings and the name

    def _set(self) -> None:
        def take_look(_: Any) -> None:
            self._program.set_look()
            self._panels.rearrange()

        self._app.push_screen(SettingsForm(self._store), take_look)

    def _rename(self, name: str) -> None:
        is_nameless = self._sitting.name == DEFAULT_NAME and not self._sitting.table.over

        def change_name() -> None:
            rename(self._store, name)
            if is_nameless:
                self._turns.move(lambda: self._sitting.rename(name))
            self._panels.say(f"You are {name}" if is_nameless else f"Your next game is under the name {name}")

        if name:
            self._turns.attempt(change_name)
