"""Who may come in: the owner with a key, guests with a table's link. Saved in one file that only its owner may read.

    sessions = Sessions(folder)         the owner's key and the guests' cookies survive restarts
    sessions.by_cookie(value)           → Session, or None
    sessions.invite(table_key)          → the code at the end of a link
    sessions.join(table_key)            → a new guest's cookie, to be saved before anybody has it

The owner's cookie is derived from the key and an epoch. A new epoch makes it invalid in every browser; the key stays.
A guest's cookie is `id.token`; only a hash of the token is saved. The file also says who holds which seat, even one
that they have left, and whose seat a bot plays until they come back.

The file is read once and then written whole. `lock_folder` keeps a second server from doing the same.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

from spades_env.game.cards import Seat
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.session_file import OWNER, as_text, read_file, write_file
from spades_env.play.store.settings import DEFAULT_NAME
from spades_env.play.texts import text
from spades_env.play.warning import warn

FILE = "server.json"
HOST = "Host"  # what guests read instead of DEFAULT_NAME
GUESTS_A_TABLE = 24
OWNER_COOKIE = "the owner's cookie"  # what the key proves by it


@dataclass
class Session:
    """The owner, or a guest. table: the only one that a guest may see; proof: the hash of a guest's token."""

    id: str
    table: str | None = None
    name: str | None = None
    proof: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def is_owner(self) -> bool:
        """Is this the person who started the server?"""
        return self.id == OWNER

    def shown_name(self, name: str) -> str:
        """Return a name at the table as this person reads it."""
        return HOST if name == DEFAULT_NAME and not self.is_owner else name


