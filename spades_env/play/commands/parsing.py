"""The parser of command lines, with errors in one line, and the exit codes."""

import argparse
import threading
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from spades_env.errors import SpadesError

FINE, FAILED, REFUSED, STOPPED, UNREAD = 0, 1, 2, 130, 141  # exit codes: the last two as shells count signals
CODES = "exit codes: 0 fine, 1 a check failed, 2 wrong usage, 130 stopped by Ctrl-C"
as_program = threading.Event()  # set if this process is the program `spades`, which may begin anew
terminated = threading.Event()  # set if SIGTERM or SIGHUP ends it, after it has cleaned up


class UsageError(SpadesError):
    """The arguments are wrong."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.register("type", int, partial(_number, int, "a whole number"))
        self.register("type", float, partial(_number, float, "a number"))

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _number(kind: Callable[[str], float], words: str, text: str) -> float:
    try:
        return kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"it takes {words}, not {text!r}") from None
