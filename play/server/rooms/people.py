"""What people do in a room beside playing: sit down, get up, and agree on an undo.

An undo is carried out at once where nobody else is there; otherwise the others are asked first, see `undo.py`.
"""

from collections.abc import Callable

from play.server.errors import REFUSALS, RefusedError
from play.server.rooms.room import Room
from play.server.rooms.undo import UndoRequest, position
from play.server.sessions import Session
from spades_env.cards import Seat

# Seats


async def sit(room: Room, session: Session, seat: Seat, name: str | None) -> None:
    """Seat somebody at a free seat, or at the one they left."""
    async with room.lock:
        plays, before = room.table.seats.name(seat), room.seating.people[seat]
        await room.change_locked(lambda: room.seating.sit(session, seat, name))
        if before is None:
            room.audience.announce(room.table.seats.name(seat), f"sat down and plays for {plays}", but=seat)


async def get_up(room: Room, session: Session) -> None:
    """Leave somebody's seat to its bot."""
    seat = room.seating.seat_of(session)
    if seat is None or room.table.over:
        raise RefusedError("You have no seat to leave")
    async with room.lock:
        await _leave(room, seat, "left")


async def free(room: Room, seat: Seat) -> None:
    """Give a guest's seat to its bot, and to whoever wants it."""
    room.seating.check_free(seat)
    if room.seating.people[seat] is not None and not room.table.over:
        async with room.lock:
            await _leave(room, seat, "lost the seat")
    room.seating.free(seat)
    room.send_views()


async def stand_in(room: Room, seat: Seat, is_missed: Callable[[], bool]) -> None:
    """Let a bot play for somebody, unless they have come back just now."""
    async with room.lock:
        if not room.closed and is_missed():
            if holder := room.seating.holders.get(seat):
                room.services.sessions.set_away(room.key, holder, True)
            await _leave(room, seat, "is away")


async def _leave(room: Room, seat: Seat, did: str) -> None:
    """Let the bot of a seat play on, and tell the others."""
    person = room.table.seats.name(seat)
    await room.change_locked(lambda: room.table.leave(seat))
    room.audience.announce(person, f"{did}. {room.table.seats.name(seat)} plays on", but=seat)


async def name_owner(room: Room) -> None:
    """Put the owner's new name to their seat."""
    async with room.lock:
        if room.seating.name_owner():
            await room.save()


# Undo


async def take_back(room: Room, seat: Seat, moves: int, version: int) -> bool:
    """Undo moves, or ask the other people for it; return whether it has happened."""
    async with room.lock:
        room.check_open()
        request = room.undo
        if request and request.seat != seat and room.undo_holds():
            raise RefusedError("Somebody else has asked for an undo already: answer that first")
        if request and request.moves == moves and room.undo_holds():
            return False  # asked already: nobody has to agree twice
        await room.change_locked(lambda: room.table.check_takeback(seat, moves, version))  # the time may be up
        room.undo = UndoRequest(seat, room.table.seats.name(seat), moves, position(room.table))
        if room.undo.unanswered(room.table, room.audience.away()):
            room.send_views()
            return False
        await _carry_out(room)
        return True


async def answer_undo(room: Room, seat: Seat, number: int, allow: bool) -> None:
    """Agree to an undo or decline it; whoever asked can only take the request back."""
    async with room.lock:
        room.check_open()
        request = room.undo
        if request is None or request.number != number or not room.undo_holds():
            raise RefusedError("This undo request is no longer open")
        if seat == request.seat and allow:
            raise RefusedError("You asked for this undo yourself: the others answer")
        if not allow:
            room.undo = None
            did = "withdrew the undo request" if seat == request.seat else "declined the undo"
            room.audience.announce(room.table.seats.name(seat), did, but=seat)
            room.send_views()
            room.go_on()
            return
        request.agreed[seat] = room.table.seats.name(seat)
        if request.unanswered(room.table, room.audience.away()):
            room.send_views()
        else:
            await _carry_out(room)


async def settle_undo(room: Room) -> None:
    """Drop a request whose people went or whose table moved on, or carry it out if nobody is left to answer."""
    if _is_due(room):
        async with room.lock:
            if room.drop_undo_if_off():
                room.send_views()
                room.go_on()
            elif _is_due(room):
                await _carry_out(room)


def _is_due(room: Room) -> bool:
    return room.undo is not None and not (room.undo_holds() and room.undo.unanswered(room.table, room.audience.away()))


async def _carry_out(room: Room) -> None:
    request, room.undo = room.undo, None
    assert request
    try:
        await room.change_locked(lambda: room.table.takeback(request.seat, request.moves))
    except REFUSALS:
        room.send_views()
        room.go_on()
        raise
    room.audience.announce(request.who, f"took back {request.moves_in_words}", but=request.seat)
