"""The sentences that people read, by key: one file for each language, `en.json`, `de.json`, ….

Here is what the server says, and in folders, in the same way, what others say by themselves: `page/` a page, which
loads nothing else, `site/` besides that a page without a server, `terminal/` a terminal; `lines/` has the lines of
characters. Each key is in one of them, and whoever runs in Python knows all. A language is there once its files are;
where one is missing in a folder, the English one takes its place.

    text("won.one", side="Dara")       "Dara won the game.", a `Text`: a str that knows its key and its parameters
    to_json(message, "de")             JSON for a page, with all sentences in German
    to_json(message)                   JSON for others: in English, with the keys of all sentences in the field `texts`
    catalogue("de")                    key → sentence

A sentence has places for parameters, `{side}`. A parameter is a text, a number, another Text or a list of these, which
is joined by semicolons. A key with forms for one and for many, `hands.one` and `hands.other`, is asked for without the
form, and its parameter `count` decides. The page writes its own by the same rules in `texts.js`.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
ENGLISH = "en"
PLACE = re.compile(r"\{(\w+)\}")
ONE = {"fr": (-1, 0, 1)}  # what a language counts as one, by default 1 alone
FRENCH_VOWEL = re.compile(r"\b(d|qu)e (?=[aeiouâàéèêîôû])", re.IGNORECASE)  # d'Amara, qu'Otto


class Text(str):
    """A sentence in English that can be written in other languages, too."""

    key: str
    params: dict[str, Any]

    def __new__(cls, key: str, params: Mapping[str, Any]) -> "Text":
        found = super().__new__(cls, written(key, params))
        found.key, found.params = key, dict(params)
        return found

    def __reduce__(self) -> tuple:
        return Text, (self.key, self.params)


def text(key: str, **params: Any) -> Text:
    return Text(key, params)


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def catalogue(language: str = ENGLISH) -> dict[str, str]:
    """Return all sentences of a language by their keys."""
    own = [path.with_name(f"{language}.json") for path in FOLDER.rglob(f"{ENGLISH}.json")]
    files = [path if path.exists() else path.with_name(f"{ENGLISH}.json") for path in own]
    return {key: words for file in files for key, words in json.loads(file.read_text(encoding="utf-8")).items()}


def names() -> dict[str, str]:
    """Return what each language calls itself, by its code: "Deutsch" by "de"."""
    return {language: catalogue(language)["language.name"] for language in languages()}


def no_script() -> str:
    """Return what a page says to those whose browser runs no scripts, in all languages, as HTML."""
    words = {language: catalogue(language)["page.no_script"] for language in languages()}
    return "".join(f'<p lang="{language}">{one}</p>' for language, one in words.items())


def written(key: str, params: Mapping[str, Any], language: str = ENGLISH) -> str:
    """Write a sentence with its parameters."""
    known = catalogue(language)
    form = key if key in known else f"{key}.{'one' if params.get('count') in ONE.get(language, (1,)) else 'other'}"
    found = PLACE.sub(lambda place: _shown(params[place[1]], language), known[form])
    return FRENCH_VOWEL.sub(r"\1'", found) if language == "fr" else found


def in_language(value: Any, language: str) -> Any:
    """Return a Text in another language, plain data with those in it, and anything else as it is."""
    if language == ENGLISH:
        return value
    if isinstance(value, Text):
        return written(value.key, value.params, language)
    if isinstance(value, dict):
        return {name: in_language(one, language) for name, one in value.items()}
    return [in_language(one, language) for one in value] if isinstance(value, list | tuple) else value


def _shown(param: Any, language: str) -> str:
    if isinstance(param, list | tuple):
        return "; ".join(_shown(one, language) for one in param)
    if isinstance(param, int):
        return number(param)
    return in_language(param, language) if isinstance(param, str) else str(param)


# Numbers


def number(points: int) -> str:
    """Write a number with a real minus sign."""
    return f"−{-points}" if points < 0 else str(points)


def decimal(value: float) -> Text:
    """Write a number with one decimal: "5.4", in German "5,4"."""
    whole, tenths = f"{value:.1f}".replace("-", "−").split(".")
    return text("number.decimal", whole=whole, tenths=tenths)


def percent(share: float, decimals: bool = False) -> Text:
    """Write a share in percent, "36%", or with one decimal: "36.2%"."""
    return text("number.percent", value=decimal(100 * share) if decimals else f"{100 * share:.0f}")


def grouped(value: int) -> str:
    """Write a large number: "10,000", in German "10.000"."""
    words, *groups = f"{value:,}".split(",")
    for group in groups:
        words = text("number.grouped", thousands=words, rest=group)
    return words


# What is sent


def to_json(message: dict[str, Any], language: str | None = None) -> str:
    """Return a message in JSON, in a language.

    Without one it is in English, with keys and parameters of its sentences in `texts`, at the same places.
    """
    if language:
        return json.dumps(in_language(message, language), separators=(",", ":"))
    found = keys_in(message)
    return json.dumps(message | {"texts": found} if found else message, separators=(",", ":"))


def keys_in(value: Any) -> Any:
    """Return the keys of all Texts in plain data, nested as they are; None if there is none."""
    if isinstance(value, Text):
        return sent(value)
    if not isinstance(value, dict | list | tuple):
        return None
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    return {str(name): found for name, one in inside if (found := keys_in(one)) is not None} or None


def sent(param: Any) -> Any:
    """Return a Text as [key, parameters], as a page takes it."""
    if isinstance(param, Text):
        return [param.key, {name: sent(one) for name, one in param.params.items()}]
    return [sent(one) for one in param] if isinstance(param, list | tuple) else param
