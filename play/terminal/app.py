"""The program on the screen: the store, the look of things, and the screens over each other."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar, TextIO

from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter, NoColor

from play.parsing import REFUSED
from play.standing import bot_name
from play.store import Saved, Store, StoreError
from play.terminal.ascii import Ascii
from play.terminal.dialogs import Ask
from play.terminal.look import FULL, NONE, SIXTEEN, Look, themes
from play.terminal.settings import settings
from play.terminal.sitting import Sitting, begun, person, resumed, unfinished, usual_game, when
from play.terminal.table_screen import TableScreen

KEPT = "The game is kept: spades play goes on with it."


class SpadesApp(App[str]):
    """sitting: the game to show; without one, the latest unfinished one is offered, else a new one begins."""

    CSS_PATH = "table.tcss"
    TITLE = "Spades"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "leave", "leave")]

    def __init__(
        self,
        store: Store,
        sitting: Sitting | None = None,
        *,
        colours: str = FULL,
        ascii: bool = False,
        log: TextIO | None = None,
    ):
        super().__init__(ansi_color=colours in (SIXTEEN, NONE))
        self.store, self.log_file = store, log
        self._sitting, self._colours, self._ascii = sitting, colours, ascii
        for theme in themes():
            self.register_theme(theme)
        self.set_look()

    def set_look(self) -> None:
        """The look that the settings say."""
        chosen = self.settings
        self.look = Look(self._colours, chosen["deck"], chosen["light"], self._ascii)
        self.theme = self.look.theme

    @property
    def settings(self) -> dict[str, Any]:
        """What the person has set for the terminal, as it is now."""
        return settings(self.store)

    def get_line_filters(self) -> Sequence[LineFilter]:
        more = [NoColor()] * (self._colours == NONE) + [Ascii()] * self._ascii
        return [*super().get_line_filters(), *more]

    def on_mount(self) -> None:
        """Show the game that was asked for, or find one."""
        if self._sitting:
            self.show_table(self._sitting)
        else:
            self.run_worker(self._begin())

    async def _begin(self) -> None:
        """Go on with what is unfinished, if the person wants to."""
        found = unfinished(self.store)
        go_on = bool(found) and await self.push_screen_wait(Ask(offer_words(found[0]), "go on", "a new game"))
        try:
            self._show_first(found[0].key if go_on else None)
        except ValueError as error:  # not even a new one: the disk is full, say
            self.exit(f"No game could be begun: {error}", REFUSED)

    def _show_first(self, key: str | None) -> None:
        """The game with this key, else a new one; where it cannot be had, the new one's screen says why."""
        refusal = " ".join(list(self.store.faults.values())[:1])
        if key:
            try:
                self.show_table(resumed(self.store, key), refusal)
                return
            except ValueError as error:
                refusal = f"A new game: {error}"
        self.show_table(self.new_sitting(), refusal)

    def new_sitting(self) -> Sitting:
        """A game like the last one."""
        rules, bots, seconds = usual_game(self.store)
        return begun(self.store, rules, bots, person(self.store), move_seconds=seconds)

    def show_table(self, sitting: Sitting, words: str = "") -> None:
        """This game, in place of all that is on the screen; another one in which nothing was done is not kept.
        words: to be said there first of all.
        """
        for screen in self.screen_stack[1:]:
            left = screen.sitting if isinstance(screen, TableScreen) else sitting
            if left.untouched and left.table.key != sitting.table.key:
                with suppress(StoreError):  # then it is kept
                    self.store.forget(left.table.key)
        while len(self.screen_stack) > 1:
            self.pop_screen()
        screen = TableScreen(sitting)
        screen.message = words
        self.push_screen(screen)

    def action_leave(self) -> None:
        """End the program; where a game can be gone on with, the last word says so."""
        self.exit(KEPT if unfinished(self.store) else None)


def offer_words(saved: Saved) -> str:
    """The question whether to go on."""
    others = ", ".join(dict.fromkeys(map(bot_name, saved.bots[1:])))
    return f"Go on with the game of {when(saved)}?\n\n{saved.rules}\n{' '.join(saved.people)} with {others}"
