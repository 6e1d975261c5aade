"""Undo at a table with several people: whoever wants it asks the others first.

    await undo.ask(room, seat, 2, version)      2 moves at once where nobody else is there, else the others are asked
    await undo.answer(room, seat, number, True) it is carried out when everybody who is there has agreed

Bots wait while a request is open: their next move would end it. It is dropped when somebody declines, when the table
moves on, and when whoever asked takes it back, gets up or is away. Who is away is not asked.
"""

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from play.server.refusals import REFUSALS, RefusedError
from spades_env.cards import NUM_SEATS, Seat

if TYPE_CHECKING:
    from play.server.rooms import Room

Position = tuple[int, int]
NUMBERS = count(1)


@dataclass
class Request:
    """What somebody asked for: so many moves, as long as the table stands like this."""

    seat: Seat
    who: str
    moves: int
    position: Position
    agreed: dict[Seat, str] = field(default_factory=dict)  # who sat there then: whoever comes after is asked again
    number: int = field(default_factory=lambda: next(NUMBERS))


class Undo:
    """The request that is open in a room, if there is one; the room is handed in each time."""

    def __init__(self):
        self.request: Request | None = None

    # What people ask, each with the room's lock held

    async def ask(self, room: "Room", seat: Seat, moves: int, version: int) -> bool:
        """Take moves back, or ask the others for it; has it happened?"""
        if self.request and self.request.seat != seat and self._holds(room):
            raise RefusedError("Somebody else has asked for an undo already: answer that first")
        if self.request and self.request.moves == moves and self._holds(room):
            return False  # asked already: nobody has to agree twice
        await room.do_now(lambda: room.table.check_takeback(seat, moves, version))  # this may find that the time is up
        self.request = Request(seat, room.table.seats.name(seat), moves, _position(room))
        if self._others(room):
            room.tell()
            return False
        await self._carry_out(room)
        return True

    async def answer(self, room: "Room", seat: Seat, number: int, allow: bool) -> None:
        """Agree or decline; whoever asked can only take the request back."""
        request = self.request
        if request is None or request.number != number or not self._holds(room):
            raise RefusedError("This undo request is no longer open")
        if seat == request.seat and allow:
            raise RefusedError("You asked for this undo yourself: the others answer")
        if not allow:
            self._drop(room, seat, "withdrew the undo request" if seat == request.seat else "declined the undo")
            return
        request.agreed[seat] = room.table.seats.name(seat)
        if self._others(room) <= self._agreed(room):
            await self._carry_out(room)
        else:
            room.tell()

    # What time and the table do to it

    @property
    def is_open(self) -> bool:
        """Do people still have to answer?"""
        return self.request is not None

    def is_due(self, room: "Room") -> bool:
        """Has something happened to it that nobody said: somebody went, or the table moved on?"""
        request = self.request
        return request is not None and (not self._holds(room) or self._others(room) <= self._agreed(room))

    async def settle(self, room: "Room") -> None:
        """Drop it, or carry it out, if that is due."""
        if self.drop_if_off(room):
            room.tell()
            room.go_on()
        elif self.is_due(room):
            await self._carry_out(room)

    def drop_if_off(self, room: "Room") -> bool:
        """Drop what can no longer be carried out, or what nobody wants any more; was it?"""
        if self.request is None or self._holds(room):
            return False
        who, self.request = self.request.who, None
        room.announce(who, "can't undo any more: the table has moved on")
        return True

    def told(self, room: "Room", seat: Seat | None) -> dict | None:
        """The request as a view shows it to a seat."""
        if self.request is None:
            return None
        agreed = self._agreed(room)
        asked = seat != self.request.seat and seat not in agreed
        about = {"number": self.request.number, "seat": self.request.seat, "moves": self.request.moves}
        return about | {"agreed": sorted(agreed), "asked": asked}

    # Helpers

    async def _carry_out(self, room: "Room") -> None:
        request, self.request = self.request, None
        assert request
        try:
            await room.do_now(lambda: room.table.takeback(request.seat, request.moves))
        except REFUSALS:
            room.tell()
            room.go_on()
            raise
        room.announce(request.who, f"took back {moves_in_words(request.moves)}", but=request.seat)

    def _drop(self, room: "Room", seat: Seat, did: str) -> None:
        """Somebody did not want it."""
        self.request = None
        room.announce(room.table.seats.name(seat), did, but=seat)
        room.tell()
        room.go_on()

    def _holds(self, room: "Room") -> bool:
        """Can it still be carried out, and is whoever asked still here?"""
        request, away = self.request, room.waiting.away(room)
        if request is None or room.closed or room.people[request.seat] is None or request.seat in away:
            return False
        return request.position == _position(room) and request.moves <= len(room.table.own_moves(request.seat))

    def _agreed(self, room: "Room") -> set[Seat]:
        """The seats of those who have agreed and still sit there."""
        assert self.request
        return {seat for seat, who in self.request.agreed.items() if room.people[seat] == who}

    def _others(self, room: "Room") -> set[Seat]:
        """Everybody else who sits here and is there."""
        assert self.request
        away = room.waiting.away(room)
        return {seat for seat in range(NUM_SEATS) if room.people[seat] and seat not in away} - {self.request.seat}


def moves_in_words(count: int) -> str:
    """2 moves"""
    return f"{count} move{'s' * (count > 1)}"


def _position(room: "Room") -> Position:
    return len(room.table.deeds), room.table.takebacks.total()
