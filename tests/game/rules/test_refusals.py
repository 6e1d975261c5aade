"""Unknown options, bad files, bad texts, and the message each of them gets."""

import pytest
from support.game.refusals import refused

from spades_env import Rules, RulesError
from spades_env.game.rules import OPTIONS


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


def test_neither_text_nor_mapping_is_refused():
    refused(lambda: Rules.parse(None), "not None")  # pyright: ignore[reportArgumentType]
    refused(lambda: Rules.from_dict([1]), "rules must be a mapping of options to their values, not [1]")  # pyright: ignore[reportArgumentType]


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


def test_an_unknown_option_without_a_near_name_lists_them_all():
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
def test_values_of_other_types_are_refused(source):
    refused(lambda: Rules.of(source), "rules must be a preset's name, a path, a dict or Rules, not")


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
