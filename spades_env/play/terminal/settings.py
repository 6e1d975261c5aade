"""The settings of the terminal; the store keeps each as `terminal.NAME`."""

from dataclasses import dataclass
from typing import Any

from spades_env.play.store.database import Store
from spades_env.play.terminal.cursor import neighbour

PREFIX = "terminal."
UNTIL_KEY = None  # a trick stays until space is pressed


@dataclass(frozen=True)
class Setting:
    """One setting: its values with their meanings, and the default."""

    name: str
    words: str
    choices: tuple[tuple[Any, str], ...]
    default: Any

    @property
    def values(self) -> list[Any]:
        return [value for value, _ in self.choices]

    def words_of(self, value: Any) -> str:
        return self.choices[self.values.index(value)][1]


YES_NO = ((True, "yes"), (False, "no"))
SETTINGS = (
    Setting("pause", "Pause before a bot plays", tuple((s, f"{s:g} s") for s in (0.0, 0.2, 0.5, 1.0, 1.5)), 0.5),
    Setting(
        "stay",
        "A finished trick stays",
        (*((s, f"{s:g} s") for s in (0.0, 0.6, 1.2, 2.0, 3.0)), (UNTIL_KEY, "until Space is pressed")),
        1.2,
    ),
    Setting("sheet", "Score sheet after every hand", YES_NO, True),
    Setting("forced", "Auto-play a forced card", YES_NO, False),
    Setting("remarks", "Characters speak up now and then", YES_NO, True),
    Setting("order", "Suits in the hand", (("SHCD", "♠ ♥ ♣ ♦"), ("HCDS", "♥ ♣ ♦ ♠"), ("CDHS", "♣ ♦ ♥ ♠")), "SHCD"),
    Setting("rising", "Cards of a suit", ((False, "highest first"), (True, "lowest first")), False),
    Setting("deck", "Colours", (("four", "four"), ("two", "two"), ("safe", "colour-safe")), "four"),
    Setting("light", "Table", ((False, "dark"), (True, "light")), False),
)


def settings(store: Store) -> dict[str, Any]:
    """Return all settings, with the default for each that is unset or damaged."""
    found = store.settings.all()
    chosen = {one.name: found.get(PREFIX + one.name, one.default) for one in SETTINGS}
    for one in SETTINGS:
        if chosen[one.name] not in one.values:
            store.settings.refuse(PREFIX + one.name, chosen[one.name])
            chosen[one.name] = one.default
    return chosen


def change(store: Store, one: Setting, way: int) -> None:
    """Set the next value (way 1) or the previous one (−1)."""
    store.settings.set(PREFIX + one.name, neighbour(one.values, settings(store)[one.name], way))


def arranged(view: dict, order: str, rising: bool) -> dict:
    """Return the view with the person's suits in this order; rising: the lowest card first."""
    lanes = sorted(view["lanes"], key=lambda lane: order.index(lane["suit"][0].upper()))
    if rising:
        lanes = [lane | {"cards": lane["cards"][::-1]} for lane in lanes]
    return view | {"lanes": lanes}
