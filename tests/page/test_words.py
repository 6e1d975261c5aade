"""The catalogue of words: every language complete, every key there, no text of the page outside it."""

import json
import re
import string
from functools import cache
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env.play import texts
from spades_env.play.server.routes import page_files
from spades_env.play.table.choices import offered
from spades_env.play.texts import (
    FOLDER,
    Text,
    catalogue,
    decimal,
    grouped,
    in_language,
    languages,
    percent,
    text,
    to_json,
)

PAGE = ROOT / "spades_env" / "play" / "page"
SITE = ROOT / "web" / "browser"
SCRIPTS = sorted(path for folder in (PAGE, SITE) for path in folder.rglob("*.js") if path.name != "texts.js")
ENGLISH = catalogue()
KEY = re.compile(r"""\bt\(\s*"([\w.]+)\"""")
LITERAL = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`)", re.DOTALL)
WORDS = re.compile(r"[A-Z][a-z]+ [a-z]+|^[A-Z][a-z]{2,}$|[a-z]{2,} [a-z]{2,} [a-z]{2,}")  # a sentence, or a label
PLACE = re.compile(r"\$\{[^}]*\}")
FORM = re.compile(r"\.(one|other|you)$")  # what a script leaves out, or appends
SHARED = {"bag", "bags", "nil", "point", "points"}  # words of other languages, too
NO_TEXTS = {"Enter", "Escape", "Backspace", "Digit", "Arrow", "Home", "End", "Numpad", "You"}  # keys, and a name


def keys(path: Path) -> list[str]:
    return list(json.loads(path.read_text(encoding="utf-8")))


OWN = keys(FOLDER / "page" / "en.json")  # what a page loads
LOADED = {PAGE: OWN, SITE: OWN + keys(FOLDER / "site" / "en.json")}


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def literals(path: Path) -> list[str]:
    """Return the strings of a script, and those within its templates."""
    found = [one[1][1:-1] for one in LITERAL.finditer(path.read_text(encoding="utf-8")) if one[1]]
    return found + [inner for one in found for inner in re.findall('"([^"]+)"', one)]


def test_a_language_is_there_once_its_files_are(tmp_path, monkeypatch):
    """The characters' lines may follow later: until then they are English."""
    assert set(languages()) >= {"de", "en", "fr"}
    for name in ("en.json", "page/en.json", "lines/en.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps({name: name}))
    (tmp_path / "eo.json").write_text(json.dumps({"language.name": "Esperanto", "en.json": "esperante"}))
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    fresh = {"languages": cache(languages.__wrapped__), "catalogue": cache(catalogue.__wrapped__)}
    for name, function in fresh.items():
        monkeypatch.setattr(texts, name, function)
    assert texts.languages() == ("en", "eo")
    assert texts.catalogue("eo")["language.name"] == "Esperanto"
    assert texts.catalogue("eo")["en.json"] == "esperante"
    assert texts.catalogue("eo")["lines/en.json"] == "lines/en.json"


@pytest.mark.parametrize("language", languages())
def test_a_language_is_complete(language):
    for path in FOLDER.rglob("en.json"):
        own = path.with_name(f"{language}.json")
        assert path.parent.name == "lines" or own.exists()
        assert not own.exists() or keys(own) == keys(path)
    for key, sentence in catalogue(language).items():
        assert sentence.strip(), key
        assert places(sentence) == places(ENGLISH[key]), key


def test_a_number_that_may_be_one_has_a_form_for_it():
    more = re.compile(
        r"why\.(throw_loser|lead_long|no_nil_long|nil_behind|bid_\w+|their_bid_wins)|error\.|rule\.end_floor"
    )
    counted = re.compile(r"\{(count|left|more|bags|points|hands|games|behind)\} (points|bags|hands|tricks|games|are)\b")
    found = [key for key, words in ENGLISH.items() if counted.search(words) and not key.endswith((".one", ".other"))]
    assert [key for key in found if not more.match(key)] == [], "whose numbers are larger in the others"


@pytest.mark.parametrize("language", sorted({*languages()} - {"en"}))
def test_another_language_is_not_english(language):
    files = FOLDER.rglob(f"{language}.json")
    own = {key: words for path in files for key, words in json.loads(path.read_text(encoding="utf-8")).items()}
    same = [key for key, sentence in own.items() if sentence == ENGLISH[key] and " " in sentence]
    meant = [key for key in same if {*re.findall("[A-Za-z]{2,}", re.sub(r"\{\w+\}", "", ENGLISH[key]))} - SHARED]
    assert meant == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_key_of_a_script_is_in_what_it_loads(path):
    loaded = LOADED[SITE if SITE in path.parents else PAGE]
    for key in KEY.findall(path.read_text(encoding="utf-8")):
        assert key in loaded or {f"{key}.one", f"{key}.other"} <= set(loaded), key
    known = {FORM.sub("", key) for key in ENGLISH} - {FORM.sub("", key) for key in loaded}
    assert [one for one in literals(path) if "." in one and one in known] == []


def test_a_page_loads_no_words_that_it_never_says():
    said = {one for path in SCRIPTS if PAGE in path.parents for one in literals(path)}
    patterns = [re.compile(r"[\w.]+".join(map(re.escape, PLACE.split(one)))) for one in said if PLACE.search(one)]
    families = [one for one in patterns if one.pattern[0].isalpha()]
    for key in OWN:
        forms = {key, FORM.sub("", key)}
        assert forms & said or any(one.fullmatch(form) for one in families for form in forms), key


def test_each_key_is_in_one_catalogue():
    assert sum(len(keys(path)) for path in FOLDER.rglob("en.json")) == len(ENGLISH)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_stands_in_a_script(path):
    shown = [PLACE.sub("", one) for one in literals(path) if "/" not in one]
    assert [one for one in shown if WORDS.search(one) and one not in NO_TEXTS] == []


@pytest.mark.parametrize("language", languages())
def test_a_page_without_scripts_says_so(language):
    words = catalogue(language)["page.no_script"]
    assert words in page_files()["index.html"].content.decode()
    assert not set(words) & set("<>&"), "it becomes HTML"


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


def test_french_has_the_singular_for_nothing_too():
    points = [in_language(text("points", count=count), "fr") for count in (0, 1, 2, -1, -2)]
    assert points == ["0 point", "1 point", "2 points", "−1 point", "−2 points"]
    many = re.compile(r"\{(tricks|bags|wins|losses|draws)\} (plis|bags|parties|gagnées|perdues|nulles)\b")
    found = [key for key, words in catalogue("fr").items() if many.search(words) and not key.startswith("why.")]
    assert found == [], "these numbers may be 0 or 1"


def test_numbers_as_a_language_writes_them():
    numbers = [decimal(5.42), decimal(-0.5), grouped(1_234_567), grouped(999), percent(0.362), percent(0.3617, True)]
    assert numbers == ["5.4", "−0.5", "1,234,567", "999", "36%", "36.2%"]
    german = [in_language(one, "de") for one in numbers]
    assert german == ["5,4", "−0,5", "1.234.567", "999", "36\u00a0%", "36,2\u00a0%"]


@pytest.mark.parametrize(("who", "said"), [("Amara", "d'Amara"), ("Éva", "d'Éva"), ("Zofia", "de Zofia")])
def test_french_elides_before_a_vowel(who, said):
    assert in_language(text("nil.broken", who=who), "fr") == f"le nil {said} a chuté"
