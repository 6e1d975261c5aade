"""Read what a language model answers. Any text gets an outcome; nothing raises an error.

    read("I lead low.\nAction: 4C", view)            Reading("legal", 2, "")
    read('{"action": "bid", "number": 4}', view)
    read("**Nil!**", view)

Read are, in this order: a flat JSON object, a label such as `Action:`, then the whole text. Of several the last counts.
What stands in <think> … </think> is left out. A card is AS, 10♠, ♠10, "ten of spades" or "red joker"; a bid is bid:4,
"bid 4", 4, "four", "nil", "blind nil" or "look".
"""

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

from spades_env.game.cards import CARD_NAMES, Action, parse_action
from spades_env.game.refusals import refusal
from spades_env.game.view import View
from spades_env.plain import PlainError, from_json
from spades_env.words.spellings import named, whole_word

LEGAL, ILLEGAL, UNREADABLE = OUTCOMES = ("legal", "illegal", "unreadable")
LONGEST = 20_000  # characters that are read, from the end
KEYS = (
    "action",
    "move",
    "answer",
    "choice",
    "type",
    "bid",
    "play",
    "card",
    "number",
    "value",
)  # of JSON, in this order
THOUGHTS = re.compile(r"\A.*</think(?:ing)?>|<think(?:ing)?>.*", re.DOTALL | re.IGNORECASE)
OBJECT = re.compile(r"\{[^{}]*\}")
LABEL = re.compile(r"\b(?:action|answer|move|choice|decision|play|card|boxed)\s*[:={]\s*(.+)", re.IGNORECASE)
CARD = re.compile(rf"(?<![\w:])(?:{'|'.join(CARD_NAMES)})(?!\w)")
BID = re.compile(r"\bbid:(?:1[0-3]|[0-9])(?![0-9])")
CALL = re.compile(rf"{BID.pattern}|\b(?:blind|look)\b", re.IGNORECASE)  # of a seat that has not looked at its cards
NUMBER = re.compile(r"(?<![\w.:])(?:1[0-3]|[0-9])(?![\w:]|\.[0-9])")
NAMES = {"blind": (CALL, NUMBER), "bid": (BID, NUMBER), "pass": (CARD,), "play": (CARD,)}  # what a phase asks for
ANY = (CARD, CALL)


@dataclass(frozen=True)
class Reading:
    """What an answer says. outcome: one of OUTCOMES; action: what it names, if it is legal; why: the fault in words."""

    outcome: str
    action: Action | None = None
    why: str = ""


def read(answer: Any, view: View) -> Reading:
    """Return the action that an answer names for the seat to move, or why it can't be played."""
    action = named_action(answer, view.phase)
    if action is None:
        return Reading(
            UNREADABLE, None, "the answer names no action; end it with a line such as Action: AS or Action: bid:4"
        )
    if not view.action_mask[action]:
        return Reading(ILLEGAL, None, str(refusal(view, action)))
    return Reading(LEGAL, action)


def named_action(answer: Any, phase: str) -> Action | None:
    """Return the action that an answer names, legal or not, one that its phase asks for if there is any."""
    if not isinstance(answer, str):
        return None
    places = _places(THOUGHTS.sub("", answer[-LONGEST:]))
    for patterns, (parts, first) in product((NAMES[phase], ANY), places):
        for pattern, part in product(patterns, parts):
            if found := pattern.findall(part):
                name = found[0 if first else -1]
                return parse_action(
                    f"bid:{name}" if pattern is NUMBER else name if name in CARD_NAMES else name.lower()
                )
    return None


def _places(text: str) -> list[tuple[list[str], bool]]:
    """Return the places that may name an action, the surest first: the parts, and whether their first name counts."""
    objects = [named(_values(found)) for found in reversed(OBJECT.findall(text))]
    text = named(text)
    places = ((objects, True), (reversed(LABEL.findall(text)), True), ([text], False))
    return [([whole_word(part) for part in parts], first) for parts, first in places]


def _values(text: str) -> str:
    """Return the values of an object of JSON that tell an action, one after the other."""
    try:
        found = from_json(text)
    except PlainError:
        return ""
    return " ".join(str(found[key]) for key in KEYS if key in found)
