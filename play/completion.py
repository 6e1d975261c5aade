"""`spades completion`: a script for bash, zsh or fish that completes commands, options and choices by itself.

The script is static: pressing Tab starts no Python. After an update it is written anew.
"""

import argparse

from agents.ladder import needed
from play.cli import COMMANDS, parser

SHELLS = ("bash", "zsh", "fish")


def add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS), help="the shell that reads the script")


def run_completion(options: argparse.Namespace) -> int:
    """Print the script."""
    print(needed("shtab").complete(parser(*COMMANDS), shell=options.shell))
    return 0
