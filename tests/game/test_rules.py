"""Rules: presets, options, what is refused and with which message, and the text form."""

import itertools
import pickle
import random
import tomllib
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given, settings
from support.strategies import OPTION_VALUES, random_options, rules, scaled

from spades_env import Game, Rules, RulesError
from spades_env.game.rules import MAY_BE_OFF, OPTIONS
from spades_env.shipped import shipped_folder

PRESETS = ("classic", "pagat", "showdown", "solo")  # the rule books; the others change classic
HOUSE_PRESETS = {  # what they change
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
CLASSIC_SETTINGS = {  # what the players of `classic` choose from
    "length": ({"target": 300}, {"target": 500}, {"target": None, "max_hands": 8}, {"target": None, "max_hands": 16}),
    "bag penalty": ({"bag_penalty": 100}, {"bag_penalty": 0}),
    "overtrick points": ({"overtrick_points": 1}, {"overtrick_points": 0}, {"overtrick_points": -1}),
    "blind nil": tuple({"blind_nil_deficit": deficit} for deficit in (None, 0, 100, 200)),
    "passing": ({"blind_nil_pass": 0}, {"blind_nil_pass": 1}),
    "bonuses": tuple({"nil_bonus": nil, "blind_nil_bonus": 2 * nil} for nil in (50, 100, 200)),
    "trumps": tuple({"trumps": mode} for mode in ("normal", "nyc", "barmore", "deuces", "jokers")),
}
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


def refused(make, *said: str) -> str:
    """Return the message when rules are refused: one sentence that contains all of `said`."""
    with pytest.raises(RulesError) as caught:
        make()
    message = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in message
    for words in said:
        assert words in message
    return message


# Presets


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


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "rules must begin with a preset's name, not ''; expected one of classic, house"),
        ("  ", "rules must begin with a preset's name"),
        ("trumps=nyc", "options follow a preset: classic trumps=nyc"),
        ("a\0/b.toml", "cannot be read: embedded null"),
    ],
)
def test_a_text_that_names_no_rules(source, words):
    refused(lambda: Rules.of(source), words)


def test_what_is_neither_text_nor_mapping():
    refused(lambda: Rules.parse(None), "not None")  # pyright: ignore[reportArgumentType]
    refused(lambda: Rules.from_dict([1]), "rules must be a mapping of options to their values, not [1]")  # pyright: ignore[reportArgumentType]


def test_sides_and_their_seats():
    partners, solo = Rules(), Rules.preset("solo")
    assert (partners.sides, [partners.side(seat) for seat in range(4)]) == (2, [0, 1, 0, 1])
    assert [partners.seats(side) for side in range(2)] == [(0, 2), (1, 3)]
    assert (solo.sides, [solo.side(seat) for seat in range(4)]) == (4, [0, 1, 2, 3])
    assert [solo.seats(side) for side in range(4)] == [(0,), (1,), (2,), (3,)]


# Ways to name rules


@pytest.fixture
def rules_file(tmp_path) -> Path:
    path = tmp_path / "my.toml"
    path.write_text('base = "showdown"\ntrumps = "nyc"\nblind_nil_deficit = 50\nbag_limit = "off"\n', encoding="utf-8")
    return path


def test_all_ways_to_name_rules_agree(rules_file):
    changes = {"trumps": "nyc", "blind_nil_deficit": 50, "bag_limit": None}
    expected = Rules.preset("showdown", **changes)
    assert expected == Rules.preset("showdown").replace(**changes)
    assert expected == Rules(**{**Rules.preset("showdown").as_dict(), **changes})
    ways = (
        expected,
        rules_file,
        str(rules_file),
        {"base": "showdown", **changes},
        "showdown trumps=nyc blind_nil_deficit=50 bag_limit=off",
    )
    for way in ways:
        assert Rules.of(way) == expected
        assert Game(way, seed=0).rules == expected
    assert Rules.load(rules_file) == Rules.load(str(rules_file)) == expected


def test_a_file_may_be_changed_by_keywords(rules_file):
    assert Rules.load(rules_file, target=99) == Rules.load(rules_file).replace(target=99)


