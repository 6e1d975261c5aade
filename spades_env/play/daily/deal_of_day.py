"""The deal of a day: its cards, its rules and its players, the same everywhere.

    seed_of("2026-11-25")          decides all cards; anybody can compute it:
    printf %s "spades daily 2026-11-25" | sha256sum | cut -c1-16

The seed is the number that these sixteen hex digits write. A person sits South. The others are the same on every day.
Since the date gives the cards away, a daily deal changes no rating and is in no statistics. The first game of a day
counts for its day: it has neither undo nor hints. Later ones are for practice.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from spades_env.errors import SpadesError
from spades_env.game.cards import Seat
from spades_env.game.rules import Rules
from spades_env.play.texts import text

HANDS = 4
RULES = Rules.preset("classic", target=None, max_hands=HANDS)
SEAT: Seat = 0  # the person's
CHAMPION = "zofia"
BOTS = (CHAMPION, "dara", "amara", "yusuf")  # from South, where the champion plays if no person does
DAY = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}")  # so days before and after a day are dates, too
SIDES = RULES.sides


class DailyError(SpadesError):
    """There is no such daily deal; the message says why."""


@dataclass(frozen=True)
class ChampionHand:
    """What the champion's game brought in a hand: points by side, and the bags after it."""

    points: tuple[int, ...]
    bags: tuple[int, ...]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "ChampionHand":
        found = {name: tuple(data[name]) for name in ("points", "bags")}
        if not all(len(one) == SIDES and all(type(value) is int for value in one) for one in found.values()):
            raise SpadesError("the champion's result must be two numbers of points and two of bags for each hand")
        return cls(**found)


@dataclass
class Daily:
    """A game of a daily deal. counted: is it the first one of its day? champion: the hands played so far."""

    day: str
    counted: bool = True
    champion: list[ChampionHand] = field(default_factory=list)

    def __post_init__(self):
        parsed(self.day)

    @property
    def date(self) -> date:
        return parsed(self.day)

    @property
    def seed(self) -> int:
        return seed_of(self.day)

    @property
    def complete(self) -> bool:
        """Has the champion played all hands?"""
        return len(self.champion) == HANDS

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Daily":
        """Return what `as_dict` described; ValueError if it is damaged."""
        champion, counted = [ChampionHand.from_dict(one) for one in data["champion"]], data["counted"]
        if type(counted) is not bool or len(champion) > HANDS:
            raise SpadesError(f"a daily deal is counted or not, and has {HANDS} hands at most")
        return cls(data["day"], counted, champion)


def seed_of(day: str) -> int:
    return int(hashlib.sha256(f"spades daily {day}".encode()).hexdigest()[:16], 16)


def parsed(day: str) -> date:
    """Return the date that a text like 2026-11-25 writes; DailyError if it writes none."""
    try:
        if isinstance(day, str) and DAY.fullmatch(day):
            return date.fromisoformat(day)
    except ValueError:
        pass
    raise DailyError(f"A day is written like 2026-11-25, not {day!r:.40}")


def today() -> date:
    """Return the date in UTC."""
    return datetime.now(UTC).date()


def local_day() -> str:
    """Return the date in this computer's time zone, as text."""
    return datetime.now().astimezone().date().isoformat()


def checked_day(day: str) -> date:
    """Return a player's date; DailyError unless it can be that day somewhere on earth."""
    found, here = parsed(day), today()
    if abs((found - here).days) > 1:
        raise DailyError(text("error.not_today", day=day, today=here.isoformat()))
    return found
