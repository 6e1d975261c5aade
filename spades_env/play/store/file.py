"""The store's file: transactions, and rows with checksums.

A damaged row is left out and reported: a sentence in `faults`, passed once to the function `say`.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from spades_env.play.store.opening import ERRORS, StoreError, open_database
from spades_env.play.store.rows import COLUMNS, Row, damage_words, flaw, name_of, report_of, sum_of
from spades_env.play.texts import text

T = TypeVar("T")


class StoreFile:
    """One file for all threads of a program; several programs may have it open.

    say: called once with a sentence about each damaged row.
    """

    def __init__(self, path: Path, say: Callable[[str], None] | None = None):
        self.path, self._say = path, say
        self.faults: dict[tuple[str, str], str] = {}  # table and row → a sentence about the damage
        self._said: set[tuple[str, str]] = set()
        self._lock = threading.RLock()
        self._db = open_database(path)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def replace(self, change: Callable[[], None]) -> None:
        """Close the file, let a function change it, and open it again."""
        with self._lock:
            self._db.close()
            change()
            self._db = open_database(self.path)

    # Rows

    def rows(self, query: str, *values: Any) -> list[tuple]:
        with self._lock:
            try:
                return self._db.execute(query, values).fetchall()
            except ERRORS as error:
                words = " ".join(str(error).split())
                raise StoreError(f"{self.path} cannot be read: {words}") from None

    def checked(self, table: str, rest: str = "", *values: Any) -> list[Row]:
        """Return the undamaged rows of a table, and report the others. rest: the query after the table's name."""
        found = [(row, flaw(table, row)) for row in self.raw(table, rest, *values)]
        for row, why in found:
            if why:
                self.report(table, row, why)
            else:
                self.faults.pop((table, name_of(table, row)), None)
        return [row for row, why in found if not why]

    def parsed(self, table: str, parse: Callable[[Row], T], rest: str = "", *values: Any) -> list[T]:
        """Return what `parse` returns for each undamaged row, and report the rows for which it fails."""
        found = []
        for row in self.checked(table, rest, *values):
            try:
                found.append(parse(row))
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                self.report(table, row, damage_words(error))
        return found

    def report(self, table: str, row: Row, why: str) -> str:
        """Note that a row can't be read; return a sentence that names the file and the row."""
        name = name_of(table, row)
        sentence = f"{report_of(table, name, row)}: {why} ({self.path}, table {table}, row {name})"
        self.faults[table, name] = sentence
        if self._say and (table, name) not in self._said:
            self._say(sentence)
        self._said.add((table, name))
        return sentence

    def faults_of(self, *tables: str) -> list[str]:
        return [sentence for (table, _), sentence in list(self.faults.items()) if table in tables]

    def raw(self, table: str, rest: str = "", *values: Any) -> list[Row]:
        """Return rows as dicts, damaged or not."""
        names = ("rowid", *COLUMNS[table], "sum")
        found = self.rows(f"SELECT {', '.join(names)} FROM {table} {rest}", *values)
        return [dict(zip(names, row, strict=True)) for row in found]

    def one(self, query: str, *values: Any) -> Any:
        return next(iter(self.rows(query, *values)), None)

    # Changes

    def insert(self, into: str, rows: list[dict]) -> int:
        """Insert rows with their checksums; return the number of the last one. into: SQL up to the table's name."""
        table, number = into.split()[-1], 0
        for row in rows:
            if "id" in COLUMNS[table]:
                number = self.one(f"SELECT ifnull(max(id), 0) + 1 FROM {table}")[0]
                row = {"id": number} | row
            row = row | {"sum": sum_of(table, row)}
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            self._db.execute(f"{into} ({names}) VALUES ({marks})", tuple(row.values()))
        return number

    def delete(self, table: str, rest: str, *values: Any) -> None:
        self._db.execute(f"DELETE FROM {table} {rest}", values)

    def update(self, table: str, changes: dict[str, Any], rest: str, *given: Any) -> int:
        """Change rows and return how many. A damaged one keeps its wrong checksum."""
        found = self.raw(table, rest, *given)
        for row in found:
            values = changes if flaw(table, row) else changes | {"sum": sum_of(table, row | changes)}
            names = ", ".join(f"{name} = ?" for name in values)
            self._db.execute(f"UPDATE {table} SET {names} WHERE rowid = ?", (*values.values(), row["rowid"]))
        return len(found)

    @contextmanager
    def change(self, flush: bool = False) -> Iterator[None]:
        """Run a transaction; StoreError if it fails, for instance because the disk is full."""
        try:
            with self._transaction(flush):
                yield
        except ERRORS as error:
            raise StoreError(text("error.unsaved", why=str(error))) from None

    @contextmanager
    def _transaction(self, flush: bool) -> Iterator[None]:
        """Write all changes or none; flush: wait until they are on the disk."""
        with self._lock:
            self._db.execute(f"PRAGMA synchronous = {'FULL' if flush else 'NORMAL'}")
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
