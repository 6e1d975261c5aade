"""One-line warnings for the person who runs the program."""

import sys


def warn(words: str) -> None:
    print(f"spades: {words}", file=sys.stderr, flush=True)
