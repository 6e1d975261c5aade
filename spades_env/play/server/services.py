"""What rooms and requests share: the store, the sessions, the settings, the limits, and the threads that work for them.

think    bots; a thread for each core
work     what the server needs by itself (the champion's daily game); one thread, in steps
write    the store; one thread
set_up   new tables; threads of their own, so a page that opens doesn't wait for a bot to move

What people ask for is computed in `computing`.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from spades_env.folder_lock import FolderLock
from spades_env.play.lessons.drills import Drill
from spades_env.play.private_files import create_private, make_private
from spades_env.play.server.computing import Computing
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.limits import Limits, TokenBuckets
from spades_env.play.server.sessions import OWNER, Session, Sessions
from spades_env.play.store.database import LOCK, Store, data_folder
from spades_env.play.store.settings import DEFAULT_NAME, NAME
from spades_env.play.table.choices import default_adviser
from spades_env.play.texts import Text, text
from spades_env.play.threads import in_thread, threads
from spades_env.play.warning import warn

IN_USE = "another server keeps its games in {folder}: open its address, or choose another folder with --data DIR"

T = TypeVar("T")


class Services:
    """What one server has besides its rooms.

    extra_bots: agents to choose from besides the usual ones; adviser: the agent that gives hints and reviews, None for
    the strongest.
    """

    def __init__(
        self,
        folder: Path | None = None,
        limits: Limits | None = None,
        extra_bots: tuple[str, ...] = (),
        adviser: str | None = None,
    ):
        folder = Path(folder or data_folder())
        self._lock = _locked(folder)
        self.store = Store(folder, warn)
        self.store.check()
        self.sessions = Sessions(folder, warn)
        self.sessions.forget_all_but({sitting.key for sitting in self.store.unfinished()})
        self.settings: dict[str, Any] = self.store.settings.all()
        self.limits, self.extra_bots = limits or Limits(), extra_bots
        self.drills: dict[str, Drill] = {}  # by session: the one that waits for an answer
        self.messages = TokenBuckets(self.limits.rate, self.limits.burst)  # by session
        self.opening_daily = asyncio.Lock()
        self.computing = Computing(max(2, os.cpu_count() or 1))
        self._adviser = adviser
        self._thinkers = threads("thinker", os.cpu_count() or 1)
        self._openers = threads("opener")
        self._worker = threads("worker", 1)
        self._writer = threads("writer", 1)

    @property
    def name(self) -> str:
        """The owner's name."""
        return self.settings.get(NAME, DEFAULT_NAME)

    @property
    def adviser(self) -> str:
        """Who gives hints and reviews."""
        return self._adviser or default_adviser()

    def words(self, error: Exception | str) -> str:
        """Return an error as a sentence, without the path of the folder, which guests need not know."""
        words = next(iter(error.args), "") if isinstance(error, Exception) else error
        if isinstance(words, Text):
            return words
        words = str(error)
        return (words[:1].upper() + words[1:]).replace(f"{self.store.path.parent}{os.sep}", "")

    async def think(self, function: Callable[[], T]) -> T:
        return await in_thread(function, pool=self._thinkers)

    async def set_up(self, function: Callable[[], T]) -> T:
        return await in_thread(function, pool=self._openers)

    async def work(self, function: Callable[[], T]) -> T:
        return await in_thread(function, pool=self._worker)

    async def write(self, function: Callable[[], T]) -> T:
        """Read or write the store; RefusedError if the disk refuses."""
        try:
            return await in_thread(function, pool=self._writer)
        except sqlite3.Error as error:
            raise RefusedError(text("error.unsaved", why=str(error))) from None

    async def write_sessions(self, lasting: bool = True) -> None:
        """Write the file of sessions like the store: a page without a server keeps what has changed only here."""
        await self.write(self.sessions.writer(lasting))

    def settings_of(self, session: Session) -> dict[str, Any]:
        return self.settings if session.is_owner else session.settings

    def settings_by(self, holder: str) -> dict[str, Any]:
        """Return the settings of a session by its id; none if it is gone."""
        guest = self.sessions.guests.get(holder)
        return self.settings if holder == OWNER else guest.settings if guest else {}

    async def set(self, session: Session, name: str, value: Any) -> None:
        """Save a setting: the owner's in the store, a guest's in the session."""
        if session.is_owner:
            await self.write(lambda: self.store.settings.set(name, value))
        self.settings_of(session)[name] = value
        if not session.is_owner:
            await self.write_sessions()

    async def rename(self, name: str) -> None:
        await self.write(lambda: self.store.rename(name))
        self.settings[NAME] = name

    def close(self) -> None:
        """Take no more work. Wait only for what is being written."""
        for pool in (self._thinkers, self._openers, self._worker, self._writer):
            pool.shutdown(wait=pool is self._writer, cancel_futures=True)
        self.computing.close()
        self.store.close()
        self._lock.close()


def _locked(folder: Path) -> FolderLock:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    create_private(folder / LOCK)
    make_private(folder / LOCK)
    return FolderLock(folder, LOCK, IN_USE)
