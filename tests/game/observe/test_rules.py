"""The blocks of the rules: presets, trumps, and rules that differ look different."""

import random
from dataclasses import fields

import numpy as np
import pytest
from support.game.observed import rules_block
from support.game.tables import random_rules
from support.strategies import scaled

from spades_env import Rules
from spades_env.game.cards import NUM_CARDS, TRUMP_ORDERS
from spades_env.game.observe import compiled_rules_features, rules_features
from spades_env.game.rules import CHOICES
from spades_env.game.state import compile_rules

PRESET_BLOCKS = {  # of classic, pagat, showdown, solo
    "trumps": ([1, 0, 0, 0, 0],) * 4,
    "partners": ([1], [1], [1], [0]),
    "limits_on": ([1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]),
    "target": ([5, 0], [5, 0], [2, 50], [2, 50]),
    "max_hands": ([0, 0],) * 4,
    "floor": ([0, 0],) * 4,
    "first_lead": ([0, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1]),
    "zero_is_nil": ([1], [1], [1], [0]),
    "nil_bonus": ([1, 0], [1, 0], [0, 75], [0, 0]),
    "blind_nil_deficit": ([1, 0], [0, 0], [0, 0], [0, 0]),
    "blind_nil_bonus": ([2, 0], [0, 0], [0, 0], [0, 0]),
    "blind_nil_pass": ([0],) * 4,
    "overtrick_points": ([1],) * 4,
    "bag_limit": ([10], [10], [5], [0]),
    "bag_cost": ([1, 0], [1, 0], [0, 0], [0, 0]),
    "bag_gift": ([0, 0], [0, 0], [0, 50], [0, 0]),
    "failed_nil_tricks": ([0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]),
    "spades_any": ([0],) * 4,
    "extra_hand": ([0], [1], [0], [0]),
}


@pytest.mark.parametrize("name", PRESET_BLOCKS)
def test_rules_blocks_of_the_presets(name):
    blocks = [rules_block(Rules.preset(preset))[name] for preset in ("classic", "pagat", "showdown", "solo")]
    assert blocks == list(PRESET_BLOCKS[name])


def test_rules_blocks_of_other_rules():
    values = rules_block(
        Rules(
            target=None, max_hands=16, floor=-205, blind_nil_deficit=0, blind_nil_pass=3, overtrick_points=-1,
            trumps="jokers", failed_nil_tricks="partner", spades_lead="any", tie="extra_hand", bag_limit=None,
        )
    )  # fmt: skip
    assert values["limits_on"] == [0, 1, 1, 1]
    assert (values["target"], values["max_hands"], values["floor"]) == ([0, 0], [0, 16], [-3, 95])
    assert (values["blind_nil_deficit"], values["blind_nil_pass"], values["overtrick_points"]) == ([0, 0], [3], [-1])
    assert values["trumps"] == [0, 0, 0, 0, 1]
    assert (values["failed_nil_tricks"], values["spades_any"], values["extra_hand"]) == ([0, 0, 1, 0], [1], [1])
    assert (values["bag_limit"], values["bag_cost"], values["bag_gift"]) == ([0], [0, 0], [0, 0])


@pytest.mark.parametrize("trumps", TRUMP_ORDERS)
def test_strength_of_trumps(trumps):
    strength = rules_block(Rules(trumps=trumps))["trump"]
    spades = [card for card in range(NUM_CARDS) if strength[card]]
    assert sorted(spades, key=strength.__getitem__, reverse=True) == list(TRUMP_ORDERS[trumps])
    assert sorted(strength[card] for card in spades) == list(range(1, len(spades) + 1))


def test_compiled_rules_have_the_same_features():
    rng = random.Random(5)
    rules = [random_rules(rng) for _ in range(scaled(200))]
    features_of_all = compiled_rules_features(np.concatenate([compile_rules(one) for one in rules]).view(np.recarray))
    assert features_of_all.dtype == np.int8
    assert (features_of_all == [rules_features(one) for one in rules]).all()
    for features in (features_of_all, rules_features(rules[0])):
        assert not features.flags.writeable


