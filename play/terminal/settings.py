"""What a person may set for the terminal; kept in the store under `terminal.NAME`."""

from dataclasses import dataclass
from typing import Any

from play.store.database import Store

PREFIX = "terminal."
UNTIL_KEY = None  # a trick stays until space


@dataclass(frozen=True)
class Setting:
    """One setting: its values with what they mean, and the usual one."""

    name: str
    words: str
    choices: tuple[tuple[Any, str], ...]
    default: Any

    def words_of(self, value: Any) -> str:
        """Return what a value means."""
        return next(words for known, words in self.choices if known == value)

    def stepped(self, value: Any, way: int) -> Any:
        """Return the value after (way 1) or before (−1) this one, round and round."""
        values = [known for known, _ in self.choices]
        return values[(values.index(value) + way) % len(values)]


YES_NO = ((True, "yes"), (False, "no"))
SETTINGS = (
    Setting("pause", "Bots wait before they move", tuple((s, f"{s:g} s") for s in (0.0, 0.2, 0.5, 1.0, 1.5)), 0.5),
    Setting(
        "stay",
        "A trick stays on the table",
        (*((s, f"{s:g} s") for s in (0.0, 0.6, 1.2, 2.0, 3.0)), (UNTIL_KEY, "until space is pressed")),
        1.2,
    ),
    Setting("sheet", "Score sheet after every hand", YES_NO, True),
    Setting("forced", "A card without a choice plays itself", YES_NO, False),
    Setting("order", "Suits in the hand", (("SHCD", "♠ ♥ ♣ ♦"), ("HCDS", "♥ ♣ ♦ ♠"), ("CDHS", "♣ ♦ ♥ ♠")), "SHCD"),
    Setting("rising", "Cards of a suit", ((False, "highest first"), (True, "lowest first")), False),
    Setting("deck", "Colours", (("four", "four"), ("two", "two"), ("safe", "safe for all eyes")), "four"),
    Setting("light", "Table", ((False, "dark"), (True, "light")), False),
)


def settings(store: Store) -> dict[str, Any]:
    """Return all settings, the usual ones where nothing was set."""
    found = store.settings()
    chosen = {one.name: found.get(PREFIX + one.name, one.default) for one in SETTINGS}
    for one in SETTINGS:
        if not _knows(one, chosen[one.name]):
            store.refuse_setting(PREFIX + one.name, chosen[one.name])
            chosen[one.name] = one.default
    return chosen


def change(store: Store, one: Setting, way: int) -> None:
    """Set the next value (way 1), or the one before (−1)."""
    store.set(PREFIX + one.name, one.stepped(settings(store)[one.name], way))


def arranged(view: dict, order: str, rising: bool) -> dict:
    """Return the view with the person's cards in an order of suits; rising: the lowest card first."""
    lanes = sorted(view["lanes"], key=lambda lane: order.index(lane["suit"][0].upper()))
    if rising:
        lanes = [lane | {"cards": lane["cards"][::-1]} for lane in lanes]
    return view | {"lanes": lanes}


def _knows(one: Setting, value: Any) -> bool:
    return any(known == value for known, _ in one.choices)
