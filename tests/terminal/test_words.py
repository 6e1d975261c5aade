"""The terminal in two languages: every sentence from the catalogue, and no sentence there that nobody uses."""

import ast
import json
import re

import pytest
from support.paths import ROOT
from support.play.sittings import ONE_HAND
from support.play.terminals import on_screen, seated

from spades_env.play.terminal.keys import KEYS, help_lines, key_line
from spades_env.play.terminal.words import said, speak, translated
from spades_env.play.texts import catalogue, languages, text, to_json

SOURCES = sorted((ROOT / "spades_env" / "play" / "terminal").rglob("*.py"))
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}|^[A-Z][a-z]+ [a-z]{2,}")
ON_A_SHELL = {"play_command.py", "remote.py"}  # what they say is read there, in English


@pytest.fixture(autouse=True)
def english():
    yield
    speak("en")


def literals(tree: ast.AST) -> list[str]:
    """Return the texts of a module, with … for what is put into them; docstrings and names of bindings are left out."""
    apart = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    calls = [one for one in ast.walk(tree) if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "Binding"]
    apart |= {id(given) for call in calls for given in call.args}
    joined = [one for one in ast.walk(tree) if isinstance(one, ast.JoinedStr)]
    apart |= {id(part) for one in joined for part in one.values}
    found = [
        "".join(str(getattr(part, "value", "…")) if isinstance(part, ast.Constant) else "…" for part in one.values)
        for one in joined
    ]
    return found + [
        one.value
        for one in ast.walk(tree)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in apart
    ]


USED = {path: literals(ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_sentence_stands_in_the_code(path):
    if path.name not in ON_A_SHELL:
        assert [one for one in USED[path] if SENTENCE.search(one)] == []


def test_every_sentence_is_used():
    patterns = [re.escape(one).replace("…", r"\w+") for used in USED.values() for one in used if "." in one]
    patterns += [rf"terminal\.set\.{one}" for one in (r"\w+", r"\w+\.\w+")]
    is_used = re.compile("|".join(patterns)).fullmatch
    keys = {key.removesuffix(".one").removesuffix(".other") for key in catalogue() if key.startswith("terminal.")}
    assert [key for key in keys if not (is_used(key) or is_used(key.removesuffix(".you")))] == []


@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_there(language):
    speak(language)
    keys = [one for used in USED.values() for one in used if re.fullmatch(r"terminal\.[\w.]+\w", one)]
    known = catalogue(language)
    assert len(keys) > 90
    assert [
        key for key in keys if not ({key, f"{key}.you", f"{key}.one"} & set(known)) and key != "terminal.set.stay"
    ] == []
    assert len(help_lines()) == len([key for key in KEYS if key.shown])


@pytest.mark.parametrize("language", languages())
def test_the_lines_of_keys_fit(language):
    speak(language)
    view = {"outcome": None, "your_turn": True, "phase": "play", "can": {"claim": False}}
    others = ({}, {"phase": "bid"}, {"phase": "blind"}, {"can": {"claim": True}}, {"outcome": {}})
    lines = [key_line(view | other) for other in others]
    lines += [said(f"terminal.keys.{name}") for name in ("review", "form", "lesson", "drill_nil")]
    assert max(map(len, lines)) <= 78


def test_a_message_is_translated_where_its_sentences_stand():
    card = text("card", rank=text("rank.T"), suit=text("suit.H"))
    message = {"view": {"words": ["Anna", text("move.plays", who="Dara", card=card)], "seat": 3}, "re": None}
    sent = json.loads(to_json(message))
    speak("de")
    assert translated(sent) == {"view": {"words": ["Anna", "Dara spielt Herz-Zehn"], "seat": 3}, "re": None}


@on_screen
async def test_a_german_game(tmp_path):
    async with seated(tmp_path, ONE_HAND) as it:
        await it.press("m", "down", "enter", "left")
        assert "Einstellungen" in it.text
        await it.press("escape")
        assert it.store.settings.all()["page"] == {"language": "de"}
        assert "Du bist dran: Sag 0 bis 13 Stiche an." in it.text
        await it.press("3")
        assert "Stich 1" in it.text
        assert "Du sagst 3 an" in it.text
        await it.play_hand()
        assert "Das Spiel ist vorbei" in it.text
        await it.press("space", "e", "y")
        assert "Runde 1, Zug 1 von" in it.text
