"""The server of play/server in a web page, for one person: messages come from JavaScript instead of a WebSocket.

What it keeps lies in FOLDER, in memory. JavaScript has a copy of the files in the browser's database, and a message
leaves only after every change before it is there too. So a tab may be closed at any moment.
"""

import asyncio
import io
import os
import shutil
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from agents import AgentError
from agents.network.level import Level
from play.server.connection import Connection
from play.server.limits import Limits
from play.server.requests.page import REQUESTS, begin
from play.server.server import Server
from play.server.sessions import OWNER, Session
from play.store.database import FILE, Store
from play.store.opening import StoreError
from play.texts import text, to_json

FOLDER = Path("/data")
LEVELS = Path("levels")  # of the person's own, in FOLDER
COUNTER = slice(24, 28)  # of changes, in an SQLite file
REBUILT = "-shm"  # SQLite's index of its log, rebuilt at every start
NO_LIMITS = Limits(rate=1e9, burst=10**9, message=1 << 20)
LARGEST = 200 << 20  # bytes of an import

Keep = Callable[[str, bytes | None], Awaitable[None]]


class Keeper:
    """Copies changed files to the browser's database. keep: stores a file by its name; without content, removes it."""

    def __init__(self, keep: Keep):
        self._keep, self._kept, self._busy = keep, self._marks(), asyncio.Lock()

    async def save(self) -> None:
        async with self._busy:
            marks = self._marks()
            for name in sorted(marks.keys() | self._kept.keys()):
                if marks.get(name) != self._kept.get(name):
                    await self._keep(name, (FOLDER / name).read_bytes() if name in marks else None)
            self._kept = marks

    def _marks(self) -> dict[str, tuple]:
        """Return what changes whenever a file does."""
        found = {}
        for path in FOLDER.rglob("*"):
            if path.is_file() and not path.name.endswith(REBUILT):
                about = path.stat()
                with path.open("rb") as file:
                    start = file.read(COUNTER.stop)
                found[path.relative_to(FOLDER).as_posix()] = about.st_size, about.st_mtime_ns, start[COUNTER]
        return found


class Line:
    """The connection of a page; `push` and `hang_up` are called by JavaScript."""

    def __init__(self, tell: Callable[[str], None], keeper: Keeper):
        self._tell, self._keeper = tell, keeper
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def receive(self) -> dict[str, Any]:
        return await self._in.get()

    async def send_text(self, data: str) -> None:
        await self._keeper.save()
        self._tell(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self.hang_up()

    def push(self, text: str) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text": text})

    def hang_up(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect"})


class Page:
    """The one server of a page. JavaScript calls `connect`, and the rest for the menu's own entries."""

    def __init__(self, keep: Keep):
        os.chdir(FOLDER)
        own = tuple(f"./{path}" for path in sorted(LEVELS.glob("*.safetensors")))
        self.keeper = Keeper(keep)
        self._server = Server(FOLDER, limits=NO_LIMITS, extra_bots=own)
        self._tasks = [asyncio.ensure_future(self._server.run())]

    def connect(self, tell: Callable[[str], None]) -> Line:
        line = Line(tell, self.keeper)
        connection = Connection(line, Session(OWNER), self._server, REQUESTS, begin)
        self._tasks.append(asyncio.ensure_future(connection.run()))
        return line

    async def add_level(self, name: str, content: Any) -> str:
        """Keep a level of the person's own; return what is wrong with it, in JSON."""
        path = LEVELS / Path(name).name
        LEVELS.mkdir(exist_ok=True)
        before = path.read_bytes() if path.exists() else None
        path.write_bytes(content.to_bytes())
        try:
            Level.read(path)
        except AgentError as error:
            path.unlink()
            if before is not None:
                path.write_bytes(before)
            return to_json({"error": str(error)})
        await self.keeper.save()
        return ""

    def export(self) -> bytes:
        """Return all that is kept, as a zip file."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in [*_store_files(), *sorted(LEVELS.glob("*"))]:
                archive.write(path)
        return packed.getvalue()

    async def import_all(self, content: Any) -> str:
        """Keep what `export` has given in place of all that is here; return what is wrong with it, in JSON."""
        try:
            files = _unpacked(content.to_bytes())
        except (zipfile.BadZipFile, StoreError, KeyError, ValueError) as error:
            return to_json({"error": text("site.no_export", why=str(error))})
        await self._server.shut()
        for path in [path for path in FOLDER.rglob("*") if path.is_file()]:
            path.unlink()
        for name, data in files.items():
            (FOLDER / name).parent.mkdir(exist_ok=True)
            (FOLDER / name).write_bytes(data)
        await self.keeper.save()
        return ""


def _store_files() -> list[Path]:
    """Return the store's file, and SQLite's log of what is not in it yet."""
    return [path for path in (Path(FILE), Path(f"{FILE}-wal")) if path.exists()]


def _unpacked(content: bytes) -> dict[str, bytes]:
    """Return the files of an export by name; the store must be one that opens."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(one.file_size for one in archive.infolist()) > LARGEST:
            raise ValueError("it is too large")
        known = [name for name in archive.namelist() if name in (FILE, f"{FILE}-wal") or Path(name).parent == LEVELS]
        files = {name: archive.read(name) for name in known}
    trial = Path("/trial")
    shutil.rmtree(trial, ignore_errors=True)
    (trial / LEVELS).mkdir(parents=True)
    if FILE not in files:
        raise ValueError(f"there is no {FILE} in it")
    for name, data in files.items():
        (trial / name).write_bytes(data)
    Store(trial).close()
    return files


def started(keep: Callable[[str, Any], Awaitable[None]]) -> Page:
    """Start the server with JavaScript's way to keep a file."""
    from pyodide.ffi import to_js  # pyright: ignore[reportMissingImports]

    return Page(lambda name, content: keep(name, None if content is None else to_js(content)))
