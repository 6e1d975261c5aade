"""Plays a game on: bots move at a pace that eyes can follow, a complete trick stays for a while, events are logged.

A move is made and saved at once; then its scenes are shown one after the other. If the person acts in between, the rest
of the scenes are shown at once.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from textual.screen import Screen

from spades_env.errors import SpadesError
from spades_env.game.cards import Action
from spades_env.play.ready import COMPILING_BOTS, patiently
from spades_env.play.store.database import ElsewhereError
from spades_env.play.store.sitting import Sitting
from spades_env.play.table.seats import TableError
from spades_env.play.table.table import Question
from spades_env.play.terminal.pictures.frames import ends_game, ends_hand, frames
from spades_env.play.terminal.pictures.log_lines import called, event_lines, remark_lines
from spades_env.play.terminal.screens.drawn import program_of
from spades_env.play.terminal.screens.panels import TablePanels
from spades_env.play.threads import in_thread

LATE = "Time's up: a bot moves for you…"


class Wait:
    """A wait that a key can end; one at a time."""

    def __init__(self):
        self._ended = asyncio.Event()
        self.is_on = False

    async def last(self, seconds: float | None) -> None:
        """Wait this many seconds or until skipped; None: until skipped."""
        if seconds is not None and seconds <= 0:
            return
        self._ended.clear()
        self.is_on = True
        try:
            await asyncio.wait_for(self._ended.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self.is_on = False

    def skip(self) -> None:
        self._ended.set()


class Turns:
    """Makes the moves of a sitting, shows them on the panels, and enforces the clock.

    `show_sheet` shows the points of a finished hand, and returns once the person has read them.
    """

    def __init__(
        self, screen: Screen[None], sitting: Sitting, panels: TablePanels, show_sheet: Callable[[], Awaitable[None]]
    ):
        self.sitting, self.panels, self.wait = sitting, panels, Wait()
        self._screen, self._program, self._show_sheet = screen, program_of(screen), show_sheet
        self._began = False
        self._heard: set[str] = set()  # what characters have said
        self._has_failed = False  # did an error keep the bots from going on?
        self._is_enforcing = False  # is a bot moving because the time is up?
        self._taken_back_at = -1  # the version at which a move was taken back: no card plays itself there

    def play_on(self) -> None:
        """Show what has happened, and let the bots move until it is the person's turn."""
        self._screen.run_worker(self._play(), group="table", exclusive=True)

    def attempt(self, act: Callable[[], object]) -> None:
        """Do something at the table; if it is refused, say why."""
        self.panels.say("")
        try:
            act()
        except SpadesError as error:
            self.panels.say(str(error))
            if self._has_failed or self._is_behind(error):
                self.play_on()

    def move(self, act: Callable[[], object]) -> None:
        """Do something at the table, and play on unless it is refused."""

        def act_and_play_on() -> None:
            act()
            self.play_on()

        self.attempt(act_and_play_on)

    def tick(self) -> None:
        """Show the time that is left, and enforce the clock."""
        clock = self.panels.view["clock"]
        if clock["sitting"] is None and clock["move"] is None:
            return
        if self.sitting.time_is_up and not self._is_enforcing:
            self._is_enforcing = True
            self._screen.run_worker(self._enforce_clock(), group="clock")
        self.panels.redraw()

    async def _enforce_clock(self) -> None:
        """End the game, or let a bot move for a person who was too slow."""
        try:
            question = self.sitting.table.late
            answer = await self._answer_to(question, LATE) if question else None
            must_catch_up = self.sitting.tick(question, answer)
        except SpadesError as error:
            self.panels.say(str(error))
            must_catch_up = self._is_behind(error)
        finally:
            self.panels.thinking, self._is_enforcing = "", False
        if must_catch_up:
            self.play_on()

    async def _play(self) -> None:
        goes_on = True
        while goes_on:
            goes_on, self._has_failed = False, False
            try:
                await self._catch_up()
                while await self._move_by_itself():
                    await self._catch_up()
            except SpadesError as error:
                self.panels.say(str(error))
                goes_on, self._has_failed = self._is_behind(error), True
                await self._catch_up()

    def _is_behind(self, error: SpadesError) -> bool:
        """Was something refused because the screen shows an earlier state of the game?"""
        is_late = isinstance(error, TableError) and self.sitting.table.version != self.panels.view["version"]
        return is_late or isinstance(error, ElsewhereError)

    async def _move_by_itself(self) -> bool:
        """Make a bot's move, or a forced one of the person if the settings say so; return False if there is none."""
        settings, view = self._program.settings, self.panels.view
        if question := self.sitting.pending:
            began = time.monotonic()
            answer = await self._answer_to(question, f"{called(self.panels.view, question.seat)} is thinking…")
            await self.wait.last(self._program.settings["pause"] - (time.monotonic() - began))
            self.panels.thinking = ""
            self.sitting.step(question, answer)
            return True
        is_forced = view["phase"] == "play" and len(view["legal"]) == 1
        if not (settings["forced"] and is_forced and view["version"] != self._taken_back_at):
            return False
        await self.wait.last(settings["pause"])
        self.sitting.act(self.panels.view["legal"][0])
        return True

    async def _answer_to(self, question: Question, words: str) -> Action:
        """Ask a bot in a thread; meanwhile show these words in place of the prompt."""

        def show(compiling: bool) -> None:
            self.panels.thinking = COMPILING_BOTS if compiling else words
            self.panels.redraw()

        show(False)
        return await patiently(in_thread(question.answer), show)

    def _new_remarks(self, before: dict | None, after: dict) -> list[str]:
        lines = remark_lines(after, self._heard)
        return lines if before and self._program.settings["remarks"] else []

    async def _catch_up(self) -> None:
        """Show everything from the view that was shown last to the current one."""
        panels = self.panels
        before = panels.view if self._began else None
        panels.update_view()
        after = panels.view
        self._began, panels.thinking = True, ""
        if before and before["help"]["takebacks"] < after["help"]["takebacks"]:
            self._taken_back_at = after["version"]
        if before is None or before["version"] != after["version"]:
            panels.weights = {}
            panels.log.add(*event_lines(before, after), *self._new_remarks(before, after))
            panels.log.write(*[after["prompt"]] * after["your_turn"])
        clock = self.sitting.table.clock
        clock.pause()
        for frame in frames(before, after):
            panels.show(frame.scene)
            if frame.stays:
                await self.wait.last(self._program.settings["stay"])
        if ends_game(before, after) or (ends_hand(before, after) and self._program.settings["sheet"]):
            await self._show_sheet()
        clock.resume()
