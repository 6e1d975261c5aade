"""Opens the store's file after checking that it is ours, undamaged, and of this version.

A file may come from a stranger, so triggers and views are refused before anything could run them. Damaged indices are
rebuilt, which loses nothing. A file with damaged pages is refused and left unchanged.
"""

import re
import sqlite3
from pathlib import Path

from spades_env.errors import SpadesError
from spades_env.play.private_files import create_private, make_private
from spades_env.play.store.rows import as_text
from spades_env.play.store.schema import MARK, SCHEMA, create, lacks_tables

ERRORS = (sqlite3.Error, UnicodeDecodeError)  # the latter where SQLite's messages quote damaged text
ADVICE = "nothing was changed; move the file elsewhere to begin with a new one"
OF_A_ROW = re.compile(r"(NULL|NUMERIC|TEXT|non-\w+) value in ")  # then its checksum is wrong, too
OF_AN_INDEX = re.compile(
    r"row \d+ (missing from|values differ from) index |wrong # of entries in index |non-unique entry in index "
)


class StoreError(SpadesError):
    """The store refuses something; the message says why in one sentence."""


def open_database(path: Path) -> sqlite3.Connection:
    """Open a store's file, readable by its owner alone. It is created if needed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        create_private(path)
        db = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path} cannot be opened: {error}") from None
    try:
        _prepare(db, path)
    except (*ERRORS, StoreError) as error:
        db.close()
        raise error if isinstance(error, StoreError) else _refusal(path, error) from None
    make_private(path, *(path.with_name(path.name + end) for end in ("-wal", "-shm")))
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    db.text_factory = as_text
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    mark, schema = (_one(db, f"PRAGMA {name}") for name in ("application_id", "user_version"))
    if mark != MARK and not _is_empty(db):
        raise StoreError(f"{path} is a database of another program")
    if schema != SCHEMA and not _is_empty(db):
        raise StoreError(f"{path} was written by another version: its schema is {schema}, not {SCHEMA}; {ADVICE}")
    for kind, name in db.execute("SELECT type, name FROM sqlite_schema WHERE type NOT IN ('table', 'index')"):
        raise StoreError(f"{path} contains the {kind} {name!r}, and only tables and indices are allowed: {ADVICE}")
    indices_only = _check_pages(db, path)
    db.execute("PRAGMA journal_mode = WAL")
    if indices_only:
        db.execute("REINDEX")
    if _is_empty(db):
        _create(db)
    if lacks_tables(db):
        raise StoreError(f"{path} is damaged: its tables are not those of version {SCHEMA}; {ADVICE}")


def _check_pages(db: sqlite3.Connection, path: Path) -> bool:
    """Refuse a file with damaged pages; return whether its indices are damaged, which can be rebuilt."""
    found = [str(line) for (line,) in db.execute("PRAGMA integrity_check")]
    serious = [line for line in found if line != "ok" and not OF_A_ROW.match(line)]
    for line in serious:
        if not OF_AN_INDEX.match(line):
            raise StoreError(f"{path} is damaged ({' '.join(line.split())}): {ADVICE}")
    return bool(serious)


def _create(db: sqlite3.Connection) -> None:
    """Create the tables in one transaction, unless another program has done so meanwhile."""
    db.execute("PRAGMA synchronous = FULL")
    db.execute("BEGIN IMMEDIATE")
    try:
        if _is_empty(db):
            create(db)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _refusal(path: Path, error: Exception) -> StoreError:
    words = " ".join(str(error).split())
    if isinstance(error, UnicodeDecodeError) or "malformed" in words:
        return StoreError(f"{path} is damaged ({words}): {ADVICE}")
    return StoreError(f"{path}: {words}")


def _is_empty(db: sqlite3.Connection) -> bool:
    return not _one(db, "SELECT count(*) FROM sqlite_schema")


def _one(db: sqlite3.Connection, query: str) -> int:
    return db.execute(query).fetchone()[0]
