"""`spades table` as a program: its start, its load, its memory."""
