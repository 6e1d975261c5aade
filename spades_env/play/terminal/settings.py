"""The settings of the terminal; the server keeps them together as `terminal`. The language is the page's, too."""

from dataclasses import dataclass
from typing import Any

from spades_env.play.store.settings import PAGE, TERMINAL
from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.cursor import neighbour
from spades_env.play.terminal.words import SYSTEM, said
from spades_env.play.texts import languages, names

UNTIL_KEY = "key"  # a trick stays until space is pressed
LANGUAGE = "language"
ORDERS = {"SHCD": "♠ ♥ ♣ ♦", "HCDS": "♥ ♣ ♦ ♠", "CDHS": "♣ ♦ ♥ ♠"}


@dataclass(frozen=True)
class Setting:
    """One setting: its values, and the usual one. words: the key of its sentence, if it isn't terminal.set.NAME."""

    name: str
    values: tuple[Any, ...]
    usual: Any
    key: str = ""

    @property
    def words(self) -> str:
        return said(self.key or f"terminal.set.{self.name}")

    def words_of(self, value: Any) -> str:
        if isinstance(value, float):
            return f"{value:g} s"
        if self.name == LANGUAGE and value in names():
            return names()[value]
        if isinstance(value, bool) and self.values == YES_NO:
            return said(f"terminal.{'yes' if value else 'no'}")
        key = "terminal.set.stay" if value == UNTIL_KEY else self.key or f"terminal.set.{self.name}"
        return ORDERS[value] if value in ORDERS else said(f"{key}.{str(value).lower()}")


YES_NO = (True, False)
SETTINGS = (
    Setting(LANGUAGE, (SYSTEM, *sorted(languages())), SYSTEM, "set.language"),
    Setting("pause", (0.0, 0.2, 0.5, 1.0, 1.5), 0.5, "set.botPause"),
    Setting("stay", (0.0, 0.6, 1.2, 2.0, 3.0, UNTIL_KEY), 1.2, "set.trickStay"),
    Setting("sheet", YES_NO, True),
    Setting("forced", YES_NO, False, "set.autoplay"),
    Setting("remarks", YES_NO, True, "set.remarks"),
    Setting("order", tuple(ORDERS), "SHCD", "set.suitOrder"),
    Setting("rising", (False, True), False),
    Setting("deck", ("four", "two", "safe"), "four", "set.deck"),
    Setting("light", (False, True), False),
)


def settings(client: TableClient) -> dict[str, Any]:
    """Return all settings, with the usual value for each that is unset or unknown."""
    kept = _kept(client, TERMINAL) | {LANGUAGE: _kept(client, PAGE).get(LANGUAGE)}
    return {one.name: kept[one.name] if kept.get(one.name) in one.values else one.usual for one in SETTINGS}


async def change(client: TableClient, one: Setting, way: int) -> None:
    """Set the next value (way 1) or the previous one (−1)."""
    name = PAGE if one.name == LANGUAGE else TERMINAL
    value = neighbour(one.values, settings(client)[one.name], way)
    await client.set(name, _kept(client, name) | {one.name: value})


def arranged(view: dict, order: str, rising: bool) -> dict:
    """Return the view with the person's suits in this order; rising: the lowest card first."""
    lanes = sorted(view["lanes"], key=lambda lane: order.index(lane["suit"][0].upper()))
    if rising:
        lanes = [lane | {"cards": lane["cards"][::-1]} for lane in lanes]
    return view | {"lanes": lanes}


def _kept(client: TableClient, name: str) -> dict[str, Any]:
    return client.settings.get(name) or {}
