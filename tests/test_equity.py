"""Match equity: shares that sum to 1, rise with the own score, and are settled when the game is."""

import random

import numpy as np
import pytest
from strategies import random_options, scaled
from tables import random_rules

from agents.equity import equity
from spades_env import Rules
from spades_env.engine import new_game
from spades_env.scoring import end_hand
from spades_env.state import GAME_OVER, OVER, compile_rules, new_tables


class Scores:
    """A table whose hand has just been scored."""

    def __init__(self, rules: Rules, scores, bags=(0, 0, 0, 0), hand_number: int = 0):
        self.rules, self.compiled = rules, compile_rules(rules)
        self.table = new_tables(1)
        self.s, self.r = self.table[0], self.compiled[0]
        new_game(self.s, self.r, np.uint64(1))
        self.s.scores[: rules.sides] = scores[: rules.sides]
        self.s.bags[: rules.sides] = bags[: rules.sides]
        self.s.hand_number = hand_number

    def shares(self) -> list[float]:
        return [float(equity(self.s, self.r, side)) for side in range(self.rules.sides)]

    def over(self) -> "Scores":
        """No trick was bid and none made: the scores stay, the game may end."""
        self.s.bids[:] = 0
        self.over_now = end_hand(self.s, self.r) == GAME_OVER
        return self


def random_scores(rng: random.Random, rules: Rules) -> Scores:
    limit = rules.bag_limit or 1
    bags = [rng.randrange(limit) for _ in range(4)]
    return Scores(rules, [rng.randint(-300, 600) for _ in range(4)], bags, rng.randrange(rules.max_hands or 20))


def test_shares_sum_to_one():
    rng = random.Random(1)
    for _ in range(scaled(300)):
        scores = random_scores(rng, random_rules(rng))
        shares = scores.shares()
        assert sum(shares) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in shares)


def test_a_better_score_is_never_worth_less():
    rng = random.Random(2)
    for _ in range(scaled(300)):
        scores = random_scores(rng, random_rules(rng))
        side = rng.randrange(scores.rules.sides)
        before = scores.shares()
        scores.s.scores[side] += rng.randint(1, 60)
        after = scores.shares()
        assert after[side] >= before[side] - 1e-12
        others = [other for other in range(scores.rules.sides) if other != side]
        assert sum(after[other] for other in others) <= sum(before[other] for other in others) + 1e-12


def test_a_bag_is_never_worth_anything():
    rng = random.Random(3)
    for _ in range(scaled(300)):
        scores = random_scores(rng, random_rules(rng, bag_limit=rng.choice((5, 10))))
        side = rng.randrange(scores.rules.sides)
        before = scores.shares()[side]
        scores.s.bags[side] += 1
        assert scores.shares()[side] <= before + 1e-12


def test_bags_that_do_not_count_are_worth_nothing():
    rules = Rules(bag_limit=None)
    assert Scores(rules, [100, 50], [0, 0]).shares() == Scores(rules, [100, 50], [9, 3]).shares()
    rules = Rules(bag_penalty=0)
    assert Scores(rules, [100, 50], [0, 0]).shares() == Scores(rules, [100, 50], [9, 3]).shares()


def test_bags_that_bring_the_opponents_points_weigh_like_those_that_cost():
    costs, gives = Rules(bag_limit=5, bag_penalty=50), Rules(bag_limit=5, bag_penalty=50, bag_penalty_to="opponents")
    assert Scores(costs, [100, 50], [3, 0]).shares() == Scores(gives, [100, 50], [3, 0]).shares()


@pytest.mark.parametrize("rules", [Rules(), Rules.preset("solo"), Rules(target=None, max_hands=8), Rules(floor=-200)])
def test_equal_sides_share_equally(rules):
    assert Scores(rules, [120] * 4).shares() == pytest.approx([1 / rules.sides] * rules.sides)


def test_a_game_that_is_over_belongs_to_the_winner():
    assert Scores(Rules(), [510, 505]).over().shares() == [1, 0]
    assert Scores(Rules(), [480, 505]).over().shares() == [0, 1]
    assert Scores(Rules(), [505, 505]).over().shares() == [0.5, 0.5]
    assert Scores(Rules.preset("solo"), [251, 260, 260, 90]).over().shares() == [0, 0.5, 0.5, 0]
    assert Scores(Rules(max_hands=3), [90, 80], hand_number=2).over().shares() == [1, 0]


def test_a_tie_that_is_played_out_is_still_open():
    scores = Scores(Rules(tie="extra_hand"), [520, 520]).over()
    assert scores.s.phase != OVER
    assert scores.shares() == [0.5, 0.5]
    assert Scores(Rules(tie="extra_hand"), [520, 510]).over().shares() == [1, 0]


@pytest.mark.parametrize("rules", [Rules(), Rules.preset("solo"), Rules(target=None, max_hands=10)])
def test_a_lead_is_worth_more_the_nearer_the_end(rules):
    early = Scores(rules, [60, 10, 10, 10], hand_number=0).shares()[0]
    late = Scores(rules, [230, 180, 180, 180], hand_number=8).shares()[0]
    assert early < late < 1


def test_numbers_as_far_apart_as_they_get():
    assert Scores(Rules(target=None, max_hands=2), [-100_000_000, 100_000_000]).shares() == pytest.approx([0, 1])


def test_it_says_how_often_games_are_won():
    """Of two sides at 400 and 300 the first wins about five games in six (0.82 of 2,167 games of simple players)."""
    assert Scores(Rules.preset("pagat"), [400, 300]).shares()[0] == pytest.approx(0.83, abs=0.04)


def test_random_options_are_all_rules_it_can_read():
    rng = random.Random(9)
    for _ in range(scaled(50)):
        options = random_options(rng)
        if options["partners"] or options["failed_nil_tricks"] != "partner":
            assert sum(random_scores(rng, Rules(**options)).shares()) == pytest.approx(1)
