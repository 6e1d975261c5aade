"""Presets: what each of them sets, and names that are refused."""

import tomllib

import pytest
from support.game.refusals import refused

from spades_env import Game, Rules
from spades_env.game.rules import OPTIONS
from spades_env.shipped import shipped_folder

PRESETS = ("classic", "pagat", "showdown", "solo")  # the rule books; the others change classic
HOUSE_PRESETS = {  # what they change in classic
    "match": {"blind_nil_deficit": None},
    "house": {
        "trumps": "nyc",
        "least_bid": 4,
        "first_hand": "bids_itself",
        "ten_points": 200,
        "nil": False,
        "blind_nil_deficit": None,
        "blind_bid": 6,
        "blind_bid_deficit": 100,
    },
    **{way: {"bidding": way, "floor": -200, "blind_nil_deficit": None} for way in ("mirror", "whiz", "suicide")},
}
NONE_OF_THEM = {  # what the rule books leave off
    "bidding": "free",
    "least_bid": 0,
    "total_not": None,
    "first_hand": "bid",
    "nil_pass": 0,
    "double_nil_points": None,
    "blind_bid": None,
    "ten_points": None,
    "slam_points": None,
    "first_trick": "any",
}
PRESET_TABLE = {  # the rule books, in the order of PRESETS; "unread" where the preset never reads the option
    "partners": (True, True, True, False),
    "target": (500, 500, 250, 250),
    "max_hands": (None, None, None, None),
    "floor": (None, None, None, None),
    "first_lead": ("right_of_dealer", "left_of_dealer", "left_of_dealer", "highest_bidder"),
    "first_dealer": ("random", "random", "west", "random"),
    "nil": (True, True, True, False),
    "nil_bonus": (100, 100, 75, "unread"),
    "blind_nil_deficit": (100, None, None, None),
    "blind_nil_bonus": (200, "unread", "unread", "unread"),
    "blind_nil_pass": (0, 0, 0, 0),
    "overtrick_points": (1, 1, 1, 1),
    "bag_limit": (10, 10, 5, None),
    "bag_penalty": (100, 100, 50, "unread"),
    "bag_penalty_to": ("self", "self", "opponents", "unread"),
    "failed_nil_tricks": ("overtricks", "bags", "overtricks", "unread"),
    "trumps": ("normal", "normal", "normal", "normal"),
    "spades_lead": ("broken", "discarded", "discarded", "discarded"),
    "tie": ("draw", "extra_hand", "draw", "draw"),
    "time_limit_s": (None, None, 600, None),
}


def test_the_presets_are_rule_books_and_house_rules():
    assert sorted(Rules.presets()) == sorted([*PRESETS, *HOUSE_PRESETS])


@pytest.mark.parametrize("preset", HOUSE_PRESETS)
def test_a_house_preset_changes_classic(preset):
    assert Rules.preset(preset) == Rules(**HOUSE_PRESETS[preset])
    assert str(Rules(**HOUSE_PRESETS[preset])) == preset


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_what_the_table_says(preset):
    options = Rules.preset(preset).as_dict()
    column = {option: row[PRESETS.index(preset)] for option, row in PRESET_TABLE.items()} | NONE_OF_THEM
    assert tuple(options) == OPTIONS
    assert {*column, "blind_bid_deficit"} == set(OPTIONS)
    assert {name: options[name] for name, value in column.items() if value != "unread"} == {
        name: value for name, value in column.items() if value != "unread"
    }


@pytest.mark.parametrize("preset", Rules.presets())
def test_a_preset_file_sets_every_option(preset):
    path = shipped_folder("configs") / "variants" / f"{preset}.toml"
    assert set(tomllib.loads(path.read_text(encoding="utf-8"))) == set(OPTIONS)
    assert Rules.load(path) == Rules.preset(preset) == Game(preset, seed=1).rules


def test_the_defaults_are_classic():
    assert Rules() == Rules.preset("classic") == Rules.from_dict({}) == Rules.parse("classic") == Game(seed=1).rules


def test_sides_and_their_seats():
    partners, solo = Rules(), Rules.preset("solo")
    assert (partners.sides, [partners.side(seat) for seat in range(4)]) == (2, [0, 1, 0, 1])
    assert [partners.seats(side) for side in range(2)] == [(0, 2), (1, 3)]
    assert (solo.sides, [solo.side(seat) for seat in range(4)]) == (4, [0, 1, 2, 3])
    assert [solo.seats(side) for side in range(4)] == [(0,), (1,), (2,), (3,)]


@pytest.mark.parametrize(("name", "meant"), [("clasic", "classic"), ("show", "showdown"), ("Solo", "solo")])
def test_an_unknown_preset_is_refused_with_the_nearest_name(name, meant):
    for make in (Rules.preset, Rules.parse, Rules.of, lambda name: Rules.from_dict({"base": name})):
        refused(lambda make=make: make(name), repr(name), f"did you mean {meant!r}?", *PRESETS)
    refused(lambda: Game(name), repr(name))


def test_no_preset_is_found_outside_its_folder():
    for name in ("../variants/classic", "classic.toml", "*", "/etc/passwd"):
        refused(lambda name=name: Rules.preset(name), repr(name))
