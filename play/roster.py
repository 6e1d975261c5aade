"""`spades roster`: who there is, how they learn, how they are measured.

spades roster                          the characters, as a table
spades roster --json                   … as data
spades roster train --runs runs        follow the recipes of those that have not learned yet
spades roster train milly otto         … of these
"""

import argparse
import json
from pathlib import Path

from agents.roster import MOST_STARS, Character, chosen, roster
from train.command import needed

MISSED = 1  # exit code


def add_roster_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as data, alone on the output")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    train = verbs.add_parser("train", help="follow the recipes of those that have not learned yet")
    train.add_argument("names", nargs="*", metavar="NAME", help="of characters (default: all)")
    train.add_argument("--runs", type=Path, default=Path("runs"), help="where runs are kept (default: runs)")
    train.add_argument("--device", help="cpu, cuda or cuda:1 (default: a GPU when there is one)")
    train.add_argument("--threads", type=int, help="of the CPU (default: torch's own choice)")


def run_roster(options: argparse.Namespace) -> int:
    if options.verb == "train":
        return run_train(options)
    if options.json:
        print(json.dumps([one.as_dict() for one in roster()], ensure_ascii=False))
        return 0
    print(roster_text(roster()))
    return 0


def run_train(options: argparse.Namespace) -> int:
    """Follow recipes."""
    characters, trainer = chosen(options.names), needed("train.roster")
    needed("train.trainer")
    if options.threads:
        needed("torch").set_num_threads(options.threads)
    missed = trainer.train_all(characters, options.runs, options.device, lambda text: print(text, flush=True))
    for line in missed:
        print(line)
    return MISSED if missed else 0


def roster_text(characters: tuple[Character, ...]) -> str:
    """The characters as a table for people."""
    rows = [[one.name, "★" * one.stars + "☆" * (MOST_STARS - one.stars), one.style] for one in characters]
    return "\n".join(f"{name:12} {stars}  {style}" for name, stars, style in rows)
