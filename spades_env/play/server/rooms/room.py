"""A room: one live table with everybody who looks at it. All changes of the table go through `change`, one at a time.

The bots think in threads. After every move the table is saved, then everybody is sent what their seat may know.
Bots move as long as somebody sits at the table. What people do besides playing: `people.py`. Time: `ticks.py`.
"""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from spades_env.errors import SpadesError
from spades_env.play.daily.deal_of_day import ChampionHand
from spades_env.play.ready import compiling_elsewhere, patiently
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import TokenBuckets
from spades_env.play.server.rooms.audience import Audience
from spades_env.play.server.rooms.bots import Bots
from spades_env.play.server.rooms.champion import ChampionTask
from spades_env.play.server.rooms.pace import Pace
from spades_env.play.server.rooms.seating import Seating
from spades_env.play.server.rooms.undo import UndoRequest
from spades_env.play.server.services import Services
from spades_env.play.store.sitting import SavedTable
from spades_env.play.table.table import Question, Table
from spades_env.play.texts import text

T = TypeVar("T")


class Room:
    """One live table."""

    def __init__(self, table: Table, services: Services, given_up: bool = False):
        self.services, self.key, self.closed = services, table.key, given_up
        self.saved = SavedTable(services.store, table)
        self.seating = Seating(self.saved, services, given_up)
        self.audience = Audience(self.saved, self.seating)
        self.bots = Bots(self._next_question, self._let_move, self._send_error)
        self.champion = ChampionTask(services.work, lambda: self.bots.running, self._add_champion_hand)
        self.undo: UndoRequest | None = None
        self.phrases = TokenBuckets(services.limits.phrase_rate, services.limits.phrases)  # by session
        self.lock = asyncio.Lock()
        self._pace = Pace()
        self._compiling = False  # is a bot waited for because it is being compiled?

    @property
    def table(self) -> Table:
        """The table; another object once a change could not be saved."""
        return self.saved.table

    @property
    def is_untouched(self) -> bool:
        invited = self.services.sessions.is_invited(self.key)
        return self.saved.untouched and not (invited or self.audience.viewers or self.closed)

    @property
    def busy(self) -> bool:
        return self.lock.locked() or self.bots.running or self.champion.running

    def send_views(self) -> None:
        self.audience.send_views(self.undo, self.is_preparing)

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
        if self.closed:
            raise RefusedError(text("error.table_closed"))

    async def save(self) -> None:
        """Save the table and send it to everybody; what cannot be saved has not happened."""
        try:
            await self._write()
        except SpadesError:
            if await self.services.write(lambda: self.services.store.is_given_up(self.key)):
                self._close()
            raise
        finally:
            if not self.closed:
                self.drop_undo_if_off()
                self.send_views()
                self.go_on()

    async def _write(self) -> None:
        """Save the table, or return to what is saved of it."""
        try:
            await self.services.write(self.saved.save)
        except SpadesError:  # in a web page even after the store has taken it
            await self.services.write(self.saved.go_back)
            raise

    async def end(self, delete: Callable[[], None]) -> None:
        """Close the table, if this can be done to what is saved of it."""
        async with self.lock:
            await self.services.write(delete)
            self._close()

    def _close(self) -> None:
        """Close the table because its game was given up."""
        if not self.closed:
            self.closed = True
            self.champion.stop()
            self.audience.tell({"table": self.key, "closed": True})

    # Undo

    def open_undo(self) -> UndoRequest | None:
        request = None if self.closed else self.undo
        return request if request and request.holds(self.table, self.audience.away()) else None

    def drop_undo_if_off(self) -> bool:
        """Drop an undo that can no longer be carried out; return whether there was one."""
        if self.undo is None or self.open_undo():
            return False
        who, self.undo = self.undo.who, None
        self.audience.announce("undo_late", who)
        return True

    # Bots

    def go_on(self) -> None:
        if self._is_bots_turn():
            self.bots.start()

    def _is_bots_turn(self) -> bool:
        people = self.seating.people
        if self.closed or self.table.over or self.undo or not any(people):
            return False
        return people[self.table.game.turn] is None or self.table.clock.move_is_up

    @property
    def is_preparing(self) -> bool:
        return self._compiling and self._is_bots_turn()

    def _next_question(self) -> Question | None:
        return (self.table.pending or self.table.late) if self._is_bots_turn() else None

    async def _let_move(self, question: Question) -> None:
        """Let one bot move. The lock is not held while it thinks, so pages can come and go."""
        began = time.monotonic()
        answer = await patiently(self.services.think(question.answer), self._show_compiling)
        if question.view.phase == "play" and self._has_company:
            forced = len(question.view.legal_actions()) == 1
            await asyncio.sleep(self._pace.rest(question.seat, forced, time.monotonic() - began))
        async with self.lock:
            move = self.table.tick if self.seating.people[question.seat] else self.table.step
            if self._is_bots_turn() and move(question, answer):
                await self.save()

    @property
    def _has_company(self) -> bool:
        """Do several people play, from whom the bots have something to hide?"""
        return sum(person is not None for person in self.seating.people) > 1

    def _show_compiling(self, compiling: bool) -> None:
        self._compiling = compiling
        self.send_views()

    def _send_error(self, error: Exception | str) -> None:
        self.audience.tell({"re": None, "error": self.services.words(error)})

    # The champion of a daily deal

    def play_champion(self) -> None:
        """Let the champion play, unless kernels are compiled elsewhere: it would take minutes."""
        if not (self.closed or compiling_elsewhere.is_set()):
            self.champion.start(self.table.daily)

    async def _add_champion_hand(self, number: int, hand: ChampionHand) -> None:
        """Save a finished hand of the champion."""
        async with self.lock:
            daily = self.table.daily
            if self.closed or daily is None or len(daily.champion) != number:
                return
            daily.champion.append(hand)
            await self._write()
            self.send_views()
