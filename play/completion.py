"""`spades completion`: a script for bash, zsh or fish that completes commands, options and choices by itself.

The script is static: pressing Tab starts no Python. After an update it is written anew.
"""

import argparse
import importlib

from play.cli import COMMANDS, parser
from play.parsing import FINE, UsageError

SHELLS = ("bash", "zsh", "fish")
NEEDED = 'this needs shtab: pip install "spades-env[completion]"'


def add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS), help="the shell that reads the script")


def run_completion(options: argparse.Namespace) -> int:
    """Print the script."""
    try:
        shtab = importlib.import_module("shtab")
    except ImportError:
        raise UsageError(NEEDED) from None
    print(shtab.complete(parser(*COMMANDS), shell=options.shell))
    return FINE
