"""What time does to a room: the clock, and seats whose people are away.

The clock stands still while a view is on its way to the screen, and while nobody looks on. A bot plays for who has been
away for a while, if somebody else is waiting; who comes back has the seat again.
"""

import time
from typing import TYPE_CHECKING

from spades_env.cards import NUM_SEATS, Seat

if TYPE_CHECKING:
    from play.server.rooms import Room

SHOWING_SECONDS = 12.0  # the clock waits at most so long for a page to show what has happened
IDLE_SECONDS = 10.0
AWAY_SECONDS = 3.0  # a page that is opened anew is back sooner


class Waiting:
    """Of one room, which is handed in each time: a circle would keep tables in memory that nobody needs any more."""

    def __init__(self):
        self._began = time.monotonic()
        self._gone_at: dict[Seat, float] = {}
        self._showing_until: float | None = None
        self._empty_since = self._began
        self.seen_away: set[Seat] = set()  # who was away when people were told last

    # The clock

    def show(self, room: "Room") -> None:
        """A view is on its way: the clock waits until it is on the screen."""
        room.table.clock.pause()
        self._showing_until = time.monotonic() + SHOWING_SECONDS if room.lookers else None

    def shown(self, room: "Room", seat: Seat | None, version: int) -> None:
        """The last view is on somebody's screen."""
        if version == room.table.version and seat == room.table.game.turn:
            self._run_on(room)

    def _run_on(self, room: "Room") -> None:
        if self._showing_until is not None:
            self._showing_until = None
            room.table.clock.resume()

    # Who is away

    def gone(self, room: "Room", seat: Seat | None) -> None:
        """Whoever holds this seat has closed a page."""
        if seat is not None:
            self._gone_at[seat] = time.monotonic()
        if not room.lookers:
            self._empty_since = time.monotonic()
            self._showing_until = None
            room.table.clock.pause()

    def away(self, room: "Room") -> set[Seat]:
        """The seats of people who have had no page open for some seconds."""
        since = time.monotonic() - AWAY_SECONDS
        people = [seat for seat in range(NUM_SEATS) if room.people[seat] and not room.is_there(seat)]
        return {seat for seat in people if self._gone_at.get(seat, self._began) < since}

    def _notice_away(self, room: "Room") -> None:
        """Tell the others who went, and who is back."""
        away, before = self.away(room), self.seen_away
        if away == before:
            return
        self.seen_away = away
        for seat in sorted(away ^ before):
            if person := room.people[seat]:
                room.announce(person, "is away" if seat in away else "is back", but=seat)
        room.tell()

    def is_idle(self, room: "Room") -> bool:
        """Has nobody been here for a while?"""
        return not room.lookers and not room.busy and time.monotonic() - self._empty_since > IDLE_SECONDS

    async def tick(self, room: "Room", absent_after: float) -> None:
        """What time demands now."""
        clock = room.table.clock
        if self._showing_until is not None and time.monotonic() >= self._showing_until:
            self._run_on(room)
        if clock.sitting_is_up and not room.table.over:
            await room.change(lambda: clock.sitting_is_up and room.table.tick())
        elif clock.move_is_up and not room.is_halted:
            room.go_on()
        if room.lookers and not room.table.over:
            self._notice_away(room)
        await room.settle_undo()
        since = time.monotonic() - absent_after
        for seat in [seat for seat in range(NUM_SEATS) if self._is_missed(room, seat, since)]:
            await room.stand_in(seat, lambda seat=seat: self._is_missed(room, seat, since))

    def _is_missed(self, room: "Room", seat: Seat, since: float) -> bool:
        """Has this person been away since then, while somebody else waits?"""
        if room.table.over or room.people[seat] is None or room.is_there(seat):
            return False
        others = [other for other in room.holders if other != seat and room.people[other]]
        return self._gone_at.get(seat, self._began) < since and any(map(room.is_there, others))
