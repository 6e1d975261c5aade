"""Rules: every option of the game, its presets, its validation, its text.

    Rules()                                        classic
    Rules.preset("showdown")                       a preset by name
    Rules.preset("showdown", trumps="nyc")         … with changes
    Rules.load("my.toml")                          a file; "off" there is None here
    Rules(trumps="nyc", target=300)                classic with changes

Rules are immutable and hashable; `str(rules)` is their text, which `Rules.parse` reads back.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from spades_env.checks import as_int, nearest
from spades_env.errors import SpadesError
from spades_env.game.cards import MAX_BID, NUM_SEATS, SEATS, TRUMP_ORDERS
from spades_env.plain import PlainError, from_toml
from spades_env.shipped import shipped_folder

LARGEST = 10_000  # of any number in the rules, so that scores stay far inside 32 bits
CHOICES = {
    "first_lead": ("left_of_dealer", "right_of_dealer", "highest_bidder"),
    "first_dealer": ("random", *(name.lower() for name in SEATS)),
    "bag_penalty_to": ("self", "opponents"),
    "failed_nil_tricks": ("bags", "overtricks", "partner", "ignored"),
    "bidding": ("free", "mirror", "whiz", "suicide"),
    "first_hand": ("bid", "bids_itself"),
    "trumps": tuple(TRUMP_ORDERS),
    "spades_lead": ("broken", "discarded", "any"),
    "first_trick": ("any", "lowest_club"),
    "tie": ("draw", "extra_hand"),
}
RANGES = {  # smallest and largest
    "target": (1, LARGEST),
    "max_hands": (1, LARGEST),
    "floor": (-LARGEST, -1),
    "least_bid": (0, MAX_BID),
    "total_not": (0, 2 * MAX_BID),
    "nil_bonus": (0, LARGEST),
    "nil_pass": (0, 3),
    "double_nil_points": (0, LARGEST),
    "blind_nil_deficit": (0, LARGEST),
    "blind_nil_bonus": (0, LARGEST),
    "blind_nil_pass": (0, 3),
    "blind_bid": (1, MAX_BID),
    "blind_bid_deficit": (0, LARGEST),
    "ten_points": (0, LARGEST),
    "slam_points": (0, LARGEST),
    "overtrick_points": (-1, 1),
    "bag_limit": (1, 100),
    "bag_penalty": (0, LARGEST),
    "time_limit_s": (1, LARGEST),
}
MAY_BE_OFF = (
    *("target", "max_hands", "floor", "total_not", "double_nil_points", "blind_nil_deficit", "blind_bid"),
    *("ten_points", "slam_points", "bag_limit", "time_limit_s"),
)


class RulesError(SpadesError):
    """Rules that cannot be played; the message names the option and what is allowed."""


@dataclass(frozen=True)
class Rules:
    """All options of a game. The defaults are `classic`.

    Args:
        **options: Any of the attributes below.

    Raises:
        RulesError: There is no such option, a value isn't allowed, or two of them don't go together.

    Examples:
        >>> from spades_env import Rules
        >>> Rules.preset("showdown", target=300)
        Rules.preset('showdown', target=300)
        >>> Rules.of("classic trumps=jokers").trumps
        'jokers'
    """

    partners: bool = True  # South & North against West & East; else each seat is its own side
    target: int | None = 500  # the game ends when a side reaches this score
    max_hands: int | None = None  # the game ends after this many hands
    floor: int | None = None  # the game ends when a side's score falls to this
    first_lead: str = "right_of_dealer"  # who begins bidding and leads, seen from the dealer
    first_dealer: str = "random"
    bidding: str = "free"  # mirror: bid your trumps; whiz: those, or nil; suicide: one partner of each side bids nil
    least_bid: int = 0  # that a side's bids must add up to, nils left out
    total_not: int | None = None  # what the last bidder may not make all bids add up to
    first_hand: str = "bid"  # bids_itself: in the first hand nobody bids, and every trick scores ten
    nil: bool = True  # is a bid of zero a nil?
    nil_bonus: int = 100
    nil_pass: int = 0  # cards that a nil bidder and its partner give each other
    double_nil_points: int | None = None  # for two kept nils of a side; off: the bonus of each
    blind_nil_deficit: int | None = 100  # a seat may bid blind nil if its side is this many points behind
    blind_nil_bonus: int = 200
    blind_nil_pass: int = 0  # cards that a blind nil bidder and its partner give each other
    blind_bid: int | None = None  # the least bid that a side may make before it sees its cards, for double the points
    blind_bid_deficit: int = 100  # … if it is this many points behind
    ten_points: int | None = None  # for a bid of ten tricks or more; off: ten a trick
    slam_points: int | None = None  # for all thirteen tricks, besides
    overtrick_points: int = 1
    bag_limit: int | None = 10  # the penalty is due at this many bags; off: bags are not counted
    bag_penalty: int = 100
    bag_penalty_to: str = "self"  # the side itself loses the points, or every other side gains them
    failed_nil_tricks: str = "overtricks"  # what the tricks of a failed nil count as
    trumps: str = "normal"
    spades_lead: str = "broken"  # what breaks spades; any: they may always be led
    first_trick: str = "any"  # lowest_club: everybody plays the lowest club held to it
    tie: str = "draw"
    time_limit_s: int | None = None

    def __init__(self, /, **options: Any):
        values = {field.name: field.default for field in fields(Rules)} | options
        for name, value in values.items():
            object.__setattr__(self, name, _checked(name, value))
        _check_together(self)

    @staticmethod
    @cache
    def presets() -> tuple[str, ...]:
        """Return the names that `preset` knows."""
        return tuple(sorted(path.stem for path in (shipped_folder("configs") / "variants").glob("*.toml")))

    @classmethod
    def preset(cls, name: str, /, **changes: Any) -> "Rules":
        """Return a preset with changes.

        Args:
            name: One of `Rules.presets()`.
            **changes: Options that differ.

        Raises:
            RulesError: There is no such preset, or these rules can't be played.
        """
        if name not in cls.presets():
            known = cls.presets()
            hint = f"; options follow a preset: classic {name}" if "=" in str(name) else nearest(str(name), known)
            raise RulesError(f"unknown preset {name!r}{hint}; expected one of {', '.join(known)}")
        rules = _preset(name)
        return rules.replace(**changes) if changes else rules

    @classmethod
    def load(cls, path: str | PathLike, /, **changes: Any) -> "Rules":
        """Return rules from a TOML file of options; `base = "showdown"` names the preset it starts from (else classic).

        The file's rules must be valid by themselves; changes are made to them.
        """
        try:
            options = from_toml(Path(path).read_bytes())
        except PlainError as error:
            raise RulesError(f"the rules file {path} is not TOML: {error}") from None
        except (OSError, ValueError) as error:  # ValueError: no file can have such a name
            raise RulesError(f"the rules file {path} cannot be read: {getattr(error, 'strerror', error)}") from None
        try:
            rules = cls.from_dict(options)
        except RulesError as error:
            raise RulesError(f"{path}: {error}") from None
        return rules.replace(**changes) if changes else rules

    @classmethod
    def from_dict(cls, options: Mapping) -> "Rules":
        """Return rules from a mapping of options; the key `base` names the preset it starts from."""
        if not isinstance(options, Mapping):
            raise RulesError(f"rules must be a mapping of options to their values, not {options!r}")
        options = {str(name): value for name, value in options.items()}
        base = options.pop("base", None)
        if base is None:
            return cls(**options)
        if not isinstance(base, str):
            raise RulesError(f"base: {base!r} is not the name of a preset")
        return cls.preset(base, **options)

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Return rules from their text: a preset's name, then `option=value` words."""
        if not isinstance(text, str) or not text.strip():
            raise RulesError(
                f"rules must begin with a preset's name, not {text!r}; expected one of {', '.join(cls.presets())}"
            )
        name, *words = text.split()
        return cls.preset(name, **parse_changes(words))

    @classmethod
    def of(cls, source: "Rules | str | PathLike | Mapping") -> "Rules":
        """Return the rules that anything names.

        Args:
            source: A preset's name, a text such as "classic target=300", a file's path, a mapping of options, or Rules,
                which are returned unchanged.

        Raises:
            RulesError: It names no rules, or rules that can't be played.
        """
        if isinstance(source, Rules):
            return source
        if isinstance(source, Mapping):
            return cls.from_dict(source)
        if isinstance(source, PathLike) or (isinstance(source, str) and _looks_like_a_path(source)):
            return cls.load(source)
        if isinstance(source, str):
            return cls.parse(source)
        raise RulesError(f"rules must be a preset's name, a path, a dict or Rules, not {source!r}")

    def replace(self, /, **changes: Any) -> "Rules":
        """Return the same rules with other values for some options."""
        return Rules(**(self.as_dict() | changes))

    def as_dict(self) -> dict:
        """Return every option with its value."""
        return asdict(self)

    @property
    def sides(self) -> int:
        """The number of sides."""
        return 2 if self.partners else NUM_SEATS

    def side(self, seat: int) -> int:
        """Return the side a seat belongs to."""
        return seat % self.sides

    def seats(self, side: int) -> tuple[int, ...]:
        """Return the seats of a side."""
        return tuple(range(side, NUM_SEATS, self.sides))

    def nearest_preset(self) -> tuple[str, dict]:
        """Return the preset that needs the fewest changes to become these rules, and those changes."""
        changes = {name: self._changes_from(_preset(name)) for name in self.presets()}
        name = min(changes, key=lambda name: (len(changes[name]), name != "classic", name))
        return name, changes[name]

    def __str__(self) -> str:
        name, changes = self.nearest_preset()
        return " ".join([name, *(f"{option}={format_value(value)}" for option, value in changes.items())])

    def __repr__(self) -> str:
        name, changes = self.nearest_preset()
        return f"Rules.preset({', '.join([repr(name), *(f'{option}={value!r}' for option, value in changes.items())])})"

    def _changes_from(self, other: "Rules") -> dict:
        theirs = other.as_dict()
        return {name: value for name, value in self.as_dict().items() if value != theirs[name]}


