"""The rules in plain words: those of one table as sentences, and every option for a page of settings.

    rule_words(rules)      a sentence for every option that matters at this table
    rule_title(rules)      the name for a list: "Showdown · 3 hands"
    rule_options()         all options in groups, as plain data
    changed(rules, {…})    other rules, or why not, in the words of the form
    idle_options(rules)    the options that have no effect under these rules, or cannot be changed under them

The first group holds the seven settings that most players know. Each choice there changes one or more options.
The other groups hold every option: a `choice` among values, a `number` from low to high, or a `switch`. `beside`: for a
value that contradicts others, what it changes in other options.
"""

from functools import cache
from typing import Any

from spades_env.checks import as_int
from spades_env.game.cards import TRUMP_ORDERS
from spades_env.game.rules import CHOICES, MAY_BE_OFF, RANGES, Rules, RulesError, format_value
from spades_env.play.texts import Text, text
from spades_env.show.captions import card_text

ACE_OF_SPADES = 51


# The rules of one table


def rule_title(rules: Rules) -> Text:
    """Name the rules by their preset, the length of a game if it differs, and how many other options do."""
    name, changes = rules.nearest_preset()
    target, hands = changes.pop("target", None), changes.pop("max_hands", None)
    parts = [text(f"preset.{name}")]
    if target is not None:
        parts.append(text("title.target", points=target))
    if hands is not None:
        parts.append(text("hands", count=hands))
    if changes:
        parts.append(text("title.changes", count=len(changes)))
    return text(f"title{len(parts)}", **dict(zip("abcd", parts, strict=False)))


def rule_words(rules: Rules) -> list[str]:
    """Explain the rules of a table, a sentence for each option that matters."""
    bids = [*_bids(rules), *_nil(rules), *_blind_nil(rules), *_blind_bid(rules)]
    return [*_table(rules), *_ending(rules), *bids, *_scores(rules), *_cards(rules)]


def _table(rules: Rules) -> list[Text]:
    seated = text("rule.partners" if rules.partners else "rule.alone")
    if rules.first_dealer == "random":
        dealer = text("rule.dealer_random")
    else:
        dealer = text("rule.dealer", seat=text(f"seat.{rules.first_dealer}"))
    return [seated, dealer, text(f"rule.begins.{rules.first_lead}")]


def _ending(rules: Rules) -> list[Text]:
    ends = []
    if rules.target is not None:
        ends.append(text("rule.end_target", points=_points(rules.target)))
    if rules.floor is not None:
        ends.append(text("rule.end_floor", points=rules.floor))
    if rules.max_hands is not None:
        ends.append(text("rule.end_hands", count=rules.max_hands))
    tie = text("rule.tie_draw" if rules.tie == "draw" else "rule.tie_extra")
    words = [text(f"rule.end{len(ends)}", tie=tie, **dict(zip("abc", ends, strict=False)))]
    if rules.time_limit_s is not None:
        minutes, seconds = divmod(rules.time_limit_s, 60)
        words.append(text("rule.time_limit", time=f"{minutes}:{seconds:02}"))
    return words


def _bids(rules: Rules) -> list[Text]:
    words = [text("rule.bids")]
    if rules.bidding == "whiz" and not rules.nil:
        words.append(text("rule.bidding.mirror"))
    elif rules.bidding != "free":
        words.append(text(f"rule.bidding.{rules.bidding}"))
    if rules.least_bid:
        words.append(text("rule.least_bid", board=rules.least_bid))
    if rules.total_not is not None:
        words.append(text("rule.total_not", total=rules.total_not))
    if rules.first_hand == "bids_itself":
        words.append(text("rule.first_hand"))
    if rules.ten_points is not None:
        words.append(text("rule.ten_points", points=rules.ten_points))
    return words


def _nil(rules: Rules) -> list[Text]:
    if not rules.nil:
        return [text("rule.no_nil")]
    words = [text("rule.nil", bonus=rules.nil_bonus)]
    if rules.double_nil_points is not None and rules.partners:
        words.append(text("rule.double_nil", points=rules.double_nil_points))
    if rules.nil_pass:
        words.append(text("rule.nil_pass", count=rules.nil_pass))
    return words


def _blind_nil(rules: Rules) -> list[Text]:
    has_nils = rules.nil or rules.blind_nil_deficit is not None
    always = rules.failed_nil_tricks == "overtricks" and not rules.partners  # nobody else has a bid to make
    counted = "bags" if always else rules.failed_nil_tricks
    failed = [text(f"rule.failed_nil.{counted}")] if has_nils else []
    if rules.blind_nil_deficit is None:
        return [*failed, text("rule.no_blind_nil")]
    key = "rule.blind_nil_behind" if rules.blind_nil_deficit else "rule.blind_nil_level"
    words = [*failed, text(key, points=_points(rules.blind_nil_deficit), bonus=rules.blind_nil_bonus)]
    if rules.blind_nil_pass:
        words.append(text("rule.blind_nil_pass", count=rules.blind_nil_pass))
    return words


