"""Draw the situations that hands start from: random rules, and scores from anywhere in a game.

    draw = Situations(chosen)                  # chosen: the [rules] section of a recipe
    rules, standings = draw(rng, 512)          # one set of rules and one standing for each table

Tables need not play whole games: every hand begins under rules and at scores of its own. That is why one policy plays
at any table, and bids by the score.
"""

from dataclasses import dataclass

import numpy as np

from spades_env import Rules
from spades_env.rules import CHOICES, RulesError
from train.recipe.keys import RecipeError, fraction

Standings = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores int32[N, 4], bags int32[N, 4], hands finished int32[N]

CHANCES = {  # the values an option is redrawn from; usual values are listed twice
    "target": (200, 250, 300, 350, 500, 500, 1000, None),
    "max_hands": (None, None, None, 4, 8, 16),
    "floor": (None, None, -200, -300),
    "first_lead": CHOICES["first_lead"],
    "nil": (True, True, True, False),
    "nil_bonus": (50, 100, 100, 150, 200),
    "blind_nil_deficit": (None, None, 0, 100, 100, 200),
    "blind_nil_bonus": (100, 200, 200, 300, 400),
    "blind_nil_pass": (0, 0, 1, 2, 3),
    "overtrick_points": (-1, 0, 1, 1),
    "bag_limit": (None, 5, 7, 10, 10),
    "bag_penalty": (50, 100, 100),
    "bag_penalty_to": CHOICES["bag_penalty_to"],
    "failed_nil_tricks": CHOICES["failed_nil_tricks"],
    "trumps": CHOICES["trumps"],
    "spades_lead": CHOICES["spades_lead"],
    "tie": CHOICES["tie"],
}
DISTINCT = 64  # sets of rules among the tables of one hand
USUAL_TARGET = 500  # measures scores where a game has no target
SCATTER = 0.3  # standard deviation of a side's score around the progress of the game, in targets
LOW = -0.5  # the least usual score, in targets
DEEP, DEPTH, DEEPEST = 0.05, 1.0, 4  # share of sides far below it; how far on average, and at most, in targets


@dataclass(frozen=True)
class Situations:
    """The rules that hands are played by, and where in a game they begin."""

    main: str = "classic blind_nil_deficit=off"  # the main rules,
    main_share: float = fraction(0.5)  # … and their share of the tables; the others play a random preset,
    changes: float = fraction(0.25)  # … with each option redrawn with this probability
    fresh: float = fraction(0.25)  # the share of hands that begin a game

    def __post_init__(self):
        try:
            Rules.parse(self.main)
        except RulesError as error:
            raise RecipeError(f"rules.main: {error}") from None

    def __call__(self, rng: np.random.Generator, count: int) -> tuple[list[Rules], Standings]:
        """Draw rules and a standing for every table."""
        main = Rules.parse(self.main)
        others = [draw_rules(rng, self.changes) for _ in range(min(count, DISTINCT))]
        rules = [main if rng.random() < self.main_share else others[i % DISTINCT] for i in range(count)]
        return rules, standings(rng, rules, self.fresh)

    def __str__(self) -> str:
        anew = f" with each option drawn anew by a chance of {_percent(self.changes)}" if self.changes else ""
        if self.main_share == 1:
            return self.main
        if self.main_share == 0:
            return f"a preset{anew}"
        return f"{self.main} at {_percent(self.main_share)} of the tables, at others a preset{anew}"


def draw_rules(rng: np.random.Generator, changes: float) -> Rules:
    """Draw a preset, each of its options redrawn with this probability."""
    while True:
        options = Rules.preset(str(rng.choice(Rules.presets()))).as_dict()
        for name, values in CHANCES.items():
            if rng.random() < changes:
                options[name] = values[rng.integers(len(values))]
        if not options["partners"]:
            options["blind_nil_pass"] = 0
        try:
            return Rules(**options)
        except RulesError:  # some combinations are not playable
            continue


def standings(rng: np.random.Generator, rules: list[Rules], fresh: float) -> Standings:
    """Draw scores, bags and finished hands: some at the start of a game, the others anywhere before the end."""
    n = len(rules)
    target = np.array([own.target or USUAL_TARGET for own in rules])
    floor = np.array([-DEEPEST * target[i] if own.floor is None else own.floor for i, own in enumerate(rules)])
    limit = np.array([own.bag_limit or 1 for own in rules])
    hands = np.array([own.max_hands or 20 for own in rules])
    started = rng.random(n) >= fresh
    far = rng.random(n)  # how much of the game is over
    deep = rng.exponential(DEPTH, (n, 4)) * (rng.random((n, 4)) < DEEP)
    scores = target[:, None] * (np.maximum(far[:, None] + SCATTER * rng.normal(size=(n, 4)), LOW) - deep)
    bags = (limit[:, None] * rng.random((n, 4))).astype(np.int32)
    counted = np.array([own.overtrick_points == 1 for own in rules])
    scores = 10 * (scores // 10) + np.where(counted[:, None], bags % 10, 0)  # overtricks show in a score's last digit
    scores = np.clip(scores, floor[:, None] + 1, target[:, None] - 1)
    number = np.minimum(far * hands, hands - 1)
    started = started[:, None]
    return (
        (started * scores).astype(np.int32),
        (started * bags).astype(np.int32),
        (started[:, 0] * number).astype(np.int32),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
