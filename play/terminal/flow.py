"""What goes on at the table: bots move at a pace that eyes can follow, a trick stays for a while, every event is told.

A move is made and kept at once, then its scenes are shown one after the other. Whoever acts in between sees the rest
of them at once.
"""

import time
from collections.abc import Sequence

from play.ready import COMPILING_BOTS, patiently
from play.table import Question
from play.terminal.desk import Desk
from play.terminal.drawn import Drawn
from play.terminal.frames import ends_game, ends_hand, frames
from play.terminal.pace import Pace
from play.terminal.settings import arranged
from play.terminal.sitting import Sitting
from play.terminal.table_picture import Scene
from play.terminal.told import happened
from play.threads import in_thread
from spades_env.cards import SEATS, Action

LONGEST_LOG = 2000
LATE = "Your time is up: a bot moves for you …"


class Flow(Desk):
    """`view` is how the table stands. What inherits it shows scenes."""

    def begin(self, sitting: Sitting) -> None:
        """Sit down; nothing is shown yet."""
        self.sitting = sitting
        self.view = sitting.view
        self.lines: list[str] = []
        self.weights: dict[str, float] = {}
        self.thinking = ""
        self.steps_back = 0
        self.pace = Pace()
        self._begun = False
        self._heeding = False  # is done what the clock demands?
        self.halted = False  # has something kept the bots from going on?
        self._undone = -1  # the version at which a move was taken back: no card plays itself there

    def show(self, scene: Scene) -> None:
        """Put a scene on the screen."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw the scene that is shown anew, with what has changed around it."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Show what has happened, and let the bots move until it is the person's turn."""
        self.run_worker(self._go_on(), group="table", exclusive=True)

    async def _go_on(self) -> None:
        self.halted = False
        try:
            await self._catch_up()
            while await self._moved_for():
                await self._catch_up()
        except ValueError as error:
            self.say(str(error))
            moved_on, self.halted = self.has_moved_on(error), True
            await self._catch_up()
            if moved_on:
                self.go_on()

    async def _moved_for(self) -> bool:
        """A move that is not the person's to make, or that the settings make for the person."""
        if question := self.sitting.pending:
            await self._let_move(question)
        elif self.settings["forced"] and self._has_no_choice():
            await self.pace.wait(self.settings["pause"])
            self.sitting.act(self.view["legal"][0])
        else:
            return False
        return True

    def _has_no_choice(self) -> bool:
        """Is there one card to play? Where it was taken back the person may want to take back more."""
        view = self.view
        return view["phase"] == "play" and len(view["legal"]) == 1 and view["version"] != self._undone

    async def _let_move(self, question: Question) -> None:
        """A bot thinks, and moves when the pause is over."""
        began = time.monotonic()
        answer = await self._answer_to(question, f"{SEATS[question.seat]} thinks …")
        await self.pace.wait(self.settings["pause"] - (time.monotonic() - began))
        self.thinking = ""
        self.sitting.step(question, answer)

    async def _answer_to(self, question: Question, words: str) -> Action:
        """What a bot answers in a thread; meanwhile these words stand for the prompt."""

        def show(compiling: bool) -> None:
            self.thinking = COMPILING_BOTS if compiling else words
            self.redraw()

        show(False)
        return await patiently(in_thread(question.answer), show)

    async def _catch_up(self) -> None:
        """From the view that was shown last to the one that is."""
        before, self.view = self.view if self._begun else None, self.view_now()
        self._begun, self.steps_back, self.thinking = True, 0, ""
        if before and before["help"]["takebacks"] < self.view["help"]["takebacks"]:
            self._undone = self.view["version"]
        if before is None or before["version"] != self.view["version"]:
            self.weights = {}
            self.note(happened(before, self.view))
            self.write_log([self.view["prompt"]] * self.view["your_turn"])
        clock = self.sitting.table.clock
        clock.pause()
        for frame in frames(before, self.view):
            self.show(frame.scene)
            if frame.stays:
                await self.pace.wait(self.settings["stay"])
        if ends_game(before, self.view) or (ends_hand(before, self.view) and self.settings["sheet"]):
            await self.show_sheet()
        clock.resume()

    def note(self, lines: Sequence[str]) -> None:
        """Lines for the log."""
        self.lines = [*self.lines, *lines][-LONGEST_LOG:]
        self.write_log(lines)

    def view_now(self) -> dict:
        """The view, the hand in the order that is set."""
        return arranged(self.sitting.view, self.settings["order"], self.settings["rising"])

    def tick(self) -> None:
        """Now and then: what the clock says, and what it demands."""
        if self.view["clock"]["sitting"] is None and self.view["clock"]["move"] is None:
            return
        if self.sitting.time_is_up and not self._heeding:
            self._heeding = True
            self.run_worker(self._heed_clock(), group="clock")
        self.query_one("#side", Drawn).redraw()

    async def _heed_clock(self) -> None:
        """The game ends, or a bot moves for who was too slow."""
        try:
            question = self.sitting.table.late
            answer = await self._answer_to(question, LATE) if question else None
            moved = self.sitting.tick(question, answer)
        except ValueError as error:
            self.say(str(error))
            moved = self.has_moved_on(error)
        finally:
            self._heeding, self.thinking = False, ""
        if moved:
            self.go_on()
