"""Every option of the rules in plain words, in groups, for a page of settings.

First the seven settings of `classic` as its players know them: a choice there changes one or more options at once.
Then every option by itself: a `choice` among values, a `number` from low to high, or a `switch`.
"""

from functools import cache
from typing import Any

from spades_env.captions import card_text
from spades_env.cards import SEATS, TRUMP_ORDERS
from spades_env.rules import MAY_BE_OFF, RANGES

Values = dict[Any, str]
SEVEN = "As the players of classic know them"
TRUMPS = {
    "normal": "Spades",
    "nyc": "Jokers and the twos of diamonds and spades",
    "barmore": "Jokers and the two of spades",
    "deuces": "All four twos",
    "jokers": "Jokers",
}
SHOWN_TRUMPS = 7
WORDS = {  # option → what it is about; values in words where the bare ones say little
    "The table": {
        "partners": "Partners sit opposite",
        "first_dealer": ("Who deals first", {"random": "Drawn", **{name.lower(): name for name in SEATS}}),
        "first_lead": (
            "Who begins",
            {
                "left_of_dealer": "The seat at the dealer's left",
                "right_of_dealer": "The seat at the dealer's right",
                "highest_bidder": "Bidding: the dealer's left; play: the highest bidder",
            },
        ),
    },
    "The end of the game": {
        "target": "Points that end the game",
        "max_hands": "Hands that end the game",
        "floor": "Points so low that they end the game",
        "tie": ("Equal scores at the end", {"draw": "A draw", "extra_hand": "Another hand decides"}),
        "time_limit_s": "Seconds until the game ends",
    },
    "Nil": {
        "nil": "A bid of 0 is a nil",
        "nil_bonus": "Points for a nil",
        "failed_nil_tricks": (
            "The tricks of a failed nil",
            {
                "bags": "Are overtricks",
                "overtricks": "Are overtricks if the partner's bid is made",
                "partner": "Count towards the partner's bid",
                "ignored": "Count for nothing",
            },
        ),
        "blind_nil_deficit": "Points behind from which blind nil may be bid",
        "blind_nil_bonus": "Points for a blind nil",
        "blind_nil_pass": (
            "Cards that a blind nil and its partner give each other",
            {0: "None", 1: "One", 2: "Two", 3: "Three"},
        ),
    },
    "Overtricks and bags": {
        "overtrick_points": ("An overtrick", {1: "Scores 1 point", 0: "Scores nothing", -1: "Costs 1 point"}),
        "bag_limit": "Bags that bring the penalty",
        "bag_penalty": "Points of the penalty",
        "bag_penalty_to": (
            "The penalty",
            {"self": "Is taken from the side", "opponents": "Is given to every other side"},
        ),
    },
    "Cards": {
        "trumps": ("Trumps", TRUMPS),
        "spades_lead": (
            "Spades may be led",
            {
                "broken": "Once one has been played",
                "discarded": "Once one has been played on another suit",
                "any": "At any time",
            },
        ),
    },
}


@cache
def rule_options() -> list[dict[str, Any]]:
    """All groups as plain data."""
    others = [
        {"group": group, "options": [_option(name, told) for name, told in entries.items()]}
        for group, entries in WORDS.items()
    ]
    return [{"group": SEVEN, "options": _seven()}, *others]


def _option(name: str, told: str | tuple[str, Values]) -> dict[str, Any]:
    """One option by itself."""
    words, values = told if isinstance(told, tuple) else (told, None)
    low, high = RANGES.get(name, (None, None))
    kind = "choice" if values else "number" if name in RANGES else "switch"
    choices = [{"value": value, "words": text} | _ranking(name, value) for value, text in (values or {}).items()]
    bounds = {"low": low, "high": high, "may_be_off": name in MAY_BE_OFF}
    return {"name": name, "words": words, "kind": kind, "choices": choices} | bounds


def _ranking(name: str, value: Any) -> dict[str, str]:
    """Of trumps, the highest."""
    if name != "trumps":
        return {}
    highest = [card_text(card) for card in TRUMP_ORDERS[value][:SHOWN_TRUMPS]]
    return {"about": f"{', '.join(highest)} …"}


def _seven() -> list[dict[str, Any]]:
    """The settings that change several options at once."""
    return [
        _setting(
            "play_to",
            "Play to",
            [
                ("300 points", {"target": 300, "max_hands": None}),
                ("500 points", {"target": 500, "max_hands": None}),
                ("8 hands", {"target": None, "max_hands": 8}),
                ("16 hands", {"target": None, "max_hands": 16}),
            ],
        ),
        _setting(
            "ten_bags",
            "10-bag penalty",
            [
                ("10 bags cost 100 points", {"bag_limit": 10, "bag_penalty": 100, "bag_penalty_to": "self"}),
                ("None", {"bag_limit": None}),
            ],
        ),
        _setting(
            "overtricks",
            "Overtricks",
            [
                (f"{'+−'[points < 0] if points else ''}{abs(points)} each", {"overtrick_points": points})
                for points in (1, 0, -1)
            ],
        ),
        _setting(
            "blind_nil",
            "Blind nil",
            [
                ("Never", {"blind_nil_deficit": None}),
                ("Unless ahead", {"blind_nil_deficit": 0}),
                ("From 100 points behind", {"blind_nil_deficit": 100}),
                ("From 200 points behind", {"blind_nil_deficit": 200}),
            ],
        ),
        _setting(
            "passing",
            "Passing with a blind nil",
            [("None", {"blind_nil_pass": 0}), ("One card each way", {"blind_nil_pass": 1})],
        ),
        _setting(
            "nil_bonuses",
            "Nil and blind nil",
            [(f"{nil} and {2 * nil} points", {"nil_bonus": nil, "blind_nil_bonus": 2 * nil}) for nil in (50, 100, 200)],
        ),
        _setting(
            "trump_modes",
            "Trumps",
            [(words, {"trumps": mode}, _ranking("trumps", mode)) for mode, words in TRUMPS.items()],
        ),
    ]


def _setting(name: str, words: str, choices: list[tuple]) -> dict[str, Any]:
    """One of the seven: each choice tells what it changes."""
    told = [{"words": text, "changes": changes} | (more[0] if more else {}) for text, changes, *more in choices]
    return {
        "name": name,
        "words": words,
        "kind": "choice",
        "choices": told,
        "low": None,
        "high": None,
        "may_be_off": False,
    }
