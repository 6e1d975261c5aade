"""The sentences of the terminal, in the language that the person has chosen.

speak("de")
said("look")                    "Meine Karten ansehen"
spoken(rule_words(rules)[0])    a Text in that language; any other text as it is
translated(message)             a message of the server, whose `texts` has the keys of its sentences
"""

import os
from datetime import datetime
from typing import Any

from spades_env.play.texts import ENGLISH, Text, in_language, languages, written

SYSTEM = "system"  # the setting that follows the operating system


class _Spoken:
    language = ENGLISH


def speak(language: str) -> None:
    """Choose the language from now on."""
    _Spoken.language = system_language() if language == SYSTEM else language


def system_language() -> str:
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return named[:2] if named[:2] in languages() else ENGLISH


def said(key: str, **params: Any) -> str:
    return written(key, params, _Spoken.language)


def spoken(words: str) -> str:
    return in_language(words, _Spoken.language)


def when(saved: dict[str, Any]) -> str:
    """Return the local time of a saved game's last change."""
    if not saved["changed"]:
        return said("games.no_time")
    return f"{datetime.fromisoformat(saved['changed']).astimezone():%Y-%m-%d %H:%M}"


def translated(message: dict[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in message.items() if name != "texts"}
    return _translated(plain, message.get("texts", {}))


def _translated(value: Any, keys: Any) -> Any:
    """Write the sentences of a value whose keys are nested as it is."""
    if isinstance(keys, list):
        return spoken(_received(keys))
    if isinstance(value, dict):
        return {name: _translated(one, keys[name]) if name in keys else one for name, one in value.items()}
    places = {int(place): one for place, one in keys.items()}
    return [_translated(one, places[place]) if place in places else one for place, one in enumerate(value)]


def _received(param: Any) -> Any:
    """Return a parameter of a sentence as `play.texts.sent` was given it."""
    match param:
        case [str(key), dict(params)]:
            return Text(key, {name: _received(one) for name, one in params.items()})
        case list():
            return [_received(one) for one in param]
    return param
