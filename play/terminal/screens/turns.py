"""Plays the game on: bots move at a pace that eyes can follow, a trick stays for a while, every event is logged.

A move is made and saved at once, then its scenes are shown one after the other. Whoever acts in between sees the rest
of them at once.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TextIO

from play.ready import COMPILING_BOTS, patiently
from play.store.database import ElsewhereError
from play.store.sitting import Sitting
from play.table.seats import TableError
from play.table.table import Question
from play.terminal.pictures.frames import ends_game, ends_hand, frames
from play.terminal.pictures.log_lines import event_lines
from play.terminal.pictures.table import Scene
from play.terminal.screens.drawn import Program
from play.terminal.settings import arranged
from play.threads import in_thread
from spades_env.cards import SEATS, Action

LONGEST_LOG = 2000
LATE = "Your time is up: a bot moves for you …"


class Wait:
    """A wait that a key can end; one at a time."""

    def __init__(self):
        self._ended = asyncio.Event()
        self.is_on = False

    async def last(self, seconds: float | None) -> None:
        """Wait so many seconds, or until it is skipped; None: only until it is skipped."""
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
        """End the wait, if there is one."""
        self._ended.set()


class EventLog:
    """The latest lines for the screen, and all of them in a file, if there is one."""

    def __init__(self, file: TextIO | None):
        self.lines: list[str] = []
        self._file = file

    def add(self, *lines: str) -> None:
        """Show lines on the screen and write them to the file."""
        self.lines = [*self.lines, *lines][-LONGEST_LOG:]
        self.write(*lines)

    def write(self, *lines: str) -> None:
        """Write lines to the file alone."""
        if self._file:
            self._file.writelines(f"{line}\n" for line in lines)


class Turns:
    """One sitting as it goes on; `view` is how the table stands.

    show(scene) puts a scene on the screen, redraw() draws it again, say(words) shows a sentence; show_sheet() returns
    when the person has read what the hand brought.
    """

    def __init__(
        self,
        sitting: Sitting,
        program: Program,
        *,
        show: Callable[[Scene], None],
        redraw: Callable[[], None],
        say: Callable[[str], None],
        show_sheet: Callable[[], Awaitable[None]],
    ):
        self.sitting, self._program = sitting, program
        self._show, self._redraw, self._say, self._show_sheet = show, redraw, say, show_sheet
        self.view = sitting.view
        self.log = EventLog(program.log_file)
        self.wait = Wait()
        self.weights: dict[str, float] = {}  # bars of the advice, by action; gone when somebody moves
        self.thinking = ""  # stands for the prompt while a bot thinks
        self.has_failed = False  # did an error keep the bots from going on?
        self._began = False
        self._taken_back_at = -1  # the version at which a move was taken back: no card plays itself there

    async def play_on(self) -> None:
        """Show what has happened, and let the bots move until it is the person's turn."""
        goes_on = True
        while goes_on:
            goes_on, self.has_failed = False, False
            try:
                await self._catch_up()
                while await self._move_by_itself():
                    await self._catch_up()
            except ValueError as error:
                self._say(str(error))
                goes_on, self.has_failed = self.has_moved_on(error), True
                await self._catch_up()

    def has_moved_on(self, error: ValueError) -> bool:
        """Was something refused because the game is no longer where the screen shows it?"""
        late = isinstance(error, TableError) and self.sitting.table.version != self.view["version"]
        return late or isinstance(error, ElsewhereError)

    async def heed_clock(self) -> bool:
        """End the game, or let a bot move for a person who was too slow; return whether the screen must catch up."""
        try:
            question = self.sitting.table.late
            answer = await self._answer_to(question, LATE) if question else None
            return self.sitting.tick(question, answer)
        except ValueError as error:
            self._say(str(error))
            return self.has_moved_on(error)
        finally:
            self.thinking = ""

    def update_view(self) -> None:
        """Take the view as it is now, the hand in the order that is set."""
        settings = self._program.settings
        self.view = arranged(self.sitting.view, settings["order"], settings["rising"])

    async def _move_by_itself(self) -> bool:
        """Make a move that is not the person's to make, or that the settings make for the person."""
        if question := self.sitting.pending:
            await self._let_bot_move(question)
        elif self._program.settings["forced"] and self._has_no_choice():
            await self.wait.last(self._program.settings["pause"])
            self.sitting.act(self.view["legal"][0])
        else:
            return False
        return True

    def _has_no_choice(self) -> bool:
        """Is there one card to play? After a takeback the person may want to take back more."""
        view = self.view
        return view["phase"] == "play" and len(view["legal"]) == 1 and view["version"] != self._taken_back_at

    async def _let_bot_move(self, question: Question) -> None:
        """Ask the bot, and make its move when the pause is over."""
        began = time.monotonic()
        answer = await self._answer_to(question, f"{SEATS[question.seat]} thinks …")
        await self.wait.last(self._program.settings["pause"] - (time.monotonic() - began))
        self.thinking = ""
        self.sitting.step(question, answer)

    async def _answer_to(self, question: Question, words: str) -> Action:
        """Ask a bot in a thread; meanwhile these words stand for the prompt."""

        def show(compiling: bool) -> None:
            self.thinking = COMPILING_BOTS if compiling else words
            self._redraw()

        show(False)
        return await patiently(in_thread(question.answer), show)

    async def _catch_up(self) -> None:
        """Show what lies between the view that was shown last and the one that is."""
        before = self.view if self._began else None
        self.update_view()
        self._began, self.thinking = True, ""
        if before and before["help"]["takebacks"] < self.view["help"]["takebacks"]:
            self._taken_back_at = self.view["version"]
        if before is None or before["version"] != self.view["version"]:
            self.weights = {}
            self.log.add(*event_lines(before, self.view))
            self.log.write(*[self.view["prompt"]] * self.view["your_turn"])
        clock = self.sitting.table.clock
        clock.pause()
        for frame in frames(before, self.view):
            self._show(frame.scene)
            if frame.stays:
                await self.wait.last(self._program.settings["stay"])
        if ends_game(before, self.view) or (ends_hand(before, self.view) and self._program.settings["sheet"]):
            await self._show_sheet()
        clock.resume()
