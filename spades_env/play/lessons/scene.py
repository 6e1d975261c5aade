"""What a lesson shows of a table: the part of a seat's view that its small table draws.

It never has more than the view: no hidden card gets here.
"""

from typing import Any

from spades_env.game.cards import Seat
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table

LEARNER: Seat = 0  # where the person sits in every lesson
PARTS = ("phase", "turn", "your_turn", "prompt", "legal", "refused", "lanes", "trick", "nil", "sheet", "outcome")
SEAT_PARTS = ("seat", "called", "who", "person", "bot", "bid", "contract", "tricks", "nil", "dealer", "cards")
SIDE_PARTS = ("side", "called", "score", "status", "bags", "bag_limit")


def scene(table: Table) -> dict[str, Any]:
    """Return what the person sees now; last: the trick finished last; event: the last move in words."""
    view = seat_view(table, LEARNER)
    return {name: view[name] for name in PARTS} | {
        "trumps": view["rules"]["trumps"],
        "seats": [{name: seat[name] for name in SEAT_PARTS} for seat in view["seats"]],
        "sides": [{name: side[name] for name in SIDE_PARTS} for side in view["sides"]],
        "played": len(view["tricks"]),
        "last": view["tricks"][-1] if view["tricks"] else None,
        "event": view["events"][-1]["words"] if view["events"] else None,
    }
