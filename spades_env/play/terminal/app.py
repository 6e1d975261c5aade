"""The app of `spades play`: finds the game to show, and applies the look of the settings."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar, TextIO

from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter, NoColor

from spades_env.errors import SpadesError
from spades_env.play.commands.parsing import REFUSED
from spades_env.play.store.database import Store, StoreError
from spades_env.play.store.profile import person, unfinished, usual_game, when
from spades_env.play.store.sitting import Sitting, begin, resume
from spades_env.play.store.sitting_rows import Saved
from spades_env.play.table.standing import bot_name
from spades_env.play.terminal.pictures.look import FULL, NONE, SIXTEEN, Ascii, Look, themes
from spades_env.play.terminal.screens.dialogs import Ask
from spades_env.play.terminal.screens.table import TableScreen
from spades_env.play.terminal.settings import settings

KEPT = "Your game is saved. Run spades play to resume it."


class SpadesApp(App[str]):
    """Shows a game; if none is given, offers the latest unfinished one or starts a new one."""

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
        chosen = self.settings
        self.look = Look(self._colours, chosen["deck"], chosen["light"], self._ascii)
        self.theme = self.look.theme

    @property
    def settings(self) -> dict[str, Any]:
        return settings(self.store)

    def get_line_filters(self) -> Sequence[LineFilter]:
        more = [NoColor()] * (self._colours == NONE) + [Ascii()] * self._ascii
        return [*super().get_line_filters(), *more]

    def on_mount(self) -> None:
        if self._sitting:
            self.show_table(self._sitting)
        else:
            self.run_worker(self._begin())

    async def _begin(self) -> None:
        """Offer to resume the latest unfinished game."""
        found = unfinished(self.store)
        go_on = bool(found) and await self.push_screen_wait(Ask(offer_words(found[0]), "resume", "new game"))
        try:
            self._show_first(found[0].key if go_on else None)
        except SpadesError as error:  # no new game either, for instance because the disk is full
            self.exit(f"No game could be started: {error}", REFUSED)

    def _show_first(self, key: str | None) -> None:
        """Show the game with this key or a new one; if that game cannot be read, say why."""
        refusal = " ".join(list(self.store.faults.values())[:1])
        if key:
            try:
                self.show_table(resume(self.store, key), refusal)
                return
            except SpadesError as error:
                refusal = f"A new game: {error}"
        self.show_table(self.new_sitting(), refusal)

    def new_sitting(self) -> Sitting:
        """Begin a game like the last one, but without a clock: nobody has asked for it."""
        rules, bots, _ = usual_game(self.store)
        return begin(self.store, rules.replace(time_limit_s=None), bots, person(self.store))

    def show_table(self, sitting: Sitting, words: str = "") -> None:
        """Replace all screens by the table of a game, with a message under the hand.

        The game that was on the table is deleted if the person has done nothing in it.
        """
        for screen in self.screen_stack[1:]:
            left = screen.sitting if isinstance(screen, TableScreen) else sitting
            if left.untouched and left.table.key != sitting.table.key:
                with suppress(StoreError):  # then it stays in the store
                    self.store.forget(left.table)
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(TableScreen(sitting, words))

    def action_leave(self) -> None:
        self.exit(KEPT if unfinished(self.store) else None)


def offer_words(saved: Saved) -> str:
    others = ", ".join(dict.fromkeys(map(bot_name, saved.bots[1:])))
    return f"Resume the game of {when(saved)}?\n\n{saved.rules}\n{' '.join(saved.people)} with {others}"
