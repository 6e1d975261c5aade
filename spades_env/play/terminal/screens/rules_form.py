"""Every option of the rules as a form. Options that contradict each other are refused."""

from dataclasses import replace
from functools import partial
from typing import Any

from spades_env.game.rules import MAY_BE_OFF, RANGES, Rules, allowed, format_value, parse_value
from spades_env.play.rule_words import changed, idle_options, rule_options, rule_words
from spades_env.play.terminal.client import TableClient
from spades_env.play.terminal.cursor import neighbour
from spades_env.play.terminal.screens.form import Form, FormRow
from spades_env.play.terminal.words import said, spoken

STEPS = {  # numbers: the value when one is switched on, and the step of ← and →
    "target": (500, 50),
    "max_hands": (8, 1),
    "floor": (-200, 50),
    "time_limit_s": (600, 60),
    "nil_bonus": (100, 25),
    "blind_nil_deficit": (100, 50),
    "blind_nil_bonus": (200, 50),
    "least_bid": (4, 1),
    "total_not": (13, 1),
    "double_nil_points": (500, 50),
    "blind_bid": (6, 1),
    "blind_bid_deficit": (100, 50),
    "ten_points": (200, 50),
    "slam_points": (200, 50),
    "bag_limit": (10, 1),
    "bag_penalty": (100, 25),
}


class RulesForm(Form):
    """The answer is the new rules; None if the person escapes."""

    def __init__(self, client: TableClient, rules: Rules):
        super().__init__(said("rules"))
        self._client, self._chosen = client, rules

    def rows(self) -> list[FormRow]:
        words = " ".join(map(spoken, rule_words(self._chosen)))
        rows = [
            FormRow(said("terminal.use_rules"), note=words, enter=lambda: self.dismiss(self._chosen)),
            FormRow(said("form.save"), note=words, enter=partial(self.write, said("form.name"), self._keep)),
        ]
        for group in rule_options():
            rows.append(FormRow(spoken(group["group"])))
            rows += [self._option_row(option) for option in group["options"]]
        return rows

    def foot(self) -> str:
        return str(self._chosen)

    def _option_row(self, option: dict) -> FormRow:
        """Return the row of an option, or of a setting that changes several options; no value to set if it is idle."""
        row = self._open_row(option)
        is_idle = option["name"] in idle_options(self._chosen)
        return replace(row, step=None, enter=None, is_idle=True) if is_idle else row

    def _open_row(self, option: dict) -> FormRow:
        if any("changes" in one for one in option["choices"]):
            return self._setting_row(option)
        name, kind, label = option["name"], option["kind"], spoken(option["words"])
        value = self._chosen.as_dict()[name]
        if kind == "number":
            words, note = format_value(value), said("terminal.type_number", allowed=allowed(name)).capitalize()
            ask = partial(self.write, f"{label}: {allowed(name)}", partial(self._set_number, name))
            return FormRow(label, words, note, partial(self._step_number, name), ask)
        switch = [(True, said("terminal.yes")), (False, said("terminal.no"))]
        choices = [(one["value"], spoken(one["words"])) for one in option["choices"]] or switch
        words = next(words for known, words in choices if known == value)
        note = " ".join(spoken(one.get("about", "")) for one in option["choices"] if one["value"] == value)
        return FormRow(label, words, note, partial(self._step_choice, option, [known for known, _ in choices]))

    def _setting_row(self, option: dict) -> FormRow:
        choices = option["choices"]
        now = self._chosen.as_dict()
        held: dict[str, Any] = next((one for one in choices if one["changes"].items() <= now.items()), {})

        def step(way: int) -> None:
            self._change(neighbour(choices, held, way)["changes"])

        words, about = held.get("words") or said("form.else"), held.get("about", "")
        return FormRow(spoken(option["words"]), spoken(words), spoken(about), step)

    def _step_choice(self, option: dict, values: list, way: int) -> None:
        value = neighbour(values, self._chosen.as_dict()[option["name"]], way)
        self._change({option["name"]: value} | option["beside"].get(format_value(value), {}))

    def _step_number(self, name: str, way: int) -> None:
        self._change({name: stepped(name, self._chosen.as_dict()[name], way)})

    def _change(self, changes: dict[str, Any]) -> None:
        self._chosen = changed(self._chosen, changes)

    def _set_number(self, name: str, text: str) -> None:
        self._change({name: parse_value(text)})

    def _keep(self, name: str) -> None:
        self.send(self._save(name))

    async def _save(self, name: str) -> None:
        await self._client.save_variant(name, str(self._chosen))
        self.message = said("form.saved", name=name)


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
