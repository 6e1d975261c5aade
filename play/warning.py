"""A warning to whoever runs the program, in one line."""

import sys


def warn(words: str) -> None:
    print(f"spades: {words}", file=sys.stderr, flush=True)
