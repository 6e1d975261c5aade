"""Shows what happens at a table: each view after the one before, at a pace that eyes can follow.

The server makes the moves of bots at once. Here a bot's move waits for a moment, and a complete trick stays for a
while. Each such wait can be skipped. What a person does to the table shows at once all that came before it.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from textual.screen import Screen

from spades_env.errors import SpadesError
from spades_env.play.terminal.pictures.frames import ends_game, ends_hand, frames
from spades_env.play.terminal.pictures.log_lines import called, event_lines, remark_lines
from spades_env.play.terminal.screens.dialogs import Ask
from spades_env.play.terminal.screens.drawn import program_of
from spades_env.play.terminal.screens.panels import TablePanels
from spades_env.play.terminal.settings import UNTIL_KEY
from spades_env.play.terminal.words import said


class Wait:
    """A wait that a key can end; one at a time."""

    def __init__(self):
        self._ended = asyncio.Event()
        self.is_on = False

    async def last(self, seconds: float | None) -> bool:
        """Wait this many seconds or until skipped; None: until skipped. Return whether it was skipped."""
        if seconds is not None and seconds <= 0:
            return False
        self._ended.clear()
        self.is_on = True
        try:
            await asyncio.wait_for(self._ended.wait(), seconds)
            return True
        except TimeoutError:
            return False
        finally:
            self.is_on = False

    def skip(self) -> None:
        self._ended.set()


class Turns:
    """Shows the views of a table on its panels, and sends what the person does.

    `show_sheet` shows the points of a finished hand, and returns once the person has read them.
    """

    def __init__(self, screen: Screen[None], panels: TablePanels, show_sheet: Callable[[], Coroutine[Any, Any, None]]):
        self.panels, self.wait, self.client = panels, Wait(), program_of(screen).client
        self._screen, self._program, self._show_sheet = screen, program_of(screen), show_sheet
        self._coming: list[dict] = []  # the view that is being shown, and those after it
        self._began = self._hurries = self._is_asking = False
        self._heard: set[str] = set()  # what characters have said
        self._moved_at = 0.0  # when the last move was shown
        self._asked_undo = 0  # the number of the last request of somebody to undo moves
        self._undone: tuple | None = None  # the position after a takeback: no card plays itself there

    @property
    def latest(self) -> dict:
        """The last view, on the screen or not."""
        return self._coming[-1] if self._coming else self.panels.view

    @property
    def is_behind(self) -> bool:
        """Is there more to show?"""
        return position(self.latest) != position(self.panels.scene.view)

    def take(self, view: dict) -> None:
        """Show a view once those before it have been shown."""
        self._coming.append(view)
        if len(self._coming) == 1:
            self._screen.run_worker(self._show_all(), group="table")

    # What the person does

    def do(self, act: Coroutine[Any, Any, Any]) -> None:
        """Do something; if it is refused, say why."""
        self.panels.say("")
        self._screen.app.run_worker(self._attempt(act), group="asking")  # it goes on if another table is opened

    def ask(self, do: str, **fields: Any) -> None:
        """Make a request about the table as it is now, unless the one before is not answered yet."""
        if self._is_asking:
            return
        self._is_asking, self._hurries = True, bool(self._coming)
        self.wait.skip()
        self.do(self._ask(do, **fields))

    async def _ask(self, do: str, **fields: Any) -> None:
        try:
            await self.client.ask(do, **fields, version=self.latest["version"])
        finally:
            self._is_asking = False

    async def _attempt(self, act: Coroutine[Any, Any, Any]) -> None:
        try:
            await act
        except SpadesError as error:
            self.panels.say(str(error))

    def tick(self) -> None:
        """Show the time that is left."""
        clock = self.panels.view["clock"]
        if clock["sitting"] is not None or clock["move"] is not None:
            self.panels.redraw()

    def _ask_about_undo(self, undo: dict | None) -> None:
        """Ask whether somebody else may undo moves; say so if the others are asked."""
        if undo is None or undo["number"] == self._asked_undo:
            return
        self._asked_undo, moves = undo["number"], said("moves", count=undo["moves"])
        if undo["seat"] == self.panels.view["seat"]:
            self.panels.say(said("undo.waiting", moves=moves, who=said("undo.others")))
        elif undo["asked"]:
            words = said("undo.wants", who=called(self.panels.view, undo["seat"]), moves=moves)
            question = Ask(words, said("undo.allow"), said("undo.decline"))
            self._screen.app.push_screen(question, lambda yes: self.do(self._answer_undo(undo["number"], bool(yes))))

    async def _answer_undo(self, number: int, allow: bool) -> None:
        await self.client.ask("answer_undo", number=number, allow=allow)

    # What happens

    async def _show_all(self) -> None:
        while self._coming:
            await self._show(self._coming[0])
            if len(self._coming) == 1:
                self._hurries = False
                self._show_thinking()
                await self._play_forced()
            self._coming.pop(0)

    async def _pause(self, seconds: float | None) -> None:
        if not self._hurries:
            await self.wait.last(seconds)

    async def _show(self, view: dict) -> None:
        """Show everything from the view that was shown last to this one."""
        panels, settings = self.panels, self._program.settings
        before, moved = (panels.view, is_moved_by_bot(panels.view, view)) if self._began else (None, False)
        if moved:
            await self._pause(settings["pause"] - (time.monotonic() - self._moved_at))
        panels.update_view(view)
        after = panels.view
        self._began, self._moved_at, panels.thinking = True, time.monotonic(), ""
        if before and before["help"]["takebacks"] < after["help"]["takebacks"]:
            self._undone = position(after)
        if before is None or position(before) != position(after):
            panels.weights = {}
            panels.log.add(*event_lines(before, after), *self._new_remarks(before, after))
            panels.log.write(*[after["prompt"]] * after["your_turn"])
        for frame in frames(before, after):
            panels.show(frame.scene)
            if frame.stays:
                await self._pause(None if settings["stay"] == UNTIL_KEY else settings["stay"])
        if ends_game(before, after) or (ends_hand(before, after) and settings["sheet"]):
            await self._attempt(self._show_sheet())
        self._ask_about_undo(after["undo"])
        if after["clock"]["sitting"] is not None or after["clock"]["move"] is not None:
            await self._attempt(self.client.ask("shown", version=after["version"]))

    def _show_thinking(self) -> None:
        """Say which bot is to move, in place of the prompt."""
        view = self.panels.view
        if view["turn"] is None or view["preparing"]:
            return
        if not next(seat["person"] for seat in view["seats"] if seat["seat"] == view["turn"]):
            self.panels.thinking = said("terminal.thinking", who=called(view, view["turn"]))
            self.panels.redraw()

    async def _play_forced(self) -> None:
        """Play the only card that may be played, if the settings say so."""
        settings, view = self._program.settings, self.panels.view
        is_forced = view["phase"] == "play" and len(view["legal"]) == 1
        if settings["forced"] and is_forced and position(view) != self._undone:
            await self._pause(settings["pause"])
            if len(self._coming) == 1:
                await self._attempt(self.client.ask("act", action=view["legal"][0], version=view["version"]))

    def _new_remarks(self, before: dict | None, after: dict) -> list[str]:
        lines = remark_lines(after, self._heard)
        return lines if before and self._program.settings["remarks"] else []


def position(view: dict) -> tuple:
    """Return what changes with every move, but not when somebody sits down or a hint is counted."""
    return view["key"], view["hand_number"], len(view["events"]), view["help"]["takebacks"], bool(view["outcome"])


def is_moved_by_bot(before: dict, after: dict) -> bool:
    """Tell whether a bot has moved between two views."""
    if position(before) == position(after) or before["help"]["takebacks"] != after["help"]["takebacks"]:
        return False
    mover = next((seat for seat in before["seats"] if seat["seat"] == before["turn"]), None)
    return mover is not None and not mover["person"]
