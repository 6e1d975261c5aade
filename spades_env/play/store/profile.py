"""The profile of the store's owner: a name, the setup of the last game, and the unfinished games.

person(store)                  "Anna", or DEFAULT_NAME ("You") before a name was given
rename(store, "Bela")          games played without a name become Bela's
usual_game(store)              rules, bots and seconds for a move of the last game; defaults before the first game
remember_game(store, usual)    the next new game begins like this one
unfinished(store)              games that one person can continue alone, the latest first
"""

from datetime import datetime
from typing import NamedTuple

from spades_env import agents
from spades_env.game.rules import Rules
from spades_env.play.store.database import Store
from spades_env.play.store.settings import LAST, NAME
from spades_env.play.store.sitting_rows import Saved
from spades_env.play.table.choices import default_bots
from spades_env.play.table.seats import checked_name

DEFAULT_NAME = "You"


class GameSetup(NamedTuple):
    """The setup of a new game, unless the person chooses another."""

    rules: Rules
    bots: list[str]  # from South, where the person sits
    move_seconds: float | None


def person(store: Store) -> str:
    return store.settings.all().get(NAME, DEFAULT_NAME)


def rename(store: Store, name: str) -> str:
    """Change the person's name; games played without a name become theirs."""
    if person(store) == DEFAULT_NAME:
        store.rename(DEFAULT_NAME, name)
    store.settings.set(NAME, checked_name(name))
    return name


def usual_game(store: Store) -> GameSetup:
    """Return the last game's setup, rotated so that the person sits South; defaults if a bot can't be loaded."""
    last = store.settings.all().get(LAST) or {}
    try:
        bots, seat = [agents.load(bot) and bot for bot in last["bots"]], last["seat"]
        return GameSetup(Rules.parse(last["rules"]), [*bots[seat:], *bots[:seat]], last["move_seconds"])
    except (AttributeError, LookupError, TypeError, ValueError):
        return GameSetup(Rules(), default_bots(), None)


def remember_game(store: Store, usual: GameSetup) -> None:
    store.settings.set(
        LAST, {"rules": str(usual.rules), "bots": usual.bots, "seat": 0, "move_seconds": usual.move_seconds}
    )


def unfinished(store: Store) -> list[Saved]:
    return [saved for saved in store.unfinished() if len(saved.people) == 1]


def when(saved: Saved) -> str:
    """Return the local time of the last change."""
    return f"{datetime.fromisoformat(saved.changed).astimezone():%Y-%m-%d %H:%M}" if saved.changed else "unknown time"
