"""Who may be chosen to sit at a table, and who sits there unless somebody chooses.

offered()          characters that have learned, then other bots: the weakest first within each
default_bots()     agents for South, West, North, East: a strong partner, opponents of three stars
default_adviser()  the strongest there is: gives hints, and looks at finished hands
"""

from dataclasses import asdict, dataclass

from agents.roster import LEVELS, Character, roster
from play.standing import stars

OTHERS = {  # agents without a face, and what they are like
    "random": "Plays whatever the rules allow.",
    "rb": "Bids by a table of points, plays without a plan.",
    "bis": "Weighs every trick when bidding, plays without much of a plan.",
    "rule": "A careful player by the book.",
    "standard": "Learned by playing; quick, and good manners.",
    "mc:30x30": "Bids and plays by trying every move in thirty imagined deals.",
    "standard/mc:30x30+rule": "Bids as standard does, tries every card in thirty imagined deals.",
}
USUAL_OPPONENT, STRONG = "rule", "standard"  # while no character has learned
SURPLUS_BOT = "rule"  # plays a deal again in the place of one that is not here
OPPONENTS_STARS = 3


@dataclass(frozen=True)
class Choice:
    """One who may sit down. `key` is the string that a table takes."""

    key: str
    name: str
    stars: int
    style: str
    about: str = ""
    rating: float | None = None

    def as_dict(self) -> dict:
        """As plain data, for JSON."""
        return asdict(self)


def offered() -> tuple[Choice, ...]:
    """All who may be chosen."""
    others = [Choice(key, key, stars(key), style) for key, style in OTHERS.items()]
    return (*map(_choice, learned()), *sorted(others, key=lambda one: one.stars))


def learned() -> list[Character]:
    """The characters that have a level to play with, the weakest first."""
    ready = [one for one in roster() if (LEVELS / one.level).is_file()]
    return sorted(ready, key=lambda one: (one.stars, one.rating or 0.0))


def default_bots() -> list[str]:
    """South's is the one who plays on when a person there gets up."""
    strong = default_adviser()
    opponents = [one.key for one in learned() if one.stars == OPPONENTS_STARS] or [USUAL_OPPONENT]
    return [strong, opponents[0], strong, opponents[-1]]


def default_adviser() -> str:
    """The strongest character, else the level that is always there."""
    found = learned()
    return found[-1].key if found else STRONG


def _choice(one: Character) -> Choice:
    return Choice(one.key, one.name, one.stars, one.style, one.about, one.rating)
