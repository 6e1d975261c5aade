"""One table: its seats, its moves, and what each seat is shown."""

from spades_env.play.table.table import Table

__all__ = ["Table"]
