"""The characters: who sits at our tables, how strong they are, how each of them plays.

    from agents.roster import roster, character_named
    for one in roster():
        one.name, one.stars, one.style, one.agent, one.rating

`roster.toml` says who there is: a name, one to five stars, a sentence of style, the string of the agent. In that
string the character's own name means its level, levels/NAME.safetensors: `noor+trial:128` bids as that level says
and tries its cards. `roster.json` says what was measured of them (`spades roster build` writes it); before that, there
are no figures.
"""

import difflib
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from agents.base import AgentError
from agents.results import STATS
from spades_env.plain import PlainError, from_json, from_toml

FOLDER = Path(__file__).parent
LEVELS = FOLDER / "levels"
CHARACTERS, MEASURED = FOLDER / "roster.toml", FOLDER / "roster.json"
SUFFIX = ".safetensors"
MOST_STARS = 5
NAME = re.compile(r"[A-Z][a-z]{1,11}")
TEXTS = {"name": True, "style": True, "about": False, "agent": False, "recipe": False, "level": False}  # needed?
KEYS = (*TEXTS, "stars", "shows")
SIDES = ("high", "low")
FIGURES = {  # what is measured of each: key -> in words, how it is written
    **{key: STATS[key] for key in ("mean_bid", "set_rate", "bags_per_hand", "nil_rate", "nil_kept")},
    "four_bids": ("four bids", "{:.2f}"),
    "nils_set": ("others' nils set", "{:.1%}"),
    "ms_p50": ("ms a move, median", "{:.2f}"),
    "ms_p95": ("… and of 95 %", "{:.2f}"),
}


class RosterError(AgentError):
    """A roster that cannot be read; the message names the field and what is allowed."""


@dataclass(frozen=True)
class Character:
    """One of them. figures: what was measured, nothing before that; shows: figures that bear out the style."""

    name: str
    stars: int
    style: str
    agent: str
    about: str = ""
    recipe: str = ""
    level: str = ""
    shows: dict[str, str] = field(default_factory=dict)  # figure -> high or low, in its level
    rating: float | None = None
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name as agents are written."""
        return self.name.lower()

    def string(self, levels: Path = LEVELS) -> str:
        """Its agent's string, the level's file in full."""
        path = str((levels / self.level).resolve())
        return re.sub(rf"(^|/){self.key}(?=[+/]|$)", lambda found: found[1] + path, self.agent)

    def as_dict(self) -> dict[str, Any]:
        """As `spades roster --json` tells it."""
        return {name: getattr(self, name) for name in ("name", "stars", "style", "about", "agent", "rating", "figures")}


def figure_text(key: str, figure: Any) -> str:
    """A figure as tables show it, an interval left away; – where there is none."""
    value = figure[0] if isinstance(figure, list) else figure
    return "–" if value is None else FIGURES[key][1].format(value)


@cache
def roster() -> tuple[Character, ...]:
    """All characters, the weakest first."""
    return measured_in(MEASURED)


def measured_in(path: Path) -> tuple[Character, ...]:
    """The same, with the figures of this file."""
    return read_roster(CHARACTERS, path)


def character_named(name: str) -> Character | None:
    """The character of this name, however it is capitalised."""
    return next((one for one in roster() if one.key == name.lower()), None)


def chosen(names: list[str]) -> tuple[Character, ...]:
    """The characters of these names; without names, all."""
    for name in names:
        if not character_named(name):
            known = [one.key for one in roster()]
            close = difflib.get_close_matches(name.lower(), known, n=1)
            nearest = f" (did you mean {close[0]}?)" if close else ""
            raise RosterError(f"there is no character {name!r}{nearest}: there are {', '.join(known)}")
    wanted = {name.lower() for name in names}
    return tuple(one for one in roster() if not wanted or one.key in wanted)


def read_roster(characters: Path, measured: Path) -> tuple[Character, ...]:
    """The characters of a file, with what was measured of them in another, if it is there."""
    try:
        table = from_toml(characters.read_bytes())
    except OSError as error:
        raise RosterError(f"{characters} cannot be read: {error.strerror}") from None
    except PlainError as error:
        raise RosterError(f"{characters} is not TOML: {error}") from None
    entries = table.pop("character", None)
    if table or not isinstance(entries, list) or not entries:
        raise RosterError(f"{characters} must consist of [[character]] sections, and nothing else")
    figures = _read_measured(measured)
    found = [_character(i, entry, figures) for i, entry in enumerate(entries)]
    for i, one in enumerate(found):
        if one.key in [other.key for other in found[:i]]:
            raise _refusal(i, "name", one.name, "a name of its own")
    return tuple(sorted(found, key=lambda one: one.stars))


def _character(i: int, entry: Any, figures: dict[str, Any]) -> Character:
    """An entry of the file, every key of it checked."""
    if not isinstance(entry, dict):
        raise RosterError(f"character {i + 1} must be a section, written [[character]], not {entry!r}")
    for key in entry:
        if key not in KEYS:
            close = difflib.get_close_matches(key, KEYS, n=1)
            nearest = f"; did you mean {close[0]}?" if close else "."
            raise RosterError(f"character {i + 1}: {key} is no key of a character{nearest} There are {', '.join(KEYS)}")
    for key, needed in TEXTS.items():
        value = entry.get(key, None if needed else "")
        if not isinstance(value, str) or (needed and not value.strip()):
            raise _refusal(i, key, value, "text")
    if not NAME.fullmatch(entry["name"]):
        raise _refusal(i, "name", entry["name"], "a capital and small letters of the alphabet, 2 to 12 together")
    stars = entry.get("stars")
    if isinstance(stars, bool) or not isinstance(stars, int) or not 1 <= stars <= MOST_STARS:
        raise _refusal(i, "stars", stars, f"a whole number from 1 to {MOST_STARS}")
    shows = entry.get("shows", {})
    if not isinstance(shows, dict) or not all(key in FIGURES and side in SIDES for key, side in shows.items()):
        raise _refusal(i, "shows", shows, f"a table that calls figures high or low; figures are {', '.join(FIGURES)}")
    key = entry["name"].lower()
    usual = {"agent": key, "recipe": f"roster/{key}", "level": key + SUFFIX}
    known = figures.get(key, {})
    given = usual | {name: value for name, value in entry.items() if value}
    return Character(**given, rating=known.get("rating"), figures=known.get("figures", {}))


def _refusal(i: int, key: str, value: Any, allowed: str) -> RosterError:
    return RosterError(f"character {i + 1}: {key} must be {allowed}, not {value!r}")


def _read_measured(path: Path) -> dict[str, Any]:
    """What was measured, by key."""
    if not path.exists():
        return {}
    try:
        found = from_json(path.read_bytes())["characters"]
        return {key: {"rating": one["rating"], "figures": one["figures"]} for key, one in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RosterError(f"{path} is damaged: spades roster build writes it anew") from None
