"""The files that a page keeps: the store's, and levels of the person's own.

They lie in FOLDER, in memory, and in the browser's database (kept.js): `Keeper` brings changes there, and takes them
back if that fails. A file of games from elsewhere is checked whole by `unpacked` before it replaces anything.
"""

import asyncio
import io
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from spades_env.agents import AgentError
from spades_env.agents.network.level import Level
from spades_env.play.server.errors import RefusedError
from spades_env.play.store.database import FILE, Store
from spades_env.play.store.opening import ADVICE, StoreError
from spades_env.play.texts import text

FOLDER = Path("/data")
LEVELS = Path("levels")  # of the person's own, in FOLDER
TRIAL = Path("/trial")
OURS = re.compile(r"spades\.db(-wal)?|levels/[^/]+\.safetensors")  # as in kept.js
SESSIONS = "server.json"  # who may come in; never a part of an export
COUNTER = slice(24, 28)  # of changes, in an SQLite file
LARGEST = 200 << 20  # bytes of an import
NO_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)
FULL = "QuotaExceededError"

Files = Mapping[str, bytes | None]  # by name; None removes a file
Keep = Callable[[Files], Awaitable[str]]


class NotKeptError(RefusedError):
    """The browser did not keep a change. why: FULL, or its own words."""

    def __init__(self, why: str):
        super().__init__(text("error.unsaved", why=text("site.full") if why == FULL else why))


class Keeper:
    """Copies changed files to the browser's database.

    keep: makes changes there, all or none; returns why not, or nothing. busy: held by whoever changes files until they
    are kept.
    """

    def __init__(self, keep: Keep):
        self._keep, self.busy = keep, asyncio.Lock()
        self._marks = _marks()
        self._kept = {name: _read(name) for name in self._marks}

    async def save(self) -> None:
        """Keep what has changed; NotKeptError if that fails."""
        marks = _marks()
        names = [name for name in marks.keys() | self._marks.keys() if marks.get(name) != self._marks.get(name)]
        changes = {name: _read(name) if name in marks else None for name in names}
        if changes and (why := await self._keep(changes)):
            raise NotKeptError(why)
        self._marks = marks
        self._kept = {name: content for name, content in (self._kept | changes).items() if content is not None}

    def restore(self) -> None:
        """Make the files what they are in the browser's database."""
        for name in _marks().keys() - self._kept.keys():
            (FOLDER / name).unlink()
        write_files(FOLDER, self._kept)
        self._marks = _marks()


def _marks() -> dict[str, tuple]:
    """Return what changes whenever a file does."""
    found = {}
    for path in FOLDER.rglob("*"):
        name = path.relative_to(FOLDER).as_posix()
        if OURS.fullmatch(name) or name == SESSIONS:
            about = path.stat()
            with path.open("rb") as file:
                start = file.read(COUNTER.stop)
            found[name] = about.st_size, about.st_mtime_ns, start[COUNTER]
    return found


def _read(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files that are not there already."""
    (folder / LEVELS).mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        if not (path.exists() and path.read_bytes() == content):
            path.write_bytes(content)


# What comes from elsewhere


def unpacked(content: bytes) -> dict[str, bytes]:
    """Return the files of an export by name, if all of them can be used; RefusedError says why not."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found = [one for one in archive.infolist() if OURS.fullmatch(one.filename)]
            if sum(one.file_size for one in found) > LARGEST:
                raise RefusedError(text("site.too_large"))
            files = {one.filename: archive.read(one) for one in found}
    except RefusedError:
        raise
    except NO_ZIP:
        files = {}
    if FILE not in files:
        raise RefusedError(text("site.no_export"))
    shutil.rmtree(TRIAL, ignore_errors=True)
    write_files(TRIAL, files)
    _try(files)
    return files


def _try(files: Mapping[str, bytes]) -> None:
    """Open each of the files in TRIAL."""
    try:
        with Store(TRIAL) as store:
            if not store.sittings():
                raise RefusedError(text("site.no_games"))
        for name in files.keys() - {FILE, f"{FILE}-wal"}:
            Level.read(TRIAL / name)
    except (StoreError, AgentError) as error:
        raise RefusedError(text("site.bad_file", why=plain(error))) from None


def plain(error: Exception) -> str:
    """Return an error without what helps only where files have paths."""
    return re.sub(f"({FOLDER}|{TRIAL})/|[:;] {re.escape(ADVICE)}", "", str(error))
