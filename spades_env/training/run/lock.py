"""Keeps a folder to one process. The system ends a lock with the process that holds it, even when that is killed.

    lock_folder(folder)      make the folder if needed; InUseError if another process has locked it
    unlock_folder(folder)    let others have it

The file `run.lock` names the process that holds the lock, or held it last; it is the lock that counts, not the file.
"""

import os
import socket
import sys
from io import FileIO
from pathlib import Path

from spades_env.agents.atomic_files import naming
from spades_env.errors import SpadesError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK = "run.lock"
BEHIND = 1 << 30  # a place behind the name: on Windows nobody else can read what is locked

_locked: dict[Path, FileIO] = {}


class InUseError(SpadesError):
    """Another process writes to the folder; the message names it."""


def lock_folder(folder: Path) -> None:
    """Lock a folder for this process until it unlocks it or ends."""
    if folder.resolve() in _locked:
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOCK
    file = open(path, "ab+", buffering=0)  # noqa: SIM115
    if not _take(file.fileno()):
        with file:
            file.seek(0)
            holder = file.read().decode().strip() or "another process"
        raise InUseError(f"{folder} is in use by {holder}: wait until that ends, or name another folder with --out")
    _locked[folder.resolve()] = file
    with naming(path):
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n".encode())


def unlock_folder(folder: Path) -> None:
    """Unlock a folder if this process has locked it."""
    if file := _locked.pop(folder.resolve(), None):
        file.close()


def _take(handle: int) -> bool:
    """Lock a file, and return whether no other process has it; some network drives have no locks."""
    try:
        if sys.platform == "win32":
            os.lseek(handle, BEHIND, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass
    return True
