"""What commands share: arguments about rules, length and cores, a bar of progress, figures for people or as JSON."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.arena import Progress
from agents.files import write_whole
from agents.ladder import MissingExtraError, needed
from play.parsing import UsageError
from spades_env import Rules
from spades_env.rules import parse_changes


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    """`--rules` and `--set`, for every command that takes rules."""
    parser.add_argument("--rules", default="classic", help=f"a file, or one of {', '.join(Rules.presets())}")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="change an option of the rules"
    )


def rules_of(options: argparse.Namespace) -> Rules:
    """The rules that the arguments name."""
    return Rules.of(options.rules).replace(**parse_changes(options.set))


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """How much is played, by which rules, on how many cores, and where the figures go."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--games", type=int, default=1000, help="how many games, an even number (default: 1000)")
    length.add_argument("--hands", type=int, help="single hands instead of games; an even number")
    add_rules_arguments(parser)
    add_common_arguments(parser)
    parser.add_argument("--html", metavar="FILE", help="a report with plots")


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """What decides a measurement, and where its figures go."""
    parser.add_argument("--seed", type=int, default=0, help="decides all deals and moves (default: 0)")
    parser.add_argument("--jobs", type=int, help="threads (default: one for each core)")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="figures as JSON, alone on the output")


@contextmanager
def progress_bar(options: argparse.Namespace) -> Iterator[Progress | None]:
    """A bar where somebody is looking."""
    try:
        rich = None if options.json == "-" or not sys.stderr.isatty() else needed("rich.progress")
    except MissingExtraError:
        rich = None
    if rich is None:
        yield None
        return
    shown = (*rich.Progress.get_default_columns(), rich.MofNCompleteColumn())
    with rich.Progress(*shown, console=needed("rich.console").Console(stderr=True), transient=True) as bar:
        task = bar.add_task(options.command, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def match_of(options: argparse.Namespace) -> dict[str, Any]:
    """What `arena.play` and `ladder.play` take besides the agents."""
    return {"rules": rules_of(options)} | {name: getattr(options, name) for name in ("games", "hands", "seed", "jobs")}


def check_page(path: str | None) -> None:
    """Can a report be drawn and written? Better asked before hours of play than after."""
    if path:
        needed("matplotlib")
        if not Path(path).absolute().parent.is_dir():
            raise UsageError(f"there is no folder {Path(path).parent} to write the report to")


def tell(options: argparse.Namespace, figures: dict, text: Callable[[], str]) -> None:
    """The figures to where they are wanted; to people, unless JSON is to stand alone."""
    if options.json == "-":
        print(json.dumps(figures))
        return
    if options.json:
        write_whole(options.json, json.dumps(figures, indent=1) + "\n")
    print(text())


def interval(ends, form: str) -> str:
    """Both ends in brackets; nothing where there is no interval."""
    return "" if ends[0] is None else f"[{form.format(ends[0])}, {form.format(ends[1])}]"


def columns(rows: list[list[str]]) -> str:
    """Rows of words in columns, the first to the left and the others to the right."""
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = []
    for head, *cells in rows:
        right = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join([head.ljust(first), *right]).rstrip())
    return "\n".join(lines)
