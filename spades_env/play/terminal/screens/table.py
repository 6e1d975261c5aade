"""The screen of a table. `panels` show it, `turns` follow it, `moves` are the person's, `menu` opens the rest."""

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen

from spades_env.play.terminal import cursor
from spades_env.play.terminal.client import Message
from spades_env.play.terminal.keys import KEYS
from spades_env.play.terminal.pictures.hand import hand_rows
from spades_env.play.terminal.pictures.log_lines import bids_words, called, turn_words
from spades_env.play.terminal.screens.drawn import program_of
from spades_env.play.terminal.screens.menu import TableMenu
from spades_env.play.terminal.screens.moves import PersonMoves
from spades_env.play.terminal.screens.panels import TablePanels
from spades_env.play.terminal.screens.table_pages import TablePages
from spades_env.play.terminal.screens.turns import Turns
from spades_env.play.terminal.words import said

WIDE, CLOCK_SECONDS = 120, 0.5


class TableScreen(Screen[None]):
    """Turns keys into calls: each action is named in `keys.KEYS`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(key.keys, key.action, key.name) for key in KEYS]

    def __init__(self, view: dict, message: str = ""):
        super().__init__()
        self.key: str = view["key"]
        self.panels = TablePanels(self, view, message)
        self.turns = Turns(self, self.panels, self._show_sheet)
        self.pages = TablePages(self, self.turns)
        self.moves = PersonMoves(self, self.turns)
        self.menu = TableMenu(self, self.turns, self.pages)

    def compose(self) -> ComposeResult:
        yield from self.panels.compose()

    def on_mount(self) -> None:
        self.set_interval(CLOCK_SECONDS, self.turns.tick)
        self.turns.take(self.panels.view)

    def on_resize(self, event: Resize) -> None:
        width, height = event.size
        self.set_class(width >= WIDE, "-wide")
        self.query_one("#hand").styles.height = hand_rows(width, height)

    async def _show_sheet(self) -> None:
        await self.pages.show_sheet()

    def hear(self, message: Message) -> None:
        """Show what the server says besides views: an error, news, a quick phrase, the end of the table."""
        if "error" in message:
            self.panels.say(message["error"])
        elif "news" in message:
            self.panels.say_and_log(message["news"])
        elif "closed" in message:
            self.panels.say_and_log(said("closed"))
        elif "said" in message:
            spoken = message["said"]
            self.panels.say_and_log(said("said", who=called(self.panels.view, spoken["seat"]), words=spoken["words"]))

    def action_cursor(self, move: str, *arguments: Any) -> None:
        self.panels.put_cursor(getattr(cursor, move)(self.panels.scene.view, self.panels.cursor, *arguments))

    def action_ends(self, lowest: bool) -> None:
        self.action_cursor("ends", lowest, program_of(self).settings["rising"])

    def action_do(self, move: str, *arguments: Any) -> None:
        getattr(self.moves, move)(*arguments)

    def action_open(self, name: str) -> None:
        self.menu.by_name[name]()

    def action_look_back(self, steps: int) -> None:
        """Show an earlier trick, each time the one before; 0: return to the table."""
        self.panels.look_back(steps)

    def action_say_turn(self) -> None:
        self.panels.say_and_log(turn_words(self.panels.view))

    def action_say_bids(self) -> None:
        self.panels.say_and_log(bids_words(self.panels.view))
