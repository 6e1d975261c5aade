"""Who may come in: the owner by a key, guests by a table's link. Kept in one file that only the owner of it may read.

    sessions = Sessions(folder)         the owner's key survives restarts, guests' cookies too
    sessions.by_cookie(value)           → Session, or None
    sessions.invite(table_key)          the word that a link ends with
    sessions.join(table_key)            → a new guest's cookie

A guest's cookie is `id.token`; of the token only a hash is kept. Who holds which seat is kept here as well: a seat that
was left belongs to its holder until the host frees it. So is who is only away,
and has the own seat again by coming back.

The file is read once and then written whole: `only_server` sees to it that no second server does the same.
"""

import hashlib
import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.files import sync_folder
from play.server.refusals import RefusedError
from spades_env.cards import Seat

FILE = "server.json"
LOCK = "server.lock"
OWNER = "owner"
DEFAULT_NAME, OTHERS_READ = "You", "Host"  # the owner's, before there is another one
FORMAT = 1
GUESTS_A_TABLE = 24


@dataclass
class Session:
    """Somebody who has come in. table: the only one that a guest may see; proof: the hash of a guest's token."""

    id: str
    table: str | None = None
    name: str | None = None
    proof: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def is_owner(self) -> bool:
        """Is this who started the server?"""
        return self.id == OWNER

    def reads(self, name: str) -> str:
        """A name at the table as this person reads it."""
        return OTHERS_READ if name == DEFAULT_NAME and not self.is_owner else name


def only_server(folder: Path) -> sqlite3.Connection:
    """Makes us the only server of a folder until this is closed, or the program ends, however it does.

    An empty database is locked: systems lock files in different ways, and SQLite knows them all.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise RefusedError(f"{folder / LOCK} cannot be opened: {error}") from None
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if "locked" not in str(error):
            raise RefusedError(f"{folder / LOCK} cannot be locked: {error}") from None
        raise RefusedError(
            f"another server keeps its games in {folder}: choose another folder with --data DIR"
        ) from None
    return lock


class Sessions:
    """All who may come in."""

    def __init__(self, folder: Path):
        self.path = folder / FILE
        self.owner = Session(OWNER)
        told = self._read()
        self.key: str = told.get("key") or secrets.token_urlsafe(24)
        self.invites: dict[str, str] = told.get("invites", {})  # word → table
        self.guests = {one["id"]: Session(**one) for one in told.get("guests", [])}
        self._seats: dict[str, dict[str, str]] = told.get("seats", {})  # table → seat → session
        self._away: dict[str, list[str]] = told.get("away", {})  # table → sessions whose seats a bot plays meanwhile
        self.write()

    def by_cookie(self, cookie: str | None) -> Session | None:
        """Whose cookie this is."""
        if not cookie or not cookie.isascii():
            return None
        if hmac.compare_digest(cookie, self.key):
            return self.owner
        guest_id, _, token = cookie.partition(".")
        guest = self.guests.get(guest_id)
        return guest if guest and hmac.compare_digest(_hash(token), guest.proof) else None

    def is_key(self, key: str) -> bool:
        """Is this the owner's key?"""
        return key.isascii() and hmac.compare_digest(key, self.key)

    # Guests

    def invite(self, table: str) -> str:
        """The word of a table's link; the same one for as long as the table is open."""
        word = next((word for word, key in self.invites.items() if key == table), None)
        if word is None:
            word = secrets.token_urlsafe(12)
            with self._change():
                self.invites[word] = table
        return word

    def join(self, table: str) -> str:
        """A cookie for a new guest of a table."""
        guest_id, token = secrets.token_hex(6), secrets.token_urlsafe(24)
        with self._change():
            self._make_room(table)
            self.guests[guest_id] = Session(guest_id, table, proof=_hash(token))
        return f"{guest_id}.{token}"

    def _make_room(self, table: str) -> None:
        """Of too many guests, the first that has no name makes room for another one."""
        here = [guest for guest in self.guests.values() if guest.table == table]
        if len(here) >= GUESTS_A_TABLE:
            nameless = next((guest for guest in here if guest.name is None), None)
            if nameless is None:
                raise RefusedError("This table has as many guests as it can have")
            del self.guests[nameless.id]

    def names(self, table: str) -> dict[str, str]:
        """The names of a table's guests, by session."""
        return {one.id: one.name for one in self.guests.values() if one.table == table and one.name}

    # Seats

    def holders(self, table: str) -> dict[Seat, str]:
        """Who holds which seat, by session."""
        return {int(seat): session for seat, session in self._seats.get(table, {}).items()}

    def hold(self, table: str, seats: dict[Seat, str]) -> None:
        """Keep who holds which seat."""
        with self._change():
            self._seats[table] = {str(seat): session for seat, session in seats.items()}

    def is_away(self, table: str, session: str) -> bool:
        """Does a bot play for somebody until the page is open again?"""
        return session in self._away.get(table, [])

    def set_away(self, table: str, session: str, away: bool) -> None:
        """Keep whether it does."""
        others = [one for one in self._away.get(table, []) if one != session]
        with self._change():
            self._away[table] = [*others, session] if away else others

    def forget(self, table: str) -> None:
        """The table is no more: neither are its links and its guests, even if the file still tells them."""
        self.invites = {word: key for word, key in self.invites.items() if key != table}
        self.guests = {one.id: one for one in self.guests.values() if one.table != table}
        self._seats.pop(table, None)
        self._away.pop(table, None)
        self.write()

    def keep(self, tables: set[str]) -> None:
        """Of all other tables nothing is kept."""
        known = {*self._seats, *self._away, *self.invites.values(), *(guest.table for guest in self.guests.values())}
        for table in known - tables:
            self.forget(str(table))

    # The file

    @contextmanager
    def _change(self) -> Iterator[None]:
        """What cannot be written has not happened."""
        before = dict(self.invites), dict(self.guests), dict(self._seats), dict(self._away)
        try:
            yield
            self.write()
        except RefusedError:
            self.invites, self.guests, self._seats, self._away = before
            raise

    def _read(self) -> dict:
        try:
            told = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            told = None
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise RefusedError(f"{self.path} cannot be read: delete it, and every link and cookie has to be made anew")
        return told

    def write(self) -> None:
        """All of it to the file, at one stroke; RefusedError where the disk refuses."""
        told = {
            "format": FORMAT,
            "key": self.key,
            "invites": self.invites,
            "guests": [vars(guest) for guest in self.guests.values()],
            "seats": self._seats,
            "away": self._away,
        }
        try:
            self._replace_by(json.dumps(told))
        except OSError as error:
            raise RefusedError(f"It could not be kept, so it has not happened: {error}") from None

    def _replace_by(self, text: str) -> None:
        part = self.path.with_name(self.path.name + ".part")
        part.unlink(missing_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave the new name on an empty file
        os.replace(part, self.path)
        sync_folder(self.path.parent)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
