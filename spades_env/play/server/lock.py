"""The lock that keeps a folder to one server.

An empty database is locked: systems lock files in different ways, and SQLite knows them all.
"""

import sqlite3
from pathlib import Path

from spades_env.play.private_files import create_private, make_private
from spades_env.play.server.errors import RefusedError
from spades_env.play.server.session_file import rename_damaged

LOCK = "server.lock"


def lock_folder(folder: Path) -> sqlite3.Connection:
    """Lock a folder until the connection is closed or the program ends, even by a kill."""
    path = folder / LOCK
    try:
        return _locked(path)
    except sqlite3.DatabaseError:
        rename_damaged(path)  # it held nothing that anybody needs
        return _locked(path)


def _locked(path: Path) -> sqlite3.Connection:
    """Create this file if there is none, and lock it; sqlite3.DatabaseError if it is no database."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        create_private(path)
        make_private(path, path.with_name(path.name + "-journal"))
        lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise RefusedError(f"{path} cannot be opened: {error}") from None
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if "not a database" in str(error):
            raise
        if "locked" not in str(error):
            raise RefusedError(f"{path} cannot be locked: {error}") from None
        raise RefusedError(
            f"another server keeps its games in {path.parent}: "
            "open its address, or choose another folder with --data DIR"
        ) from None
    return lock
