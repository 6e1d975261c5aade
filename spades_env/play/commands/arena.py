"""`spades arena`, `ladder`, `gaps`, `variants`: commands that measure agents.

spades arena bis rb --games 1000 --rules match --seed 0 --json
spades arena new.safetensors old.safetensors --sprt 0 10      until it is clear whether the new one is 10 Elo stronger
spades ladder random rb bis rule --folder runs/ladder --html ladder.html
spades ladder --ray ray://head:10001 random rb bis rule        on a cluster: arena, ladder and variants
spades gaps standard rule --games 40
spades variants bis rb
"""

import argparse
import sys

from spades_env import agents
from spades_env.agents import arena
from spades_env.agents.arena import gaps, ladder, variants, weak_spots
from spades_env.agents.arena.ladder import Ladder
from spades_env.agents.arena.match_result import Result
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.figures import STATS, stat_text
from spades_env.play.commands import report, shared
from spades_env.play.commands.parsing import FAILED, FINE, STOPPED, UsageError
from spades_env.play.commands.shared import (
    columns,
    failed_words,
    interval,
    print_figures,
    progress_bar,
    token_words,
    workers_of,
)
from spades_env.play.commands.weak_spots import (
    HEADS,
    add_weak_spots_argument,
    check_weak_spots,
    gap_rows,
    write_weak_spots,
)

AGENT_HELP = (
    f"an agent: {', '.join(agents.names())}, FILE.safetensors, FILE.onnx, hf:OWNER/NAME, MODULE:NAME (anything "
    "of yours that decides), cmd:COMMAND (a program in any language), chat:MODEL (a language model), or bidder/player"
)


def add_agents(parser: argparse.ArgumentParser, other: str = "another") -> None:
    parser.add_argument("a", metavar="A", help=AGENT_HELP)
    parser.add_argument("b", metavar="B", help=other)


# The arena


def add_arena_arguments(parser: argparse.ArgumentParser) -> None:
    add_agents(parser)
    shared.add_match_arguments(parser)
    words = "stop as soon as it is clear whether A is ELO0 or ELO1 stronger; --games is the most, by default 10,000,000"
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help=words)
    for name, one, other in (("--alpha", "ELO1", "ELO0"), ("--beta", "ELO0", "ELO1")):
        words = f"how often --sprt may accept {one} where {other} is true (default: 0.05)"
        parser.add_argument(name, type=float, help=words)


def run_arena(options: argparse.Namespace) -> int:
    """Play the match, print the result, and write the report if one is wanted. A test that isn't passed has failed."""
    shared.check_page(options.html)
    match, sprt = shared.match_of(options), sprt_of(options)
    with workers_of(options) as jobs, progress_bar(options) as progress:
        look = progress and (lambda seen: progress(seen.games, None, llr_text(seen)))
        result = arena.play(options.a, options.b, jobs=jobs, progress=progress, sprt=sprt, look=look, **match)
    if options.html:
        write_whole(options.html, report.arena_page(result))
    print_figures(options, result.as_dict(), lambda: arena_text(result))
    return FINE if result.sprt is None or result.sprt.accepted(result.pairs) == "H1" else FAILED


def sprt_of(options: argparse.Namespace) -> arena.Sprt | None:
    """Return the sequential test that the command asks for, if any."""
    risks = {name: getattr(options, name) for name in ("alpha", "beta") if getattr(options, name) is not None}
    if risks and not options.sprt:
        raise UsageError("--alpha and --beta are of a sequential test: give --sprt ELO0 ELO1, too")
    return arena.Sprt(*options.sprt, **risks) if options.sprt else None


def arena_text(result: Result) -> str:
    figures = result.as_dict()
    rows = [
        ["win rate", f"{result.win_rate:.1%}", interval(result.win_rate_ci, "{:.1%}")],
        ["points a hand", f"{result.points_per_hand:+.2f}", interval(result.points_per_hand_ci, "{:+.2f}")],
        ["won, drawn, lost", f"{figures['wins']:,}", f"{figures['draws']:,}, {figures['losses']:,}"],
        *(elo_rows(result) if result.mode == "games" else []),
    ]
    stats = figures["stats"]
    plays = [[words, *(stat_text(key, stats[x][key]) for x in "ab")] for key, (words, _) in STATS.items()]
    top = f"{result.a} against {result.b}: {report.about(figures)}"
    failed = [line for x, name in zip("ab", (result.a, result.b), strict=True) for line in failed_words(name, stats[x])]
    failed += [
        line
        for x, name in zip("ab", (result.a, result.b), strict=True)
        for line in token_words(name, figures["tokens"][x])
    ]
    tested = [sprt_text(result)] if result.sprt else []
    return "\n\n".join([top, columns(rows), *tested, columns([["", result.a, result.b], *plays]), *failed])


def elo_rows(result: Result) -> list[list[str]]:
    """Return what a match of games says of the Elo difference."""
    elo, sure = f"{result.elo:+.1f}", interval(result.elo_ci, "{:+.1f}")
    first, *pairs = (f"{count:,}" for count in result.pairs)
    return [
        ["Elo", elo.replace("inf", "∞"), sure.replace("inf", "∞")],
        ["likelihood of superiority", los_text(result.los), ""],
        ["deals of 0, ½, 1, 1½, 2 points", first, ", ".join(pairs)],
    ]


