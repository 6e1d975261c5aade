"""Everybody who looks at a table, and what they are sent: their view, the lobby, the news."""

from typing import Any, Protocol

from spades_env.game.cards import NUM_SEATS, Seat
from spades_env.play.ready import COMPILING_BOTS
from spades_env.play.server.rooms.absence import Absence, ScreenWait
from spades_env.play.server.rooms.seating import Seating
from spades_env.play.server.rooms.undo import UndoRequest
from spades_env.play.server.sessions import Session
from spades_env.play.store.sitting import SavedTable
from spades_env.play.table.company.watching import watch_view
from spades_env.play.table.seat_view import seat_view
from spades_env.play.texts import text

SIGNED_OUT, PUT_OUT = 4001, 4002  # why a WebSocket is closed; connection.js knows them


class Viewer(Protocol):
    """Somebody who looks at a table: a connection."""

    session: Session

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message, without waiting until it is read."""

    def stop(self, *groups: str) -> None:
        """Stop the requests of these groups that are still being answered."""

    async def enter(self, room: Any) -> None:
        """Look at this room's table from now on."""

    def hang_up(self, code: int) -> None:
        """Close the page's connection for good; code: SIGNED_OUT or PUT_OUT."""


class Audience:
    """The viewers of one room."""

    def __init__(self, saved: SavedTable, seating: Seating):
        self._saved, self._seating, self._key = saved, seating, saved.table.key
        self.viewers: list[Viewer] = []
        self.absence, self.screen_wait = Absence(), ScreenWait()
        self.watching: set[str] = set()  # sessions that watch when they have no seat
        self._sent_version = -1  # of the table
        self._sent_watchers: list[str] = []

    def remove(self, viewer: Viewer) -> None:
        """Remove a viewer, and note the time."""
        if viewer in self.viewers:
            self.viewers.remove(viewer)
            self.absence.page_closed(self._seating.held_by(viewer.session), last=not self.viewers)
            if not self.viewers:
                self.wait_for_screens()

    def is_there(self, seat: Seat) -> bool:
        return any(viewer.session.id == self._seating.holders.get(seat) for viewer in self.viewers)

    def away(self) -> set[Seat]:
        people = self._seating.people
        return self.absence.away(seat for seat in range(NUM_SEATS) if people[seat] and not self.is_there(seat))

    def empty_for_long(self) -> bool:
        return not self.viewers and self.absence.empty_for_long()

    # Those who watch

    def is_watching(self, session: Session) -> bool:
        return session.id in self.watching and self._seating.seat_of(session) is None

    def watchers(self) -> list[str]:
        """Return the names of those who watch now, each once."""
        sessions = {viewer.session.id: viewer.session for viewer in self.viewers if self.is_watching(viewer.session)}
        return [self._seating.name_of(session) or text("watch.somebody") for session in sessions.values()]

    def watchers_changed(self) -> bool:
        """Are others watching than those that the views have named?"""
        return self.watchers() != self._sent_watchers

    def waiting(self) -> int:
        """Return how many people are here without a seat, and don't watch."""
        here = {viewer.session.id: viewer.session for viewer in self.viewers}.values()
        return sum(self._seating.seat_of(one) is None and not self.is_watching(one) for one in here)

    # What is sent

    def tell(self, message: dict[str, Any]) -> None:
        for viewer in self.viewers:
            viewer.tell(message)

    def announce(self, what: str, who: str, but: Seat | None = None, **about: Any) -> None:
        """Tell everybody but the holder of a seat what somebody did; what: the key of the sentence, less `news.`."""
        for viewer in self.viewers:
            if but is None or viewer.session.id != self._seating.holders.get(but):
                news = text(f"news.{what}", who=viewer.session.shown_name(who), **about)
                viewer.tell({"table": self._key, "news": news})

    def send_views(self, undo: UndoRequest | None, preparing: bool) -> None:
        """Send everybody their view, or the lobby. The clock waits only for what is new on the table.

        undo: the open request; preparing: is the bot to move being compiled?
        """
        if self._sent_version != self._saved.table.version:
            self.wait_for_screens()
        self._sent_version, self._sent_watchers = self._saved.table.version, self.watchers()
        messages: dict[str, dict[str, Any]] = {}
        for viewer in self.viewers:
            session = viewer.session
            if session.id not in messages:
                messages[session.id] = self.message(session, undo, preparing)
            viewer.tell(messages[session.id])

    def message(self, session: Session, undo: UndoRequest | None, preparing: bool) -> dict[str, Any]:
        """Return somebody's view or lobby."""
        table, seat = self._saved.table, self._seating.seat_of(session)
        watching = self.is_watching(session)
        if seat is None and not watching:
            kind, shown = "lobby", self._seating.lobby(session)
        elif seat is None:
            kind, shown = "view", watch_view(table, session.shown_name)
        else:
            kind, shown = "view", seat_view(table, seat, session.shown_name)
        faces = self._seating.faces()
        for place in shown["seats"]:
            place["face"] = faces[place["seat"]]
            place["who"] = session.shown_name(place["who"])
            place["away"] = place["person"] and place["seat"] in self.absence.announced
            place["kept_for"] = self._seating.kept_for(place["seat"], session)
            if kind == "view":
                place["free"] = watching and self._seating.is_free(place["seat"], session)
        shown["watchers"] = [session.shown_name(name) for name in self.watchers()]
        if kind == "view":
            shown["undo"] = undo.as_dict(table, seat) if undo and seat is not None else None
            shown["preparing"] = preparing
            shown["prompt"] = COMPILING_BOTS if preparing else shown["prompt"]
        return {"table": self._key, kind: shown}

    # The clock

    def wait_for_screens(self) -> None:
        """Stop the clock until a screen shows the table; if nobody looks on, until somebody does."""
        self.screen_wait.begin(self._saved.table.clock, bool(self.viewers))

    def shown(self, session: Session, version: int) -> None:
        """Let the clock run if the person to move has the latest view on their screen."""
        table = self._saved.table
        if version == table.version and self._seating.seat_of(session) == table.game.turn:
            self.screen_wait.end(table.clock)
