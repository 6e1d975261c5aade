"""What people do in a room besides playing: come in, sit down, get up, and agree on an undo.

An undo is carried out at once where nobody else is there; otherwise the others are asked first, see `undo.py`.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress

from spades_env.errors import SpadesError
from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.rooms.audience import PUT_OUT, Viewer
from spades_env.play.server.rooms.room import Room
from spades_env.play.server.rooms.undo import UndoRequest, position
from spades_env.play.server.sessions import Session
from spades_env.play.texts import text


async def come_in(room: Room, viewer: Viewer) -> None:
    """Show the table to somebody. People who were only away get their seat back."""
    audience, session = room.audience, viewer.session
    async with room.lock:
        audience.viewers.append(viewer)
        if room.services.sessions.is_away(room.key, session.id):
            with suppress(SpadesError):
                await _come_back(room, session)
        if audience.viewers == [viewer]:
            audience.wait_for_screens()
        _let_watch_if_full(room, session)
        if viewer in audience.viewers:
            viewer.tell(audience.message(session, room.undo, room.is_preparing))
    room.bots.repeat_error()
    room.go_on()


def _let_watch_if_full(room: Room, session: Session) -> None:
    """Let a guest watch if there is no seat for them, and the table has space."""
    seating, audience = room.seating, room.audience
    if session.is_owner or room.table.over or any(seating.is_free(seat, session) for seat in range(NUM_SEATS)):
        return
    if seating.held_by(session) is None and len(audience.watchers()) < room.services.limits.watchers:
        audience.watching.add(session.id)


async def _come_back(room: Room, session: Session) -> None:
    """Give somebody their seat back, unless others have it now."""
    room.services.sessions.set_away(room.key, session.id, False)
    seat = room.seating.held_by(session)
    if seat is not None and not room.table.over:
        await room.change_locked(lambda: room.seating.sit(session, seat, None))
        room.audience.announce("back", room.table.seats.name(seat), but=seat)


# Seats


async def sit(room: Room, session: Session, seat: Seat, name: str | None) -> None:
    """Seat somebody at a free seat, or at the one they left."""
    async with room.lock:
        plays, before = room.table.seats.name(seat), room.seating.people[seat]
        await room.change_locked(lambda: room.seating.sit(session, seat, name))
        room.audience.watching.discard(session.id)
        if before != room.table.seats.name(seat):
            room.audience.announce("sat_down", room.table.seats.name(seat), but=seat, bot=plays)


async def get_up(room: Room, session: Session) -> None:
    """Leave somebody's seat to its bot."""
    async with room.lock:
        seat = room.seating.seat_of(session)
        if seat is None or room.table.over:
            raise RefusedError(text("error.no_seat_to_leave"))
        await _leave(room, seat, "left")


async def leave_for_good(room: Room, session: Session) -> None:
    """Give up somebody's seat, if they have one: anybody may take it."""
    seat = room.seating.held_by(session)
    if seat is None or room.table.over:
        return
    if room.seating.people[seat] is not None:
        await get_up(room, session)
    room.seating.free(seat)
    room.send_views()


async def free(room: Room, seat: Seat) -> None:
    """Give a guest's seat to its bot, for anybody to take."""
    async with room.lock:
        room.seating.check_free(seat)
        if room.seating.people[seat] is not None and not room.table.over:
            await _leave(room, seat, "lost_seat")
        room.seating.free(seat)
    room.send_views()
    await room.services.write_sessions()


async def put_out(room: Room, guest: str, connections: Iterable[Viewer]) -> None:
    """Remove a guest and the table's link. What they still ask for is refused, and their pages are closed."""
    async with room.lock:
        session = room.services.sessions.guests.get(guest)
        if session is None or session.table != room.key:
            raise RefusedError(text("error.guest_gone"))
        seat = room.seating.held_by(session)
        room.services.sessions.put_out(session)
        room.audience.watching.discard(guest)
        for viewer in connections:
            if viewer.session.id == guest:
                viewer.hang_up(PUT_OUT)
        if seat is not None and room.seating.people[seat] is not None and not room.table.over:
            await _leave(room, seat, "put_out")
    room.send_views()
    await room.services.write_sessions()


async def stand_in(room: Room, seat: Seat, is_missed: Callable[[], bool]) -> None:
    """Let a bot play for somebody, unless they have come back just now."""
    async with room.lock:
        if not room.closed and is_missed():
            if holder := room.seating.holders.get(seat):
                room.services.sessions.set_away(room.key, holder, True)
            await _leave(room, seat, "away")


async def _leave(room: Room, seat: Seat, did: str) -> None:
    person = room.table.seats.name(seat)
    await room.change_locked(lambda: room.table.leave(seat))
    room.audience.announce(did, person, but=seat, bot=room.table.seats.name(seat))


async def name_owner(room: Room) -> None:
    async with room.lock:
        if not room.closed and room.seating.name_owner():
            await room.save()


# Undo


async def take_back(room: Room, seat: Seat, moves: int, version: int) -> bool:
    """Undo moves, or ask the other people for it; return whether it has happened."""
    async with room.lock:
        room.check_open()
        if request := room.open_undo():
            if request.seat != seat:
                raise RefusedError(text("error.undo_open"))
            if request.moves == moves:
                return False  # asked already: nobody has to agree twice
        await room.change_locked(lambda: room.table.check_takeback(seat, moves, version))  # the time may be up
        room.undo = UndoRequest(seat, room.table.seats.name(seat), moves, position(room.table))
        return await _carry_out_if_agreed(room, room.undo)


async def answer_undo(room: Room, seat: Seat, number: int, allow: bool) -> None:
    """Agree to an undo or decline it. The person who asked can only withdraw the request."""
    async with room.lock:
        room.check_open()
        request = room.open_undo()
        if request is None or request.number != number:
            raise RefusedError(text("error.undo_closed"))
        own, name = seat == request.seat, room.table.seats.name(seat)
        if own and allow:
            raise RefusedError(text("error.own_undo"))
        if allow:
            request.agreed[seat] = name
            await _carry_out_if_agreed(room, request)
        else:
            room.undo = None
            room.audience.announce("withdrew" if own else "declined", name, but=seat)
            _play_on(room)


async def settle_undo(room: Room) -> None:
    """Drop an undo that can't be carried out any more; carry one out if nobody is left to answer."""
    if _is_due(room):
        async with room.lock:
            if room.drop_undo_if_off():
                _play_on(room)
            elif _is_due(room):
                await _carry_out(room)


def _is_due(room: Room) -> bool:
    request = room.open_undo()
    return room.undo is not None and not (request and request.unanswered(room.table, room.audience.away()))


async def _carry_out_if_agreed(room: Room, request: UndoRequest) -> bool:
    if request.unanswered(room.table, room.audience.away()):
        room.send_views()
        return False
    await _carry_out(room)
    return True


async def _carry_out(room: Room) -> None:
    request, room.undo = room.undo, None
    assert request
    try:
        await room.change_locked(lambda: room.table.takeback(request.seat, request.moves))
    except SpadesError:
        _play_on(room)
        raise
    room.audience.announce("took_back", request.who, but=request.seat, moves=text("moves", count=request.moves))


def _play_on(room: Room) -> None:
    room.send_views()
    room.go_on()
