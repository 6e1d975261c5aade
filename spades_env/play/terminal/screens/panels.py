"""What the screen of a table shows: the table, the panel beside it, the prompt, the hand, a message and the keys."""

from time import monotonic
from typing import TextIO

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen

from spades_env.game.rules import Rules
from spades_env.play.terminal import cursor
from spades_env.play.terminal.keys import key_line
from spades_env.play.terminal.pictures.canvas import Canvas
from spades_env.play.terminal.pictures.frames import earlier_trick
from spades_env.play.terminal.pictures.hand import HandState, draw_hand
from spades_env.play.terminal.pictures.log_lines import trick_won, trick_words
from spades_env.play.terminal.pictures.panels import draw_line, draw_panel, prompt_words
from spades_env.play.terminal.pictures.table import Scene, draw_table, scene_of
from spades_env.play.terminal.screens.drawn import Drawn, program_of
from spades_env.play.terminal.settings import arranged
from spades_env.play.terminal.words import said

LEAST = (80, 24)  # columns and rows that the table needs
LONGEST_LOG = 2000


class EventLog:
    """The latest lines for the screen; all lines also go to a file, if there is one."""

    def __init__(self, file: TextIO | None):
        self.lines: list[str] = []
        self._file = file

    def add(self, *lines: str) -> None:
        self.lines = [*self.lines, *lines][-LONGEST_LOG:]
        self.write(*lines)

    def write(self, *lines: str) -> None:
        if self._file:
            self._file.writelines(f"{line}\n" for line in lines)


class TablePanels:
    """The state of the screen, and its widgets."""

    def __init__(self, screen: Screen[None], view: dict, message: str):
        self._screen, self._program = screen, program_of(screen)
        self.view, self._seen = view, monotonic()  # the table as of the last event that was shown
        self.scene = scene_of(self.view)  # what is on the screen: now, or an earlier trick
        self.steps_back = 0  # which earlier trick; 0: none
        self.cursor: str | None = None  # an action in text form
        self.weights: dict[str, float] = {}  # bars of the advice, the best first, until somebody moves
        self.thinking = ""  # replaces the prompt while a bot thinks
        self.message = message
        self.log = EventLog(self._program.log_file)
        self.nil = Rules.parse(view["rules"]["text"]).nil  # is a bid of 0 a nil?

    def compose(self) -> ComposeResult:
        with Horizontal(id="upper"):
            yield Drawn(lambda canvas: draw_table(canvas, self.scene), id="table")
            yield Drawn(self._draw_panel, id="side")
        yield Drawn(self._draw_prompt, id="prompt")
        yield Drawn(self._draw_hand, id="hand")
        yield Drawn(self._draw_message, id="message")
        yield Drawn(lambda canvas: draw_line(canvas, key_line(self.scene.view), "quiet"), id="keys")

    def redraw(self) -> None:
        for drawn in self._screen.query(Drawn):
            drawn.redraw()

    def update_view(self, view: dict) -> None:
        settings = self._program.settings
        self.view, self._seen = arranged(view, settings["order"], settings["rising"]), monotonic()

    def time_left(self) -> dict[str, float | None]:
        """Return the seconds left, for the move and for the sitting; they run while the person is to move."""
        gone = monotonic() - self._seen if self.view["your_turn"] else 0
        left = {name: self.view["clock"][name] for name in ("move", "sitting")}
        return {name: None if seconds is None else max(0.0, seconds - gone) for name, seconds in left.items()}

    def show(self, scene: Scene, steps_back: int = 0) -> None:
        """Show a scene; the cursor stays if its place is still there."""
        self.scene, self.steps_back = scene, steps_back
        self.cursor = cursor.settled(scene.view, self.cursor)
        self.redraw()

    def say(self, words: str) -> None:
        self.message = words
        self.redraw()

    def say_and_log(self, words: str) -> None:
        self.log.add(words)
        self.say(words)

    def put_cursor(self, place: str | None) -> None:
        self.cursor = place
        self.say("")

    def look_back(self, steps: int) -> None:
        """Show an earlier trick, each time the one before; 0: return to the table."""
        steps_back = self.steps_back + steps if steps else 0
        scene = earlier_trick(self.view, steps_back)
        if scene:
            self.say(f"{trick_words(scene.view, scene.trick)}. {trick_won(scene.view, scene.trick)}")
            self.show(scene, steps_back)
        else:
            self.say(said("terminal.no_trick") if steps else "")
            self.show(scene_of(self.view))

    def _draw_panel(self, canvas: Canvas) -> None:
        draw_panel(canvas, self.scene.view, self.time_left(), self.log.lines)

    def _draw_prompt(self, canvas: Canvas) -> None:
        style = "gold" if self.scene.view["your_turn"] else "quiet"
        draw_line(canvas, prompt_words(self.scene.view, self.thinking), style)

    def _draw_hand(self, canvas: Canvas) -> None:
        draw_hand(canvas, HandState(self.scene.view, self.cursor, self.weights, self.nil))

    def _draw_message(self, canvas: Canvas) -> None:
        columns, rows = self._screen.app.size
        least = dict(zip(("least_columns", "least_rows"), LEAST, strict=True))
        too_small = said("terminal.small", columns=columns, rows=rows, **least)
        fits = columns >= LEAST[0] and rows >= LEAST[1]
        draw_line(canvas, self.message if fits else too_small, "strong")
