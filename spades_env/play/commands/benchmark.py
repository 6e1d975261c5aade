"""`spades benchmark`: an agent plays the panel of the benchmark; prints its score, writes its results file.

spades benchmark mine:policy
spades benchmark mine.onnx --seen rule --compute "3 h on 8 cores, no GPU" --out mine.json
spades benchmark "cmd:python3 mybot.py" --track search --limit-ms 100 --compute "none: rules by hand" --out
spades benchmark mine:policy --weak-spots weak.html
spades benchmark entries/counter --beside --out
"""

import argparse
from typing import Any

from spades_env import agents
from spades_env.agents import arena
from spades_env.agents.arena import benchmark, entry, tracks, weak_spots
from spades_env.agents.arena.entries import beside, isolation, pool
from spades_env.agents.arena.entries.bot_folder import FILE, BotFolder, is_bot_folder
from spades_env.agents.arena.leaderboard import SEEN, STYLE
from spades_env.agents.arena.tracks import LIMITS, TRACKS, Times
from spades_env.agents.base import Agent
from spades_env.agents.figures import STATS, stat_text
from spades_env.checks import LARGEST_SEED
from spades_env.play.commands.parsing import UsageError
from spades_env.play.commands.shared import (
    add_ray_argument,
    columns,
    failed_words,
    interval,
    print_figures,
    progress_bar,
    token_words,
    workers_of,
)
from spades_env.play.commands.verify import add_verify_arguments, in_all, is_of_verification, run_verification
from spades_env.play.commands.weak_spots import add_weak_spots_argument, check_weak_spots, write_weak_spots
from spades_env.play.warning import warn

BY_NAME = ""  # --out without a file


