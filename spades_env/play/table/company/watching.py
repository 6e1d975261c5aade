"""What the table shows to somebody without a seat: all that is public, and no hand.

It has the fields of `play.table.seat_view`, so that a front end draws it in the same way. South is at the bottom, there
is nothing to do, and nothing to ask.
"""

from collections.abc import Callable

from spades_env.play.table.prompts import public_prompt
from spades_env.play.table.seat_view import public_parts
from spades_env.play.table.seats import names_at
from spades_env.play.table.table import Table

SOUTH = 0  # at the bottom


def watch_view(table: Table, shown: Callable[[str], str] = str) -> dict:
    """Return everything that anybody may know; shown: how names are shown to this person."""
    names, view = names_at(table.seats, None, shown), table.game.view(SOUTH)
    return public_parts(table, view, names, None) | {
        "watching": True,
        "your_turn": False,
        "prompt": public_prompt(view, names, None),
        "legal": [],
        "refused": {},
        "lanes": [],
        "nil": None,
        "blind_nil": None,
        "blind_bid": None,
        "passing": None,
        "outcome": _outcome(table) if view.over else None,
        "help": {"hints": 0, "takebacks": table.takebacks.total()},
        "can": {"takeback": 0, "hint": False, "claim": False},
        "daily": None,
        "difficulty": None,
    }


def _outcome(table: Table) -> dict:
    about = {"time_is_up": table.game.timed_out, "standing": None, "rated": False}
    return {"outcome": "over", "margin": 0} | about
