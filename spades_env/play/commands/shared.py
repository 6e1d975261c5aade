"""What commands share: arguments for rules, length, threads and cluster, a progress bar, figures as text or JSON."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spades_env.agents.arena.benchmark import RESERVED
from spades_env.agents.arena.ladder import NEEDED
from spades_env.agents.arena.match import Jobs
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import FAILURES, TOKENS
from spades_env.agents.cluster.ray_cluster import Cluster
from spades_env.agents.figures import STATS
from spades_env.extras import MissingExtraError, needed
from spades_env.game.rules import Rules, parse_changes
from spades_env.play.commands.parsing import UsageError
from spades_env.play.warning import warn


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", default="classic", help=f"a file, or one of {', '.join(Rules.presets())}")
    add_set_argument(parser)


def add_set_argument(parser: argparse.ArgumentParser) -> None:
    words = "change an option of the rules"
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help=words)


def rules_of(options: argparse.Namespace) -> Rules:
    return Rules.of(options.rules).replace(**parse_changes(options.set))


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the length of the match, its rules, the number of threads, and where the figures go."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--games", type=int, help="how many games, an even number (default: 1000)")
    length.add_argument("--hands", type=int, help="single hands instead of games; an even number")
    add_rules_arguments(parser)
    add_common_arguments(parser)
    add_ray_argument(parser)
    parser.add_argument("--html", metavar="FILE", help="a report with plots")


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, help="decides all deals and moves (default: 0)")
    parser.add_argument("--jobs", type=int, help="threads (default: one for each core)")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="figures as JSON; to FILE, if given")


def add_ray_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on a Ray cluster: auto, HOST:6379 or ray://HOST:10001; local starts one here; "
        "then --jobs is the most pieces played at once",
    )


@contextmanager
def workers_of(options: argparse.Namespace) -> Iterator[Jobs]:
    """Lend who plays: a number of threads, or the cluster that --ray names."""
    if options.ray is None:
        yield options.jobs
    else:
        with Cluster(options.ray, options.jobs) as cluster:
            yield cluster


@contextmanager
def progress_bar(options: argparse.Namespace) -> Iterator[Callable[..., Any] | None]:
    """Show a progress bar if standard error is a terminal. It may be given words in place of the command's name.

    Raise an error if figures can't be written, before hours of play.
    """
    if options.json and options.json != "-":
        check_folder(options.json, "the figures")
    try:
        rich = None if options.json == "-" or not sys.stderr.isatty() else needed("rich.progress", NEEDED)
    except MissingExtraError:
        rich = None
    if rich is None:
        yield None
        return
    shown = (*rich.Progress.get_default_columns(), rich.MofNCompleteColumn())
    with rich.Progress(*shown, console=needed("rich.console", NEEDED).Console(stderr=True), transient=True) as bar:
        task = bar.add_task(options.command, total=None)
        yield lambda done, total, words=None: bar.update(task, completed=done, total=total, description=words)


def match_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `arena.play` and `ladder.play` besides the agents and the workers."""
    warn_of_reserved(options.seed)
    return {"rules": rules_of(options)} | {name: getattr(options, name) for name in ("games", "hands", "seed")}


def warn_of_reserved(seed: int) -> None:
    """Warn of a seed whose deals are kept for entries of the benchmark."""
    if seed in RESERVED:
        kept = f"seeds {RESERVED[0]:,} to {RESERVED[-1]:,} are kept for entries of the benchmark"
        warn(f"{kept}; train, tune and choose on others")


def check_page(path: str | None) -> None:
    """Raise an error if a report can't be drawn or written, before hours of play."""
    if path:
        needed("matplotlib", NEEDED)
        check_folder(path, "the report")


def check_folder(path: str, what: str) -> None:
    """Raise an error if a file has no folder to be written to, or is one."""
    if Path(path).is_dir():
        raise UsageError(f"{path} is a folder: name a file to write {what} to")
    if not Path(path).absolute().parent.is_dir():
        raise UsageError(f"there is no folder {Path(path).parent} to write {what} to")


def print_figures(options: argparse.Namespace, figures: dict, text: Callable[[], str]) -> None:
    """Print figures as text or JSON; then write them to a file, if one is named, so that none are lost with it."""
    print(json.dumps(figures) if options.json == "-" else text())
    if options.json and options.json != "-":
        write_whole(options.json, json.dumps(figures, indent=1) + "\n")


def failed_words(name: str, counts: dict[str, int]) -> list[str]:
    """Say how many decisions were made in an agent's place; no sentence if there were none."""
    failed = [f"{counts[reason]:,} {STATS[reason][0]}" for reason in FAILURES if counts[reason]]
    return [f"{name}: {', '.join(failed)}; a random legal action was played instead."] if failed else []


def token_words(name: str, tokens: dict[str, float] | None) -> list[str]:
    """Say how many tokens a language model took for a decision; no sentence for other agents."""
    if not tokens:
        return []
    read, written = (f"{tokens[kind]:,.0f}" for kind in TOKENS)
    return [f"{name}: {read} tokens read and {written} written for a decision."]


def interval(ends, form: str) -> str:
    return "" if ends[0] is None else f"[{form.format(ends[0])}, {form.format(ends[1])}]"


def columns(rows: list[list[str]]) -> str:
    """Align rows in columns, the first to the left and the others to the right."""
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = []
    for head, *cells in rows:
        right = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join([head.ljust(first), *right]).rstrip())
    return "\n".join(lines)