RulesSource = Rules | str | PathLike | Mapping  # whatever `Rules.of` takes
OPTIONS = tuple(field.name for field in fields(Rules))


def parse_changes(words: Iterable[str]) -> dict:
    """Return options with their values from words of the form option=value."""
    changes = {}
    for word in words:
        option, equals, value = word.partition("=")
        if not equals:
            raise RulesError(f"expected option=value, not {word!r}")
        if option in changes:
            raise RulesError(f"{option} is given twice")
        changes[option] = parse_value(value)
    return changes


def parse_value(text: str) -> bool | int | str | None:
    """Return an option's value from a word: true, false, off, a number, or the word itself."""
    if text in ("true", "false"):
        return text == "true"
    if text == "off":
        return None
    return int(text) if re.fullmatch("-?[0-9]{1,9}", text) else text


def format_value(value: bool | int | str | None) -> str:
    """Return the word that `parse_value` reads."""
    if value is None:
        return "off"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _looks_like_a_path(text: str) -> bool:
    return text.endswith(".toml") or "/" in text or os.sep in text


@cache
def _preset(name: str) -> Rules:
    return Rules.load(shipped_folder("configs") / "variants" / f"{name}.toml")


def _checked(name: str, value):
    """Return the value; refuse what the option does not take. "off" becomes None."""
    if name not in OPTIONS:
        raise RulesError(f"there is no option {name!r}{nearest(name, OPTIONS)}; the options are {', '.join(OPTIONS)}")
    if value == "off" and isinstance(value, str):
        value = None
    if value is None:
        if name in MAY_BE_OFF:
            return None
        raise RulesError(f"{name} cannot be off: it takes {allowed(name)}")
    if name in CHOICES:
        fits = isinstance(value, str) and value in CHOICES[name]
    elif name in RANGES:
        low, high = RANGES[name]
        number = as_int(value)
        fits = number is not None and low <= number <= high
        value = number if fits else value
    else:
        fits = isinstance(value, bool)
    if not fits:
        raise RulesError(f"{name} cannot be {value!r}: it takes {allowed(name)}")
    return value


