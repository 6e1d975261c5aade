"""A room: one live table with all who look at it. Whatever changes the table goes through `change`, one at a time.

The bots think in threads; after every move the sitting is saved, then everybody is told what the own seat may know.
Bots move as long as somebody sits at the table. Time, and who is away for long: `play.server.waiting`.
"""

import asyncio
import json
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from play.hands import PERSON
from play.ready import COMPILING_BOTS, patiently
from play.seats import checked_name
from play.server.refusals import OWN_FAULT, REFUSALS, RefusedError
from play.server.sessions import DEFAULT_NAME, OTHERS_READ, OWNER, Session
from play.server.undo import Undo
from play.server.waiting import Waiting
from play.store import ElsewhereError
from play.table import Question, Table
from spades_env.cards import NUM_SEATS, SEATS, Seat

if TYPE_CHECKING:
    from play.server.house import House

T = TypeVar("T")
RETRY_SECONDS = 5.0  # until the bots try again, once something has kept them from moving


class Looker(Protocol):
    """Who looks at a table: a connection."""

    session: Session

    def send(self, message: str) -> None:
        """Put a message on its way, without waiting until it is read."""


class Room:
    """One live table."""

    def __init__(self, table: Table, house: "House"):
        self.table, self.house = table, house
        self.lookers: list[Looker] = []
        self.holders = house.sessions.holders(table.key)  # seat → whose it is, also after leaving it
        self.closed = False
        self.waiting = Waiting()
        self.undo = Undo()
        self._lock = asyncio.Lock()
        self._bots: asyncio.Task | None = None
        self._told_version = -1  # the table's, when everybody was told last
        self._halted_at: float | None = None  # when something kept the bots from moving
        self._said = ""  # what it was
        self._compiling = False  # is it for that that a bot is waited for?
        if not (self.holders or table.over):
            self._seat_owner()
        self._give_owner_a_name()

    @property
    def key(self) -> str:
        """The table's, by which rooms, seats and links are found."""
        return self.table.key

    @property
    def is_untouched(self) -> bool:
        """Has nobody done anything here, or been asked to come?"""
        invited = self.key in self.house.sessions.invites.values()
        moved = any(deed.by == PERSON for deed in self.table.deeds) or self.table.over
        return not (moved or invited or self.lookers or self.closed)

    @property
    def people(self) -> list[str | None]:
        """Who plays, by seat."""
        return self.table.seats.people

    # Who is there

    def held_by(self, session: Session) -> Seat | None:
        """The seat that is somebody's, also after leaving it."""
        return next((seat for seat, holder in self.holders.items() if holder == session.id), None)

    def seat_of(self, session: Session) -> Seat | None:
        """Where somebody sits; at a table of before, the owner sits where somebody of that name sat."""
        seat = self.held_by(session)
        if seat is not None:
            return seat if self.people[seat] is not None or self.table.over else None
        if not (session.is_owner and self.table.over):
            return None
        return self.people.index(self.house.name) if self.house.name in self.people else 0

    def is_there(self, seat: Seat) -> bool:
        """Does whoever holds this seat look on?"""
        return any(looker.session.id == self.holders.get(seat) for looker in self.lookers)

    async def join(self, looker: Looker) -> None:
        """Somebody looks on, and is told how things stand; who was only away has the own seat again."""
        async with self._lock:
            self.lookers.append(looker)
            if self.house.sessions.is_away(self.key, looker.session.id):
                with suppress(*REFUSALS):
                    await self._come_back(looker.session)
            if self.lookers == [looker]:
                self.waiting.show(self)
            if looker in self.lookers:
                looker.send(self._told(looker.session))
        self._said = ""  # who comes in has not heard it
        self.go_on()

    async def _come_back(self, session: Session) -> None:
        """Who was only away has the own seat again, if it was not given to others."""
        self.house.sessions.set_away(self.key, session.id, False)
        seat = self.held_by(session)
        if seat is not None and not self.table.over:
            await self._changed(lambda: self._sit(session, seat, None))
            self.announce(self.table.seats.name(seat), "is back", but=seat)

    def leave(self, looker: Looker) -> None:
        """Somebody looks on no more."""
        if looker in self.lookers:
            self.lookers.remove(looker)
            self.waiting.gone(self, self.held_by(looker.session))

    # What happens

    async def change(self, do: Callable[[], T]) -> T:
        """Do something to the table, keep it, tell everybody."""
        async with self._lock:
            return await self._changed(do)

    async def do_now(self, do: Callable[[], T]) -> T:
        """The same for whoever has the lock."""
        return await self._changed(do)

    async def _changed(self, do: Callable[[], T]) -> T:
        self._check_open()
        before = self.table.version
        try:
            return do()
        finally:
            if self.table.version != before:
                await self.kept()

    def _check_open(self) -> None:
        if self.closed:
            raise RefusedError("This table is closed")

    async def kept(self) -> None:
        """Save the sitting and tell everybody; what cannot be saved has not happened."""
        try:
            await self.house.save(self.table)
        except REFUSALS:
            self.table = await self.house.load(self.key)
            self._close_if(await self.house.is_given_up(self.key))
            raise
        finally:
            if not self.closed:
                self.undo.drop_if_off(self)
                self.tell()
                self.go_on()

    async def end(self, do: Callable[[], None]) -> None:
        """The table is no more, if this can be done."""
        async with self._lock:
            await self.house.write(do)
            self._close_if(True)

    def _close_if(self, given_up: bool) -> None:
        """Nobody goes on with a game that was given up, here or in another program."""
        if given_up and not self.closed:
            self.closed = True
            self._say({"table": self.key, "closed": True})

    def tell(self) -> None:
        """Everybody's own view, or the lobby. The clock waits for what is new on the table alone."""
        if self._told_version != self.table.version:
            self.waiting.show(self)
        self._told_version = self.table.version
        told: dict[str, str] = {}
        for looker in self.lookers:
            session = looker.session
            if session.id not in told:
                told[session.id] = self._told(session)
            looker.send(told[session.id])

    def announce(self, who: str, did: str, but: Seat | None = None) -> None:
        """Say who did what to everybody who looks on, except to whoever sits there: "Anna", "took back 2 moves"."""
        for looker in self.lookers:
            if but is None or looker.session.id != self.holders.get(but):
                looker.send(json.dumps({"table": self.key, "news": f"{looker.session.reads(who)} {did}."}))

    def _say(self, told: dict) -> None:
        """The same to everybody."""
        for looker in self.lookers:
            looker.send(json.dumps(told))

    def _told(self, session: Session) -> str:
        seat = self.seat_of(session)
        kind, told = ("lobby", self.lobby(session)) if seat is None else ("view", self.table.view(seat))
        for place in told["seats"]:
            place["who"] = session.reads(place["who"])
        if kind == "view":
            told["undo"] = self.undo.told(self, seat)
            for place in told["seats"]:
                place["away"] = place["seat"] in self.waiting.seen_away
                place["kept_for"] = self._kept_for(place["seat"], session)
            told["preparing"] = self._compiling and self._bots_turn()
            told["prompt"] = COMPILING_BOTS if told["preparing"] else told["prompt"]
        return json.dumps({"table": self.key, kind: told}, separators=(",", ":"))

    def _kept_for(self, seat: Seat, session: Session) -> str | None:
        """Who has left a seat that a bot plays meanwhile."""
        holder = self.holders.get(seat)
        if holder is None or self.people[seat] is not None or self.table.over:
            return None
        name = self.house.name if holder == OWNER else self.house.sessions.names(self.key).get(holder)
        return name and session.reads(name)

    def lobby(self, session: Session) -> dict:
        """Who sits where; no cards."""
        seats = [self._place(seat, session) for seat in range(NUM_SEATS)]
        name = self.house.name if session.is_owner else session.name
        return {"rules": str(self.table.rules), "over": self.table.over, "name": name, "seats": seats}

    def _place(self, seat: Seat, session: Session) -> dict:
        yours = self.holders.get(seat) == session.id
        return {
            "seat": seat,
            "name": SEATS[seat],
            "who": self.table.seats.name(seat),
            "person": self.people[seat] is not None,
            "free": self.people[seat] is None and (yours or seat not in self.holders),
            "yours": yours,
        }

    # Bots

    def go_on(self) -> None:
        """Let the bots move, if it is their turn."""
        if (self._bots is None or self._bots.done()) and self._bots_turn():
            self._bots = asyncio.create_task(self._let_bots_move())

    @property
    def is_halted(self) -> bool:
        """Does something keep the bots from moving?"""
        return self._halted_at is not None

    def try_again(self) -> None:
        """Let the bots move that something kept from it a while ago, a full disk, say."""
        if self._halted_at is not None and time.monotonic() - self._halted_at > RETRY_SECONDS:
            self.go_on()

    def _bots_turn(self) -> bool:
        """Is a bot to move, for itself or for a person whose time is up?"""
        if self.closed or self.table.over or self.undo.is_open or not any(self.people):
            return False
        return self.people[self.table.game.turn] is None or self.table.clock.move_is_up

    async def _let_bots_move(self) -> None:
        try:
            while self._bots_turn() and (question := self.table.pending or self.table.late):
                await self._let_move(question)
                self._halted_at, self._said = None, ""
        except REFUSALS as refusal:
            self._halt(self.house.words(refusal))
        except Exception:
            traceback.print_exc(file=sys.stderr)
            self._halt(OWN_FAULT)

    def _halt(self, words: str) -> None:
        """The bots cannot move for now; why is said once."""
        self._halted_at = time.monotonic()
        if words != self._said:
            self._said = words
            self._say({"re": None, "error": words})

    async def _let_move(self, question: Question) -> None:
        """One bot moves. A game that went on elsewhere meanwhile goes on from there.

        Nobody waits for its answer at the lock: pages come and go while it thinks.
        """
        answer = await patiently(self.house.think(question.answer), self._show_compiling)
        try:
            async with self._lock:
                move = self.table.tick if self.people[question.seat] else self.table.step
                if self._bots_turn() and move(question, answer):
                    await self.kept()
        except ElsewhereError as error:
            self._say({"re": None, "error": self.house.words(error)})

    def _show_compiling(self, compiling: bool) -> None:
        self._compiling = compiling
        self.tell()

    async def stop(self) -> None:
        """The server goes: the bots put their cards down."""
        self.closed = True
        if self._bots:
            self._bots.cancel()
            await asyncio.gather(self._bots, return_exceptions=True)

    @property
    def busy(self) -> bool:
        """Is something going on here?"""
        return self._lock.locked() or (self._bots is not None and not self._bots.done())

    # Undo

    async def take_back(self, seat: Seat, moves: int, version: int) -> bool:
        """Undo moves, or ask the other people for it; has it happened?"""
        async with self._lock:
            self._check_open()
            return await self.undo.ask(self, seat, moves, version)

    async def answer_undo(self, seat: Seat, number: int, allow: bool) -> None:
        """Somebody agrees to an undo, declines it, or no longer asks for it."""
        async with self._lock:
            self._check_open()
            await self.undo.answer(self, seat, number, allow)

    async def settle_undo(self) -> None:
        """See to a request whose people went, or whose table moved on."""
        if self.undo.is_due(self):
            async with self._lock:
                await self.undo.settle(self)

    # Seats

    async def sit(self, session: Session, seat: Seat, name: str | None) -> None:
        """Somebody takes a free seat, or comes back to it."""
        async with self._lock:
            plays, before = self.table.seats.name(seat), self.people[seat]
            await self._changed(lambda: self._sit(session, seat, name))
            if before is None:
                self.announce(self.table.seats.name(seat), f"sat down and plays for {plays}", but=seat)

    def _sit(self, session: Session, seat: Seat, name: str | None) -> None:
        person = self.people[seat]
        if self.holders.get(seat, session.id) != session.id:
            words = (
                f"{session.reads(person)} sits {SEATS[seat]}"
                if person
                else f"{SEATS[seat]} is kept for who has left it"
            )
            raise RefusedError(words)
        held = self.held_by(session)
        if held not in (None, seat):
            self.table.seats.check_seen(held, self.table.game.hand_number)
        name = self._name_for(session, name)
        self.table.check_take(seat, name)
        self._hold_for(session, seat, name)
        self.table.take(seat, name)

    def _hold_for(self, session: Session, seat: Seat, name: str) -> None:
        """The seat is this person's, whose name is kept along with it."""
        others = {other: holder for other, holder in self.holders.items() if holder != session.id}
        before = session.name
        session.name = None if session.is_owner else name
        try:
            self._hold(others | {seat: session.id})
        except RefusedError:
            session.name = before
            raise

    def _name_for(self, session: Session, name: str | None) -> str:
        """What somebody is called here; who has sat here before keeps that name."""
        name = self.house.name if session.is_owner else session.name or name
        if not name:
            raise RefusedError("Say who you are: sit needs a name")
        taken = [*self.house.sessions.names(self.key).items(), (OWNER, self.house.name)]
        taken += [(OWNER, word) for word in (DEFAULT_NAME, OTHERS_READ)]  # no guest is taken for the host
        if any(other.casefold() == name.casefold() and holder != session.id for holder, other in taken):
            raise RefusedError(f"Somebody here is called {name}: choose another name")
        return checked_name(name)

    async def get_up(self, session: Session) -> None:
        """Somebody leaves the own seat to its bot."""
        seat = self.seat_of(session)
        if seat is None or self.table.over:
            raise RefusedError("You have no seat to leave")
        async with self._lock:
            await self._leave(seat, "left")

    async def _leave(self, seat: Seat, did: str) -> None:
        """The bot of a seat plays on, and the others are told."""
        person = self.table.seats.name(seat)
        await self._changed(lambda: self.table.leave(seat))
        self.announce(person, f"{did}. {self.table.seats.name(seat)} plays on", but=seat)

    async def stand_in(self, seat: Seat, is_missed: Callable[[], bool]) -> None:
        """A bot plays from now on, unless its person has come back just now."""
        async with self._lock:
            if not self.closed and is_missed():
                if holder := self.holders.get(seat):
                    self.house.sessions.set_away(self.key, holder, True)
                await self._leave(seat, "is away")

    async def free(self, seat: Seat) -> None:
        """A guest's seat is the bot's, and whoever wants it may take it."""
        if self.holders.get(seat) == OWNER or (seat not in self.holders and self.people[seat] is None):
            raise RefusedError(f"No guest holds {SEATS[seat]}")
        if self.people[seat] is not None and not self.table.over:
            async with self._lock:
                await self._leave(seat, "lost the seat")
        self._hold({other: holder for other, holder in self.holders.items() if other != seat})
        self.tell()

    def _hold(self, holders: dict[Seat, str]) -> None:
        self.house.sessions.hold(self.key, holders)
        self.holders = holders

    def _seat_owner(self) -> None:
        """A table that another program began has no holders: the owner's is the seat of that name, or the only one."""
        people = [seat for seat, person in enumerate(self.people) if person]
        own = [seat for seat in people if self.people[seat] in (self.house.name, DEFAULT_NAME)]
        if own or len(people) == 1:
            self._hold({(own or people)[0]: OWNER})

    def _give_owner_a_name(self) -> bool:
        """Who began without a name may have one by now."""
        seat, name = self.held_by(self.house.sessions.owner), self.house.name
        if seat is None or self.people[seat] != DEFAULT_NAME or name in self.people:
            return False
        self.table.seats.rename(seat, name)
        return True

    async def name_owner(self) -> None:
        """The same, while somebody looks on."""
        async with self._lock:
            if self._give_owner_a_name():
                await self.kept()
