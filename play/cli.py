"""The `spades` command.

    spades arena bis rb --games 1000 --rules classic --set blind_nil_deficit=off --seed 0 --json
    spades ladder random rb bis rule --folder runs/ladder --html ladder.html
    spades variants bis rb
    spades benchmark mine:policy
    spades train quick

A command is an entry of COMMANDS: what it does, the arguments it adds, the function that runs it.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import agents
from agents import arena, ladder, report, variants
from agents.arena import Progress
from agents.files import write_whole
from agents.ladder import Ladder, MissingExtraError, needed
from agents.results import STATS, Result, stat_text
from play import roster
from play.benchmark import add_benchmark_arguments, run_benchmark
from play.server.command import add_table_arguments, run_table
from play.terminal import command as terminal
from spades_env import Rules
from spades_env.rules import parse_changes
from train import command

REFUSED, STOPPED = 2, 130  # exit codes
AGENT_HELP = (
    f"an agent: {', '.join(agents.names())}, FILE.safetensors, FILE.onnx, MODULE:NAME (anything of yours "
    "that decides), or bidder/player"
)


class RefusedError(ValueError):
    """Arguments that make no command."""


class Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message: str) -> NoReturn:
        raise RefusedError(message)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    try:
        options = _parser().parse_args(arguments)
        return COMMANDS[options.command].run(options)
    except (ValueError, MissingExtraError, command.MissingTorchError, OSError) as error:
        print(f"spades: {error}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print("spades: stopped", file=sys.stderr)
        return STOPPED


# The arena


def add_arena_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help=AGENT_HELP)
    parser.add_argument("b", metavar="B", help="another")
    add_match_arguments(parser)


def run_arena(options: argparse.Namespace) -> int:
    _check_page(options.html)
    with progress_bar(options) as progress:
        result = arena.play(options.a, options.b, progress=progress, **_match(options))
    if options.html:
        write_whole(options.html, report.arena_page(result))
    _tell(options, result.as_dict(), lambda: arena_text(result))
    return 0


def arena_text(result: Result) -> str:
    """A match in lines for people."""
    figures = result.as_dict()
    rows = [
        ["win rate", f"{result.win_rate:.1%}", _interval(result.win_rate_ci, "{:.1%}")],
        ["points a hand", f"{result.points_per_hand:+.2f}", _interval(result.points_per_hand_ci, "{:+.2f}")],
        ["won, drawn, lost", f"{figures['wins']:,}", f"{figures['draws']:,}, {figures['losses']:,}"],
    ]
    stats = figures["stats"]
    plays = [[words, *(stat_text(key, stats[x][key]) for x in "ab")] for key, (words, _) in STATS.items()]
    top = f"{result.a} against {result.b}: {report.about(figures)}"
    return "\n\n".join([top, _columns(rows), _columns([["", result.a, result.b], *plays])])


# The ladder


def add_ladder_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="AGENT", help=f"two or more of {', '.join(agents.names())}")
    parser.add_argument("--folder", help="where finished pairings are kept, so that an interrupted ladder continues")
    add_match_arguments(parser)


def run_ladder(options: argparse.Namespace) -> int:
    _check_page(options.html)
    try:
        with progress_bar(options) as progress:
            standings = ladder.play(options.names, folder=options.folder, progress=progress, **_match(options))
    except KeyboardInterrupt:
        kept = f"{options.folder} keeps the finished pairings: the same command continues" if options.folder else ""
        print(f"spades: stopped; {kept or 'nothing is kept without --folder'}", file=sys.stderr)
        return STOPPED
    if options.html:
        write_whole(options.html, report.ladder_page(standings))
    _tell(options, standings.as_dict(), lambda: ladder_text(standings))
    return 0


def ladder_text(ladder: Ladder) -> str:
    """A ladder in lines for people."""
    figures = ladder.as_dict()
    keys = ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept", "ms_per_move")
    rows = [["", "rating", "95 %", "win rate", *(STATS[key][0] for key in keys)]]
    for agent in figures["standings"]:
        shown = [stat_text(key, agent["stats"][key]) for key in keys]
        interval = _interval(agent["rating_ci"], "{:+.0f}")
        rows.append([agent["name"], f"{agent['rating']:+.0f}", interval, f"{agent['win_rate']:.1%}", *shown])
    return f"{report.about(figures)} for each pairing\n\n{_columns(rows)}"


# Other rules


def add_variants_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help=AGENT_HELP)
    parser.add_argument("b", metavar="B", help="another")
    parser.add_argument("--games", type=int, default=1000, help="how many games under each, even (default: 1000)")
    add_common_arguments(parser)


def run_variants(options: argparse.Namespace) -> int:
    with progress_bar(options) as progress:
        results = variants.play(options.a, options.b, options.games, options.seed, options.jobs, progress)
    figures = {"a": options.a, "b": options.b, "variants": {name: one.as_dict() for name, one in results.items()}}
    _tell(options, figures, lambda: variants_text(results))
    return 0


def variants_text(results: dict[str, Result]) -> str:
    """Win rates under all rules in lines for people."""
    first = next(iter(results.values()))
    rows = [["", "games won", "95 %", "points a hand"]]
    for name, one in results.items():
        rows.append([name, f"{one.win_rate:.1%}", _interval(one.win_rate_ci, "{:.1%}"), f"{one.points_per_hand:+.1f}"])
    return f"{first.a} against {first.b}, {first.games:,} games under each\n\n{_columns(rows)}"


# What commands share


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
    columns = (*rich.Progress.get_default_columns(), rich.MofNCompleteColumn())
    with rich.Progress(*columns, console=needed("rich.console").Console(stderr=True), transient=True) as bar:
        task = bar.add_task(options.command, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _match(options: argparse.Namespace) -> dict[str, Any]:
    """What `arena.play` and `ladder.play` take besides the agents."""
    return {"rules": rules_of(options)} | {name: getattr(options, name) for name in ("games", "hands", "seed", "jobs")}


def _check_page(path: str | None) -> None:
    """Can a report be drawn and written? Better asked before hours of play than after."""
    if path:
        needed("matplotlib")
        if not Path(path).absolute().parent.is_dir():
            raise RefusedError(f"there is no folder {Path(path).parent} to write the report to")


def _tell(options: argparse.Namespace, figures: dict, text: Callable[[], str]) -> None:
    """The figures to where they are wanted; to people, unless JSON is to stand alone."""
    if options.json == "-":
        print(json.dumps(figures))
        return
    if options.json:
        write_whole(options.json, json.dumps(figures, indent=1) + "\n")
    print(text())


def _interval(ends, form: str) -> str:
    return "" if ends[0] is None else f"[{form.format(ends[0])}, {form.format(ends[1])}]"


def _columns(rows: list[list[str]]) -> str:
    """Rows of words in columns, the first to the left and the others to the right."""
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = []
    for head, *cells in rows:
        right = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join([head.ljust(first), *right]).rstrip())
    return "\n".join(lines)


@dataclass(frozen=True)
class Command:
    """One word after `spades`."""

    meaning: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


COMMANDS = {
    "table": Command("the table in a browser", add_table_arguments, run_table),
    "arena": Command("two agents play duplicate games", add_arena_arguments, run_arena),
    "ladder": Command("all agents against all, with ratings", add_ladder_arguments, run_ladder),
    "variants": Command("two agents under every preset and trump mode", add_variants_arguments, run_variants),
    "benchmark": Command("one agent against the six of the benchmark", add_benchmark_arguments, run_benchmark),
    "play": Command("play at a table, in this terminal", terminal.add_play_arguments, terminal.run_play),
    "roster": Command("the characters: list, train, measure them", roster.add_roster_arguments, roster.run_roster),
    "train": Command("follow a training recipe", command.add_train_arguments, command.run_train),
    "export": Command("make a level of a trained policy", command.add_export_arguments, command.run_export),
}


def _parser() -> Parser:
    parser = Parser("spades", description="Spades: play, train players and measure them.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, entry in COMMANDS.items():
        entry.add_arguments(commands.add_parser(name, help=entry.meaning, description=entry.meaning))
    return parser


if __name__ == "__main__":
    sys.exit(main())
