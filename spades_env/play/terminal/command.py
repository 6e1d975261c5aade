"""`spades play`: its arguments and the game they ask for. Textual is imported only when needed."""

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from spades_env.errors import SpadesError
from spades_env.extras import needed
from spades_env.game.rules import Rules, parse_changes

NEEDED = 'spades play needs Textual: pip install "spades-env[play]"'
COLOURS = ("full", "256", "16", "none")
NEW = ("rules", "set", "partner", "left", "right", "seed")  # arguments that ask for a new game
SEATS_OF = {"left": 1, "partner": 2, "right": 3}


class NoTerminalError(SpadesError):
    """Raised if the input or the output is not a terminal."""


def add_play_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `spades play`."""
    parser.add_argument(
        "--new", action="store_true", help="start a new game (default: offer the latest unfinished one)"
    )
    parser.add_argument("--rules", help=f"a file, a variant you saved, or one of {', '.join(Rules.presets())}")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="change an option of the rules"
    )
    for role, words in (("partner", "your partner"), ("left", "the left opponent"), ("right", "the right opponent")):
        parser.add_argument(f"--{role}", metavar="NAME", help=f"{words}: a character (spades roster), or any agent")
    parser.add_argument("--daily", action="store_true", help="today's deal, the same for everybody (docs/playing.md)")
    parser.add_argument("--seed", type=int, help="decides all deals; such a game is not counted")
    parser.add_argument("--name", help="your name in the statistics; remembered for the next time")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where games are kept (default: your data folder)")
    parser.add_argument("--colours", choices=COLOURS, help="default: what the terminal supports, and NO_COLOR")
    parser.add_argument("--ascii", action="store_true", help="ASCII characters only (default: where UTF-8 is missing)")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="also write every event as a line to this file, for tail -f"
    )


def run_play(options: argparse.Namespace) -> int:
    """Show the table until the person leaves it."""
    app_module = needed("spades_env.play.terminal.app", NEEDED)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminalError("spades play needs a terminal to show the table in")
    from spades_env.play.ready import make_rules_ready
    from spades_env.play.store.database import Store
    from spades_env.play.warning import warn

    make_rules_ready()
    with ExitStack() as stack:
        store = stack.enter_context(Store(options.data, warn))
        store.check()
        log = stack.enter_context(open(options.log, "a", encoding="utf-8", buffering=1)) if options.log else None
        colours = options.colours or terminal_colours()
        ascii_only = options.ascii or "utf" not in (sys.stdout.encoding or "").lower()
        app = app_module.SpadesApp(store, opened(store, options), colours=colours, ascii=ascii_only, log=log)
        words = app.run(mouse=False)
    if words:
        print(words)
    return app.return_code or 0


def opened(store, options: argparse.Namespace):
    """Return the sitting that the arguments ask for; None lets the app find one."""
    from spades_env.play.store.profile import GameSetup, person, remember_game, rename, usual_game
    from spades_env.play.store.sitting import begin

    name = rename(store, options.name) if options.name else person(store)
    if options.daily:
        return _daily(store, name, options)
    if not options.new and not any(getattr(options, one) not in (None, []) for one in NEW):
        return None
    usual, bots, seconds = usual_game(store)
    rules = _rules_of(store, options, usual)
    for role, seat in SEATS_OF.items():
        bots[seat] = getattr(options, role) or bots[seat]
    more: dict[str, Any] = {"seed": options.seed, "counted": options.seed is None, "move_seconds": seconds}
    sitting = begin(store, rules, bots, name, **more)
    remember_game(store, GameSetup(rules, bots, seconds))
    return sitting


def _daily(store, name: str, options: argparse.Namespace):
    """Return today's daily deal, which takes no other choices."""
    from spades_env.play.daily.deal import DailyError, local_day
    from spades_env.play.progress.daily import daily_sitting
    from spades_env.play.table.choices import default_adviser

    none = {"new": False, "set": []}
    given = [one for one in ("new", *NEW) if getattr(options, one) != none.get(one)]
    if given:
        raise DailyError(f"--daily has its own cards, rules and players: leave --{given[0]} out")
    return daily_sitting(store, name, local_day(), default_adviser())


def terminal_colours() -> str:
    """Return how many colours the terminal supports."""
    from rich.console import Console

    if os.environ.get("NO_COLOR"):
        return "none"
    found = Console().color_system
    return {None: "none", "standard": "16", "256": "256"}.get(found, "full")


def _rules_of(store, options: argparse.Namespace, usual: Rules) -> Rules:
    known = store.variants.all()
    rules = known.get(options.rules) or Rules.of(options.rules) if options.rules else usual
    return rules.replace(**parse_changes(options.set))
