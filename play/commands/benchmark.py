"""`spades benchmark`: an agent plays the seven opponents of the benchmark; prints the row to report.

spades benchmark mine:policy
spades benchmark mine.onnx --seen rule --json row.json
spades benchmark "cmd:python3 mybot.py" --weak-spots weak.html
"""

import argparse

from agents import arena
from agents.arena import benchmark, weak_spots
from agents.figures import STATS, stat_text
from play.commands.parsing import warn
from play.commands.shared import (
    add_ray_argument,
    columns,
    failed_words,
    interval,
    print_figures,
    progress_bar,
    workers_of,
)
from play.commands.weak_spots import add_weak_spots_argument, check_weak_spots, write_weak_spots


def add_benchmark_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the agent, and how much of the protocol is played."""
    forms = "FILE.safetensors, FILE.onnx, hf:OWNER/NAME, MODULE:NAME, cmd:COMMAND"
    agent_help = f"an agent: {forms}, or any name that agents have"
    parser.add_argument("agent", metavar="AGENT", help=agent_help)
    games, seed = benchmark.GAMES, benchmark.SEED
    parser.add_argument("--games", type=int, default=games, help=f"against each, even; the protocol has {games:,}")
    parser.add_argument("--seed", type=int, default=seed, help=f"the protocol has {seed}; others are for trials")
    seen_help = (
        f"an opponent that the agent learned from or was chosen by: {', '.join(benchmark.OPPONENTS)}; may be repeated"
    )
    parser.add_argument("--seen", action="append", default=[], metavar="NAME", help=seen_help)
    add_weak_spots_argument(parser)
    parser.add_argument("--jobs", type=int, help="threads (default: one for each core)")
    add_ray_argument(parser)
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="figures as JSON; to FILE, if given")


def run_benchmark(options: argparse.Namespace) -> int:
    check_weak_spots(options.weak_spots)
    with workers_of(options) as jobs, progress_bar(options) as progress:
        row = benchmark.run(options.agent, options.games, options.seed, options.seen, jobs, _in_all(progress))
    found = _weak_spots(options, row) if options.weak_spots else None
    more = {"weak_spots": found.as_dict()} if found else {}
    print_figures(options, row.as_dict() | more, lambda: benchmark_text(row))
    if found:
        write_weak_spots(options.weak_spots, found, quiet=options.json == "-")
    return 0


def _weak_spots(options: argparse.Namespace, row: benchmark.Row) -> weak_spots.WeakSpots | None:
    """Judge the agent's decisions in other games than those of the row; nobody can judge one that cheats."""
    if row.cheats:
        warn(f"{row.agent} sees all cards: it has no weak spots that could be judged by what it may know")
        return None
    games = min(options.games, weak_spots.GAMES)
    with progress_bar(options) as progress:
        return weak_spots.find(options.agent, games=games, jobs=options.jobs, progress=progress)


def _in_all(progress: arena.Progress | None) -> benchmark.Progress | None:
    """Turn the progress of each match into that of the whole benchmark."""
    names = benchmark.OPPONENTS
    return progress and (lambda name, done, total: progress(names.index(name) * total + done, len(names) * total))


def benchmark_text(row: benchmark.Row) -> str:
    """Write a row as text, followed by the line to report."""
    lines = [["against", "games won", "95 %", "points a hand", "95 %", *(STATS[key][0] for key in benchmark.STYLE)]]
    for name, one in row.results.items():
        stats = one.as_dict()["stats"]["a"]
        won = [f"{one.win_rate:.1%}", interval(one.win_rate_ci, "{:.1%}")]
        points = [f"{one.points_per_hand:+.1f}", interval(one.points_per_hand_ci, "{:+.1f}")]
        head = name + (f" {benchmark.SEEN}" if name in row.seen else "")
        lines.append([head, *won, *points, *(stat_text(key, stats[key]) for key in benchmark.STYLE)])
    played = f"{row.games:,} games ({row.games // 2:,} deals) against each, seed {row.seed}"
    top = f"{row.agent}: benchmark {benchmark.VERSION}, {benchmark.RULES}, {played}"
    trial = f"A trial: the protocol has {benchmark.GAMES:,} games and seed {benchmark.SEED}."
    notes = ["It CHEATS: it sees all cards."] * row.cheats
    notes += [f"{benchmark.SEEN} seen before: not held out."] * bool(row.seen) + [trial] * (not row.by_protocol)
    notes += failed_words(row.agent, row.failures)
    return "\n\n".join([top, columns(lines), *notes, f"{benchmark.header()}\n{row.markdown()}"])
