"""The tables of a store's file, and the upgrade of a file of an earlier version.

Version 2 added a checksum to every row, which shows damage, and to every sitting a number that grows with each change,
since a clock may be set back. It also rewrote rules as texts of this version, so that hands replay as they were played.
"""

import sqlite3
from functools import cache

from spades_env.game import earlier
from spades_env.play.store.rows import COLUMNS, checksum

MARK = 0x53504144  # in the file's header: "SPAD"
SCHEMA = 2
TABLES = """
CREATE TABLE sittings (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, began TEXT NOT NULL, changed TEXT NOT NULL, told TEXT NOT NULL
);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, number INTEGER NOT NULL, taken_back INTEGER NOT NULL DEFAULT 0,
    rules TEXT NOT NULL, told TEXT NOT NULL
);
CREATE INDEX hands_of_sitting ON hands (key, number);
CREATE TABLE hand_results (
    hand INTEGER NOT NULL REFERENCES hands (id), key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL,
    bid INTEGER NOT NULL, tricks INTEGER NOT NULL, nil INTEGER NOT NULL, blind INTEGER NOT NULL, made INTEGER NOT NULL,
    bags INTEGER NOT NULL
);
CREATE TABLE game_results (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL, ended TEXT NOT NULL,
    outcome REAL NOT NULL, margin INTEGER NOT NULL, hands INTEGER NOT NULL, difficulty INTEGER, partner TEXT,
    opponents TEXT NOT NULL, hints INTEGER NOT NULL, takebacks INTEGER NOT NULL, moved_for INTEGER NOT NULL,
    UNIQUE (key, seat)
);
CREATE TABLE variants (name TEXT PRIMARY KEY, rules TEXT NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
SHAPE = """
SELECT m.name, c.name, c.type, c."notnull", c.pk, '' FROM sqlite_schema m, pragma_table_info(m.name) c
WHERE m.type = 'table' UNION ALL
SELECT m.name, i.origin, x.name, i."unique", x.seqno, x.coll
FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_xinfo(i.name) x
WHERE m.type = 'table'
"""


def create(db: sqlite3.Connection) -> None:
    for statement in TABLES.split(";"):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {MARK}")
    db.execute("PRAGMA user_version = 1")


def upgrade(db: sqlite3.Connection) -> None:
    """Upgrade from version 1 to this one, within the caller's transaction."""
    db.execute("ALTER TABLE sittings ADD COLUMN changes INTEGER NOT NULL DEFAULT 0")
    for table in COLUMNS:
        db.execute(f"ALTER TABLE {table} ADD COLUMN sum TEXT NOT NULL DEFAULT ''")
    db.execute("CREATE INDEX sittings_by_changes ON sittings (changes)")
    in_turn = db.execute("SELECT rowid FROM sittings ORDER BY changed, rowid").fetchall()
    db.executemany("UPDATE sittings SET changes = ? WHERE rowid = ?", [(i + 1, id) for i, (id,) in enumerate(in_turn)])
    for table in ("hands", "variants"):  # damaged rules stay as they are
        for (text,) in db.execute(f"SELECT DISTINCT rules FROM {table}").fetchall():
            db.execute(f"UPDATE {table} SET rules = ? WHERE rules = ?", (earlier.rules_text(text), text))
    for table in COLUMNS:
        _sum_up(db, table)
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def _sum_up(db: sqlite3.Connection, table: str) -> None:
    """Add checksums to the rows of a table one by one, since they may not all fit into memory."""
    query = f"SELECT rowid, {', '.join(COLUMNS[table])} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT 1"
    last = -(2**63)
    while row := db.execute(query, (last,)).fetchone():
        last, *values = row
        db.execute(f"UPDATE {table} SET sum = ? WHERE rowid = ?", (checksum(table, values), last))


def lacks_tables(db: sqlite3.Connection) -> bool:
    return not _expected() <= _shape(db)


@cache
def _expected() -> frozenset[tuple]:
    db = sqlite3.connect(":memory:")
    create(db)
    upgrade(db)
    shape = _shape(db)
    db.close()
    return shape


def _shape(db: sqlite3.Connection) -> frozenset[tuple]:
    return frozenset(db.execute(SHAPE).fetchall())
