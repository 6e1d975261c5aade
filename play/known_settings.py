"""What the settings in the store must be: the person's name, how the last table was set up, the page's own.

Others may be anything that JSON can hold.
"""

from collections.abc import Callable
from typing import Any

from play.seats import checked_name
from spades_env import Rules
from spades_env.cards import NUM_SEATS
from spades_env.checks import whole

NAME, LAST, PAGE = "name", "last", "page"
LAST_KEYS = {"rules", "bots", "seat", "move_seconds"}
LONGEST_MOVE = 3600  # seconds


def check_setting(name: str, value: Any) -> None:
    """Raise ValueError where a setting is none that this program could have kept."""
    CHECKS.get(name, lambda _: None)(value)


def _check_last(value: Any) -> None:
    if not isinstance(value, dict) or value.keys() != LAST_KEYS:
        raise ValueError(f"it must be an object with {', '.join(sorted(LAST_KEYS))}")
    Rules.parse(value["rules"])
    bots, seconds = value["bots"], value["move_seconds"]
    if not isinstance(bots, list) or len(bots) != NUM_SEATS or not all(isinstance(bot, str) for bot in bots):
        raise ValueError(f"bots must be {NUM_SEATS} names")
    whole("seat", value["seat"], 0, NUM_SEATS - 1)
    fits = isinstance(seconds, int | float) and not isinstance(seconds, bool) and 1 <= seconds <= LONGEST_MOVE
    if seconds is not None and not fits:
        raise ValueError(f"move_seconds must be null or a number from 1 to {LONGEST_MOVE}, not {seconds!r:.40}")


def _check_page(value: Any) -> None:
    if not isinstance(value, dict) or not all(isinstance(one, bool | int | float | str) for one in value.values()):
        raise ValueError("it must be an object of words, numbers, true and false")


CHECKS: dict[str, Callable[[Any], Any]] = {NAME: checked_name, LAST: _check_last, PAGE: _check_page}