class Sessions:
    """Everybody who may come in."""

    def __init__(self, folder: Path, say: Callable[[str], None] = warn):
        """say: is called with a sentence if the file is damaged."""
        self.path = folder / FILE
        self.owner = Session(OWNER)
        parts = read_file(self.path, say)
        self.key: str = parts.get("key") or secrets.token_urlsafe(24)
        self._epoch: str = parts.get("epoch") or secrets.token_hex(8)
        self.invites: dict[str, str] = parts.get("invites", {})  # code → table
        self.guests = {guest["id"]: Session(**guest) for guest in parts.get("guests", [])}
        self._seats: dict[str, dict[str, str]] = parts.get("seats", {})  # table → seat → session
        self._away: dict[str, list[str]] = parts.get("away", {})  # table → sessions whose seats a bot plays meanwhile
        self._numbers, self._written, self._writing = count(1), 0, Lock()
        self.write()

    def by_cookie(self, cookie: str | None) -> Session | None:
        """Return the session that a cookie belongs to."""
        if not cookie or not cookie.isascii():
            return None
        if hmac.compare_digest(cookie, self.owner_cookie):
            return self.owner
        guest_id, _, token = cookie.partition(".")
        guest = self.guests.get(guest_id)
        return guest if guest and hmac.compare_digest(_hash(token), guest.proof) else None

    def is_key(self, key: str) -> bool:
        return key.isascii() and hmac.compare_digest(key, self.key)

    @property
    def owner_cookie(self) -> str:
        proof = hmac.new(self.key.encode(), f"{OWNER_COOKIE} {self._epoch}".encode(), hashlib.sha256)
        return f"{OWNER}.{proof.hexdigest()}"

    def sign_out(self, session: Session) -> None:
        """Make the cookies that somebody has invalid, in every browser."""
        with self._change():
            if session.is_owner:
                self._epoch = secrets.token_hex(8)
            else:
                self.guests.pop(session.id, None)

    def knows(self, session: Session) -> bool:
        """Tell whether somebody may still come in: they were not removed meanwhile."""
        return session.is_owner or session.id in self.guests

    # Guests

    def invite(self, table: str) -> str:
        """Return the code of a table's link, always the same."""
        code = next((code for code, key in self.invites.items() if key == table), None)
        if code is None:
            code = secrets.token_urlsafe(12)
            with self._change():
                self.invites[code] = table
        return code

    def revoke(self, table: str) -> None:
        """End a table's link. Its guests stay."""
        with self._change():
            self.invites = self._invites_but(table)

    def _invites_but(self, table: str) -> dict[str, str]:
        return {code: key for code, key in self.invites.items() if key != table}

    def join(self, table: str, here: Collection[str] = ()) -> str:
        """Return a cookie for a new guest of a table; the caller saves the file before anybody gets it.

        here: sessions with an open page. If there are too many guests, the first one makes room who is not among them
        and has neither a name nor a seat.
        """
        guests = self.guests_of(table)
        if len(guests) >= GUESTS_A_TABLE:
            stay = {*here, *self._seats.get(table, {}).values()}
            idle = next((guest.id for guest in guests if guest.name is None and guest.id not in stay), None)
            if idle is None:
                raise RefusedError(text("error.guests_full"))
            del self.guests[idle]
        guest_id, token = secrets.token_hex(6), secrets.token_urlsafe(24)
        self.guests[guest_id] = Session(guest_id, table, proof=_hash(token))
        return f"{guest_id}.{token}"

    def put_out(self, guest: Session) -> None:
        """Remove a guest with their seat, and the link, by which they could come in again."""
        with self._change():
            del self.guests[guest.id]
            self.invites = self._invites_but(guest.table or "")

    def guests_of(self, table: str) -> list[Session]:
        """Return a table's guests, in the order in which they came."""
        return [guest for guest in self.guests.values() if guest.table == table]

    def guest_names(self, table: str) -> dict[str, str]:
        return {guest.id: guest.name for guest in self.guests_of(table) if guest.name}

    # Seats

    def holders(self, table: str) -> dict[Seat, str]:
        """Return whose seats these are. A seat whose session is gone is nobody's."""
        seats = self._seats.get(table, {}).items()
        return {int(seat): session for seat, session in seats if session == OWNER or session in self.guests}

    def set_holders(self, table: str, holders: dict[Seat, str]) -> None:
        if holders != self.holders(table):
            with self._change():
                self._seats[table] = {str(seat): session for seat, session in holders.items()}

    def move(self, table: str, to: str, holders: dict[Seat, str]) -> None:
        """Move a table's guests and its link to another table, where these sessions hold seats."""
        guests = self.guests_of(table)
        for guest in guests:
            guest.table = to
        try:
            with self._change():
                self.invites = {code: to if key == table else key for code, key in self.invites.items()}
                self._seats[to] = {str(seat): session for seat, session in holders.items()}
                self._away[to] = list(self._away.get(table, []))
        except RefusedError:
            for guest in guests:
                guest.table = table
            raise

    def is_invited(self, table: str) -> bool:
        """Is there a link to this table?"""
        return table in self.invites.values()

    def is_away(self, table: str, session: str) -> bool:
        """Tell whether a bot plays for somebody until they come back."""
        return session in self._away.get(table, [])

    def set_away(self, table: str, session: str, away: bool) -> None:
        others = [other for other in self._away.get(table, []) if other != session]
        with self._change():
            self._away[table] = [*others, session] if away else others

    def forget(self, table: str) -> None:
        """Remove a table with its links and guests, in memory even if the file cannot be written."""
        self.invites = self._invites_but(table)
        self.guests = {guest.id: guest for guest in self.guests.values() if guest.table != table}
        self._seats.pop(table, None)
        self._away.pop(table, None)
        self.write()

    def forget_all_but(self, tables: set[str]) -> None:
        known = {*self._seats, *self._away, *self.invites.values(), *(guest.table for guest in self.guests.values())}
        for table in known - tables:
            self.forget(str(table))

    # The file

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Save the changes made in the block, or undo them if the disk refuses."""
        before = self._epoch, dict(self.invites), dict(self.guests), dict(self._seats), dict(self._away)
        try:
            yield
            self.write()
        except RefusedError:
            self._epoch, self.invites, self.guests, self._seats, self._away = before
            raise

    def write(self) -> None:
        """Write the file; RefusedError if the disk refuses."""
        self.writer()()

    def writer(self, lasting: bool = True) -> Callable[[], None]:
        """Return a function that writes the file as things are now, for another thread. It overwrites nothing later.

        lasting: even a power cut takes nothing back, which needs a second sync.
        """
        parts = {
            "key": self.key,
            "epoch": self._epoch,
            "invites": self.invites,
            "guests": [vars(guest) for guest in self.guests.values()],
            "seats": self._seats,
            "away": self._away,
        }
        content, number = as_text(parts), next(self._numbers)

        def write() -> None:
            with self._writing:
                if number > self._written:
                    write_file(self.path, content, lasting)
                    self._written = number

        return write


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
