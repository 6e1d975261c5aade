"""The rules in plain words: those of one table as sentences, and every option for a page of settings.

    rule_words(rules)      a sentence for every option that matters at this table
    rule_options()         all options in groups, as plain data

The first group holds the seven settings that players of `classic` know. Each choice there changes one or more options.
The other groups hold every option: a `choice` among values, a `number` from low to high, or a `switch`.
"""

from functools import cache
from typing import Any

from spades_env import Rules
from spades_env.captions import card_text
from spades_env.cards import SEATS, TRUMP_ORDERS
from spades_env.facts import side_name
from spades_env.rules import MAY_BE_OFF, RANGES

BEGINS = {
    "left_of_dealer": "The seat at the dealer's left bids first and leads the first trick.",
    "right_of_dealer": "The seat at the dealer's right bids first and leads the first trick.",
    "highest_bidder": "The seat at the dealer's left bids first; the highest bid, of equal ones the first, leads.",
}
FAILED_NILS = {
    "bags": "The tricks of a failed nil are overtricks of its side.",
    "overtricks": "The tricks of a failed nil are overtricks of its side, if the other bid there is made.",
    "partner": "The tricks of a failed nil count towards the partner's bid.",
    "ignored": "The tricks of a failed nil count for nothing.",
}
SPADES_LEAD = {
    "broken": "once one has been played",
    "discarded": "once one has been played on the lead of another suit",
    "any": "at any time",
}
OVERTRICKS = {1: "scores 1 point", 0: "scores nothing", -1: "costs 1 point"}
ACE_OF_SPADES = 51


# The rules of one table


def rule_words(rules: Rules) -> list[str]:
    """Explain the rules of a table, a sentence for each option that matters."""
    return [*_table(rules), *_ending(rules), *_bids(rules), *_blind_nil(rules), *_scores(rules), *_cards(rules)]


def number(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)


def _table(rules: Rules) -> list[str]:
    sides = f"Partners sit opposite: {side_name(rules, 0)} against {side_name(rules, 1)}."
    dealer = (
        "Who deals first is drawn." if rules.first_dealer == "random" else f"{rules.first_dealer.title()} deals first."
    )
    return [sides if rules.partners else "Everybody plays alone.", dealer, BEGINS[rules.first_lead]]


def _ending(rules: Rules) -> list[str]:
    ends = []
    if rules.target is not None:
        ends.append(f"a side has {rules.target} points")
    if rules.floor is not None:
        ends.append(f"a side has {number(rules.floor)} points or fewer")
    if rules.max_hands is not None:
        ends.append(f"{rules.max_hands} hand{'s were' if rules.max_hands > 1 else ' was'} played")
    tie = "is a draw" if rules.tie == "draw" else "is settled by another hand"
    words = [f"The game ends when {' or when '.join(ends)}; most points win. A tie {tie}."]
    if rules.time_limit_s is not None:
        minutes, seconds = divmod(rules.time_limit_s, 60)
        words.append(
            f"It ends after {minutes}:{seconds:02} minutes at the latest; an unfinished hand counts for nothing."
        )
    return words


def _bids(rules: Rules) -> list[str]:
    words = ["A made bid scores 10 points a trick, a missed one costs as much."]
    if not rules.nil:
        return [*words, "A bid of 0 is no nil."]
    return [*words, f"A bid of 0 is a nil: +{rules.nil_bonus} without a trick, {number(-rules.nil_bonus)} with one."]


def _blind_nil(rules: Rules) -> list[str]:
    failed = [FAILED_NILS[rules.failed_nil_tricks]] if rules.nil or rules.blind_nil_deficit is not None else []
    if rules.blind_nil_deficit is None:
        return [*failed, "There is no blind nil."]
    who = f"A side {rules.blind_nil_deficit} points behind" if rules.blind_nil_deficit else "A side that is not ahead"
    worth = f"+{rules.blind_nil_bonus} or {number(-rules.blind_nil_bonus)}"
    words = [*failed, f"{who} may bid nil before it sees its cards: {worth}."]
    if rules.blind_nil_pass:
        count = f"{rules.blind_nil_pass} card{'s' * (rules.blind_nil_pass > 1)}"
        words.append(f"Who bid blind nil and the partner then give each other {count}.")
    return words


def _scores(rules: Rules) -> list[str]:
    over = f"A trick above the bid {OVERTRICKS[rules.overtrick_points]}"
    if rules.bag_limit is None:
        return [f"{over}."]
    penalty = (
        f"cost {rules.bag_penalty}" if rules.bag_penalty_to == "self" else f"give every other side {rules.bag_penalty}"
    )
    return [f"{over} and is a bag; {rules.bag_limit} bags {penalty} points."]


def _cards(rules: Rules) -> list[str]:
    order = TRUMP_ORDERS[rules.trumps]
    to_ace = ", ".join(card_text(card) for card in order[: order.index(ACE_OF_SPADES) + 1])
    return [
        f"Spades are trumps: {to_ace} and so on down to {card_text(order[-1])}.",
        f"Follow suit if you can. Spades may be led {SPADES_LEAD[rules.spades_lead]}.",
    ]


# Every option

