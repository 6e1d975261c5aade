"""One table: who sits there, what they do, and what they are shown."""

from play.table.table import Table

__all__ = ["Table"]