ALL_ON = {"max_hands": 8, "floor": -200, "blind_nil_deficit": 100, "bag_penalty": 50, "blind_bid": 6}
ALONE = {  # options of ALL_ON that are off beside this one
    "partners": {"blind_bid": None},
    "bidding": {"blind_nil_deficit": None, "blind_bid": None},
}
DIFFERENT = {  # beside ALL_ON, each of these values should look different from the others
    "partners": (True, False),
    "target": (None, 1, 10, 300, 305, 500),
    "max_hands": (None, 1, 8, 16),
    "floor": (None, -1, -10, -200, -205),
    "first_lead": CHOICES["first_lead"],
    "bidding": CHOICES["bidding"],
    "least_bid": (0, 1, 4, 13),
    "total_not": (None, 0, 13, 26),
    "first_hand": CHOICES["first_hand"],
    "nil": (True, False),
    "nil_bonus": (0, 50, 70, 75, 100),
    "nil_pass": (0, 1, 2, 3),
    "double_nil_points": (None, 0, 200, 500, 505),
    "blind_bid": (None, 1, 6, 13),
    "blind_bid_deficit": (0, 1, 100, 101),
    "ten_points": (None, 0, 200, 205),
    "slam_points": (0, 200, 205),
    "blind_nil_deficit": (None, 0, 1, 100, 101),
    "blind_nil_bonus": (0, 100, 150, 155, 400),
    "blind_nil_pass": (0, 1, 2, 3),
    "overtrick_points": (-1, 0, 1),
    "bag_limit": (None, 1, 5, 10, 100),
    "bag_penalty": (0, 5, 50, 100),
    "bag_penalty_to": CHOICES["bag_penalty_to"],
    "failed_nil_tricks": CHOICES["failed_nil_tricks"],
    "trumps": CHOICES["trumps"],
    "spades_lead": ("broken", "any"),  # under "discarded" the flag "broken" is set by less: no rule says so
    "first_trick": CHOICES["first_trick"],
    "tie": CHOICES["tie"],
}
WITHOUT_FEATURES = {"first_dealer", "time_limit_s"}  # who deals shows on the table; the clock stands beside it


@pytest.mark.parametrize("option", DIFFERENT)
def test_rules_that_differ_look_different(option):
    variants = [Rules(**ALL_ON | ALONE.get(option, {}) | {option: value}) for value in DIFFERENT[option]]
    assert len({rules_features(rules).tobytes() for rules in variants}) == len(variants)


def test_only_the_flag_shows_what_breaks_spades():
    """Levels trained before `discarded` existed read it as `broken`."""
    either = [rules_features(Rules(spades_lead=value)).tobytes() for value in ("broken", "discarded")]
    assert either[0] == either[1]


def test_every_option_is_compared():
    assert set(DIFFERENT) | WITHOUT_FEATURES == {field.name for field in fields(Rules)}


CANNOT_MATTER = [  # an option behind another that is off
    ({"nil": False}, "nil_bonus", (50, 100)),
    ({"blind_nil_deficit": None}, "blind_nil_bonus", (100, 200)),
    ({"blind_nil_deficit": None}, "blind_nil_pass", (0, 3)),
    ({"blind_bid": None}, "blind_bid_deficit", (0, 100)),
    ({}, "slam_points", (None, 0)),
    ({"bag_limit": None}, "bag_penalty", (50, 100)),
    ({"bag_limit": None}, "bag_penalty_to", ("self", "opponents")),
    ({"bag_penalty": 0}, "bag_penalty_to", ("self", "opponents")),
    ({}, "first_dealer", ("random", "west")),
    ({}, "time_limit_s", (None, 600)),
]


@pytest.mark.parametrize(("fixed", "option", "values"), CANNOT_MATTER)
def test_options_without_effect_do_not_show(fixed, option, values):
    features = [rules_features(Rules(**fixed | {option: value})).tobytes() for value in values]
    assert features[0] == features[1]
