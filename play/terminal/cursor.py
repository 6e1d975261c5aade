"""Where the cursor goes: from one action's word, a card, a bid or a blind choice, to another.

settled(view, cursor)      the same place, or where it belongs now
sideways(view, cursor, 1)  the next one: of the cards only those that may be played, while that is asked
suitwise(view, cursor, 1)  the next suit
suit(view, cursor, "S")    a suit, and with the same key again the next card in it
ends(view, cursor, True)   the lowest card of the suit; False: the highest
"""

from spades_env.cards import MAX_BID

FIRST_BID = "bid:3"
BLIND_CHOICES = ("look", "blind")


def choices(view: dict) -> list[str]:
    """Return all that the cursor may stand on, in order."""
    if view["your_turn"] and view["phase"] == "blind":
        return [action for action in BLIND_CHOICES if action in view["legal"]]
    if view["your_turn"] and view["phase"] == "bid":
        return [f"bid:{bid}" for bid in range(MAX_BID + 1)]
    return [card for lane in view["lanes"] for card in lane["cards"]]


def settled(view: dict, cursor: str | None) -> str | None:
    """Return a place that is there; a card that may be played when it is time for one."""
    there = choices(view)
    playable = _playable(view)
    if cursor in playable or (cursor in there and not view["your_turn"]):
        return cursor
    if FIRST_BID in there:
        return FIRST_BID
    return next(iter(playable or there), None)


def sideways(view: dict, cursor: str | None, way: int) -> str | None:
    """Go to the left (−1) or to the right (1), round and round."""
    there, playable = choices(view), _playable(view)
    if cursor not in there or not playable:
        return settled(view, cursor)
    place = there.index(cursor)
    round_trip = [there[(place + way * step) % len(there)] for step in range(1, len(there) + 1)]
    return next(action for action in round_trip if action in playable)


def suitwise(view: dict, cursor: str | None, way: int) -> str | None:
    """Go to the suit before (−1) or after (1); stay where there are no suits."""
    lanes = [lane["cards"] for lane in view["lanes"]]
    here = next((number for number, lane in enumerate(lanes) if cursor in lane), None)
    if here is None or cursor not in choices(view):
        return settled(view, cursor)
    return _first(view, lanes[(here + way) % len(lanes)])


def suit(view: dict, cursor: str | None, letter: str) -> str | None:
    """Go to a suit by its letter; stay where there is no such card."""
    lane = next((lane["cards"] for lane in view["lanes"] if lane["suit"][0].upper() == letter), [])
    if not lane or lane[0] not in choices(view):
        return cursor
    if cursor in lane:
        return lane[(lane.index(cursor) + 1) % len(lane)]
    return _first(view, lane)


def ends(view: dict, cursor: str | None, lowest: bool, rising: bool = False) -> str | None:
    """Go to the lowest or the highest card of the suit; rising: the lowest comes first."""
    lane = next((lane["cards"] for lane in view["lanes"] if cursor in lane["cards"]), None)
    if lane is None or cursor is None or cursor not in choices(view):
        return settled(view, cursor)
    return lane[-1] if lowest != rising else lane[0]


def _playable(view: dict) -> list[str]:
    """Return what may be chosen; anything while it is not the person's turn."""
    there = choices(view)
    return [action for action in there if action in view["legal"]] if view["your_turn"] else there


def _first(view: dict, lane: list[str]) -> str:
    playable = _playable(view)
    return next((card for card in lane if card in playable), lane[0])
