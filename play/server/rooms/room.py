"""A room: one live table with everybody who looks at it. All changes of the table go through `change`, one at a time.

The bots think in threads. After every move the table is saved, then everybody is sent what their seat may know.
Bots move as long as somebody sits at the table. What people do with seats and undo: `people.py`. Time: `ticks.py`.
"""

import asyncio
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from play.ready import patiently
from play.server.errors import OWN_FAULT, REFUSALS, RefusedError
from play.server.rooms.audience import Audience, Viewer
from play.server.rooms.bots import BotTask
from play.server.rooms.seating import Seating
from play.server.rooms.undo import UndoRequest
from play.server.services import Services
from play.server.sessions import Session
from play.store.database import ElsewhereError
from play.store.sitting import SavedTable
from play.table.table import Question, Table

T = TypeVar("T")


class Room:
    """One live table."""

    def __init__(self, table: Table, services: Services):
        self.services, self.key = services, table.key
        self.saved = SavedTable(services.store, table)
        self.seating = Seating(self.saved, services)
        self.audience = Audience(self.saved, self.seating)
        self.undo: UndoRequest | None = None
        self.bots = BotTask()
        self.closed = False
        self.lock = asyncio.Lock()
        self._compiling = False  # is a bot waited for because it is being compiled?

    @property
    def table(self) -> Table:
        """The table; another object once a change could not be saved."""
        return self.saved.table

    @property
    def is_untouched(self) -> bool:
        """Has nobody done anything here, or been invited?"""
        invited = self.key in self.services.sessions.invites.values()
        return self.saved.untouched and not (invited or self.audience.viewers or self.closed)

    @property
    def busy(self) -> bool:
        """Is the table being changed, or a bot thinking?"""
        return self.lock.locked() or self.bots.running

    @property
    def is_idle(self) -> bool:
        """Has nobody been here for a while?"""
        return not self.busy and self.audience.empty_for_long()

    # Who is there

    async def join(self, viewer: Viewer) -> None:
        """Show the table to somebody. Whoever was only away gets their seat back."""
        audience = self.audience
        async with self.lock:
            audience.viewers.append(viewer)
            if self.services.sessions.is_away(self.key, viewer.session.id):
                with suppress(*REFUSALS):
                    await self._come_back(viewer.session)
            if audience.viewers == [viewer]:
                audience.wait_for_screens()
            if viewer in audience.viewers:
                viewer.send(audience.message(viewer.session, self.undo, self._is_preparing()))
        self.bots.repeat_error()
        self.go_on()

    async def _come_back(self, session: Session) -> None:
        """Give somebody their seat back, unless others have it now."""
        self.services.sessions.set_away(self.key, session.id, False)
        seat = self.seating.held_by(session)
        if seat is not None and not self.table.over:
            await self.change_locked(lambda: self.seating.sit(session, seat, None))
            self.audience.announce(self.table.seats.name(seat), "is back", but=seat)

    def send_views(self) -> None:
        """Send everybody what they may see of the table as it stands."""
        self.audience.send_views(self.undo, self._is_preparing())

    # Changes

    async def change(self, act: Callable[[], T]) -> T:
        """Do something to the table, save it, and send it to everybody."""
        async with self.lock:
            return await self.change_locked(act)

    async def change_locked(self, act: Callable[[], T]) -> T:
        """Do the same for a caller that holds the lock."""
        self.check_open()
        before = self.table.version
        try:
            return act()
        finally:
            if self.table.version != before:
                await self.save()

    def check_open(self) -> None:
        """Raise RefusedError if the table is closed."""
        if self.closed:
            raise RefusedError("This table is closed")

    async def save(self) -> None:
        """Save the table and send it to everybody; what cannot be saved has not happened."""
        try:
            await self.services.write(self.saved.save)
        except REFUSALS:
            self._close_if(await self.services.write(lambda: self.services.store.is_given_up(self.key)))
            raise
        finally:
            if not self.closed:
                self.drop_undo_if_off()
                self.send_views()
                self.go_on()

    async def end(self, delete: Callable[[], None]) -> None:
        """Close the table, if this can be done to what is saved of it."""
        async with self.lock:
            await self.services.write(delete)
            self._close_if(True)

    def _close_if(self, given_up: bool) -> None:
        """Close the table if its game was given up, here or in another program."""
        if given_up and not self.closed:
            self.closed = True
            self.audience.send({"table": self.key, "closed": True})

    # Undo

    def undo_holds(self) -> bool:
        """Tell whether an undo is asked for and can still be carried out."""
        return self.undo is not None and not self.closed and self.undo.holds(self.table, self.audience.away())

    def drop_undo_if_off(self) -> bool:
        """Drop an undo that can no longer be carried out; return whether there was one."""
        if self.undo is None or self.undo_holds():
            return False
        who, self.undo = self.undo.who, None
        self.audience.announce(who, "can't undo any more: the table has moved on")
        return True

    # Bots

    def go_on(self) -> None:
        """Let the bots move, if it is their turn."""
        if self._is_bots_turn():
            self.bots.start(self._let_bots_move)

    def try_again(self) -> None:
        """Let the bots move that an error has stopped a while ago."""
        if self.bots.may_retry:
            self.go_on()

    def _is_bots_turn(self) -> bool:
        """Tell whether a bot is to move, for itself or for a person whose time is up."""
        people = self.seating.people
        if self.closed or self.table.over or self.undo or not any(people):
            return False
        return people[self.table.game.turn] is None or self.table.clock.move_is_up

    def _is_preparing(self) -> bool:
        return self._compiling and self._is_bots_turn()

    async def _let_bots_move(self) -> None:
        try:
            while self._is_bots_turn() and (question := self.table.pending or self.table.late):
                await self._let_move(question)
                self.bots.has_moved()
        except REFUSALS as refusal:
            self._stop_bots(self.services.words(refusal))
        except Exception:
            traceback.print_exc(file=sys.stderr)
            self._stop_bots(OWN_FAULT)

    def _stop_bots(self, error: str) -> None:
        if self.bots.fail(error):
            self.audience.send({"re": None, "error": error})

    async def _let_move(self, question: Question) -> None:
        """Let one bot move. A game that went on in another program meanwhile goes on from there.

        The lock is not held while the bot thinks, so pages can come and go.
        """
        answer = await patiently(self.services.think(question.answer), self._show_compiling)
        try:
            async with self.lock:
                move = self.table.tick if self.seating.people[question.seat] else self.table.step
                if self._is_bots_turn() and move(question, answer):
                    await self.save()
        except ElsewhereError as error:
            self.audience.send({"re": None, "error": self.services.words(error)})

    def _show_compiling(self, compiling: bool) -> None:
        self._compiling = compiling
        self.send_views()

    async def stop(self) -> None:
        """Close the table because the server ends."""
        self.closed = True
        await self.bots.cancel()