def los_text(los: float) -> str:
    """Write a likelihood of superiority; no match makes it certain."""
    return "> 99.9%" if los > 0.999 else "< 0.1%" if los < 0.001 else f"{los:.1%}"


def sprt_text(result: Result) -> str:
    """Say in a line where the sequential test of a match stands."""
    found = result.as_dict()["sprt"]
    end = f"{found['accepted']} accepted" if found["accepted"] else "undecided"
    return f"H0: {found['elo0']:+g} Elo, H1: {found['elo1']:+g} Elo: {llr_text(result)}, {end}"


def llr_text(result: Result) -> str:
    found = result.as_dict()["sprt"]
    return f"LLR {found['llr']:+.2f} in {interval(found['bounds'], '{:+.2f}')}"


# The ladder


def add_ladder_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="AGENT", help=f"two or more of {', '.join(agents.names())}")
    parser.add_argument("--folder", help="where finished pairings are kept, so that an interrupted ladder continues")
    shared.add_match_arguments(parser)


def run_ladder(options: argparse.Namespace) -> int:
    """Play all pairings and print the ratings. Ctrl-C prints how to continue."""
    shared.check_page(options.html)
    try:
        with workers_of(options) as jobs, progress_bar(options) as progress:
            match = shared.match_of(options) | {"folder": options.folder, "jobs": jobs, "progress": progress}
            standings = ladder.play(options.names, **match)
    except KeyboardInterrupt:
        kept = f"{options.folder} keeps the finished pairings: the same command continues" if options.folder else ""
        print(f"spades: stopped; {kept or 'nothing is saved without --folder'}", file=sys.stderr)
        return STOPPED
    if options.html:
        write_whole(options.html, report.ladder_page(standings))
    print_figures(options, standings.as_dict(), lambda: ladder_text(standings))
    return 0


def ladder_text(ladder: Ladder) -> str:
    figures = ladder.as_dict()
    keys = ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept", "ms_per_move")
    rows = [["", "rating", "95 %", "win rate", *(STATS[key][0] for key in keys)]]
    for agent in figures["standings"]:
        shown = [stat_text(key, agent["stats"][key]) for key in keys]
        sure = interval(agent["rating_ci"], "{:.0f}")
        rows.append([agent["name"], f"{agent['rating']:.0f}", sure, f"{agent['win_rate']:.1%}", *shown])
    failed = [line for agent in figures["standings"] for line in failed_words(agent["name"], agent["stats"])]
    scale = report.scale_of(figures["anchor"])
    return "\n\n".join([f"{report.about(figures)} for each pairing; {scale}", columns(rows), *failed])


# Where points are lost


def add_gaps_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the agent to judge, its opponent, and the judge."""
    add_agents(parser, "the opponent")
    parser.add_argument("--games", type=int, default=40, help="how many games, an even number (default: 40)")
    parser.add_argument("--judge", default=gaps.JUDGE, help=f"a search by trials (default: {gaps.JUDGE})")
    add_weak_spots_argument(parser)
    shared.add_rules_arguments(parser)
    shared.add_common_arguments(parser)


def run_gaps(options: argparse.Namespace) -> int:
    """Play, judge every decision, and print what each kind of decision costs."""
    check_weak_spots(options.weak_spots)
    shared.warn_of_reserved(options.seed)
    about = {name: getattr(options, name) for name in ("games", "seed", "judge", "jobs")}
    with progress_bar(options) as progress:
        found = weak_spots.find(options.a, options.b, shared.rules_of(options), progress=progress, **about)
    figures = found if options.weak_spots else found.report
    print_figures(options, figures.as_dict(), lambda: gaps_text(found.report))
    if options.weak_spots:
        write_weak_spots(options.weak_spots, found, quiet=options.json == "-")
    return 0


def gaps_text(found: gaps.Report) -> str:
    """Write the losses by kinds of decisions and by scores as text."""
    rows = [HEADS, *gap_rows(found)]
    top = f"{found.agent} against {found.against}, judged by {found.judge}: {found.rules}, seed {found.seed}"
    end = f"{found.games:,} games, {found.hands:,} hands; lost: hundredths of a game; not judged: {found.unjudged:,}"
    return f"{top}\n\n{columns(rows)}\n\n{end}"


# Other rules


def add_variants_arguments(parser: argparse.ArgumentParser) -> None:
    add_agents(parser)
    parser.add_argument("--games", type=int, default=1000, help="how many games under each, even (default: 1000)")
    shared.add_common_arguments(parser)
    shared.add_ray_argument(parser)


def run_variants(options: argparse.Namespace) -> int:
    """Play under every preset and trump mode, and print the results."""
    shared.warn_of_reserved(options.seed)
    with workers_of(options) as jobs, progress_bar(options) as progress:
        results = variants.play(options.a, options.b, options.games, options.seed, jobs, progress)
    figures = {"a": options.a, "b": options.b, "variants": {name: one.as_dict() for name, one in results.items()}}
    print_figures(options, figures, lambda: variants_text(results))
    return 0


def variants_text(results: dict[str, Result]) -> str:
    first = next(iter(results.values()))
    rows = [["", "games won", "95 %", "points a hand"]]
    for name, one in results.items():
        rows.append([name, f"{one.win_rate:.1%}", interval(one.win_rate_ci, "{:.1%}"), f"{one.points_per_hand:+.1f}"])
    return f"{first.a} against {first.b}, {first.games:,} games under each\n\n{columns(rows)}"
