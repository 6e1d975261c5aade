"""Keeps a folder to one process. The system ends a lock with the process that holds it, even when that is killed.

    lock = FolderLock(folder, "run.lock", "{folder} is in use by {holder}")    InUseError if it is locked already
    lock.close()                                                               let others have it

The file names the process that holds the lock, or held it last; it is the lock that counts, not the file.
"""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from spades_env.errors import SpadesError

if sys.platform == "win32":
    import msvcrt
elif sys.platform != "emscripten":  # a web page has no other processes, and no fcntl
    import fcntl

BEHIND = 1 << 30  # a place behind the name: on Windows nobody else can read what is locked


class InUseError(SpadesError):
    """The folder is locked already; the message says what to do."""


class FolderLock:
    """The lock of a folder, from its making until it is closed or dropped.

    refusal: what InUseError says, with {folder} and {holder}
    """

    def __init__(self, folder: Path, name: str, refusal: str):
        folder.mkdir(parents=True, exist_ok=True)
        self._file = open(folder / name, "ab+", buffering=0)  # noqa: SIM115
        if not _take(self._file.fileno()):
            self._file.seek(0)
            holder = self._file.read(1000).decode(errors="replace").strip() or "another process"
            self.close()
            raise InUseError(refusal.format(folder=folder, holder=holder))
        with suppress(OSError):  # a full disk: the name is for people only
            self._file.truncate(0)
            self._file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())

    def close(self) -> None:
        """Let others have the folder."""
        self._file.close()

    def __del__(self):
        if hasattr(self, "_file"):
            self.close()


def _take(handle: int) -> bool:
    """Lock a file, and return whether nobody else has it; some network drives have no locks."""
    try:
        if sys.platform == "win32":
            os.lseek(handle, BEHIND, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        elif sys.platform != "emscripten":
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass
    return True
