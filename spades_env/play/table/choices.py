"""The bots that can be chosen for a table, and the default ones.

offered(also)           trained characters, then other bots, each from the weakest up; then those in `also`
why_not_offered(bots)   a sentence about the first bot that can't be chosen, else None
of_stars(3, turn)       a bot with about these stars, another one at each turn
default_bots(seat)      agents clockwise from South: a strong and steady partner for the seat, opponents of three stars
default_adviser()       the champion: gives hints and reviews finished hands
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from spades_env.agents.agent_name import SEARCHES
from spades_env.agents.roster import LEVELS, Character, roster
from spades_env.game.cards import Seat
from spades_env.play.table.rating import bot_name, stars
from spades_env.play.texts import catalogue, text

OTHERS = ("random", "rb", "bis", "rule", "standard", "mc:30x30", "standard/mc:30x30+rule")  # that aren't characters
DEFAULT_OPPONENT, DEFAULT_STRONG = "rule", "standard"  # while no character is trained
REPLACEMENT_BOT = "rule"  # replaces a bot that isn't here when a deal is replayed
OPPONENTS_STARS = 3


@dataclass(frozen=True)
class Choice:
    """A bot that can be chosen."""

    key: str  # the agent's string
    name: str
    stars: int
    style: str
    about: str = ""
    rating: float | None = None


def offered(also: Sequence[str] = ()) -> tuple[Choice, ...]:
    """Return all bots that can be chosen; also: agents of this server."""
    characters = [
        Choice(one.key, one.name, one.stars, _known("style", one), _known("about", one), one.rating)
        for one in trained()
    ]
    others = [Choice(key, bot_name(key), stars(key), text(f"style.{key}")) for key in OTHERS]
    more = [Choice(agent, agent, stars(agent), text("style.also")) for agent in also]
    return (*characters, *sorted(others, key=lambda one: one.stars), *more)


def _known(what: str, one: Character) -> str:
    """Return a character's `style` or `about`, from the catalogue of texts unless the roster says otherwise."""
    key, words = f"{what}.{one.key}", getattr(one, what)
    return text(key) if catalogue().get(key) == words else words


def why_not_offered(bots: Iterable[str], also: Sequence[str] = ()) -> str | None:
    """Name the first bot that can't be chosen, and those that can; None if there is no such bot."""
    known = [one.key for one in offered(also)]
    missing = next((bot for bot in bots if bot not in known), None)
    return None if missing is None else f"{missing!r:.40} cannot be chosen; expected one of {', '.join(known)}"


def trained() -> list[Character]:
    """Return the characters whose level is here, the weakest first."""
    ready = [one for one in roster() if (LEVELS / one.level).is_file()]
    return sorted(ready, key=lambda one: (one.stars, one.rating or 0.0))


def of_stars(wanted: int, turn: int, taken: Collection[str] = ()) -> str:
    """Return a bot with these stars, or the next best; turn: who of several; taken: who sits elsewhere."""
    known = [(one.key, one.stars) for one in trained()] or [(key, stars(key)) for key in OTHERS]
    distance = min(abs(has - wanted) for _, has in known)
    found = [key for key, has in known if abs(has - wanted) == distance]
    free = [key for key in found if key not in taken] or found
    return free[turn % len(free)]


def default_bots(seat: Seat = 0, partner: str | None = None) -> list[str]:
    """Return the bots of a first table, as seen from the person's seat."""
    strong = partner or steady_partner()
    opponents = [one.key for one in trained() if one.stars == OPPONENTS_STARS] or [DEFAULT_OPPONENT]
    bots = [strong, opponents[0], strong, opponents[-1]]
    return bots[-seat:] + bots[:-seat]


def steady_partner(at_once: bool = False) -> str:
    """Return who breaks the fewest nils of those with the most stars: a newcomer's partner.

    at_once: only of those that answer at once even where nothing is compiled.
    """
    searching = {one.key for one in trained() if any(f"+{option}:" in one.agent for option in (*SEARCHES, "hunt"))}
    found = [one for one in trained() if not (at_once and one.key in searching)]
    best = [one for one in found if one.stars == found[-1].stars]
    return min(best, key=_broken_nils).key if best else DEFAULT_STRONG


def _broken_nils(one: Character) -> float:
    """Return the share of a character's hands in which it breaks its nil."""
    rate, kept = (one.figures.get(name, [0.0])[0] for name in ("nil_rate", "nil_kept"))
    return rate * (1 - kept)


def replace_missing(bots: Sequence[str], known: Collection[str]) -> list[str]:
    return [bot if bot in known else REPLACEMENT_BOT for bot in bots]


def default_adviser() -> str:
    """Return the champion, listed last in the roster; without trained characters, the level that always ships."""
    found = {one.key for one in trained()}
    return next((one.key for one in reversed(roster()) if one.key in found), DEFAULT_STRONG)


def adviser_as_dict(adviser: str) -> dict:
    return {"key": adviser, "name": bot_name(adviser), "stars": stars(adviser)}
