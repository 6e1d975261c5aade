"""The rule bot's choices, kept: levels are told what it would do, and rely on it."""

import math

import pytest
from make_golden import ADVICE_FILE, ADVICE_RULES, EACH, FOLDER, advice
from strategies import scaled

from agents import insight
from spades_env import Rules

MOST_OTHERS = 0.005  # of the choices: sums differ a little from machine to machine
WHAT_TO_DO = (
    "the rule bot chooses otherwise than the levels were told in training. If that is meant: raise ADVISER in "
    "agents/insight.py, train the levels anew, and record the choices with `python tests/make_golden.py`"
)


def recorded() -> dict[str, list[str]]:
    lines = (FOLDER / ADVICE_FILE).read_text(encoding="utf-8").splitlines()
    return {rules: choices.split() for rules, choices in (line.split(": ") for line in lines)}


def test_all_presets_and_trumps_are_asked_about():
    assert list(recorded()) == ADVICE_RULES
    assert {len(choices) for choices in recorded().values()} == {EACH}
    asked = [Rules.parse(rules) for rules in ADVICE_RULES]
    assert len({(rules.partners, rules.trumps) for rules in asked}) == 10
    assert {Rules.preset(name) for name in Rules.presets()} <= {*asked}


def test_the_rule_bot_chooses_as_it_did():
    count, others = scaled(EACH), []
    for rules, choices in recorded().items():
        told = advice(rules, count)
        others += [(rules, i, was, now) for i, (was, now) in enumerate(zip(choices, told, strict=False)) if was != now]
    asked = count * len(ADVICE_RULES)
    assert len(others) <= math.ceil(MOST_OTHERS * asked), f"{len(others)} of {asked}: {WHAT_TO_DO}; {others[:5]}"


def test_levels_of_another_adviser_are_refused(monkeypatch):
    mark = insight.insight_mark()
    monkeypatch.setattr(insight, "ADVISER", insight.ADVISER + 1)
    assert insight.insight_mark() != mark


@pytest.mark.parametrize("word", ["raise ADVISER", "train the levels anew", "python tests/make_golden.py"])
def test_a_failure_says_what_to_do(monkeypatch, word):
    monkeypatch.setattr("test_advice.advice", lambda rules, count: ["AS", "2C"] * count)
    with pytest.raises(AssertionError, match=word):
        test_the_rule_bot_chooses_as_it_did()
