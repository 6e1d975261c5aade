"""Where rules come from: keywords, texts, files and mappings that mean the same rules."""

import itertools
import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from support.game.refusals import refused

from spades_env import Game, Rules

CLASSIC_SETTINGS = {  # what players of `classic` choose between
    "length": ({"target": 300}, {"target": 500}, {"target": None, "max_hands": 8}, {"target": None, "max_hands": 16}),
    "bag penalty": ({"bag_penalty": 100}, {"bag_penalty": 0}),
    "overtrick points": ({"overtrick_points": 1}, {"overtrick_points": 0}, {"overtrick_points": -1}),
    "blind nil": tuple({"blind_nil_deficit": deficit} for deficit in (None, 0, 100, 200)),
    "passing": ({"blind_nil_pass": 0}, {"blind_nil_pass": 1}),
    "bonuses": tuple({"nil_bonus": nil, "blind_nil_bonus": 2 * nil} for nil in (50, 100, 200)),
    "trumps": tuple({"trumps": mode} for mode in ("normal", "nyc", "barmore", "deuces", "jokers")),
}


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
