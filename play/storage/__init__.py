"""The file that keeps games: its tables, its rows, who may read it."""
