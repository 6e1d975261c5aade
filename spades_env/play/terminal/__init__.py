"""`spades play`: the table in a terminal, played with keys."""
