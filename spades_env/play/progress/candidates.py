"""Which achievements a game may have earned, by a glance at its rows, so that few hands have to be replayed.

A replay takes milliseconds, and somebody with a thousand games has ten thousand hands. The rows say what the person bid
and took. They don't say what the others did: where they leave it open, the hands are replayed.
"""

from collections import defaultdict

from spades_env.game.cards import NUM_SEATS
from spades_env.game.state import NO_BID
from spades_env.plain import from_json
from spades_env.play.store.database import Store
from spades_env.play.store.rows import DATA, Row

HIGH_BID = 10  # of a team
FAR_BEHIND = -100
ALWAYS = frozenset(("set_five", "one_star"))  # the rows can't exclude these
ALL = ALWAYS | {"nil", "blind_nil", "exact", "no_bags", "comeback", "ten_bid"}


def worth_reading(store: Store, person: str, hands: list[Row]) -> dict[str, frozenset[str]]:
    """Return the achievements that each game may have earned, by its key. hands: the store's undamaged rows."""
    by_id = {row["id"]: row for row in hands if not row["taken_back"]}
    found = defaultdict(list)
    for row in store.file.checked("hand_results"):
        if row["person"] == person and row["hand"] in by_id:
            found[row["key"]].append(row | {"played": by_id[row["hand"]][DATA]})
    return {key: _worth(rows) for key, rows in found.items()}


def _worth(rows: list[Row]) -> frozenset[str]:
    found = {
        "nil": any(row["nil"] and not row["blind"] and not row["tricks"] for row in rows),
        "blind_nil": any(row["blind"] and not row["tricks"] for row in rows),
        "exact": all(row["bid"] in (row["tricks"], NO_BID) for row in rows),
        "no_bags": not any(row["bags"] for row in rows),
        "comeback": any(_is_far_behind(row["played"]) for row in rows),
        "ten_bid": any(row["made"] and _highest_bid(row["played"]) >= HIGH_BID for row in rows),
    }
    return ALWAYS | {key for key, may_be in found.items() if may_be}


def _is_far_behind(played: str) -> bool:
    """Did any side have so few points before this hand? After the last one it's too late for a comeback."""
    return any(score <= FAR_BEHIND for score in _parsed(played).get("scores", [FAR_BEHIND]))


def _highest_bid(played: str) -> int:
    """Return the highest bid of two partners or of one seat. Seats bid in turn: every second one is a partner."""
    words = [word for word in _parsed(played).get("moves", "").split() if word.startswith("bid:") or word == "blind"]
    bids = [int(word.partition(":")[2] or 0) for word in words[:NUM_SEATS]]
    return max(*bids, sum(bids[::2]), sum(bids[1::2])) if len(bids) == NUM_SEATS else HIGH_BID


def _parsed(played: str) -> dict:
    data = from_json(played)
    return data if isinstance(data, dict) else {}
