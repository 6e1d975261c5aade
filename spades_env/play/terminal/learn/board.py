"""A position of a lesson: a small table, words about it, the hand, and keys to choose with; the base of both kinds."""

import asyncio
from collections.abc import Coroutine
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from spades_env.errors import SpadesError
from spades_env.game.cards import MAX_BID, NUM_TRICKS
from spades_env.play.lessons.scene import LEARNER
from spades_env.play.terminal import cursor
from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.keys import KEYS
from spades_env.play.terminal.pictures.canvas import Canvas, wrapped
from spades_env.play.terminal.pictures.hand import HandState, draw_hand
from spades_env.play.terminal.pictures.panels import draw_line
from spades_env.play.terminal.pictures.table import Scene, draw_table, scene_of
from spades_env.play.terminal.screens.drawn import Drawn, program_of
from spades_env.play.terminal.settings import UNTIL_KEY

CHOOSING = ("cursor", "ends", "do('choose'", "do('bid'")  # the keys of the table that choose
TRICK_SECONDS = 1.2  # that a complete trick stays, if it stays until a key at the table
Notes = list[tuple[str, str]]  # sentences with their styles


class LessonBoard(ModalScreen[None]):
    """Shows scenes, and takes choices. A subclass answers them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.name) for key in KEYS if key.action.startswith(CHOOSING)),
        Binding("escape,q,Q", "dismiss", "back"),
    ]

    def __init__(self, client: TableClient, title: str):
        super().__init__()
        self.client, self.heading, self.progress = client, title, ""
        self.notes: Notes = []
        self.keys = ""
        self._scene: Scene | None = None
        self._cursor: str | None = None
        self._is_busy = False

    def choose(self, action: str) -> Coroutine[Any, Any, None]:
        """Take the person's choice."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield Drawn(self._draw_table, id="table")
        yield Drawn(self._draw_notes, id="notes")
        yield Drawn(self._draw_hand, id="hand")
        yield Drawn(lambda canvas: draw_line(canvas, self.keys, "quiet"), id="keys")

    def redraw(self) -> None:
        for drawn in self.query(Drawn):
            drawn.redraw()

    def do(self, act: Coroutine[Any, Any, None]) -> None:
        """Do something while no key counts; if it is refused, say why."""
        self._is_busy = True
        self.run_worker(self._attempt(act), group="lesson")

    async def _attempt(self, act: Coroutine[Any, Any, None]) -> None:
        try:
            await act
        except SpadesError as error:
            self.notes = [(str(error), "alarm")]
        finally:
            self._is_busy = False
        self.redraw()

    async def show(self, scenes: list[dict]) -> None:
        """Show scenes one after the other; a trick stays for a while when it is complete."""
        settings = program_of(self).settings
        stay = TRICK_SECONDS if settings["stay"] == UNTIL_KEY else settings["stay"]
        for scene in scenes:
            view, played = self._view(scene), self._scene.view["played"] if self._scene else scene["played"]
            if scene["played"] > played:
                self._put(Scene(view, scene["last"]))
                await asyncio.sleep(stay)
            self._put(scene_of(view))
            await asyncio.sleep(settings["pause"] if len(scenes) > 1 else 0)

    def _put(self, scene: Scene) -> None:
        self._scene, self._cursor = scene, cursor.settled(scene.view, self._cursor)
        self.redraw()

    def _view(self, scene: dict) -> dict:
        """Return a scene with the rest of what a table shows."""
        bids = [seat["bid"] for seat in scene["seats"] if seat["bid"] is not None]
        return scene | {
            "seat": LEARNER,
            "seats": [seat | {"looked": True} for seat in scene["seats"]],
            "rules": {"text": self.heading},
            "progress": self.progress,
            "bid_so_far": {"bid": sum(bids), "of": NUM_TRICKS} if bids else None,
            "broken": False,
            "blind_nil": None,
            "blind_bid": None,
            "passing": None,
        }

    # Keys

    def action_cursor(self, move: str, *arguments: Any) -> None:
        if self._scene:
            self._cursor = getattr(cursor, move)(self._scene.view, self._cursor, *arguments)
            self.redraw()

    def action_ends(self, lowest: bool) -> None:
        self.action_cursor("ends", lowest, program_of(self).settings["rising"])

    def action_do(self, move: str, bid: int = MAX_BID) -> None:
        """Choose what is under the cursor, or bid a number."""
        action = f"bid:{bid}" if move == "bid" else self._cursor
        if not self._is_busy and action:
            self.do(self.choose(action))

    # Drawing

    def _draw_table(self, canvas: Canvas) -> None:
        if self._scene:
            draw_table(canvas, self._scene)

    def _draw_notes(self, canvas: Canvas) -> None:
        lines = [(line, style) for words, style in self.notes for line in wrapped(words, canvas.width - 2)]
        for row, (line, style) in enumerate(lines):
            canvas.put(row, 1, line, style)

    def _draw_hand(self, canvas: Canvas) -> None:
        if self._scene:
            draw_hand(canvas, HandState(self._scene.view, self._cursor))
