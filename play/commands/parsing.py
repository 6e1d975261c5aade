"""Parses command lines: errors in one line that say what is wanted, and the exit codes."""

import argparse
import sys
from typing import NoReturn

FINE, FAILED, REFUSED, STOPPED, UNREAD = 0, 1, 2, 130, 141  # exit codes: the last two as shells count signals
CODES = "exit codes: 0 fine, 1 a check failed, 2 wrong usage, 130 stopped by Ctrl-C"


class UsageError(ValueError):
    """The arguments make no command."""


def warn(words: str) -> None:
    """Print what is wrong while the command goes on."""
    print(f"spades: {words}", file=sys.stderr, flush=True)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.register("type", int, whole_number)
        self.register("type", float, number)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def whole_number(text: str) -> int:
    """Read an argument that is a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"it takes a whole number, not {text!r}") from None


def number(text: str) -> float:
    """Read an argument that is a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"it takes a number, not {text!r}") from None