def _check_together(rules: Rules) -> None:
    """Refuse combinations that cannot be played."""
    if rules.target is None and rules.max_hands is None and rules.floor is None:
        raise RulesError("target, max_hands and floor cannot all be off: the game would have no way to end")
    if not rules.partners:
        _check_without_partners(rules)
    if rules.bidding != "free":
        _check_fixed_bidding(rules)
    if rules.double_nil_points is not None and not rules.nil:
        raise RulesError("double_nil_points must be off when nil is false: nobody bids nil")


def _check_without_partners(rules: Rules) -> None:
    for name in ("blind_nil_pass", "nil_pass"):
        if getattr(rules, name):
            raise RulesError(f"{name} must be 0 when partners is false: there is nobody to pass to")
    if rules.least_bid:
        raise RulesError("least_bid must be 0 when partners is false: it is what two partners bid together")
    if rules.blind_bid is not None:
        raise RulesError("blind_bid must be off when partners is false: it is a bid for two partners")
    if rules.bidding == "suicide":
        raise RulesError("bidding cannot be 'suicide' when partners is false: it takes free, mirror or whiz")
    if rules.failed_nil_tricks == "partner":
        raise RulesError(
            "failed_nil_tricks cannot be 'partner' when partners is false: it takes bags, overtricks or ignored"
        )


def _check_fixed_bidding(rules: Rules) -> None:
    """Refuse what contradicts a bidding that leaves little choice."""
    for name in ("blind_nil_deficit", "blind_bid", "total_not"):
        if getattr(rules, name) is not None:
            raise RulesError(f"{name} must be off when bidding is {rules.bidding!r}")
    if rules.least_bid and rules.bidding != "suicide":
        raise RulesError(f"least_bid must be 0 when bidding is {rules.bidding!r}: the cards decide the bid")
    if rules.bidding == "suicide" and not rules.nil:
        raise RulesError("bidding cannot be 'suicide' when nil is false: one partner of each side bids nil")


def allowed(name: str) -> str:
    """Return the values an option takes, in words."""
    if name in CHOICES:
        return "one of " + ", ".join(CHOICES[name])
    if name not in RANGES:
        return "true or false"
    low, high = RANGES[name]
    number = f"a whole number from {low} to {high}"
    return f"{number}, or off" if name in MAY_BE_OFF else number