def _blind_bid(rules: Rules) -> list[Text]:
    if rules.blind_bid is None:
        return []
    key = "rule.blind_bid_behind" if rules.blind_bid_deficit else "rule.blind_bid_level"
    return [text(key, points=_points(rules.blind_bid_deficit), least=rules.blind_bid)]


def _scores(rules: Rules) -> list[Text]:
    slam = [] if rules.slam_points is None else [text("rule.slam", points=_points(rules.slam_points))]
    over = {1: "plus", 0: "zero", -1: "minus"}[rules.overtrick_points]
    if rules.bag_limit is None:
        return [text(f"rule.overtrick_{over}"), *slam]
    penalty = text(f"rule.penalty_{rules.bag_penalty_to}", count=rules.bag_limit, points=_points(rules.bag_penalty))
    return [text(f"rule.bag_{over}", penalty=penalty), *slam]


def _cards(rules: Rules) -> list[Text]:
    order = TRUMP_ORDERS[rules.trumps]
    to_ace = ", ".join(card_text(card) for card in order[: order.index(ACE_OF_SPADES) + 1])
    lead = text(f"rule.lead.{rules.spades_lead}")
    first = [] if rules.first_trick == "any" else [text("rule.first_trick")]
    return [text("rule.trumps", highest=to_ace, lowest=card_text(order[-1])), *first, lead]


def _points(count: int) -> Text:
    return text("points", count=count)


# Every option

SEVEN = text("options.common")
SHOWN_TRUMPS = 3  # at least, and all that are higher than the ace of spades
ENDINGS = {"a": "target", "b": "max_hands", "c": "floor"}  # by their places in the sentence about them
GROUPS: dict[str, tuple[str, ...]] = {  # group → its options
    "table": ("partners", "first_dealer", "first_lead"),
    "end": ("target", "max_hands", "floor", "tie", "time_limit_s"),
    "bidding": (
        *("bidding", "least_bid", "total_not", "first_hand", "nil", "nil_pass"),
        *("blind_nil_deficit", "blind_nil_pass", "blind_bid", "blind_bid_deficit"),
    ),
    "scoring": (
        *("ten_points", "slam_points", "nil_bonus", "double_nil_points", "blind_nil_bonus", "failed_nil_tricks"),
        *("overtrick_points", "bag_limit", "bag_penalty", "bag_penalty_to"),
    ),
    "play": ("trumps", "spades_lead", "first_trick"),
}
VALUES: dict[str, tuple[Any, ...]] = CHOICES | {  # option → its values, where the values alone say little
    "nil_pass": (0, 1, 2, 3),
    "blind_nil_pass": (0, 1, 2, 3),
    "overtrick_points": (1, 0, -1),
}
WORDS = {"nil_pass": "option.blind_nil_pass", "trump_modes": "option.trumps"}  # whose values are the same
_FIXED = {"blind_nil_deficit": None, "blind_bid": None, "total_not": None}
BESIDE: dict[tuple[str, Any], dict[str, Any]] = {  # an option's value → what it changes in other options
    ("partners", False): {"least_bid": 0, "nil_pass": 0, "blind_nil_pass": 0, "blind_bid": None},
    ("nil", False): {"double_nil_points": None},
    ("bidding", "mirror"): _FIXED | {"least_bid": 0},
    ("bidding", "whiz"): _FIXED | {"least_bid": 0},
    ("bidding", "suicide"): _FIXED | {"nil": True, "partners": True},
}
CHANGES: dict[str, dict[str, dict[str, Any]]] = {  # the seven → choice → the options it changes
    "play_to": {
        "points_300": {"target": 300, "max_hands": None},
        "points_500": {"target": 500, "max_hands": None},
        "hands_8": {"target": None, "max_hands": 8},
        "hands_16": {"target": None, "max_hands": 16},
    },
    "ten_bags": {
        "on": {"bag_limit": 10, "bag_penalty": 100, "bag_penalty_to": "self"},
        "off": {"bag_limit": None},
    },
    "overtricks": {
        "plus": {"overtrick_points": 1},
        "zero": {"overtrick_points": 0},
        "minus": {"overtrick_points": -1},
    },
    "blind_nil": {
        "off": {"blind_nil_deficit": None},
        "level": {"blind_nil_deficit": 0},
        "behind_100": {"blind_nil_deficit": 100},
        "behind_200": {"blind_nil_deficit": 200},
    },
    "passing": {"off": {"blind_nil_pass": 0}, "one": {"blind_nil_pass": 1}},
    "nil_bonuses": {f"nil_{nil}": {"nil_bonus": nil, "blind_nil_bonus": 2 * nil} for nil in (50, 100, 200)},
    "trump_modes": {mode: {"trumps": mode} for mode in VALUES["trumps"]},
}


