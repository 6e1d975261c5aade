"""Every option of the rules as a form. Options that contradict each other are refused."""

from functools import partial
from typing import Any

from spades_env.game.rules import MAY_BE_OFF, RANGES, Rules, allowed, format_value, parse_value
from spades_env.play.rule_words import rule_options, rule_words
from spades_env.play.store.database import Store
from spades_env.play.terminal.cursor import neighbour
from spades_env.play.terminal.screens.form import Form, Row

STEPS = {  # numbers: the value when one is switched on, and the step of ← and →
    "target": (500, 50),
    "max_hands": (8, 1),
    "floor": (-200, 50),
    "time_limit_s": (600, 60),
    "nil_bonus": (100, 25),
    "blind_nil_deficit": (100, 50),
    "blind_nil_bonus": (200, 50),
    "bag_limit": (10, 1),
    "bag_penalty": (100, 25),
}
ASK_NAME = "Variant name"
SWITCH = ((True, "yes"), (False, "no"))
OTHER = "something else"  # shown for a setting that matches none of its choices


class RulesForm(Form):
    """The answer is the new rules; None if the person escapes."""

    def __init__(self, store: Store, rules: Rules):
        super().__init__("Rules")
        self._store, self._chosen = store, rules

    def rows(self) -> list[Row]:
        words = " ".join(rule_words(self._chosen))
        rows = [
            Row("Use these rules", note=words, enter=lambda: self.dismiss(self._chosen)),
            Row("Save variant", note=words, enter=partial(self.write, ASK_NAME, self._keep)),
        ]
        for group in rule_options():
            rows.append(Row(group["group"]))
            rows += [self._option_row(option) for option in group["options"]]
        return rows

    def foot(self) -> str:
        return str(self._chosen)

    def _option_row(self, option: dict) -> Row:
        """Return the row of an option, or of a setting that changes several options."""
        if any("changes" in one for one in option["choices"]):
            return self._setting_row(option)
        name, kind = option["name"], option["kind"]
        value = self._chosen.as_dict()[name]
        if kind == "number":
            words, note = format_value(value), f"{allowed(name)}. Press Enter to type it.".capitalize()
            ask = partial(self.write, f"{option['words']}: {allowed(name)}", partial(self._set_number, name))
            return Row(option["words"], words, note, partial(self._step_number, name), ask)
        choices = [(one["value"], one["words"]) for one in option["choices"]] or SWITCH
        words = next(words for known, words in choices if known == value)
        note = " ".join(one.get("about", "") for one in option["choices"] if one["value"] == value)
        return Row(option["words"], words, note, partial(self._step_choice, name, [known for known, _ in choices]))

    def _setting_row(self, option: dict) -> Row:
        choices = option["choices"]
        now = self._chosen.as_dict()
        held: dict[str, Any] = next((one for one in choices if one["changes"].items() <= now.items()), {})

        def step(way: int) -> None:
            self._change(neighbour(choices, held, way)["changes"])

        return Row(option["words"], held.get("words", OTHER), held.get("about", ""), step)

    def _step_choice(self, name: str, values: list, way: int) -> None:
        self._change({name: neighbour(values, self._chosen.as_dict()[name], way)})

    def _step_number(self, name: str, way: int) -> None:
        self._change({name: stepped(name, self._chosen.as_dict()[name], way)})

    def _change(self, changes: dict[str, Any]) -> None:
        self._chosen = self._chosen.replace(**changes)

    def _set_number(self, name: str, text: str) -> None:
        self._change({name: parse_value(text)})

    def _keep(self, name: str) -> None:
        self._store.variants.save(name, self._chosen)
        self.message = f"Saved as {name}"


def stepped(name: str, value: int | None, way: int) -> int | None:
    """Return the number one step up (way 1) or down (−1); past either end, an option that may be off is off."""
    start, step = STEPS[name]
    if value is None:
        return start
    low, high = RANGES[name]
    further = value + way * step
    if value in (low, high) and not low <= further <= high:
        return None if name in MAY_BE_OFF else value
    return max(low, min(further, high))
