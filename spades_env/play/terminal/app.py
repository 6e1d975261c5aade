"""The app of `spades play`: shows the table that the server sends, and applies the look of the settings."""

from collections.abc import Sequence
from typing import Any, ClassVar, TextIO

from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter, NoColor

from spades_env.errors import SpadesError
from spades_env.play.commands.parsing import REFUSED
from spades_env.play.table.rating import bot_name
from spades_env.play.terminal.client import Message, TableClient
from spades_env.play.terminal.pictures.look import FULL, NONE, SIXTEEN, Ascii, Look, themes
from spades_env.play.terminal.screens.dialogs import Ask, Write
from spades_env.play.terminal.screens.form import Pick
from spades_env.play.terminal.screens.people import seats
from spades_env.play.terminal.screens.review import ReviewScreen
from spades_env.play.terminal.screens.table import TableScreen
from spades_env.play.terminal.settings import LANGUAGE, settings
from spades_env.play.terminal.setup import usual_game
from spades_env.play.terminal.words import said, speak, spoken, when


class SpadesApp(App[str]):
    """Shows a game. offer: first offer the latest unfinished one, or begin a new one."""

    CSS_PATH = "table.tcss"
    TITLE = "Spades"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "leave", "leave")]

    def __init__(
        self,
        client: TableClient,
        *,
        offer: bool = False,
        colours: str = FULL,
        ascii: bool = False,
        log: TextIO | None = None,
    ):
        super().__init__(ansi_color=colours in (SIXTEEN, NONE))
        self.client, self.log_file = client, log
        self._offer, self._colours, self._ascii = offer, colours, ascii
        self._lobby = dict[str, Any]()
        self._words = next((fault["words"] for fault in client.hello["faults"]), "")  # for the first table
        for theme in themes():
            self.register_theme(theme)
        self.set_look()

    def set_look(self) -> None:
        chosen = self.settings
        speak(chosen[LANGUAGE])
        self.look = Look(self._colours, chosen["deck"], chosen["light"], self._ascii)
        self.theme = self.look.theme

    @property
    def settings(self) -> dict[str, Any]:
        return settings(self.client)

    @property
    def table(self) -> TableScreen | None:
        """The table's screen, even under other screens."""
        return next((screen for screen in self.screen_stack if isinstance(screen, TableScreen)), None)

    def get_line_filters(self) -> Sequence[LineFilter]:
        more = [NoColor()] * (self._colours == NONE) + [Ascii()] * self._ascii
        return [*super().get_line_filters(), *more]

    def on_mount(self) -> None:
        self.run_worker(self._listen(), group="listening")
        if self._offer:
            self.run_worker(self._begin(), group="beginning")

    # What the server says

    async def _listen(self) -> None:
        while True:
            self._hear(await self.client.messages.get())

    def _hear(self, message: Message) -> None:
        table = self.table
        if "view" in message:
            self._show_view(message["view"])
        elif "lobby" in message:
            self._show_lobby(message["lobby"])
        elif "lost" in message:
            self.exit(message["lost"], REFUSED)
        elif "grades" in message:
            for review in (screen for screen in self.screen_stack if isinstance(screen, ReviewScreen)):
                review.take_grades(message["grades"])
        elif table and message.get("table", table.key) == table.key:
            table.hear(message)

    def _show_view(self, view: dict) -> None:
        """Show a view at its table; another table replaces all screens."""
        if self.table and self.table.key == view["key"]:
            self.table.turns.take(view)
            return
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(TableScreen(view, self._words))
        self._words = ""

    def _show_lobby(self, lobby: dict, fault: str = "") -> None:
        """Ask somebody without a seat where to sit, and a guest for a name. fault: why the last answer was refused."""
        self._lobby = lobby

        def sit(seat: int | None, name: str | None = None) -> None:
            if seat is None:
                self.exit()
            elif not (lobby["name"] or name):
                self.push_screen(Write(said("your_name")), lambda name: sit(seat if name else None, name))
            else:
                self.run_worker(self._sit(seat, name), group="asking")

        if not isinstance(self.screen, Pick | Write):
            self.push_screen(seats(lobby, fault), sit)

    async def _sit(self, seat: int, name: str | None) -> None:
        try:
            await self.client.ask("sit", seat=seat, name=name)
        except SpadesError as error:
            self._show_lobby(self._lobby, str(error))

    # Games

    async def _begin(self) -> None:
        """Offer to resume the latest unfinished game."""
        found = next((saved for saved in self.client.hello["unfinished"] if len(saved["people"]) == 1), None)
        try:
            go_on = found and await self.push_screen_wait(
                Ask(offer_words(found), said("terminal.resume"), said("terminal.new_game"))
            )
            if not (found and go_on and await self._is_open(found["key"])):
                await self.begin_usual()
        except SpadesError as error:  # for instance because the disk is full
            self.exit(said("terminal.no_game", why=str(error)), REFUSED)

    async def _is_open(self, key: str) -> bool:
        """Open a saved game; if it cannot be read, note why for the new game's table."""
        try:
            await self.client.ask("open", key=key)
            return True
        except SpadesError as error:
            self._words = said("terminal.instead", why=str(error))
            return False

    async def begin_usual(self) -> None:
        """Begin a game like the last one, but without a clock: nobody has asked for it."""
        usual = usual_game(self.client)
        untimed = usual._replace(rules=usual.rules.replace(time_limit_s=None), move_seconds=None)
        await self.client.begin(untimed.as_fields(), remember=False)

    def action_leave(self) -> None:
        open_game = self.table and not self.table.panels.view["outcome"]
        self.exit(said("terminal.kept") if open_game else None)


def offer_words(saved: dict[str, Any]) -> str:
    others = ", ".join(dict.fromkeys(spoken(bot_name(bot)) for bot in saved["bots"][1:]))
    rules, people = saved["rules"], " ".join(saved["people"])
    return said("terminal.offer", when=when(saved), rules=rules, people=people, others=others)