@cache
def rule_options() -> list[dict[str, Any]]:
    others = [
        {"group": text(f"options.{group}"), "options": [_option(name) for name in names]}
        for group, names in GROUPS.items()
    ]
    return [{"group": SEVEN, "options": [_setting(name) for name in CHANGES]}, *others]


def _option(name: str) -> dict[str, Any]:
    low, high = RANGES.get(name, (None, None))
    kind = "choice" if name in VALUES else "number" if name in RANGES else "switch"
    choices = [
        {"value": value, "words": text(f"{WORDS.get(name, f'option.{name}')}.{value}")}
        | (_ranking(value) if name == "trumps" else {})
        for value in VALUES.get(name, ())
    ]
    bounds = {"low": low, "high": high, "may_be_off": name in MAY_BE_OFF}
    beside = {format_value(value): changes for (option, value), changes in BESIDE.items() if option == name}
    return {"name": name, "words": text(f"option.{name}"), "kind": kind, "choices": choices, "beside": beside} | bounds


def _setting(name: str) -> dict[str, Any]:
    """Return one of the seven; each choice lists the options that it changes."""
    choices = [
        {"words": text(f"{WORDS.get(name, f'setting.{name}')}.{key}"), "changes": changes}
        | (_ranking(changes["trumps"]) if "trumps" in changes else {})
        for key, changes in CHANGES[name].items()
    ]
    bounds = {"beside": {}, "low": None, "high": None, "may_be_off": False}
    return {"name": name, "words": text(f"setting.{name}"), "kind": "choice", "choices": choices} | bounds


def changed(rules: Rules, changes: dict[str, Any]) -> Rules:
    """Return rules with other values; RulesError says in the words of a form why they don't go together."""
    try:
        return rules.replace(**changes)
    except RulesError:
        if words := _refusal(rules.as_dict() | changes, changes):
            raise RulesError(words) from None
        raise


def _refusal(values: dict[str, Any], changes: dict[str, Any]) -> Text | None:
    for name in RANGES.keys() & changes:
        low, high = RANGES[name]
        number = as_int(changes[name])
        if changes[name] is not None and (number is None or not low <= number <= high):
            return text("error.rules_range", option=text(f"option.{name}"), low=low, high=high)
    if all(values[name] is None for name in ENDINGS.values()):
        return text("error.rules_endless", **{place: text(f"option.{name}") for place, name in ENDINGS.items()})
    if values["failed_nil_tricks"] == "partner" and not values["partners"]:
        return text("error.rules_alone", value=text("option.failed_nil_tricks.partner"))
    return None


def idle_options(rules: Rules) -> list[str]:
    """Return the options and common settings that have no effect under these rules, or cannot be changed under them."""
    blind_nil, fixed = rules.blind_nil_deficit is not None, rules.bidding != "free"
    idle = {
        "least_bid": not rules.partners or rules.bidding in ("mirror", "whiz"),
        "total_not": fixed,
        "partners": rules.bidding == "suicide",
        "nil": rules.bidding == "suicide",
        "nil_bonus": not rules.nil,
        "nil_pass": not (rules.nil and rules.partners),
        "double_nil_points": not (rules.nil and rules.partners),
        "failed_nil_tricks": not (rules.nil or blind_nil),
        "blind_nil_deficit": fixed,
        "blind_nil": fixed,
        "blind_nil_bonus": not blind_nil,
        "blind_nil_pass": not (blind_nil and rules.partners),
        "passing": not (blind_nil and rules.partners),
        "nil_bonuses": not (rules.nil or blind_nil),
        "blind_bid": fixed or not rules.partners,
        "blind_bid_deficit": rules.blind_bid is None,
        "bag_penalty": rules.bag_limit is None,
        "bag_penalty_to": rules.bag_limit is None,
    }
    return [name for name, is_idle in idle.items() if is_idle]


def _ranking(mode: str) -> dict[str, str]:
    order = TRUMP_ORDERS[mode]
    highest = order[: max(SHOWN_TRUMPS, order.index(ACE_OF_SPADES) + 1)]
    return {"about": f"{', '.join(map(card_text, highest))} …"}