def test_a_wrong_keyword_is_not_blamed_on_the_file(rules_file):
    for wrong, said in (({"trumps": "x"}, "trumps cannot be 'x'"), ({"trump": "nyc"}, "no option 'trump'")):
        message = refused(lambda wrong=wrong: Rules.load(rules_file, **wrong), said)
        assert str(rules_file) not in message


def test_a_file_without_a_base_starts_from_classic(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("target = 300\n", encoding="utf-8")
    assert Rules.load(path) == Rules(target=300)


@pytest.mark.parametrize("option", CAN_BE_OFF)
def test_off_is_none(option, tmp_path):
    ending = "target" if option == "max_hands" else "max_hands"
    expected = Rules(**{ending: 8, option: None})
    path = tmp_path / "off.toml"
    path.write_text(f'{ending} = 8\n{option} = "off"\n', encoding="utf-8")
    assert expected.as_dict()[option] is None
    assert Rules.load(path) == Rules.parse(f"classic {ending}=8 {option}=off") == expected
    assert Rules(**{ending: 8, option: "off"}) == expected


def test_rules_are_values():
    rules, option = Rules(target=300), "target"
    with pytest.raises(FrozenInstanceError):
        setattr(rules, option, 500)
    assert rules.target == 300
    assert len({rules, Rules(target=300), Rules.parse("classic target=300"), Rules()}) == 2
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules.replace(target=500) == Rules()


def test_every_classic_setting_can_be_reached():
    combinations = list(itertools.product(*CLASSIC_SETTINGS.values()))
    assert len(combinations) == 4 * 2 * 3 * 4 * 2 * 3 * 5
    reached = set()
    for chosen in combinations:
        changes = {option: value for setting in chosen for option, value in setting.items()}
        rules = Rules.preset("classic", **changes)
        assert {option: rules.as_dict()[option] for option in changes} == changes
        reached.add(rules)
    assert len(reached) == len(combinations)


@pytest.mark.parametrize("setting", CLASSIC_SETTINGS)
def test_classic_settings_in_text_and_file(setting, tmp_path):
    for number, changes in enumerate(CLASSIC_SETTINGS[setting]):
        expected = Rules(**changes)
        words = {name: "off" if value is None else value for name, value in changes.items()}
        path = tmp_path / f"{number}.toml"
        lines = [f'{name} = "{word}"' if isinstance(word, str) else f"{name} = {word}" for name, word in words.items()]
        path.write_text("\n".join(lines), encoding="utf-8")
        assert Rules.load(path) == expected
        assert Rules.parse(" ".join(["classic", *(f"{name}={word}" for name, word in words.items())])) == expected


# What is refused


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
def test_what_cannot_be_off(option, off):
    refused(lambda: Rules(**{option: off}), f"{option} cannot be off")


def test_what_can_be_off_says_so():
    for option in CAN_BE_OFF:
        refused(lambda option=option: Rules(**{option: "never"}), option, ", or off")


@pytest.mark.parametrize(
    ("name", "meant"), [("targt", "target"), ("bag_limits", "bag_limit"), ("trump", "trumps"), ("Nil", "nil")]
)
def test_an_unknown_option_is_refused_with_the_nearest_name(name, meant, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(f"{name} = 3\n", encoding="utf-8")
    said = (f"no option {name!r}", f"did you mean {meant!r}?")
    refused(lambda: Rules(**{name: 3}), *said)
    refused(lambda: Rules().replace(**{name: 3}), *said)
    refused(lambda: Rules.preset("solo", **{name: 3}), *said)
    refused(lambda: Rules.from_dict({"base": "solo", name: 3}), *said)
    refused(lambda: Rules.parse(f"solo {name}=3"), *said)
    refused(lambda: Rules.load(path), str(path), *said)


def test_an_unknown_option_like_no_other_lists_them_all():
    message = refused(lambda: Rules(xyzzy=1), "no option 'xyzzy'")
    assert "did you mean" not in message
    assert all(option in message for option in OPTIONS)


@pytest.mark.parametrize("word", ["name", "cls", "self", "path", "options", "changes"])
def test_an_unknown_option_may_have_any_name(word, tmp_path):
    """Even the names of the functions' own arguments are unknown options like any other."""
    path = tmp_path / "words.toml"
    path.write_text(f'base = "solo"\n{word} = "My rules"\n', encoding="utf-8")
    said = f"no option {word!r}"
    refused(lambda: Rules.parse(f"solo {word}=3"), said)
    refused(lambda: Rules.from_dict({word: 3}), said)
    refused(lambda: Rules.from_dict({"base": "solo", word: 3}), said)
    refused(lambda: Rules.load(path), said)


def test_an_option_is_a_word():
    for options in ({3: 1}, {None: 1}, {"base": "solo", 3: 1}):
        refused(lambda options=options: Rules.from_dict(options), "no option")


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


@pytest.mark.parametrize(("name", "meant"), [("clasic", "classic"), ("show", "showdown"), ("Solo", "solo")])
def test_an_unknown_preset_is_refused_with_the_nearest_name(name, meant):
    for make in (Rules.preset, Rules.parse, Rules.of, lambda name: Rules.from_dict({"base": name})):
        refused(lambda make=make: make(name), repr(name), f"did you mean {meant!r}?", *PRESETS)
    refused(lambda: Game(name), repr(name))


def test_no_preset_is_found_outside_its_folder():
    for name in ("../variants/classic", "classic.toml", "*", "/etc/passwd"):
        refused(lambda name=name: Rules.preset(name), repr(name))


def test_a_base_must_be_a_name():
    for base in (3, True, ["classic"]):
        refused(lambda base=base: Rules.from_dict({"base": base}), "base", repr(base))


def test_a_file_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "missing.toml", tmp_path):
        refused(lambda path=path: Rules.load(path), str(path), "cannot be read")
    refused(lambda: Rules.of(str(tmp_path / "missing.toml")), "missing.toml", "cannot be read")


@pytest.mark.parametrize("content", [b"target = ", b"target 300", b"target = 1\ntarget = 2", b"\xff\xfe"])
def test_a_file_that_is_not_toml(content, tmp_path):
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    refused(lambda: Rules.load(path), str(path), "is not TOML")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("target = 0", "target cannot be 0"),
        ("target = true", "target cannot be True"),
        ("nil = 1", "nil cannot be 1"),
        ("nil_bonus = 1.5", "nil_bonus cannot be 1.5"),
        ('nil = "off"', "nil cannot be off"),
        ("[bags]\nlimit = 3", "no option 'bags'"),
        ("[target]\nlimit = 3", "target cannot be {'limit': 3}"),
        ('target = "off"', "no way to end"),
        ('base = "solitaire"', "unknown preset 'solitaire'"),
    ],
)
def test_a_file_with_a_wrong_value_names_file_and_option(content, said, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(content, encoding="utf-8")
    refused(lambda: Rules.load(path), str(path), said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("target=300", "'target=300'"),
        ("classic target", "expected option=value, not 'target'"),
        ("classic target=", "target cannot be ''"),
        ("classic target=three", "target cannot be 'three'"),
        ("classic target=3.5", "target cannot be '3.5'"),
        ("classic target=true", "target cannot be True"),
        ("classic nil=1", "nil cannot be 1"),
        ("classic spades_lead=never", "spades_lead cannot be 'never': it takes one of broken, discarded, any"),
        ("classic nil=True", "nil cannot be 'True'"),
        ("classic target = 300", "'target'"),
        ("classic =3", "no option ''"),
        ("classic base=solo", "no option 'base'"),
        ("classic trumps=nyc=2", "trumps cannot be 'nyc=2'"),
        ("classic target=off", "no way to end"),
        ("classic solo", "'solo'"),
    ],
)
def test_bad_text(text, said):
    refused(lambda: Rules.parse(text), said)


@pytest.mark.parametrize("source", [3, None, ["classic"], 1.5, object(), b"classic"])
def test_what_names_no_rules(source):
    refused(lambda: Rules.of(source), "rules must be a preset's name, a path, a dict or Rules, not")


# Text that reads back


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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("classic target=300 target=100", "target is given twice"),
        ("classic target=1_00", "target cannot be '1_00'"),
        ("classic target=+300", "target cannot be '\\+300'"),
        ("classic target=３００", "target cannot be '３００'"),
    ],
)
def test_nothing_in_a_text_is_repaired(text, words):
    with pytest.raises(RulesError, match=words):
        Rules.parse(text)
