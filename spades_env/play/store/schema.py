"""The tables of a store's file.

Every row has a checksum, which shows damage. Every sitting has a number that grows with each change, since a clock may
be set back.
"""

import sqlite3
from functools import cache

MARK = 0x53504144  # in the file's header: "SPAD"
SCHEMA = 2
TABLES = """
CREATE TABLE sittings (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, began TEXT NOT NULL, changed TEXT NOT NULL, told TEXT NOT NULL,
    changes INTEGER NOT NULL, sum TEXT NOT NULL
);
CREATE INDEX sittings_by_changes ON sittings (changes);
CREATE TABLE hands (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, number INTEGER NOT NULL, taken_back INTEGER NOT NULL,
    rules TEXT NOT NULL, told TEXT NOT NULL, sum TEXT NOT NULL
);
CREATE INDEX hands_of_sitting ON hands (key, number);
CREATE TABLE hand_results (
    hand INTEGER NOT NULL REFERENCES hands (id), key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL,
    bid INTEGER NOT NULL, tricks INTEGER NOT NULL, nil INTEGER NOT NULL, blind INTEGER NOT NULL, made INTEGER NOT NULL,
    bags INTEGER NOT NULL, sum TEXT NOT NULL
);
CREATE TABLE game_results (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL, ended TEXT NOT NULL,
    outcome REAL NOT NULL, margin INTEGER NOT NULL, hands INTEGER NOT NULL, difficulty INTEGER, partner TEXT,
    opponents TEXT NOT NULL, hints INTEGER NOT NULL, takebacks INTEGER NOT NULL, moved_for INTEGER NOT NULL,
    sum TEXT NOT NULL, UNIQUE (key, seat)
);
CREATE TABLE variants (name TEXT PRIMARY KEY, rules TEXT NOT NULL, sum TEXT NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL);
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
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def lacks_tables(db: sqlite3.Connection) -> bool:
    return not _expected() <= _shape(db)


@cache
def _expected() -> frozenset[tuple]:
    db = sqlite3.connect(":memory:")
    create(db)
    shape = _shape(db)
    db.close()
    return shape


def _shape(db: sqlite3.Connection) -> frozenset[tuple]:
    return frozenset(db.execute(SHAPE).fetchall())
