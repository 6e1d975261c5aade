"""When pages were closed, and how long the clock waits until a view is on the screen. It is the room that acts."""

import time
from collections.abc import Iterable

from spades_env.game.cards import Seat
from spades_env.play.table.clock import Clock

SHOWING_SECONDS = 12.0  # the longest that the clock waits for a page to show what has happened
IDLE_SECONDS = 10.0
AWAY_SECONDS = 3.0  # a page that is reloaded is back sooner


class Absence:
    """When the people of a room closed their pages."""

    def __init__(self):
        self._began = self._empty_since = time.monotonic()
        self._closed_at: dict[Seat, float] = {}
        self.announced: set[Seat] = set()  # the seats that were last announced as away

    def page_closed(self, seat: Seat | None, last: bool) -> None:
        """Note that the holder of a seat has closed a page. last: nobody is left in the room."""
        if seat is not None:
            self._closed_at[seat] = time.monotonic()
        if last:
            self._empty_since = time.monotonic()

    def gone_since(self, seat: Seat, moment: float) -> bool:
        """Tell whether this seat's last page was closed before a moment. Ask only for a seat without a page."""
        return self._closed_at.get(seat, self._began) < moment

    def away(self, without_page: Iterable[Seat]) -> set[Seat]:
        since = time.monotonic() - AWAY_SECONDS
        return {seat for seat in without_page if self.gone_since(seat, since)}

    def empty_for_long(self) -> bool:
        return time.monotonic() - self._empty_since > IDLE_SECONDS


class ScreenWait:
    """The pause of a table's clock until the last view is on somebody's screen."""

    def __init__(self):
        self._until: float | None = None

    def begin(self, clock: Clock, viewed: bool) -> None:
        """Stop the clock until a screen shows the view; without a time limit if nobody looks on."""
        clock.pause()
        self._until = time.monotonic() + SHOWING_SECONDS if viewed else None

    def end(self, clock: Clock) -> None:
        if self._until is not None:
            self._until = None
            clock.resume()

    def end_if_late(self, clock: Clock) -> None:
        if self._until is not None and time.monotonic() >= self._until:
            self.end(clock)
