"""`spades roster`: lists the characters, trains and measures them.

spades roster                          the characters, as a table
spades roster --json                   … as data
spades roster train --runs runs        follow the recipes of those that have no run yet
spades roster train milly otto         … of these
spades roster build --runs runs        export levels from the runs, measure all, write levels, figures and page
"""

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from spades_env.agents.arena.characters import measure, size_of
from spades_env.agents.arena.demands import Check, checks
from spades_env.agents.arena.match import even
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.digest import sealed_json
from spades_env.agents.figures import FIGURES, figure_text
from spades_env.agents.network.level import Level
from spades_env.agents.roster import FOLDER, MOST_STARS, Character, chosen, measured_in, roster
from spades_env.errors import SpadesError
from spades_env.play.commands.shared import columns
from spades_env.training.train_command import training, use_threads

MISSED = 1  # exit code: the roster misses a demand
SHOWN = ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept")


def add_roster_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verbs; without a verb the characters are listed."""
    parser.add_argument("--json", action="store_true", help="only the data, as JSON")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    train = verbs.add_parser("train", help="follow the recipes of those that have not learned yet")
    train.add_argument("names", nargs="*", metavar="NAME", help="of characters (default: all)")
    train.add_argument("--device", help="cpu, cuda or cuda:1 (default: a GPU when there is one)")
    train.add_argument("--threads", type=int, help="to learn with (default: one)")
    build = verbs.add_parser("build", help="levels from the runs, a ladder, figures: what they have earned")
    build.add_argument("--games", type=int, default=1000, help="of each pairing that decides stars (default: 1000)")
    build.add_argument("--seed", type=int, default=0, help="decides all deals (default: 0)")
    build.add_argument("--jobs", type=int, help="threads (default: one for each core)")
    build.add_argument("--folder", type=Path, help="where finished pairings are kept (default: RUNS/roster/ladder)")
    build.add_argument(
        "--out", type=Path, default=FOLDER, help="where levels/ and roster.json go (default: the package)"
    )
    for verb in (train, build):
        verb.add_argument("--runs", type=Path, default=Path("runs"), help="where runs are kept (default: runs)")


def run_roster(options: argparse.Namespace) -> int:
    if options.verb:
        return {"train": run_train, "build": run_build}[options.verb](options)
    if options.json:
        print(json.dumps([one.as_dict() for one in roster()], ensure_ascii=False))
    else:
        print(roster_text(roster()))
    return 0


def run_train(options: argparse.Namespace) -> int:
    characters, learning = chosen(options.names), training("spades_env.training.character_runs")
    use_threads(options.threads)
    missed = learning.train_all(characters, options.runs, options.device, _say)
    for line in missed:
        _say(line)
    return MISSED if missed else 0


def run_build(options: argparse.Namespace) -> int:
    """Export levels, measure them, then write all files and print the demands that are missed."""
    even("games", options.games)
    levels, page = options.out / "levels", FOLDER.parent / "docs" / "tools" / "make.py"
    folder = options.folder or options.runs / "roster" / "ladder"
    new = folder / "levels"
    everybody = roster()
    exported = [one for one in everybody if _export(one, options.runs, levels, new)]
    if not exported:
        raise SpadesError(f"no level to measure: found no runs in {options.runs}/roster and no files in {levels}")
    found = measure(exported, new, folder, options.games, options.seed, options.jobs, _say)
    for one in exported:
        level = replace(Level.read(new / one.level), name=one.name, style=one.style, ratings=found.ratings_of(one.key))
        level.write(new / one.level, half=True)
    found = replace(found, size=size_of(exported, new))
    earned = checks(found)
    data = found.as_dict() | {"checks": [check.as_dict() for check in earned]}
    for one in exported:
        write_whole(levels / one.level, (new / one.level).read_bytes())
    write_whole(options.out / "roster.json", sealed_json(data, indent=1, ensure_ascii=False))
    roster.cache_clear()
    if options.out == FOLDER and page.is_file():
        subprocess.run([sys.executable, str(page)], check=True)
    _say(roster_text(measured_in(options.out / "roster.json")))
    return _print_checks(earned, [one for one in everybody if one not in exported])


def roster_text(characters: tuple[Character, ...]) -> str:
    width = max((len(one.name) for one in characters), default=0)
    rows = [["", "rating", *(FIGURES[key][0] for key in SHOWN)]]
    for one in characters:
        rating = "–" if one.rating is None else f"{one.rating:.0f}"
        shown = [figure_text(key, one.figures.get(key)) for key in SHOWN]
        rows.append([f"{one.name:{width}}  {'★' * one.stars:☆<{MOST_STARS}}", rating, *shown])
    styles = ["", *(one.style for one in characters)]
    return "\n".join(f"{row}  {style}".rstrip() for row, style in zip(columns(rows).splitlines(), styles, strict=True))


def _export(one: Character, runs: Path, levels: Path, new: Path) -> bool:
    """Write a character's level for measuring, from its run or else from `levels`; False if there is neither."""
    path = levels / one.level
    if (runs / "roster" / one.key / "checkpoints").is_dir():
        training("spades_env.training.character_runs").level_from(one, runs).write(new / one.level, half=True)
    elif path.is_file():
        write_whole(new / one.level, path.read_bytes())
        _say(f"{one.name} has no run in {runs}: the level that is there is measured")
    else:
        _say(f"{one.name} has neither a run in {runs} nor a level in {levels}")
        return False
    return True


def _print_checks(found: list[Check], without: list[Character]) -> int:
    """Print the demands that are met and missed; return the exit code."""
    missed = [f"{check.asked}: {check.found}" for check in found if not check.earned]
    missed += [f"{one.name} has no level" for one in without]
    _say(f"\nearned: {sum(check.earned for check in found)} of {len(found) + len(without)}")
    for line in missed:
        _say(f"missed: {line}")
    return MISSED if missed else 0


def _say(text: str) -> None:
    print(text, flush=True)
