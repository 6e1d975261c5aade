"""`spades completion`: a script for bash, zsh or fish that completes commands, options and choices.

The script is static: pressing Tab doesn't start Python. It must be written again after an update of this package.
"""

import argparse

from spades_env.extras import needed
from spades_env.play.commands.cli import COMMANDS, parser
from spades_env.play.commands.parsing import FINE

SHELLS = ("bash", "zsh", "fish")
NEEDED = 'this needs shtab: pip install "spades-env[completion]"'


def add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="|".join(SHELLS), help="the shell that reads the script")


def run_completion(options: argparse.Namespace) -> int:
    shtab = needed("shtab", NEEDED)
    print(shtab.complete(parser(*COMMANDS), shell=options.shell))
    return FINE
