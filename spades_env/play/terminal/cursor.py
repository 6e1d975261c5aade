"""Where the cursor goes: from one action in text form, a card, a bid or a blind choice, to another.

settled(view, cursor)      the same place, or where it belongs now
sideways(view, cursor, 1)  the next one; on the person's turn, the next card that may be played
suitwise(view, cursor, 1)  the next suit
suit(view, cursor, "S")    a suit; from a card of that suit, its next card
ends(view, cursor, True)   the lowest card of the suit; False: the highest
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
FIRST_BID, NIL = "bid:3", "bid:0"


def neighbour(values: Sequence[T], value: object, way: int) -> T:
    """Return the value after (way 1) or before (−1) this one, wrapping round; the first if it is not among them."""
    return values[(values.index(value) + way) % len(values)] if value in values else values[0]


def choices(view: dict) -> list[str]:
    """Return every place the cursor may stand on, in order."""
    if view["your_turn"] and view["phase"] in ("blind", "bid"):
        return sorted(view["legal"], key=_bids_last)
    return [card for lane in view["lanes"] for card in lane["cards"]]


def settled(view: dict, cursor: str | None) -> str | None:
    """Keep a place that is still there; on the person's turn, choose one that is legal."""
    there = choices(view)
    playable = _playable(view)
    if cursor in playable or (cursor in there and not view["your_turn"]):
        return cursor
    if FIRST_BID in there and view["phase"] == "bid":
        return FIRST_BID
    return next((place for place in playable if place != NIL), next(iter(playable or there), None))


def sideways(view: dict, cursor: str | None, way: int) -> str | None:
    """Go to the left (−1) or to the right (1), wrapping round."""
    there, playable = choices(view), _playable(view)
    if cursor not in there or not playable:
        return settled(view, cursor)
    place = there.index(cursor)
    round_trip = [there[(place + way * step) % len(there)] for step in range(1, len(there) + 1)]
    return next(action for action in round_trip if action in playable)


def suitwise(view: dict, cursor: str | None, way: int) -> str | None:
    """Go to the suit before (−1) or after (1); stay where there are no suits."""
    lane = _lane_of(view, cursor)
    if not lane or cursor not in choices(view):
        return settled(view, cursor)
    return _first(view, neighbour([lane["cards"] for lane in view["lanes"]], lane, way))


def suit(view: dict, cursor: str | None, letter: str) -> str | None:
    """Go to a suit by its letter; stay where there is no such card."""
    lane = next((lane["cards"] for lane in view["lanes"] if lane["suit"][0].upper() == letter), [])
    if not lane or lane[0] not in choices(view):
        return cursor
    return neighbour(lane, cursor, 1) if cursor in lane else _first(view, lane)


def ends(view: dict, cursor: str | None, lowest: bool, rising: bool = False) -> str | None:
    """Go to the lowest or the highest card of the suit; rising: the lowest comes first."""
    lane = _lane_of(view, cursor)
    if not lane or cursor not in choices(view):
        return settled(view, cursor)
    return lane[-1] if lowest != rising else lane[0]


def _bids_last(action: str) -> tuple[bool, bool]:
    """Sort the look first, then a blind nil, then the bids, which stay in their order."""
    return action.startswith("bid:"), action != "look"


def _lane_of(view: dict, cursor: str | None) -> list[str]:
    return next((lane["cards"] for lane in view["lanes"] if cursor in lane["cards"]), [])


def _playable(view: dict) -> list[str]:
    """Return what may be chosen; anything while it is not the person's turn."""
    there = choices(view)
    return [action for action in there if action in view["legal"]] if view["your_turn"] else there


def _first(view: dict, lane: list[str]) -> str:
    playable = _playable(view)
    return next((card for card in lane if card in playable), lane[0])