def add_benchmark_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the agent, how much of the protocol is played, and what a results file says."""
    forms = "FILE.safetensors, FILE.onnx, hf:OWNER/NAME, MODULE:NAME, cmd:COMMAND, chat:MODEL"
    agent_help = f"an agent: a folder with {FILE}, {forms}, or any name that agents have"
    parser.add_argument("agent", metavar="AGENT", nargs="?", help=agent_help)
    games, least = benchmark.GAMES, benchmark.LEAST_GAMES
    games_help = (
        f"against each, even (default: {games:,}; of --verify, the entry's); the protocol wants {least} at least"
    )
    parser.add_argument("--games", type=int, help=games_help)
    seed_help = f"of the deals (default: {benchmark.SEED} of an entry, with --out; {benchmark.TRIAL_SEED} of a trial)"
    parser.add_argument("--seed", type=int, help=seed_help)
    seen_help = (
        f"a member of the panel that the agent learned from or was chosen by: {', '.join(benchmark.PANEL)}; "
        "may be repeated"
    )
    parser.add_argument("--seen", action="append", default=[], metavar="NAME", help=seen_help)
    tracks_help = "; ".join(f"{name} {words}" for name, words in TRACKS.items())
    beside_help = "also play beside each member of the panel as a partner, against a pair of " + beside.PAIR
    parser.add_argument("--beside", action="store_true", help=beside_help)
    parser.add_argument("--track", choices=tuple(TRACKS), help=tracks_help)
    limit_help = f"enter under a limit of time: {tracks.WITHIN} of 100 single decisions take at most so long"
    parser.add_argument("--limit-ms", type=int, choices=LIMITS, help=limit_help)
    compute_help = (
        "what it took to train: decisions, hours, hardware; or that nothing was trained. A level's file says its "
        "decisions and hours, and this is added"
    )
    parser.add_argument("--compute", metavar="TEXT", help=compute_help)
    parser.add_argument("--name", metavar="TEXT", help="the name on the leaderboard (default: the agent's string)")
    out_help = "write the results file (without FILE: in the bot's folder, or in this one by the agent's name)"
    parser.add_argument("--out", nargs="?", const=BY_NAME, metavar="FILE", help=out_help)
    ways = "; ".join(f"{name}: {words}" for name, words in isolation.WAYS.items())
    parser.add_argument("--isolate", choices=tuple(isolation.WAYS), help=f"how to run a folder's program ({ways})")
    add_verify_arguments(parser)
    add_weak_spots_argument(parser)
    parser.add_argument("--jobs", type=int, help="threads (default: one for each core)")
    add_ray_argument(parser)
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="figures as JSON; to FILE, if given")


def run_benchmark(options: argparse.Namespace) -> int:
    """Play the benchmark. What a results file needs is checked, and time is measured, before the first game."""
    if is_of_verification(options):
        return run_verification(options)
    if options.agent is None:
        raise UsageError("name an agent, or one of --commit, --verify, --check")
    if options.secret or (options.isolate and not is_bot_folder(options.agent)):
        raise UsageError("--secret goes with --verify, and --isolate with that or with a bot's folder")
    if options.beside and options.ray:
        raise UsageError("--beside plays on threads of this machine: leave out --ray")
    check_weak_spots(options.weak_spots)
    options.games = benchmark.GAMES if options.games is None else options.games
    bot = BotFolder.read(options.agent) if is_bot_folder(options.agent) else None
    if bot:
        _take_from_folder(options, bot)
    files = bot.digests() if bot else None  # before it runs, and perhaps writes
    player = bot.load(bot.way(options.isolate) if options.isolate else None) if bot else options.agent
    try:
        return _run(options, player, files)
    finally:
        if not isinstance(player, str):
            player.close()


def _run(options: argparse.Namespace, player: str | Agent, files: dict[str, str] | None) -> int:
    options.seed = benchmark.seed_of(options.seed, options.games, reported=options.out is not None)
    about = _checked_about(options, player)
    if options.out:
        pool.check()
    with workers_of(options) as jobs, progress_bar(options) as progress:
        row = benchmark.run(player, options.games, options.seed, options.seen, jobs, in_all(progress))
        partners = _beside(options, player, jobs, progress) if options.beside else None
    if options.out:
        made = entry.make_entry(row, options.agent, files=files, partners=partners, **about)
        entry.write_entry(options.out, made)
    found = _weak_spots(options, player, row) if options.weak_spots else None
    more = ({"beside": partners} if partners else {}) | ({"weak_spots": found.as_dict()} if found else {})
    print_figures(options, row.as_dict() | more, lambda: benchmark_text(row, about, options.out, partners))
    if found:
        write_weak_spots(options.weak_spots, found, quiet=options.json == "-")
    return 0


def _take_from_folder(options: argparse.Namespace, bot: BotFolder) -> None:
    """Take what entry.toml says, and write the results beside it."""
    given = [key for key in ("track", "compute", "name") if getattr(options, key) is not None]
    if given or options.seen:
        raise UsageError(f"{bot.path / FILE} says {', '.join(given or ['seen'])}: leave out --{(given or ['seen'])[0]}")
    if options.out == BY_NAME:
        options.out = str(bot.results)
    options.agent, options.seen = bot.string, bot.seen
    for key in ("track", "compute", "name"):
        setattr(options, key, bot.about[key])


def _beside(options: argparse.Namespace, player: str | Agent, jobs: arena.Jobs, progress: Any) -> beside.Beside:
    return beside.run(player, options.games, (options.seed + 1) & LARGEST_SEED, jobs, in_all(progress))


def _checked_about(options: argparse.Namespace, player: str | Agent) -> dict[str, Any]:
    """Return what a results file says beside the figures; raise an error if one is wanted and something is missing."""
    track, _ = tracks.checked_track(options.agent, options.track)
    about = {"track": track, "limit_ms": options.limit_ms, "name": options.name, "compute": None}
    if options.out == BY_NAME:
        options.out = entry.file_name(options.name or options.agent)
    if options.name is not None or options.out:
        entry.check_words("name", options.name or options.agent)
    if options.out:
        entry.check_new(options.out)
        if track is None:
            raise UsageError(f"--out needs --track, as nothing is known of {options.agent}: {', '.join(TRACKS)}")
        about["compute"] = _checked_compute(options.agent, options.compute)
    times = _times(options, player) if options.out or options.limit_ms else None
    return about | {"times": times}


def _checked_compute(agent: str, declared: str | None) -> str:
    """Return what training took: what a level's own file says of it, then what its author declares."""
    recorded, is_all = tracks.training_of(agent)
    if declared is None and not (recorded and is_all):
        known = f" beside {recorded}" if recorded else ""
        raise UsageError(f"--out needs --compute: decisions, hours and hardware{known}, or that nothing was trained")
    if declared is not None:
        entry.check_words("compute", declared)
    compute = "; ".join(filter(None, (recorded, declared)))
    entry.check_words("compute", compute)
    return compute


