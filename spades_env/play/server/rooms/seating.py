"""Who holds which seat at a table. A seat that was left keeps its holder until the host frees it.

    seating.seat_of(session)              → the seat where somebody sits, or None
    seating.sit(session, 2, "Anna")       RefusedError or TableError says why not
    seating.lobby(session)                → who sits where, for somebody without a seat

It sends nothing and saves no table: the room does.
"""

from spades_env.game.cards import NUM_SEATS, SEATS, Seat
from spades_env.play.rule_words import rule_title
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.rooms.names import look_alike
from spades_env.play.server.services import Services
from spades_env.play.server.sessions import HOST, OWNER, Session
from spades_env.play.store.listing import own_seat
from spades_env.play.store.settings import DEFAULT_NAME, FACE
from spades_env.play.store.sitting import SavedTable
from spades_env.play.table.company.faces import faces_at
from spades_env.play.table.seats import checked_name
from spades_env.play.texts import text


class Seating:
    """The seats of one room, by session."""

    def __init__(self, saved: SavedTable, services: Services, given_up: bool = False):
        self._saved, self._services, self._sessions = saved, services, services.sessions
        if not (self.holders or saved.table.over or given_up):
            self._seat_owner()
        self.name_owner()

    @property
    def people(self) -> list[str | None]:
        """The names of the people who play, by seat; None for a bot."""
        return self._saved.table.seats.people

    @property
    def holders(self) -> dict[Seat, str]:
        """The sessions that have seats, by seat."""
        return self._sessions.holders(self._saved.table.key)

    def held_by(self, session: Session) -> Seat | None:
        """Return somebody's seat, even if they have left it."""
        return next((seat for seat, holder in self.holders.items() if holder == session.id), None)

    def seat_of(self, session: Session) -> Seat | None:
        """Return where somebody sits. At a finished table the owner has the seat of their name, or South."""
        seat, over = self.held_by(session), self._saved.table.over
        if seat is not None:
            return seat if self.people[seat] is not None or over else None
        if not (session.is_owner and over):
            return None
        return own_seat(self.people, self._services.name) or 0

    # Sitting down

    def sit(self, session: Session, seat: Seat, name: str | None) -> None:
        """Seat somebody at a free seat, or at the one they left."""
        person, table = self.people[seat], self._saved.table
        if self.holders.get(seat, session.id) != session.id:
            sits = text("error.seat_taken", who=session.shown_name(person)) if person else ""
            raise RefusedError(sits or text("error.seat_kept"))
        held = self.held_by(session)
        if held not in (None, seat):
            table.seats.check_seen(held, table.game.hand_number)
        name = (session.name if held == seat else None) or self._name_for(session, name)
        if seat not in self.holders and person is not None:
            table.leave(seat)  # whoever sat there can't come back: their session is gone
        table.check_take(seat, name)
        self._hold(session, seat, name)
        table.take(seat, name)

    def _name_for(self, session: Session, name: str | None) -> str:
        """Return a person's name at this table. Those who have sat here before keep theirs."""
        owner = self._services.name
        name = owner if session.is_owner else session.name or name
        if not name:
            raise RefusedError(text("error.no_name"))
        taken = [*self._sessions.guest_names(self._saved.table.key).items()]
        taken += [(OWNER, word) for word in (owner, DEFAULT_NAME, HOST)]  # no guest is mistaken for the host
        others = [other for holder, other in taken if holder != session.id]
        if name.casefold() in map(str.casefold, others):
            raise RefusedError(text("error.name_taken", name=name))
        if any(look_alike(name, other) for other in others):
            raise RefusedError(text("error.name_alike", name=name))
        return checked_name(name)

    def _hold(self, session: Session, seat: Seat, name: str) -> None:
        """Give somebody a seat, and keep a guest's name with it."""
        others = {other: holder for other, holder in self.holders.items() if holder != session.id}
        before = session.name
        session.name = None if session.is_owner else name
        try:
            self._set_holders(others | {seat: session.id})
        except RefusedError:
            session.name = before
            raise

    def check_free(self, seat: Seat) -> None:
        """Raise RefusedError unless a guest has this seat, or somebody whose session is gone."""
        if self.holders.get(seat) == OWNER or (seat not in self.holders and self.people[seat] is None):
            raise RefusedError(text("error.no_guest"))

    def free(self, seat: Seat) -> None:
        self._set_holders({other: holder for other, holder in self.holders.items() if other != seat})

    def _set_holders(self, holders: dict[Seat, str]) -> None:
        self._sessions.set_holders(self._saved.table.key, holders)

    # The owner

    def _seat_owner(self) -> None:
        """Give the owner a seat at a table that another program began: that of their name, or of the only person."""
        people = [seat for seat, person in enumerate(self.people) if person]
        own = [seat for seat in people if self.people[seat] in (self._services.name, DEFAULT_NAME)]
        if own or len(people) == 1:
            self._set_holders({(own or people)[0]: OWNER})

    def name_owner(self) -> bool:
        """Rename the owner's seat if it was taken before they had a name; return whether it was."""
        seat, name = self.held_by(self._sessions.owner), self._services.name
        taken = (*self.people, *self._sessions.guest_names(self._saved.table.key).values())
        if seat is None or self.people[seat] != DEFAULT_NAME or any(look_alike(name, other or "") for other in taken):
            return False
        self._saved.table.seats.rename(seat, name)
        return True

    # What people see

    def name_of(self, session: Session) -> str | None:
        """Return somebody's name at this table; None for a guest who has not given one."""
        return self._services.name if session.is_owner else session.name

    def faces(self) -> list[str | None]:
        """Return the face of each person who plays, by seat."""
        settings = {seat: self._services.settings_by(holder) for seat, holder in self.holders.items()}
        return faces_at(self.people, {seat: one.get(FACE) for seat, one in settings.items()})

    def is_free(self, seat: Seat, session: Session) -> bool:
        """May this person sit down here?"""
        return self._is_vacant(seat, session) and not self._saved.table.over

    def _is_vacant(self, seat: Seat, session: Session) -> bool:
        """Tell whether a bot plays here and the seat isn't kept for another person, or nobody can come back to it."""
        if seat not in self.holders:
            return True
        return self.people[seat] is None and self.holders[seat] == session.id

    def lobby(self, session: Session) -> dict:
        """Return who sits where, without cards."""
        table = self._saved.table
        seats = [self._place(seat, session) for seat in range(NUM_SEATS)]
        rules = {"rules": str(table.rules), "title": rule_title(table.rules)}
        return rules | {"over": table.over, "name": self.name_of(session), "seats": seats}

    def _place(self, seat: Seat, session: Session) -> dict:
        yours = self.holders.get(seat) == session.id
        return {
            "seat": seat,
            "name": SEATS[seat],
            "who": self._saved.table.seats.name(seat),
            "side": self._saved.table.rules.side(seat),
            "person": self.people[seat] is not None,
            "free": self._is_vacant(seat, session),
            "yours": yours,
        }

    def kept_for(self, seat: Seat, session: Session) -> str | None:
        """Return the name of the person who has left this seat to its bot; None if nobody has."""
        table, holder = self._saved.table, self.holders.get(seat)
        if holder is None or self.people[seat] is not None or table.over:
            return None
        name = self._services.name if holder == OWNER else self._sessions.guest_names(table.key).get(holder)
        return name and session.shown_name(name)
