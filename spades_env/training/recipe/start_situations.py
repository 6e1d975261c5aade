"""Draw the situations that hands start from: random rules, and scores from anywhere in a game.

`game.random_situations` has the distribution of the scores; the environments draw from it, too.

    draw = Situations(chosen)                  # chosen: the [rules] section of a recipe
    rules, standings = draw(rng, 512)          # one set of rules and one standing for each table

Tables need not play whole games: every hand begins under rules and at scores of its own. That is why one policy plays
at any table, and bids by the score.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spades_env.game.random_situations import FRESH, Standings, standings
from spades_env.game.rules import CHOICES, Rules, RulesError
from spades_env.training.recipe.keys import RecipeError, fraction, share_table

CHANCES = {  # the values an option is redrawn from; usual values are listed twice
    "target": (200, 250, 300, 350, 500, 500, 1000, None),
    "max_hands": (None, None, None, 4, 8, 16),
    "floor": (None, None, -200, -300),
    "first_lead": CHOICES["first_lead"],
    "bidding": (*6 * ["free"], "mirror", "whiz", "suicide"),
    "least_bid": (0, 0, 0, 4),
    "total_not": (None, None, None, 13),
    "first_hand": ("bid", "bid", "bid", "bids_itself"),
    "nil": (True, True, True, False),
    "nil_bonus": (50, 100, 100, 150, 200),
    "nil_pass": (0, 0, 0, 1, 2, 3),
    "double_nil_points": (None, None, 400, 500),
    "blind_nil_deficit": (None, None, 0, 100, 100, 200),
    "blind_nil_bonus": (100, 200, 200, 300, 400),
    "blind_nil_pass": (0, 0, 1, 2, 3),
    "blind_bid": (None, None, 6, 7),
    "blind_bid_deficit": (0, 100, 100, 200),
    "ten_points": (None, None, 200),
    "slam_points": (None, None, 100, 200),
    "overtrick_points": (-1, 0, 1, 1),
    "bag_limit": (None, 5, 7, 10, 10),
    "bag_penalty": (50, 100, 100),
    "bag_penalty_to": CHOICES["bag_penalty_to"],
    "failed_nil_tricks": CHOICES["failed_nil_tricks"],
    "trumps": CHOICES["trumps"],
    "spades_lead": CHOICES["spades_lead"],
    "first_trick": ("any", "any", "any", "lowest_club"),
    "tie": CHOICES["tie"],
}
DISTINCT = 64  # sets of rules among the tables of one hand
ROUNDING = 1e-9  # of a sum of shares


@dataclass(frozen=True)
class Situations:
    """The rules that hands are played by, and where in a game they begin."""

    main: str = "match"  # the main rules,
    main_share: float = fraction(0.5)  # … and their share of the tables;
    also: Mapping[str, float] = share_table()  # other rules and their shares; the rest play a random preset,
    changes: float = fraction(0.25)  # … with each option redrawn with this probability
    fresh: float = fraction(FRESH)  # share of the tables where an iteration begins with a new game

    def __post_init__(self):
        for key, texts in (("main", [self.main]), ("also", self.also)):
            try:
                for text in texts:
                    Rules.parse(text)
            except RulesError as error:
                raise RecipeError(f"rules.{key}: {error}") from None
        if self.main in self.also:
            raise RecipeError("rules.also names rules.main: its share is rules.main_share")
        if sum(self.shares.values()) > 1 + ROUNDING:
            raise RecipeError("the shares in [rules] add up to more than 1")

    def __call__(self, rng: np.random.Generator, count: int) -> tuple[list[Rules], Standings]:
        """Draw rules and a standing for every table."""
        named = [Rules.parse(text) for text in self.shares]
        others = [draw_rules(rng, self.changes) for _ in range(min(count, DISTINCT))]
        which = np.searchsorted(np.cumsum([*self.shares.values()]), rng.random(count), side="right")
        rules = [named[k] if k < len(named) else others[i % DISTINCT] for i, k in enumerate(which)]
        return rules, standings(rng, rules, self.fresh)

    @property
    def shares(self) -> dict[str, float]:
        """The rules that are named, with their shares of the tables."""
        return {self.main: self.main_share, **self.also}

    def __str__(self) -> str:
        others = "a preset"
        if self.changes:
            others += f", each option redrawn with probability {_percent(self.changes)}"
        if self.main_share == 1:
            return self.main
        named = [f"{text} at {_percent(share)}" for text, share in self.shares.items() if share]
        if not named:
            return others
        rest = f"; elsewhere {others}" if sum(self.shares.values()) < 1 - ROUNDING else ""
        return f"{', '.join(named)} of the tables{rest}"


def draw_rules(rng: np.random.Generator, changes: float) -> Rules:
    """Draw a preset, each of its options redrawn with this probability."""
    while True:
        options = Rules.preset(str(rng.choice(Rules.presets()))).as_dict()
        for name, values in CHANCES.items():
            if rng.random() < changes:
                options[name] = values[rng.integers(len(values))]
        if not options["partners"]:
            options |= {"blind_nil_pass": 0, "nil_pass": 0, "least_bid": 0, "blind_bid": None}
        try:
            return Rules(**options)
        except RulesError:  # some combinations are not playable
            continue


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
