"""The profile of whoever the store belongs to: a name, how the last game was set up, and the games still open.

person(store)                  "Anna", or NOBODY ("You") before a name was given
rename(store, "Bela")          games that nobody had put a name to become Bela's
usual_game(store)              rules, bots and seconds for a move of the last game; defaults before there was one
remember_game(store, usual)    the next new game begins like this one
unfinished(store)              games that one person can go on with alone, the latest first
"""

from datetime import datetime
from typing import NamedTuple

import agents
from play.store.database import Store
from play.store.settings import LAST, NAME
from play.store.sitting_rows import Saved
from play.table.choices import default_bots
from play.table.seats import checked_name
from spades_env import Rules

NOBODY = "You"  # a person without a name


class Usual(NamedTuple):
    """How a new game is set up unless the person says otherwise."""

    rules: Rules
    bots: list[str]  # from South, where the person sits
    move_seconds: float | None


def person(store: Store) -> str:
    """Return the person's name."""
    return store.settings.all().get(NAME, NOBODY)


def rename(store: Store, name: str) -> str:
    """Change the person's name, and put it to games that were played without one."""
    if person(store) == NOBODY:
        store.rename(NOBODY, name)
    store.settings.set(NAME, checked_name(name))
    return name


def usual_game(store: Store) -> Usual:
    """Return the last game's setup, turned so that the person sits South; the defaults if a bot can't be loaded."""
    last = store.settings.all().get(LAST) or {}
    try:
        bots, seat = [agents.load(bot) and bot for bot in last["bots"]], last["seat"]
        return Usual(Rules.parse(last["rules"]), [*bots[seat:], *bots[:seat]], last["move_seconds"])
    except (AttributeError, LookupError, TypeError, ValueError):
        return Usual(Rules(), default_bots(), None)


def remember_game(store: Store, usual: Usual) -> None:
    """Set up the next new game like this one."""
    store.settings.set(
        LAST, {"rules": str(usual.rules), "bots": usual.bots, "seat": 0, "move_seconds": usual.move_seconds}
    )


def unfinished(store: Store) -> list[Saved]:
    """Return the open games of one person alone, the latest first."""
    return [saved for saved in store.unfinished() if len(saved.people) == 1]


def when(saved: Saved) -> str:
    """Return the time of the last change, by this machine's clock."""
    return f"{datetime.fromisoformat(saved.changed).astimezone():%Y-%m-%d %H:%M}" if saved.changed else "unknown time"
