"""The characters: named bots with a strength and a style of play.

    from spades_env.agents.roster import roster, character_named
    for character in roster():
        character.name, character.stars, character.style, character.agent, character.rating

`roster.toml` lists them: a name, one to five stars, a sentence of style, the string of the agent. In that string the
character's own name means its level, levels/NAME.safetensors: `noor+trial:128` bids like that level and tries its
cards. `roster.json` has their measured figures; `spades roster build` writes it.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from spades_env.agents.base import AgentError
from spades_env.agents.figures import FIGURES
from spades_env.checks import nearest
from spades_env.plain import PlainError, from_toml
from spades_env.shipped import shipped_folder

FOLDER = shipped_folder("agents")
LEVELS = FOLDER / "levels"
CHARACTERS, MEASURED = FOLDER / "roster.toml", FOLDER / "roster.json"
SUFFIX = ".safetensors"
MOST_STARS = 5
NAME = re.compile(r"[A-Z][a-z]{1,11}")
TEXTS = {"name": True, "style": True, "about": False, "agent": False, "recipe": False}  # required?
KEYS = (*TEXTS, "stars", "shows")
SIDES = ("high", "low")


class RosterError(AgentError):
    """A roster that cannot be read; the message names the field and what is allowed."""


@dataclass(frozen=True)
class Character:
    """A character. figures: those measured, if any; shows: the figures that prove its style."""

    name: str
    stars: int
    style: str
    agent: str
    about: str = ""
    recipe: str = ""
    shows: dict[str, str] = field(default_factory=dict)  # figure -> high or low, among characters with its stars
    rating: float | None = None
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name as used in agents' strings."""
        return self.name.lower()

    @property
    def level(self) -> str:
        """The file of its level."""
        return self.key + SUFFIX

    def string(self, levels: Path = LEVELS) -> str:
        """Return the string of its agent with the full path of the level's file."""
        path = str((levels / self.level).resolve())
        return re.sub(rf"(^|/){self.key}(?=[+/]|$)", lambda found: found[1] + path, self.agent)

    def as_dict(self) -> dict[str, Any]:
        """Return what `spades roster --json` prints."""
        return {name: getattr(self, name) for name in ("name", "stars", "style", "about", "agent", "rating", "figures")}


@cache
def roster() -> tuple[Character, ...]:
    """Return all characters, the weakest first."""
    return measured_in(MEASURED)


def measured_in(path: Path) -> tuple[Character, ...]:
    return read_roster(CHARACTERS, path)


def character_named(name: str) -> Character | None:
    return next((one for one in roster() if one.key == name.lower()), None)


def chosen(names: list[str]) -> tuple[Character, ...]:
    """Return the characters of these names, or all if no names are given."""
    for name in names:
        if not character_named(name):
            known = [one.key for one in roster()]
            close = nearest(name.lower(), known)
            raise RosterError(f"unknown character {name!r}{close}; expected {', '.join(known)}")
    wanted = {name.lower() for name in names}
    return tuple(one for one in roster() if not wanted or one.key in wanted)


def read_roster(characters: Path, measured: Path) -> tuple[Character, ...]:
    """Read the characters in one file, and their figures in another if it exists."""
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
            raise _refusal(i, "name", one.name, "a name that no other has")
    return tuple(sorted(found, key=lambda one: one.stars))


def _character(i: int, entry: Any, figures: dict[str, Any]) -> Character:
    """Check every key of an entry and return its character."""
    if not isinstance(entry, dict):
        raise RosterError(f"character {i + 1} must be a section, written [[character]], not {entry!r}")
    for key in entry:
        if key not in KEYS:
            close = nearest(key, KEYS)
            raise RosterError(f"character {i + 1}: unknown key {key}{close}; expected {', '.join(KEYS)}")
    for key, required in TEXTS.items():
        value = entry.get(key, None if required else "")
        if not isinstance(value, str) or (required and not value.strip()):
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
    usual = {"agent": key, "recipe": f"roster/{key}"}
    known = figures.get(key, {})
    given = usual | {name: value for name, value in entry.items() if value}
    return Character(**given, rating=known.get("rating"), figures=known.get("figures", {}))


def _refusal(i: int, key: str, value: Any, allowed: str) -> RosterError:
    return RosterError(f"character {i + 1}: {key} must be {allowed}, not {value!r}")


def _read_measured(path: Path) -> dict[str, Any]:
    """Return the rating and figures of each character, by key."""
    from spades_env.agents.digest import read_sealed_json  # here: `python -m` warns of a module that is loaded already

    if not path.exists():
        return {}
    try:
        found = read_sealed_json(path)["characters"]
        return {key: {"rating": one["rating"], "figures": one["figures"]} for key, one in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RosterError(f"{path} is damaged: delete it and run spades roster build to recreate it") from None