def _times(options: argparse.Namespace, player: str | Agent) -> Times | None:
    """Measure the time of single decisions; raise an error if it is beyond the limit."""
    name, limit_ms = options.agent, options.limit_ms
    agent = agents.load(name) if isinstance(player, str) else player
    try:
        times = tracks.times_of(agent)
    finally:
        agent.close()
    if limit_ms and not times:
        raise UsageError(f"{name} sees all cards: no limit of time applies to it")
    if limit_ms and times and not times.keeps_to(limit_ms):
        took = f"{tracks.WITHIN} of 100 decisions take up to {times.within:.2f} ms here"
        raise UsageError(f"{name} does not keep to {limit_ms} ms: {took}")
    return times


def _weak_spots(
    options: argparse.Namespace, player: str | Agent, row: benchmark.PanelRow
) -> weak_spots.WeakSpots | None:
    """Judge the agent's decisions in other games than those of the row; nobody can judge one that cheats."""
    if row.cheats:
        warn(f"{row.agent} sees all cards: it has no weak spots that could be judged by what it may know")
        return None
    games = min(options.games, weak_spots.GAMES)
    with progress_bar(options) as progress:
        jobs = None if options.ray else options.jobs  # a cluster may have more pieces than this machine has threads
        return weak_spots.find(player, games=games, jobs=jobs, progress=progress)


def benchmark_text(
    row: benchmark.PanelRow, about: dict[str, Any], out: str | None, partners: beside.Beside | None = None
) -> str:
    """Write the score, then each match, and what is to be known of them."""
    played = f"{row.games:,} games ({row.games // 2:,} deals) against each, seed {row.seed}"
    top = f"{row.agent}: benchmark {benchmark.VERSION}, {benchmark.RULES}, {played}"
    least = f"{benchmark.LEAST_GAMES} games at least"
    trial = f"A trial, with other deals than the protocol's. An entry has {least}, and --out."
    entered = "An entry, with the deals of the protocol."
    notes = [entered if row.by_protocol else trial] + ["It CHEATS: it sees all cards."] * row.cheats
    notes += [f"{SEEN} seen before."] * bool(row.seen)
    notes += [*failed_words(row.agent, row.failures), *token_words(row.agent, row.tokens), *_about_words(about)]
    notes += [f"The results file: {out}"] * bool(out)
    tables = [columns(_scores(row)), columns(_matches(row)), *([columns(_partners(partners))] if partners else [])]
    return "\n\n".join([top, *tables, *notes])


def _scores(row: benchmark.PanelRow) -> list[list[str]]:
    found = benchmark.scores(row.deals)
    lines = [["", "games won", "95 %", "points a hand", "95 %"]]
    points = [f"{row.points_per_hand:+.1f}", interval(row.points_per_hand_ci, "{:+.1f}")]
    for words, key, more in (("score", "score", points), ("held out", "held_out", ["", ""])):
        lines.append([words, f"{found[key]:.1%}", interval(found[f"{key}_ci"], "{:.1%}"), *more])
    return lines


def _matches(row: benchmark.PanelRow) -> list[list[str]]:
    lines = [["against", "games won", "95 %", "points a hand", "95 %", *(STATS[key][0] for key in STYLE)]]
    for name, one in row.results.items():
        stats = one.as_dict()["stats"]["a"]
        won = [f"{one.win_rate:.1%}", interval(one.win_rate_ci, "{:.1%}")]
        points = [f"{one.points_per_hand:+.1f}", interval(one.points_per_hand_ci, "{:+.1f}")]
        head = name + (f" {SEEN}" if name in row.seen else "")
        lines.append([head, *won, *points, *(stat_text(key, stats[key]) for key in STYLE)])
    return lines


def _partners(found: beside.Beside) -> list[list[str]]:
    lines = [[f"against a pair of {found['pair']}, beside", "games won", "95 %", "points a hand"]]
    for name, one in (
        {"all": found | {"win_rate": found["score"], "win_rate_ci": found["score_ci"]}} | found["with"]
    ).items():
        won = [f"{one['win_rate']:.1%}", interval(one["win_rate_ci"], "{:.1%}")]
        lines.append([name, *won, f"{one['points_per_hand']:+.1f}"])
    return lines


def _about_words(about: dict[str, Any]) -> list[str]:
    times, limit = about["times"], about["limit_ms"]
    words = [f"Track: {about['track']}."] * bool(about["track"]) + [f"Limit: {limit} ms a decision."] * bool(limit)
    if times:
        words.append(f"A decision alone takes {times.mean:.2f} ms, {tracks.WITHIN} of 100 up to {times.within:.2f} ms.")
    return [" ".join(words)] if words else []
