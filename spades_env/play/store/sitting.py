"""A table that is saved after every change.

saved = SavedTable(store, table)
saved.save()              save what was done
saved.go_back()           undo what can't be saved
"""

from spades_env.play.store.database import Store
from spades_env.play.table.hands import PERSON
from spades_env.play.table.table import Table


class SavedTable:
    """A table and the store it is saved in."""

    def __init__(self, store: Store, table: Table):
        self.store, self.table = store, table

    @property
    def untouched(self) -> bool:
        table = self.table
        return not (table.over or table.finished or any(move.by == PERSON for move in table.moves))

    def save(self) -> None:
        self.store.save(self.table)

    def go_back(self) -> None:
        """Return to the last saved state."""
        self.table = self.store.load(self.table.key)