SEVEN = "As the players of classic know them"
TRUMPS = {
    "normal": "Spades",
    "nyc": "Jokers and the twos of diamonds and spades",
    "barmore": "Jokers and the two of spades",
    "deuces": "All four twos",
    "jokers": "Jokers",
}
SHOWN_TRUMPS = 7
WORDS = {  # group → option → what it is about
    "The table": {
        "partners": "Partners sit opposite",
        "first_dealer": "Who deals first",
        "first_lead": "Who begins",
    },
    "The end of the game": {
        "target": "Points that end the game",
        "max_hands": "Hands that end the game",
        "floor": "Points so low that they end the game",
        "tie": "Equal scores at the end",
        "time_limit_s": "Seconds until the game ends",
    },
    "Nil": {
        "nil": "A bid of 0 is a nil",
        "nil_bonus": "Points for a nil",
        "failed_nil_tricks": "The tricks of a failed nil",
        "blind_nil_deficit": "Points behind from which blind nil may be bid",
        "blind_nil_bonus": "Points for a blind nil",
        "blind_nil_pass": "Cards that a blind nil and its partner give each other",
    },
    "Overtricks and bags": {
        "overtrick_points": "An overtrick",
        "bag_limit": "Bags that bring the penalty",
        "bag_penalty": "Points of the penalty",
        "bag_penalty_to": "The penalty",
    },
    "Cards": {"trumps": "Trumps", "spades_lead": "Spades may be led"},
}
VALUES: dict[str, dict[Any, str]] = {  # option → its values in words, where the values alone say little
    "first_dealer": {"random": "Drawn", **{name.lower(): name for name in SEATS}},
    "first_lead": {
        "left_of_dealer": "The seat at the dealer's left",
        "right_of_dealer": "The seat at the dealer's right",
        "highest_bidder": "Bidding: the dealer's left; play: the highest bidder",
    },
    "tie": {"draw": "A draw", "extra_hand": "Another hand decides"},
    "failed_nil_tricks": {
        "bags": "Are overtricks",
        "overtricks": "Are overtricks if the partner's bid is made",
        "partner": "Count towards the partner's bid",
        "ignored": "Count for nothing",
    },
    "blind_nil_pass": {0: "None", 1: "One", 2: "Two", 3: "Three"},
    "overtrick_points": {points: words.capitalize() for points, words in OVERTRICKS.items()},
    "bag_penalty_to": {"self": "Is taken from the side", "opponents": "Is given to every other side"},
    "trumps": TRUMPS,
    "spades_lead": {
        "broken": "Once one has been played",
        "discarded": "Once one has been played on another suit",
        "any": "At any time",
    },
}
SETTINGS = {  # the seven → what each is about
    "play_to": "Play to",
    "ten_bags": "10-bag penalty",
    "overtricks": "Overtricks",
    "blind_nil": "Blind nil",
    "passing": "Passing with a blind nil",
    "nil_bonuses": "Nil and blind nil",
    "trump_modes": "Trumps",
}
CHANGES: dict[str, dict[str, dict[str, Any]]] = {  # the seven → choice → the options it changes
    "play_to": {
        "300 points": {"target": 300, "max_hands": None},
        "500 points": {"target": 500, "max_hands": None},
        "8 hands": {"target": None, "max_hands": 8},
        "16 hands": {"target": None, "max_hands": 16},
    },
    "ten_bags": {
        "10 bags cost 100 points": {"bag_limit": 10, "bag_penalty": 100, "bag_penalty_to": "self"},
        "None": {"bag_limit": None},
    },
    "overtricks": {
        "+1 each": {"overtrick_points": 1},
        "0 each": {"overtrick_points": 0},
        "−1 each": {"overtrick_points": -1},
    },
    "blind_nil": {
        "Never": {"blind_nil_deficit": None},
        "Unless ahead": {"blind_nil_deficit": 0},
        "From 100 points behind": {"blind_nil_deficit": 100},
        "From 200 points behind": {"blind_nil_deficit": 200},
    },
    "passing": {"None": {"blind_nil_pass": 0}, "One card each way": {"blind_nil_pass": 1}},
    "nil_bonuses": {
        f"{nil} and {2 * nil} points": {"nil_bonus": nil, "blind_nil_bonus": 2 * nil} for nil in (50, 100, 200)
    },
    "trump_modes": {words: {"trumps": mode} for mode, words in TRUMPS.items()},
}


@cache
def rule_options() -> list[dict[str, Any]]:
    others = [
        {"group": group, "options": [_option(*entry) for entry in options.items()]} for group, options in WORDS.items()
    ]
    return [{"group": SEVEN, "options": [_setting(*entry) for entry in SETTINGS.items()]}, *others]


def _option(name: str, words: str) -> dict[str, Any]:
    low, high = RANGES.get(name, (None, None))
    kind = "choice" if name in VALUES else "number" if name in RANGES else "switch"
    choices = [
        {"value": value, "words": text} | (_ranking(value) if name == "trumps" else {})
        for value, text in VALUES.get(name, {}).items()
    ]
    bounds = {"low": low, "high": high, "may_be_off": name in MAY_BE_OFF}
    return {"name": name, "words": words, "kind": kind, "choices": choices} | bounds


def _setting(name: str, words: str) -> dict[str, Any]:
    """Return one of the seven; each choice lists the options that it changes."""
    choices = [
        {"words": text, "changes": changes} | (_ranking(changes["trumps"]) if "trumps" in changes else {})
        for text, changes in CHANGES[name].items()
    ]
    bounds = {"low": None, "high": None, "may_be_off": False}
    return {"name": name, "words": words, "kind": "choice", "choices": choices} | bounds


def _ranking(mode: str) -> dict[str, str]:
    highest = [card_text(card) for card in TRUMP_ORDERS[mode][:SHOWN_TRUMPS]]
    return {"about": f"{', '.join(highest)} …"}
