"""Every option of the rules as a form. Options that do not go together are refused."""

from functools import partial
from typing import Any

from play.rule_words import rule_options, rule_words
from play.store.database import Store
from play.terminal.screens.form import Form, Row
from spades_env import Rules
from spades_env.rules import MAY_BE_OFF, RANGES, allowed, format_value, parse_value

STEPS = {  # numbers: the first value of one that was off, and how far ← and → go
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
SWITCH = ((True, "yes"), (False, "no"))
OTHER = "others"  # the value of a setting that fits none of its choices


class RulesForm(Form):
    """The answer is the rules; None if they stay as they were."""

    def __init__(self, store: Store, rules: Rules):
        super().__init__("Rules")
        self._store, self._chosen = store, rules

    def rows(self) -> list[Row]:
        words = " ".join(rule_words(self._chosen))
        rows = [
            Row("Done: play by these rules", note=words, enter=lambda: self.dismiss(self._chosen)),
            Row("Keep these rules under a name", note=words, enter=self._ask_name),
        ]
        for group in rule_options():
            rows.append(Row(group["group"]))
            rows += [self._option_row(option) for option in group["options"]]
        return rows

    def foot(self) -> str:
        return str(self._chosen)

    def _option_row(self, option: dict) -> Row:
        """Make the row of an option, or of a setting that changes several."""
        if any("changes" in one for one in option["choices"]):
            return self._setting_row(option)
        name, kind = option["name"], option["kind"]
        value = self._chosen.as_dict()[name]
        if kind == "number":
            words, note = format_value(value), f"{allowed(name)}. Enter: write it.".capitalize()
            return Row(option["words"], words, note, partial(self._step_number, name), partial(self._ask, option))
        choices = [(one["value"], one["words"]) for one in option["choices"]] or SWITCH
        words = next(words for known, words in choices if known == value)
        note = " ".join(one.get("about", "") for one in option["choices"] if one["value"] == value)
        return Row(option["words"], words, note, partial(self._step_choice, name, [known for known, _ in choices]))

    # Changes

    def _setting_row(self, option: dict) -> Row:
        choices = option["choices"]
        held = next((i for i, one in enumerate(choices) if self._holds(one["changes"])), None)
        words = OTHER if held is None else choices[held]["words"]
        note = "" if held is None else choices[held].get("about", "")

        def step(way: int) -> None:
            place = 0 if held is None else (held + way) % len(choices)
            self._change(choices[place]["changes"])

        return Row(option["words"], words, note, step)

    def _holds(self, changes: dict[str, Any]) -> bool:
        now = self._chosen.as_dict()
        return all(now[name] == value for name, value in changes.items())

    def _step_choice(self, name: str, values: list, way: int) -> None:
        place = values.index(self._chosen.as_dict()[name]) + way
        self._change({name: values[place % len(values)]})

    def _step_number(self, name: str, way: int) -> None:
        self._change({name: stepped(name, self._chosen.as_dict()[name], way)})

    def _change(self, changes: dict[str, Any]) -> None:
        self._chosen = self._chosen.replace(**changes)

    def _ask(self, option: dict) -> None:
        name = option["name"]
        self.write(f"{option['words']}: {allowed(name)}", lambda text: self._change({name: parse_value(text)}))

    # Variants

    def _ask_name(self) -> None:
        self.write("Keep these rules under which name?", self._keep)

    def _keep(self, name: str) -> None:
        self._store.save_variant(name, self._chosen)
        self.message = f"Kept as {name}"


def stepped(name: str, value: int | None, way: int) -> int | None:
    """Return the number after (way 1) or before (−1) this one; beyond both ends it is off, where it may be."""
    start, step = STEPS[name]
    if value is None:
        return start
    low, high = RANGES[name]
    further = value + way * step
    if value in (low, high) and not low <= further <= high:
        return None if name in MAY_BE_OFF else value
    return max(low, min(further, high))
