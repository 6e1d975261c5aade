"""The options of the rules for a page: all there, in plain words, each choice legal."""

import json
import re

import pytest

from spades_env import Rules
from spades_env.game.rules import CHOICES, MAY_BE_OFF, OPTIONS, RANGES, RulesError, format_value
from spades_env.play.rule_words import SEVEN, changed, idle_options, rule_options, rule_title, rule_words
from spades_env.play.texts import in_language, languages

GROUPS = {group["group"]: group["options"] for group in rule_options()}
SINGLE = {one["name"]: one for group, options in GROUPS.items() if group != SEVEN for one in options}
BASE = {"max_hands": 8}  # so that the game can end whatever else is off


def test_every_option_is_there_once():
    names = [one["name"] for group, options in GROUPS.items() if group != SEVEN for one in options]
    assert sorted(names) == sorted(OPTIONS)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_tells_what_it_takes(name):
    told = SINGLE[name]
    values = [choice["value"] for choice in told["choices"]]
    assert told["words"][0].isupper()
    assert told["may_be_off"] == (name in MAY_BE_OFF)
    if name in CHOICES:
        assert (told["kind"], sorted(values)) == ("choice", sorted(CHOICES[name]))
    elif name in RANGES:
        low, high = RANGES[name]
        assert (told["low"], told["high"]) == (low, high)
        assert (told["kind"], sorted(values)) in (("number", []), ("choice", list(range(low, high + 1))))
    else:
        assert told["kind"] == "switch"
    for value in values or [told["low"] if told["low"] is not None else True]:
        beside = told["beside"].get(format_value(value), {})
        assert getattr(Rules(**BASE | {name: value} | beside), name) == value


@pytest.mark.parametrize("preset", Rules.presets())
def test_what_is_not_idle_can_be_set(preset):
    """Whatever value is chosen in the form, with what it changes beside it, there are such rules."""
    rules = Rules.preset(preset, max_hands=8, failed_nil_tricks="overtricks")
    for name, told in SINGLE.items():
        if name in idle_options(rules):
            continue
        values = [choice["value"] for choice in told["choices"]] or [True, False]
        values = [told["low"], told["high"], *[None] * told["may_be_off"]] if told["kind"] == "number" else values
        for value in values:
            changed = rules.replace(**{name: value} | told["beside"].get(format_value(value), {}))
            assert getattr(changed, name) == value


@pytest.mark.parametrize("preset", Rules.presets())
def test_an_idle_option_changes_no_word(preset):
    """What the form greys out because it means nothing, makes no difference to the rules in words."""
    rules = Rules.preset(preset)
    for name in set(idle_options(rules)) & set(OPTIONS):
        if SINGLE[name]["kind"] == "number" and not SINGLE[name]["may_be_off"] and name != "least_bid":
            assert rule_words(rules.replace(**{name: SINGLE[name]["high"]})) == rule_words(rules), name


def test_the_seven_settings_of_classic():
    assert [one["words"] for one in GROUPS[SEVEN]] == [
        "Play to",
        "10-bag penalty",
        "Overtricks",
        "Blind nil",
        "Passing with a blind nil",
        "Nil and blind nil",
        "Trumps",
    ]
    for one in GROUPS[SEVEN]:
        changed = {name for choice in one["choices"] for name in choice["changes"]}
        assert changed <= set(OPTIONS)
        found = [Rules.preset("classic", **choice["changes"]) for choice in one["choices"]]
        assert len(set(found)) == len(found), "choices differ"
        assert len(one["choices"]) > 1


def test_classic_is_one_choice_of_each():
    values = Rules.preset("classic").as_dict()
    for one in GROUPS[SEVEN]:
        fitting = [choice for choice in one["choices"] if choice["changes"].items() <= values.items()]
        assert len(fitting) == 1, one["name"]


def test_all_that_classic_players_choose_from_can_be_reached():
    """The list of the rule settings, each with its values."""
    wanted = [
        {"target": 300}, {"target": None, "max_hands": 8}, {"target": None, "max_hands": 16}, {"bag_limit": None},
        {"overtrick_points": 0}, {"overtrick_points": -1}, {"blind_nil_deficit": None}, {"blind_nil_deficit": 0},
        {"blind_nil_deficit": 200}, {"blind_nil_pass": 1}, {"nil_bonus": 50, "blind_nil_bonus": 100},
        {"nil_bonus": 200, "blind_nil_bonus": 400}, *({"trumps": mode} for mode in CHOICES["trumps"]),
    ]  # fmt: skip
    reached = {Rules.preset("classic", **choice["changes"]) for one in GROUPS[SEVEN] for choice in one["choices"]}
    for changes in wanted:
        assert Rules.preset("classic", **changes) in reached, changes


