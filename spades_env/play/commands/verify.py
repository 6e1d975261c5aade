"""`spades benchmark --verify`: an entry is run again by somebody else, on deals that nobody could know.

spades benchmark --commit secret.txt --out docs/results/verified/commitments.json       first; publish the list
spades benchmark --verify entries/counter --secret secret.txt --out docs/results/verified/counter.json
spades benchmark --check docs/results/verified/counter.json                             anybody, without playing
spades benchmark --check docs/results/verified/counter.json --verify entries/counter    … and by playing again
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from spades_env import agents
from spades_env.agents import arena
from spades_env.agents.agent_name import COMMAND, IMPORTED
from spades_env.agents.arena import benchmark, entry
from spades_env.agents.arena.entries import commitment, isolation, verification
from spades_env.agents.arena.entries.bot_folder import FILE, BotFolder, is_bot_folder
from spades_env.agents.base import Agent
from spades_env.agents.registry import parts_of
from spades_env.play.commands.parsing import UsageError
from spades_env.play.commands.shared import interval, print_figures, progress_bar

FAILED = 1  # the exit code where a check failed
WORDS = ("commit", "verify", "check")
OTHERS = ("seed", "seen", "track", "limit_ms", "compute", "name", "beside", "weak_spots", "ray")  # of playing an agent


class Claimed(NamedTuple):
    """What is verified: a results file, and the folder of its bot if it has one."""

    entry: entry.Entry
    bot: BotFolder | None


def add_verify_arguments(parser: argparse.ArgumentParser) -> None:
    commit_help = "write a new secret to a private FILE and print its hash; --out adds it to a list to be published"
    parser.add_argument("--commit", metavar="FILE", help=commit_help)
    verify_help = "a bot's folder or a results file: run it again on the deals of --secret; --out writes the report"
    parser.add_argument("--verify", metavar="ENTRY", help=verify_help)
    parser.add_argument("--secret", metavar="FILE", help="the file that --commit wrote")
    check_help = "check a report of --verify: its hash, its secret, its figures; with --verify by playing again, too"
    parser.add_argument("--check", metavar="REPORT", help=check_help)


def is_of_verification(options: argparse.Namespace) -> bool:
    return any(getattr(options, word) for word in WORDS)


def run_verification(options: argparse.Namespace) -> int:
    """Commit to a secret, verify an entry, or check a report."""
    _check_usage(options)
    if options.commit:
        return _commit(options)
    return _check(options) if options.check else _verify(options)


def in_all(progress: arena.Progress | None) -> benchmark.Progress | None:
    """Turn the progress of each match into that of the whole panel."""
    names = benchmark.PANEL
    return progress and (lambda name, done, total: progress(names.index(name) * total + done, len(names) * total))


def _check_usage(options: argparse.Namespace) -> None:
    if options.agent is not None:
        raise UsageError(f"leave out {options.agent}: --commit, --verify and --check take no agent")
    for word in OTHERS:
        if (given := getattr(options, word)) is not None and given is not False and given != []:
            raise UsageError(f"leave out --{word.replace('_', '-')}: --commit, --verify and --check don't take it")
    if options.commit and (options.verify or options.check):
        raise UsageError("--commit stands alone: first commit, then verify, then check")
    if options.commit and options.games is not None:
        raise UsageError("--commit takes no --games")
    if options.secret and not options.verify:
        raise UsageError("--secret goes with --verify")
    if options.verify and bool(options.secret) == bool(options.check):
        raise UsageError("--verify needs --secret FILE, or --check REPORT to play a report again")
    if options.out == "":
        raise UsageError("--out needs a file here")
    if options.check and (options.out or options.games is not None):
        raise UsageError("--check takes no --out and no --games: the report says how many were played")
    if not options.verify and (options.isolate or options.jobs is not None):
        raise UsageError("--isolate and --jobs go with --verify, which plays")


def _commit(options: argparse.Namespace) -> int:
    published = Path(options.out) if options.out else None
    made = commitment.commit(Path(options.commit), published)
    told = f"{'It stands in ' + str(published) + '. ' if published else ''}Publish it before you verify."
    print_figures(options, made, lambda: f"SHA-256 of the secret in {options.commit}: {made['sha256']}\n\n{told}")
    return 0


def _verify(options: argparse.Namespace) -> int:
    claimed, secret = _claimed(options.verify), commitment.read_secret(options.secret)
    if options.out:
        entry.check_new(options.out)
        verification.check_published(secret, verification.today(), options.out)
        verification.check_unopened(secret, Path(options.out).parent)
    games = claimed.entry["games"] if options.games is None else options.games
    report = _played(options, claimed, secret, games)
    if options.out:
        verification.write_report(options.out, report)
    print_figures(options, report, lambda: report_text(report, options.out))
    return 0 if report["agrees"] else FAILED


def _check(options: argparse.Namespace) -> int:
    report = verification.read_report(options.check)
    verification.check_published(report["secret"], report["date"], options.check)
    if options.verify:
        again = _played(options, _claimed(options.verify), report["secret"], report["games"])
        if not verification.same(report, again):
            raise entry.EntryError(f"{options.check}: played again, the results are others: score {again['score']}")
    print_figures(options, report, lambda: report_text(report, options.check))
    return 0


def _claimed(path: str) -> Claimed:
    """Return a results file and its bot. A bot's folder has the results in it."""
    folder = Path(path) if is_bot_folder(path) else Path(path).parent
    if is_bot_folder(folder):
        bot = BotFolder.read(folder)
        return Claimed(bot.read_results(None if folder == Path(path) else Path(path)), bot)
    found = entry.read_entry(path)
    if any(one.kind in (COMMAND, IMPORTED) for one in parts_of(found["agent"])):
        raise UsageError(f"{path} is of a program: verify a folder with {FILE}, which says how to start it")
    return Claimed(found, None)


def _played(options: argparse.Namespace, claimed: Claimed, secret: str, games: int) -> verification.Report:
    found, bot = claimed
    files = bot.digests() if bot else entry.digests_of(found["agent"])
    verification.check_files(found, files)
    way = bot.way(options.isolate) if bot else isolation.NONE
    with _player(claimed, way) as player, progress_bar(options) as progress:
        return verification.verify(found, player, secret, files, way, games, options.jobs, in_all(progress))


@contextmanager
def _player(claimed: Claimed, way: str) -> Iterator[Agent]:
    player = claimed.bot.load(way) if claimed.bot else agents.load(claimed.entry["agent"])
    try:
        yield player
    finally:
        player.close()


def report_text(report: verification.Report, path: str | None) -> str:
    """Write what was found, and what anybody needs to see that it was found so."""
    claimed = report["claimed"]
    lines = [
        f"{report['name']}: {report['games']:,} games against each, on the deals of a secret",
        f"isolation: {report['isolation']}",
        f"score {report['score']:.1%} {interval(report['score_ci'], '{:.1%}')}, "
        f"claimed {claimed['score']:.1%} {interval(claimed['score_ci'], '{:.1%}')}",
        f"difference {report['difference']:+.1%} {interval(report['difference_ci'], '{:+.1%}')}: "
        + ("it agrees" if report["agrees"] else "it does NOT agree"),
        f"faults {report['faults']:,}",
        f"secret {report['secret']}",
        f"SHA-256 {report['commitment']}",
        f"claim {report['claim']}",
    ]
    return "\n".join(lines + [f"\nThe report: {path}"] * bool(path))
