"""Every field of every message: names, types, sizes and ranges, checked before anything happens."""

import pytest
from support.paths import ROOT
from support.play.sittings import refuses

from spades_env.play.server.errors import RefusedError
from spades_env.play.server.requests import fields
from spades_env.play.server.requests.fields import MOST, SHOWN, Field, checked, read, text, whole
from spades_env.play.server.rooms.company import PHRASES
from spades_env.play.server.routes import REQUESTS

FIELDS = {"seat": Field(whole(0, 3)), "name": Field(text(5), "Anna")}


def refusal(words: str):
    return refuses(words, RefusedError)


def test_a_message_is_read():
    assert read('{"id": 7, "do": "act", "moves": [1, {"x": null}]}', 100) == {
        "id": 7,
        "do": "act",
        "moves": [1, {"x": None}],
    }


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[]",
        "7",
        '"act"',
        "null",
        "nonsense",
        "{'id': 7}",
        "[" * 3000,
        '{"a":' * 700,
        "1" * 4000,
        "\ud800",
        "\x00",
    ],
)
def test_what_is_no_object_is_refused(message):
    with refusal("A message is one object in JSON"):
        read(message, 10_000)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "[1, 1e400]"])
def test_numbers_that_are_none(value):
    with refusal("… is not a number in JSON"):
        read('{"id": ' + value + "}", 100)


@pytest.mark.parametrize(
    "half", ['{"id": 1, "name": "\\ud800"}', '{"id": 1, "\\uDFff": 2}', '{"a": [{"b": "x\\udc00\\ud83d"}]}']
)
def test_half_a_character_is_refused(half):
    with refusal("A message holds whole characters, not half of one (a lone surrogate)"):
        read(half, 100)


def test_a_whole_character_may_be_escaped():
    assert read('{"name": "\\ud83d\\ude00"}', 100) == {"name": "\U0001f600"}


def test_a_field_given_twice():
    with refusal("A message names every field once"):
        read('{"id": 1, "id": 2}', 100)


def test_sizes_are_counted_in_bytes():
    fields.check_size("ä" * 50, 100)
    with refusal("A message has at most 100 bytes, not 102"):
        fields.check_size("ä" * 51, 100)


def test_fields_are_taken_and_filled_up():
    assert checked({"id": 1, "do": "sit", "seat": 2}, FIELDS) == {"seat": 2, "name": "Anna"}
    assert checked({"id": 1, "do": "sit", "seat": 2, "name": "Bo"}, FIELDS) == {"seat": 2, "name": "Bo"}


def test_what_is_wrong_with_fields():
    with refusal("'sit' needs seat"):
        checked({"do": "sit"}, FIELDS)
    with refusal("unknown field \"seats\" of 'sit'; expected seat, name"):
        checked({"do": "sit", "seats": 2}, FIELDS)
    with refusal("unknown field \"a\" of 'leave'; expected no fields"):
        checked({"do": "leave", "a": 2}, {})
    with refusal("seat must be a whole number from 0 to 3, not 4"):
        checked({"do": "sit", "seat": 4}, FIELDS)
    with refusal("name must be a text of at most 5 characters, not …"):
        checked({"do": "sit", "seat": 1, "name": "x" * 100_000}, FIELDS)
    with refusal("order must be the seats 0 to 3 in any order, each once, not null"):
        checked({"do": "rematch", "order": None}, REQUESTS["rematch"].fields)


CASES = [
    (whole(0, 3), [0, 3], [-1, 4, 1.0, True, "1", None, [], {}, 10**400]),
    (fields.number(1, 60), [1, 2.5, 60], [0.5, 61, True, "2", None, 10**400]),
    (text(3), ["", "abc"], ["abcd", 1, None, ["a"]]),
    (text(3, "[a-c]+"), ["abc"], ["", "abd", "abca"]),
    (fields.flag, [True, False], [0, 1, "true", None]),
    (fields.none_or(whole(0, 3)), [None, 0], [4, "x", False]),
    (fields.four(text(3)), [["a", "b", "c", "d"]], [[], ["a"] * 3, ["a"] * 5, "abcd", ["a", "b", "c", 4], {"a": 1}]),
    (fields.one_of(PHRASES), ["hello"], ["", "You fool", "hello ", "HELLO", 3, None, ["hello"]]),
    (
        fields.order_of_four,
        [[3, 1, 0, 2]],
        [[0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 4], [0, 1, 2, True], "0123", [0.0, 1, 2, 3], None],
    ),
    (fields.plain(20), [None, 1, "x", [1, [2]], {"a": {}}], ["x" * 20, [[[[[[[[[1]]]]]]]]], list(range(9))]),
    (fields.simple(9), [None, True, 1.5, "x"], [[], {}, "x" * 9, 10**9]),
    (fields.mapping(fields.flag, 2), [{}, {"a": True}], [{"a": 1}, {"a": True, "b": True, "c": True}, [], "a", None]),
]


@pytest.mark.parametrize(("check", "good", "bad"), CASES, ids=range(len(CASES)))
def test_checks(check, good, bad):
    for value in good:
        assert check(value) == value
    for value in bad:
        with pytest.raises(RefusedError):
            check(value)


def test_depth():
    assert [fields.depth(value) for value in (1, "x", [], [1], [[]], {"a": [{}]})] == [0, 0, 1, 1, 2, 3]


@pytest.mark.parametrize("levels", [20, 41, 600, 950, 20_000])
def test_however_deep_something_is_it_is_refused_in_a_sentence(levels):
    value: list | dict = []
    for _ in range(levels):
        value = {"a": [value]}
    for do, name in (("set", "value"), ("act", "action"), ("new", "bots"), ("rules", "changes")):
        with refuses(f"{name} must be …", RefusedError):
            checked({"do": do, name: value}, {name: REQUESTS[do].fields[name]})
    assert fields.quoted(value) == ('{"a": [' * 6)[:SHOWN] + "…"


@pytest.mark.parametrize("do", REQUESTS)
def test_every_request_refuses_nonsense_in_every_field(do):
    """Only `set` takes any small value, and only under some names."""
    for name, field in REQUESTS[do].fields.items():
        for value in (-1.5, [[]], {"a": {"b": [None]}}, "\ud800" * 300_000, MOST + 1):
            if (do, name) == ("set", "value") and not isinstance(value, str):
                continue
            with refuses("…", RefusedError):
                field.check(value)


def test_the_docs_name_every_request():
    """The same for every field, and who may ask."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    rows = [line for line in page.split("## Requests\n")[1].splitlines() if line.startswith("| `")]
    told = {name: row for row in rows for name in REQUESTS if f"`{name}`" in row.split("|")[1]}
    assert told.keys() == REQUESTS.keys()
    for name, request in REQUESTS.items():
        assert told[name].split("|")[2].strip() == request.who, name
        for field in request.fields:
            assert f"`{field}`" in told[name], f"{field} of {name}"
