"""The catalogue of words: every language complete, every key there, no text of the page outside it."""

import json
import re
import string

import pytest
from support.paths import ROOT

from spades_env.play.table.choices import offered
from spades_env.play.texts import Text, catalogue, decimal, grouped, in_language, languages, percent, text, to_json

PAGE = ROOT / "spades_env" / "play" / "page"
SITE = ROOT / "web" / "browser"
SCRIPTS = sorted(path for folder in (PAGE, SITE) for path in folder.rglob("*.js") if path.name != "texts.js")
ENGLISH = catalogue()
KEY = re.compile(r"""\bt\(\s*"([\w.]+)\"""")
LITERAL = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`)", re.DOTALL)
WORDS = re.compile(r"[A-Z][a-z]+ [a-z]+|^[A-Z][a-z]{2,}$|[a-z]{2,} [a-z]{2,} [a-z]{2,}")  # a sentence, or a label
NO_TEXTS = {"Enter", "Escape", "Backspace", "Digit", "Arrow", "Home", "End", "Numpad", "You"}  # keys, and a name


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_there_are_two_languages():
    assert languages() == ("de", "en")


@pytest.mark.parametrize("language", languages())
def test_a_language_is_complete(language):
    found = catalogue(language)
    assert list(found) == list(ENGLISH)
    for key, sentence in found.items():
        assert sentence.strip(), key
        assert places(sentence) == places(ENGLISH[key]), key


def test_german_is_not_english():
    same = [key for key, sentence in catalogue("de").items() if sentence == ENGLISH[key] and " " in sentence]
    meant = [key for key in same if re.search("[A-Za-z]{2}", re.sub(r"\{\w+\}", "", ENGLISH[key]))]
    assert meant == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_key_of_the_page_is_in_the_catalogue(path):
    for key in KEY.findall(path.read_text(encoding="utf-8")):
        assert key in ENGLISH or {f"{key}.one", f"{key}.other"} <= set(ENGLISH), key


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_stands_in_a_script(path):
    literals = [found[1][1:-1] for found in LITERAL.finditer(path.read_text(encoding="utf-8")) if found[1]]
    shown = [re.sub(r"\$\{[^}]*\}", "", one) for one in literals if "/" not in one]
    assert [one for one in shown if WORDS.search(one) and one not in NO_TEXTS] == []


@pytest.mark.parametrize("language", languages())
def test_a_page_without_scripts_says_so(language):
    assert catalogue(language)["page.no_script"] in (PAGE / "index.html").read_text(encoding="utf-8")


def test_what_is_said_of_every_bot_is_in_the_catalogue():
    """Were a sentence of the roster changed there alone, it would stay English on a German page."""
    said = [words for one in offered(["cmd:x"]) for words in (one.style, one.about) if words]
    assert len(said) >= 40
    assert [words for words in said if not isinstance(words, Text)] == []


def test_a_sentence_knows_its_key():
    who = text("move.plays", who="Dara", card=text("card", rank=text("rank.T"), suit=text("suit.H")))
    assert who == "Dara plays the ten of hearts"
    assert in_language(who, "de") == "Dara spielt Herz-Zehn"
    sent = json.loads(to_json({"view": {"words": [who], "seat": 3}, "prompt": text("your.bid")}))
    assert sent["view"] == {"words": ["Dara plays the ten of hearts"], "seat": 3}
    card = ["card", {"rank": ["rank.T", {}], "suit": ["suit.H", {}]}]
    assert sent["texts"] == {
        "view": {"words": {"0": ["move.plays", {"who": "Dara", "card": card}]}},
        "prompt": ["your.bid", {}],
    }
    assert "texts" not in json.loads(to_json({"prompt": "Dara plays."}))
    german = {"words": ["Dara spielt Herz-Zehn", "Dara"], "seat": None}
    assert json.loads(to_json({"words": [who, "Dara"], "seat": None}, "de")) == german


def test_one_and_many():
    assert [text("hints", count=count) for count in (1, 3)] == ["1 hint", "3 hints"]
    assert in_language(text("sheet.bags", sign=" +", count=2), "de") == " + 2 Bags"
    assert text("sheet.penalty", before=9, more=2, points=-100) == "bags 9 + 2: −100"
    assert isinstance(text("sheet.line", items=[text("you"), "Dara"]), Text)


def test_numbers_as_a_language_writes_them():
    numbers = [decimal(5.42), decimal(-0.5), grouped(1_234_567), grouped(999), percent(0.362), percent(0.3617, True)]
    assert numbers == ["5.4", "−0.5", "1,234,567", "999", "36%", "36.2%"]
    german = [in_language(one, "de") for one in numbers]
    assert german == ["5,4", "−0,5", "1.234.567", "999", "36\u00a0%", "36,2\u00a0%"]
