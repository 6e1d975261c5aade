"""The store's file as its owner uses it: transactions, and rows that are as they were written.

A row that is not so is left out and reported: a sentence in `faults`, and told once to whoever gave `say`.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from play.storage.opening import ERRORS, StoreError, open_database
from play.storage.rows import COLUMNS, Row, flaw, name_of, says, sum_of


class StoreFile:
    """One file, for all threads of a program; several programs may have it open."""

    def __init__(self, path: Path, say: Callable[[str], None] | None = None):
        self.path, self._say = path, say
        self.faults: dict[tuple[str, str], str] = {}  # table and row → what is the matter with it
        self._said: set[tuple[str, str]] = set()
        self._lock = threading.RLock()
        self._db = open_database(path)

    def close(self) -> None:
        """Let go of the file; nothing can be asked after that."""
        with self._lock:
            self._db.close()

    # Rows

    def rows(self, query: str, *values: Any) -> list[tuple]:
        """The rows of a query."""
        with self._lock:
            try:
                return self._db.execute(query, values).fetchall()
            except ERRORS as error:
                words = " ".join(str(error).split())
                raise StoreError(f"{self.path} cannot be read: {words}") from None

    def checked(self, table: str, rest: str = "", *values: Any) -> list[Row]:
        """The rows of a table that are as they were written, by their columns' names; rest: of the query."""
        found = [(row, flaw(table, row)) for row in self._raw(table, rest, *values)]
        for row, why in found:
            if why:
                self.report(table, row, why)
            else:
                self.faults.pop((table, name_of(table, row)), None)
        return [row for row, why in found if not why]

    def report(self, table: str, row: Row, why: str) -> str:
        """Take down that a row cannot be read; the sentence for it names the file and the row."""
        name = name_of(table, row)
        told = f"{says(table, name, row)}: {why} ({self.path}, table {table}, row {name})"
        self.faults[table, name] = told
        if self._say and (table, name) not in self._said:
            self._say(told)
        self._said.add((table, name))
        return told

    def faults_of(self, *tables: str) -> list[str]:
        """What was found to be the matter with rows of these tables."""
        return [told for (table, _), told in list(self.faults.items()) if table in tables]

    def _raw(self, table: str, rest: str = "", *values: Any) -> list[Row]:
        """Rows as they are, damaged or not."""
        names = ("rowid", *COLUMNS[table], "sum")
        found = self.rows(f"SELECT {', '.join(names)} FROM {table} {rest}", *values)
        return [dict(zip(names, row, strict=True)) for row in found]

    def _one(self, query: str, *values: Any) -> Any:
        return next(iter(self.rows(query, *values)), None)

    # Changes

    def _insert(self, into: str, rows: list[dict]) -> int:
        """Rows by their columns' names, with their sums; the number of the last one. into: ends with the table."""
        table, number = into.split()[-1], 0
        for row in rows:
            if "id" in COLUMNS[table]:
                number = self._one(f"SELECT ifnull(max(id), 0) + 1 FROM {table}")[0]
                row = {"id": number} | row
            row = row | {"sum": sum_of(table, row)}
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            self._db.execute(f"{into} ({names}) VALUES ({marks})", tuple(row.values()))
        return number

    def _update(self, table: str, changes: dict[str, Any], rest: str, *values: Any) -> int:
        """Change rows; returns how many. One that was damaged before keeps its wrong sum."""
        found = self._raw(table, rest, *values)
        for row in found:
            told = changes if flaw(table, row) else changes | {"sum": sum_of(table, row | changes)}
            names = ", ".join(f"{name} = ?" for name in told)
            self._db.execute(f"UPDATE {table} SET {names} WHERE rowid = ?", (*told.values(), row["rowid"]))
        return len(found)

    @contextmanager
    def _change(self, flush: bool = False) -> Iterator[None]:
        """A transaction; a disk that is full, say, refuses it in a sentence."""
        try:
            with self._transaction(flush):
                yield
        except ERRORS as error:
            raise StoreError(f"It could not be kept, so it has not happened: {error}") from None

    @contextmanager
    def _transaction(self, flush: bool) -> Iterator[None]:
        """All of it or nothing; flush: it is on the disk afterwards."""
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
