"""The ways to write an action, and the names they stand for.

named("I bid four, with the 10♠ and the ace of hearts")    'I bid:4, with the TS and the AH'
"""

import re
from collections.abc import Callable

from spades_env.game.cards import CARD_NAMES, RANK_WORDS, RANKS

RANK = f"10|[{RANKS}]"
NUMBERS = ("zero", "one", *RANK_WORDS[:9], "eleven", "twelve", "thirteen")  # two to ten are ranks, too
COUNT = f"1[0-3]|[0-9]|{'|'.join(NUMBERS)}"
MARKUP = re.compile("[*_`\"'$\\\\\ufe0e\ufe0f\u200b]")
BLACK, WHITE, LETTERS = "♣♦♥♠", "♧♢♡♤", "CDHS"
SIGNS = str.maketrans(WHITE + BLACK, 2 * LETTERS)


def _rank(word: str) -> str:
    word = word.lower()
    return RANKS[RANK_WORDS.index(word)] if word in RANK_WORDS else "T" if word == "10" else word.upper()


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS.index(word.lower())


def _blind(word: str) -> str:
    number = 0 if word.lower() == "nil" else _number(word)
    return f"bid:{number}" if number else "blind"


Spelling = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
SPELLINGS: tuple[Spelling, ...] = (
    (re.compile(rf"(?<![{RANKS}0])([{BLACK}{WHITE}])\s?({RANK})(?!\w)"), r"\2\1"),
    (
        re.compile(rf"\b({'|'.join(RANK_WORDS)}|{RANK})\s+of\s+(club|diamond|heart|spade)s?\b", re.IGNORECASE),
        lambda found: _rank(found[1]) + found[2][0].upper(),
    ),
    (re.compile(r"\b(?:red|big)\s+joker\b", re.IGNORECASE), "RJ"),
    (re.compile(r"\b(?:black|little)\s+joker\b", re.IGNORECASE), "BJ"),
    (re.compile(rf"\b10(?=-?[{LETTERS}{BLACK}{WHITE}])"), "T"),
    (re.compile(rf"\b([{RANKS}])[\s-]?([{BLACK}{WHITE}])"), lambda found: found[1] + found[2].translate(SIGNS)),
    (
        re.compile(
            rf"\b(?:blind\s+)?bid(?:ding|s)?(?:[\s:=]+(?:of|is|blind))*[\s:=]*({COUNT})\b(?:\s+blind\b)?", re.IGNORECASE
        ),
        lambda found: f"bid:{_number(found[1])}",
    ),
    (
        re.compile(rf"\bblind[\s-]+(nil|{COUNT})\b|\b(nil|{COUNT})\s*\(blind\)", re.IGNORECASE),
        lambda found: _blind(found[1] or found[2]),
    ),
    (re.compile(r"\bnil\b", re.IGNORECASE), "bid:0"),
)


def named(text: str) -> str:
    """Return a text with every spelling of an action replaced by the action's name, without marks of emphasis."""
    text = MARKUP.sub("", text)
    for pattern, name in SPELLINGS:
        text = pattern.sub(name, text)
    return text


def whole_word(text: str) -> str:
    """Return the name of a card in small letters, or the digits of a number, if the text is nothing else."""
    word = text.strip(" \n.,;!()[]")
    if word.upper() in CARD_NAMES:
        return word.upper()
    return str(NUMBERS.index(word.lower())) if word.lower() in NUMBERS else text
