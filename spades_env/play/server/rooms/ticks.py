"""What is due in a room as time passes: the clock, and the seats of people who are away.

The clock stands still while a view is on its way to the screen, and while nobody looks on. A bot plays for a person
who has been away for a while, if somebody else is waiting; they get their seat back when they return.
"""

import time

from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.play.server.rooms.people import settle_undo, stand_in
from spades_env.play.server.rooms.room import Room


async def tick(room: Room, absent_after: float) -> None:
    """Do what is due now. absent_after: seconds until a bot plays for a person who is away."""
    clock = room.table.clock
    room.audience.screen_wait.end_if_late(clock)
    if clock.sitting_is_up and not room.table.over:
        await room.change(lambda: clock.sitting_is_up and room.table.tick())
    elif clock.move_is_up and not room.bots.stopped:
        room.go_on()
    if room.audience.viewers and not room.table.over:
        _announce_absences(room)
    if room.audience.watchers_changed() and not room.closed:
        room.send_views()
    await settle_undo(room)
    since = time.monotonic() - absent_after
    for seat in [seat for seat in range(NUM_SEATS) if _is_missed(room, seat, since)]:
        await stand_in(room, seat, lambda seat=seat: _is_missed(room, seat, since))


def _announce_absences(room: Room) -> None:
    """Announce who has gone away, and who is back."""
    away, before = room.audience.away(), room.audience.absence.announced
    if away == before:
        return
    room.audience.absence.announced = away
    for seat in sorted(away ^ before):
        if person := room.seating.people[seat]:
            room.audience.announce("gone" if seat in away else "back", person, but=seat)
    room.send_views()


def _is_missed(room: Room, seat: Seat, since: float) -> bool:
    """Tell whether this person has been away since then, while somebody else waits."""
    people, holders = room.seating.people, room.seating.holders
    if room.table.over or people[seat] is None or room.audience.is_there(seat):
        return False
    others = [other for other in holders if other != seat and people[other]]
    return room.audience.absence.gone_since(seat, since) and any(map(room.audience.is_there, others))