def test_trumps_show_the_highest():
    [trumps] = [one for one in GROUPS[SEVEN] if one["words"] == "Trumps"]
    shown = {choice["words"]: choice["about"] for choice in trumps["choices"]}
    assert shown["Spades"] == "A♠, K♠, Q♠ …"
    assert shown["New York City"] == "RJ, BJ, 2♦, 2♠, A♠ …"
    assert shown["Barmore"] == "RJ, BJ, 2♠, A♠ …"
    assert all(name[0].isupper() and " …" in about for name, about in shown.items())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"target": None},
            "“Points that end the game”, “Number of hands” and “Losing score” can't all be off: the game would never "
            "end",
        ),
        ({"target": 0}, "“Points that end the game” takes a whole number from 1 to 10000"),
        ({"bag_limit": 1.5}, "“Bags until the penalty” takes a whole number from 1 to 100"),
        ({"partners": False, "failed_nil_tricks": "partner"}, "“Count toward the partner's bid” needs partners"),
        ({"trumps": "x"}, "trumps cannot be 'x': it takes one of normal, nyc, barmore, deuces, jokers, big_two"),
    ],
)
def test_what_cannot_be_played_is_said_in_the_words_of_the_form(changes, words):
    with pytest.raises(RulesError) as refused:
        changed(Rules(), changes)
    assert str(refused.value) == words
    assert json.loads(json.dumps(rule_options())) == rule_options()


@pytest.mark.parametrize(
    ("rules", "title"),
    [
        ("classic", "Classic"),
        ("classic target=300", "Classic · to 300"),
        ("showdown target=off max_hands=1", "Showdown · 1 hand"),
        ("pagat nil_bonus=50", "Pagat · 1 rule changed"),
        ("house", "House rules"),
        ("classic blind_nil_deficit=off", "Match"),
        ("suicide least_bid=4", "Suicide · 1 rule changed"),
        ("solo target=200 max_hands=4 trumps=nyc tie=extra_hand", "Solo · to 200 · 4 hands · 2 rules changed"),
    ],
)
def test_a_title_is_short(rules, title):
    assert rule_title(Rules.parse(rules)) == title


def test_the_house_rules_read_well():
    assert rule_words(Rules.preset("house"))[3:12] == [
        "The game ends when a side has 500 points; most points win. A tie is a draw.",
        "Make your bid: 10 points per trick bid. Miss it: lose as much.",
        "There is a board of 4: partners may not bid less than that between them, not counting a nil.",
        "The first hand bids itself: nobody bids, every trick scores 10 points, and there are no bags and no nils.",
        "A bid of ten or more scores 200 if it's made and costs 200 if it isn't; tricks above it count for nothing.",
        "A bid of 0 isn't a nil.",
        "There is no blind nil.",
        "A side that is 100 points behind may bid 6 or more for both partners before either of them sees a card. "
        "That bid counts double, made or missed.",
        "A trick above the bid is a bag and scores 1 point; 10 bags cost 100 points.",
    ]


@pytest.mark.parametrize("language", languages())
def test_one_is_not_many(language):
    """Rules with a 1 wherever they may have one."""
    ones = dict.fromkeys(("target", "max_hands", "blind_nil_deficit", "blind_bid", "blind_bid_deficit"), 1)
    ones |= dict.fromkeys(("nil_pass", "blind_nil_pass", "ten_points", "slam_points", "bag_limit", "bag_penalty"), 1)
    for penalty_to in CHOICES["bag_penalty_to"]:
        words = " ".join(in_language(words, language) for words in rule_words(Rules(bag_penalty_to=penalty_to, **ones)))
        assert re.findall(r"\b1 (?:points|bags|hands|cards|Punkte\b|Punkten|Bags|Runden|Karten)", words) == []


def test_without_partners_no_rule_speaks_of_one():
    assert not [words for words in rule_words(Rules.parse("solo nil=true")) if "partner" in words]
