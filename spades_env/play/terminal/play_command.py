"""`spades play`: its arguments and the game they ask for. Textual is imported only when needed."""

import argparse
import asyncio
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TextIO

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
    help_address = "join a running spades table: the address that it printed, or a guest's link"
    parser.add_argument("address", nargs="?", metavar="ADDRESS", help=help_address)
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

    make_rules_ready()
    with open(options.log, "a", encoding="utf-8", buffering=1) if options.log else nullcontext() as log:
        return asyncio.run(_play(options, app_module.SpadesApp, log))


async def _play(options: argparse.Namespace, app_type: type, log: TextIO | None) -> int:
    from spades_env.play.terminal.client import hosted
    from spades_env.play.terminal.remote import connected

    async with connected(options.address) if options.address else hosted(options.data) as client:
        offer = not await opened(client, options) and not options.address
        ascii_only = options.ascii or "utf" not in (sys.stdout.encoding or "").lower()
        app = app_type(client, offer=offer, colours=options.colours or terminal_colours(), ascii=ascii_only, log=log)
        words = await app.run_async(mouse=False)
    if words:
        print(words)
    return app.return_code or 0


async def opened(client, options: argparse.Namespace) -> bool:
    """Open the table that the arguments ask for; return False if they ask for none."""
    if options.name:
        await client.rename(options.name)
    unset = {"new": False, "set": []}
    given = [one for one in ("new", *NEW) if getattr(options, one) != unset.get(one)]
    if options.daily:
        from spades_env.play.daily.deal_of_day import DailyError, local_day

        if given:
            raise DailyError(f"--daily has its own cards, rules and players: leave --{given[0]} out")
        await client.ask("daily", day=local_day())
    elif given:
        await _open_new(client, options)
    return bool(options.daily or given)


async def _open_new(client, options: argparse.Namespace) -> None:
    from spades_env.play.terminal.setup import usual_game

    usual = usual_game(client)
    for role, seat in SEATS_OF.items():
        if agent := getattr(options, role):
            client.offer(agent)
            usual.bots[seat] = agent
    fair = usual.fair and not (options.left or options.right)
    setup = usual._replace(rules=_rules_of(client, options, usual.rules), fair=fair)
    await client.begin(setup.as_fields(), options.seed)


def terminal_colours() -> str:
    """Return how many colours the terminal supports."""
    from rich.console import Console

    if os.environ.get("NO_COLOR"):
        return "none"
    found = Console().color_system
    return {None: "none", "standard": "16", "256": "256"}.get(found, "full")


def _rules_of(client, options: argparse.Namespace, usual: Rules) -> Rules:
    variants = {one["name"]: one["text"] for one in client.hello["variants"]}
    rules = Rules.of(variants.get(options.rules, options.rules)) if options.rules else usual
    return rules.replace(**parse_changes(options.set))
