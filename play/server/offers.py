"""Who can be chosen at this server: all whom `play.choices` offers, and who came along. A page can name nobody else."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from play.choices import Choice, default_bots, offered
from play.server.refusals import RefusedError
from play.standing import bot_name, stars

if TYPE_CHECKING:
    from play.server.house import House


def roster(house: "House") -> list[dict[str, Any]]:
    """All who can be chosen, as plain data."""
    more = [Choice(agent, agent, stars(agent), "Came along with the server.") for agent in house.also]
    return [choice.as_dict() for choice in (*offered(), *more)]


def adviser(house: "House") -> dict[str, Any]:
    """Who gives hints and reviews."""
    key = house.adviser
    return {"key": key, "name": bot_name(key), "stars": stars(key)}


def usual_bots(partner_of: int = 0) -> list[str]:
    """Who sits down unless somebody was chosen, seen from a seat."""
    bots = default_bots()
    return bots[-partner_of:] + bots[:-partner_of]


def checked_bots(house: "House", bots: Sequence[str]) -> list[str]:
    """The bots, if they can be chosen."""
    known = [one["key"] for one in roster(house)]
    for bot in bots:
        if bot not in known:
            raise RefusedError(f"{bot!r:.40} cannot be chosen: there are {', '.join(known)}")
    return list(bots)
