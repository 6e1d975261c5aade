"""What each option takes: numbers within limits, switches and choices; options that exclude each other."""

import pytest
from support.game.refusals import refused
from support.strategies import OPTION_VALUES

from spades_env import Rules
from spades_env.game.rules import MAY_BE_OFF, OPTIONS

LIMITS = {  # the smallest and the largest number that an option takes
    "target": (1, 10_000),
    "max_hands": (1, 10_000),
    "floor": (-10_000, -1),
    "least_bid": (0, 13),
    "total_not": (0, 26),
    "nil_bonus": (0, 10_000),
    "nil_pass": (0, 3),
    "double_nil_points": (0, 10_000),
    "blind_nil_deficit": (0, 10_000),
    "blind_nil_bonus": (0, 10_000),
    "blind_nil_pass": (0, 3),
    "blind_bid": (1, 13),
    "blind_bid_deficit": (0, 10_000),
    "ten_points": (0, 10_000),
    "slam_points": (0, 10_000),
    "overtrick_points": (-1, 1),
    "bag_limit": (1, 100),
    "bag_penalty": (0, 10_000),
    "time_limit_s": (1, 10_000),
}
SWITCHES = ("partners", "nil")
WORDS = (
    *("first_lead", "first_dealer", "bidding", "first_hand", "bag_penalty_to", "failed_nil_tricks"),
    *("trumps", "spades_lead", "first_trick", "tie"),
)
CAN_BE_OFF = (
    *("target", "max_hands", "floor", "total_not", "double_nil_points", "blind_nil_deficit", "blind_bid"),
    *("ten_points", "slam_points", "bag_limit", "time_limit_s"),
)


@pytest.mark.parametrize("option", CAN_BE_OFF)
def test_off_is_none(option, tmp_path):
    ending = "target" if option == "max_hands" else "max_hands"
    expected = Rules(**{ending: 8, option: None})
    path = tmp_path / "off.toml"
    path.write_text(f'{ending} = 8\n{option} = "off"\n', encoding="utf-8")
    assert expected.as_dict()[option] is None
    assert Rules.load(path) == Rules.parse(f"classic {ending}=8 {option}=off") == expected
    assert Rules(**{ending: 8, option: "off"}) == expected


def test_every_option_is_of_one_kind():
    assert sorted([*LIMITS, *SWITCHES, *WORDS]) == sorted(OPTIONS)
    assert sorted(CAN_BE_OFF) == sorted(MAY_BE_OFF)


@pytest.mark.parametrize("option", LIMITS)
def test_numbers_have_limits(option):
    low, high = LIMITS[option]
    for value in (low, high):
        assert Rules(**{"max_hands": 8, option: value}).as_dict()[option] == value
    for value in (low - 1, high + 1, 10**30):
        refused(lambda value=value: Rules(**{option: value}), f"{option} cannot be {value}", f"from {low} to {high}")


@pytest.mark.parametrize("option", LIMITS)
@pytest.mark.parametrize("value", [True, False, 1.0, "1", "many", [1], {}])
def test_a_number_must_be_a_whole_number(option, value):
    refused(lambda: Rules(**{option: value}), f"{option} cannot be {value!r}", "a whole number from")


@pytest.mark.parametrize("option", SWITCHES)
@pytest.mark.parametrize("value", [0, 1, "true", "yes", 1.0, []])
def test_a_switch_must_be_true_or_false(option, value):
    refused(lambda: Rules(**{option: value}), f"{option} cannot be {value!r}", "true or false")


@pytest.mark.parametrize("option", WORDS)
@pytest.mark.parametrize("value", ["nonsense", "", "Normal", 0, True, ["normal"]])
def test_a_word_must_be_one_of_its_choices(option, value):
    message = refused(lambda: Rules(**{option: value}), f"{option} cannot be {value!r}", "one of ")
    assert all(choice in message for choice in OPTION_VALUES[option])


@pytest.mark.parametrize("option", WORDS)
def test_every_choice_is_taken(option):
    for value in OPTION_VALUES[option]:
        assert Rules(**{"blind_nil_deficit": None, option: value}).as_dict()[option] == value


@pytest.mark.parametrize("option", sorted(set(OPTIONS) - set(CAN_BE_OFF)))
@pytest.mark.parametrize("off", [None, "off"])
def test_other_options_cannot_be_off(option, off):
    refused(lambda: Rules(**{option: off}), f"{option} cannot be off")


def test_the_message_says_where_off_is_allowed():
    for option in CAN_BE_OFF:
        refused(lambda option=option: Rules(**{option: "never"}), option, ", or off")


def test_a_game_must_have_a_way_to_end():
    refused(lambda: Rules(target=None), "target", "max_hands", "floor", "no way to end")
    for ending in ({"target": 1}, {"max_hands": 1}, {"floor": -1}):
        rules = Rules(**({"target": None, "max_hands": None, "floor": None} | ending))
        assert {name: rules.as_dict()[name] for name in ending} == ending
    refused(lambda: Rules().replace(target=None), "no way to end")


def test_passing_needs_partners():
    for cards in (1, 2, 3):
        refused(lambda cards=cards: Rules(partners=False, blind_nil_pass=cards), "blind_nil_pass", "partners")
        refused(lambda cards=cards: Rules(blind_nil_pass=cards).replace(partners=False), "blind_nil_pass", "partners")


def test_a_partners_bid_needs_partners():
    refused(lambda: Rules.preset("solo", failed_nil_tricks="partner"), "failed_nil_tricks", "partners")
