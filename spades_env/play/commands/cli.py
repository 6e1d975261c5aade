"""The `spades` command.

    spades play
    spades arena bis rb --games 1000 --rules match --seed 0 --json
    spades train quick
    spades --help

A command is an entry of COMMANDS: what it does, the module with its `add_NAME_arguments` and `run_NAME`, an example's
arguments. The module is imported when the command is chosen, so that `spades --help` is quick.

Exit codes: 0 fine; 1 a check failed; 2 wrong usage, explained in one line; 130 stopped by Ctrl-C; 141 the reader of the
output has closed it.
"""

import argparse
import importlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from spades_env.errors import SpadesError
from spades_env.play.commands.parsing import CODES, REFUSED, STOPPED, UNREAD, Parser, as_program, terminated


@dataclass(frozen=True)
class Command:
    """One word after `spades`."""

    meaning: str
    module: str
    arguments: str  # of an example


COMMANDS = {
    "play": Command("play at a table, in this terminal", "play.terminal.play_command", "--rules showdown"),
    "table": Command("the table in a browser", "play.server.table_command", "--port 9000 --no-browser"),
    "rules": Command("presets, options, rules in plain words", "play.commands.rules", "solo nil=true"),
    "replay": Command("a game's record or a saved game, hand by hand", "play.commands.replay", "game.txt --json"),
    "roster": Command("the characters: list, train, measure them", "play.commands.roster", "--json"),
    "arena": Command("two agents play duplicate games", "play.commands.arena", "standard rule --games 2000"),
    "ladder": Command(
        "all agents against all, with ratings", "play.commands.arena", "random bis rule --folder runs/ladder"
    ),
    "variants": Command("two agents under every preset and trump mode", "play.commands.arena", "rule bis --games 400"),
    "gaps": Command(
        "where an agent loses, decision by decision", "play.commands.arena", "standard bis/mc:30x30 --games 40"
    ),
    "benchmark": Command("one agent against the panel of the benchmark", "play.commands.benchmark", "rule"),
    "exploit": Command(
        "a response trained against one agent, and what it wins", "play.commands.exploit", "rule --iterations 400"
    ),
    "train": Command("follow a training recipe", "training.train_command", "quick --set seed=3"),
    "export": Command(
        "make a level of a trained policy", "training.train_command", "runs/quick --out quick.safetensors"
    ),
    "push": Command("send a level to the Hugging Face Hub", "play.commands.hub", "x.safetensors me/spades-x"),
    "pull": Command("fetch a level from the Hugging Face Hub", "play.commands.hub", "me/spades-x"),
    "generate": Command(
        "self-play decisions as Parquet files",
        "play.commands.generate",
        "--agent rule --hands 10000 --out data",
    ),
    "bench": Command("measure how fast everything is", "play.commands.bench", "--quick"),
    "mcp": Command("a table for an assistant, by the Model Context Protocol", "integrations.mcp_server", ""),
    "completion": Command(
        "a script that completes `spades` in a shell",
        "play.commands.completion",
        "bash > ~/.local/share/bash-completion/completions/spades",
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        try:
            options = parser(*arguments[:1]).parse_args(arguments)
            return _function("run_{}", options.command)(options)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that flushing the rest raises nothing
        return UNREAD
    except (SpadesError, OSError) as error:
        print(f"spades: {_in_words(error)}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("spades: stopped", file=sys.stderr)
        return STOPPED


def program() -> NoReturn:
    """Run the command as a program; if it has failed or was stopped, don't wait for threads that still work for it.

    Python can't end cleanly while PyTorch's threads exchange gradients, or others choose a card for a closed table.
    """
    as_program.set()
    code = main()
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    if code == 0 and not terminated.is_set() and all(thread.daemon for thread in others):
        sys.exit()
    processes = sys.modules.get("spades_env.agents.command.process")
    if processes:
        processes.end_all()  # which the usual end of Python would do
    sys.stdout.flush()
    sys.stderr.flush()
    if terminated.is_set():  # who has sent the signal expects that it ends us
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
    os._exit(code)


def parser(*filled: str) -> Parser:
    """Return the command line's parser, with the arguments of these commands and the names of the others."""
    top = Parser("spades", description="Spades: play, train players and measure them.", epilog=CODES)
    top.add_argument("--version", action=_Version, nargs=0, help="show the version and leave")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, entry in COMMANDS.items():
        one = commands.add_parser(
            name,
            help=entry.meaning,
            description=entry.meaning,
            epilog=f"for example: spades {name} {entry.arguments}".rstrip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name in filled:
            _function("add_{}_arguments", name)(one)
    return top


class _Version(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None) -> NoReturn:
        print(f"spades {importlib.import_module('spades_env').__version__}")
        parser.exit()


def _function(form: str, name: str):
    return getattr(importlib.import_module(f"spades_env.{COMMANDS[name].module}"), form.format(name))


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror.lower()}"
    return str(error)


if __name__ == "__main__":
    program()
