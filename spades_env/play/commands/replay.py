"""`spades replay`: checks a game's record or a saved game, and shows it hand by hand.

spades replay game.txt             a record, or a sitting as text; - reads the standard input
spades replay                      the saved games of this machine, with their keys
spades replay KEY --hand 3         one of them; of an unfinished one, the finished hands
spades replay game.txt --json

Showing finished hands of an unfinished game settles them: moves up to their end can no longer be taken back. Every
move is replayed and every line compared with the game. The first wrong line is named, and the exit code is then 1.
"""

import argparse
import json
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from spades_env.folder_lock import FolderLock
from spades_env.game.facts import side_name
from spades_env.play.commands.parsing import FAILED, FINE, UsageError
from spades_env.play.commands.shared import columns
from spades_env.play.store.database import FILE, LOCK, NoSittingError, Store, data_folder
from spades_env.play.store.sitting_text import SittingError, read
from spades_env.play.table.deal_source import DealSource
from spades_env.play.table.hands import PlayedHand
from spades_env.play.table.table import Table
from spades_env.play.warning import warn

RUNNING = "a table is open on {folder}: look at this hand there, or close the table first"


def add_replay_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the game to read, and how much of it to show."""
    parser.add_argument(
        "game", nargs="?", help="a file, - for the standard input, or a saved game's key (default: list those)"
    )
    parser.add_argument("--hand", type=int, metavar="N", help="only this hand, counted from 1")
    parser.add_argument("--check", action="store_true", help="only check it")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where games are kept (default: your data folder)")
    parser.add_argument("--json", action="store_true", help="only the data, as JSON")


def run_replay(options: argparse.Namespace) -> int:
    """Read a game, check it and show it."""
    if options.game is None:
        return _list(options)
    try:
        table = _saved(options) if _is_key(options.game) else read(_text(options.game))
    except SittingError as error:
        print(json.dumps({"true": False, "why": str(error)}) if options.json else f"damaged: {error}")
        return FAILED
    is_open = table.over or not _is_key(options.game)
    hands = [] if options.check else _chosen(table.hands if is_open else table.finished, options.hand)
    if hands and not is_open:
        _settle(options, hands[-1].number)
    if options.json:
        print(json.dumps({"true": True, **game_data(table, hands, is_open)}, ensure_ascii=False))
    else:
        print("\n\n".join([*([] if options.check else blocks(table, hands, is_open)), summary(table)]))
    return FINE


def game_data(table: Table, hands: list[PlayedHand], is_open: bool) -> dict[str, Any]:
    """Return a game as plain data. Its seed or secret reveals unseen cards, so it's left out unless is_open."""
    game = table.game
    return {
        "rules": str(game.rules),
        **(asdict(DealSource.of(game)) if is_open else {"seed": None, "secret": None}),
        "hands_finished": len(game.results),
        "moves": len(game.moves),
        "over": game.over,
        "winner": None if game.winner is None else side_name(game.rules, game.winner),
        "scores": list(game.scores),
        "hands": [one.as_dict() | {"result": one.result and one.result.as_dict()} for one in hands],
    }


def blocks(table: Table, hands: list[PlayedHand], is_open: bool) -> list[str]:
    """Return the head of the game, then a block for each hand: the cards, the bids, the tricks, the result."""
    found = [block.rstrip() for block in table.game.record().split("\n\n") if block.startswith("hand ")]
    by_number = {int(block.split()[1].rstrip(",")): block for block in found}
    source = asdict(DealSource.of(table.game)) if is_open else {}
    head = [f"rules: {table.rules}", *(f"{name}: {value}" for name, value in source.items() if value is not None)]
    return ["\n".join(head), *(by_number[hand.number + 1] for hand in hands)]


def summary(table: Table) -> str:
    """Return what was checked, and who won."""
    game = table.game
    counts = f"{_count(len(game.results), 'hand')} finished, {_count(len(game.moves), 'move')}, all of them legal"
    if not game.over:
        return f"{counts}; the game goes on"
    return f"{counts}; {'a draw' if game.winner is None else f'{side_name(game.rules, game.winner)} won'}"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1)}"


def _chosen(hands: list[PlayedHand], number: int | None) -> list[PlayedHand]:
    """Return the hands to show."""
    found = [hand for hand in hands if number in (None, hand.number + 1)]
    if number is not None and not found:
        numbers = [hand.number + 1 for hand in hands]
        there = f"{numbers[0]} to {numbers[-1]}" if numbers else "none"
        raise UsageError(f"there is no hand {number} to show; expected {there}")
    return found


# Where a game comes from


def _is_key(name: str) -> bool:
    return name != "-" and not Path(name).exists()


def _text(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SittingError("this is not a text") from None


def _saved(options: argparse.Namespace) -> Table:
    folder = options.data or data_folder()
    try:
        if not (folder / FILE).exists():
            raise NoSittingError("nothing is saved")
        with Store(folder) as store:
            return store.load(options.game)
    except NoSittingError:
        raise UsageError(
            f"{options.game!r} is neither a file nor a saved game of {folder}: spades replay alone lists those"
        ) from None


def _settle(options: argparse.Namespace, number: int) -> None:
    """Settle a hand of an unfinished game before its cards are shown, and print what that means."""
    with Store(options.data) as store:
        if store.load(options.game).settled >= number or store.is_given_up(options.game):
            return
        with closing(FolderLock(options.data or data_folder(), LOCK, RUNNING)):
            table = store.load(options.game)  # as the last server has left it
            table.settle(number)
            store.save(table)
        words = f"You've seen all cards of hand {number + 1}: no move up to its end can be undone any more"
        print(words, file=sys.stderr)


def _list(options: argparse.Namespace) -> int:
    folder, found = options.data or data_folder(), []
    if (folder / FILE).exists():
        with Store(folder, warn) as store:
            found = [asdict(one) for one in store.sittings()]
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
    elif not found:
        print(f"no games are saved in {folder}")
    else:
        keys = ("key", "state", "changed", "rules", "people")
        rows = [[", ".join(one[key]) if key == "people" else one[key] for key in keys] for one in found]
        print(columns([list(keys), *rows]))
    return FINE
