"""Rules as text: it names the nearest preset and reads back."""

import random
import tomllib

import pytest
from hypothesis import given, settings
from support.strategies import OPTION_VALUES, random_options, rules, scaled

from spades_env import Rules


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Rules(), "classic"),
        (Rules.preset("solo"), "solo"),
        (Rules(target=300), "classic target=300"),
        (Rules(trumps="nyc", bag_limit=None, nil=False), "classic nil=false bag_limit=off trumps=nyc"),
        (Rules.preset("showdown", overtrick_points=-1), "showdown overtrick_points=-1"),
    ],
)
def test_the_text_names_the_nearest_preset(rules, text):
    assert str(rules) == text
    assert Rules.parse(text) == rules


def test_the_repr_is_code():
    rules = Rules(target=300, bag_limit=None)
    assert repr(rules) == "Rules.preset('classic', target=300, bag_limit=None)"
    assert eval(repr(rules)) == rules


@given(rules())
@settings(max_examples=scaled(200), deadline=None)
def test_any_rules_read_back(rules):
    text = str(rules)
    assert Rules.parse(text) == Rules.of(text) == eval(repr(rules)) == rules
    assert Rules(**rules.as_dict()) == Rules.from_dict(rules.as_dict()) == rules
    assert hash(Rules.parse(text)) == hash(rules)
    assert str(Rules.parse(text)) == text
    assert rules.replace() == rules


@given(rules())
@settings(max_examples=scaled(50), deadline=None)
def test_any_rules_read_back_from_a_file(rules):
    toml = "\n".join(f"{option} = {toml_value(value)}" for option, value in rules.as_dict().items())
    assert Rules.from_dict(tomllib.loads(toml)) == rules


@given(rules(), rules())
@settings(max_examples=scaled(100), deadline=None)
def test_rules_are_equal_when_all_options_are(one, other):
    assert (one == other) == (one.as_dict() == other.as_dict()) == (str(one) == str(other))


def test_random_options_are_legal_and_mix_everything():
    rng = random.Random(0)
    drawn = [random_options(rng) for _ in range(400)]
    for options in drawn:
        assert Rules(**options).as_dict() == options
    for option, values in OPTION_VALUES.items():
        assert {options[option] for options in drawn} == set(values)


def toml_value(value) -> str:
    """Return a value as a rules file spells it."""
    if value is None:
        return '"off"'
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
