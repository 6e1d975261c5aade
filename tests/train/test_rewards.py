"""What a hand is worth: its points against the others', a price for bags, the chance of winning, and a style."""

import random

import numpy as np
import pytest
from support.game.tables import play_hand, random_rules
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.agents.equity import LEARNED, equity
from spades_env.game.scoring import end_hand
from spades_env.game.state import BLIND_NIL_BID, FREE, NIL, NO_NIL
from spades_env.training.recipe import Reward
from spades_env.training.rewards import RewardWeights, style_counts, write_styles, write_worths

POINTS, WINNING = RewardWeights(1.0, 0.0), RewardWeights(0.0, 1.0)


def worth_of(game: Game, weights: RewardWeights = POINTS) -> np.ndarray:
    """Return what the scores of a game between two hands are worth to each seat, float64[4]."""
    table, out = game.state.copy(), np.empty((1, 4))
    table.hand_number -= not game.over  # as after the hand before
    write_worths(
        table.view(np.recarray), game.view(0).compiled_rules, np.zeros(1, np.int32), weights, LEARNED[FREE], out
    )
    return out[0]


@pytest.mark.parametrize(
    ("preset", "scores", "points"),
    [
        ("classic", [0, 0], [0, 0, 0, 0]),
        ("classic", [120, 80], [0.4, -0.4, 0.4, -0.4]),
        ("solo", [30, 10, -20, 0], [1 / 3, 1 / 15, -1 / 3, -1 / 15]),
    ],
)
def test_points_by_hand(preset, scores, points):
    assert worth_of(Game(preset, seed=1, scores=scores)).tolist() == pytest.approx(points, abs=1e-6)


def test_a_hand_pays_the_points_it_brought():
    """Where no bags are counted."""
    rules = Rules(bag_limit=None, target=None, max_hands=9, blind_nil_deficit=None)
    for seed in range(scaled(10)):
        game = Game(rules, seed=seed, scores=[40, 90])
        before = worth_of(game)
        play_hand(game, random.Random(seed))
        mine, theirs = game.results[0].points
        lead = (mine - theirs) / 100
        assert (worth_of(game) - before).tolist() == pytest.approx([lead, -lead] * 2, abs=1e-5)


@pytest.mark.parametrize(
    ("preset", "bags", "price"),
    [("classic", 3, 9), ("classic", 9, 81), ("showdown", 2, 8), ("pagat bag_penalty=50", 5, 12.5), ("solo", 0, 0)],
)
def test_the_price_of_bags(preset, bags, price):
    """The square of how full the tally is, of the penalty: three of ten bags are 9 % of 100 points."""
    rules = Rules.parse(preset)
    none, some = (worth_of(Game(rules, seed=1, bags=[count] + [0] * (rules.sides - 1))) for count in (0, bags))
    assert 100 * (none - some)[0] == pytest.approx(LEARNED[FREE].tally * price, abs=1e-4)
    assert 100 * (some - none)[1] == pytest.approx(LEARNED[FREE].tally * price / (rules.sides - 1), abs=1e-4)


def test_a_full_tally_costs_no_more_than_it_takes():
    """The hand that fills it pays the penalty, of which most had been charged before."""
    before, after = (worth_of(Game("classic", seed=1, scores=[s, 0], bags=[b, 0])) for s, b in ((109, 9), (10, 0)))
    assert 100 * (after - before)[0] == pytest.approx(-99 + LEARNED[FREE].tally * 81, abs=1e-4)


@pytest.mark.parametrize("weights", [POINTS, RewardWeights(0.5, 3.0)])
def test_what_the_sides_are_worth_sums_to_nothing_but_the_win(weights):
    rng = random.Random(2)
    for seed in range(scaled(20)):
        game = Game(random_rules(rng), seed=seed)
        play_hand(game, random.Random(seed))
        worth, sides = worth_of(game, weights), game.rules.sides
        assert worth[:sides].sum() == pytest.approx(weights.winning, abs=1e-5)
        assert worth.tolist() == [worth[seat % sides] for seat in range(4)]


def test_winning_is_worth_its_chance():
    """By the numbers given: here those of the equity of other modules."""
    game = Game("classic target=300", seed=1, scores=[150, 40])
    points, winning = worth_of(game), worth_of(game, WINNING)
    table = game.state.copy().view(np.recarray)
    table.hand_number -= 1
    assert winning[0] == pytest.approx(equity(table[0], game.view(0).compiled_rules[0], 0))
    assert winning[0] == winning[2] == pytest.approx(1 - winning[1])
    assert worth_of(game, RewardWeights(0.5, 3.0)) == pytest.approx(0.5 * points + 3 * winning)


@pytest.mark.parametrize("preset", ["classic", "solo"])
def test_a_game_that_is_over_is_won_or_lost(preset):
    rules = Rules.preset(preset, max_hands=1)
    for seed in range(scaled(10)):
        game = Game(rules, seed=seed)
        play_hand(game, random.Random(seed))
        best = [side for side, score in enumerate(game.scores) if score == max(game.scores)]
        expected = [(seat % rules.sides in best) / len(best) for seat in range(4)]
        assert game.over
        assert worth_of(game, WINNING).tolist() == pytest.approx(expected)


# Styles

LOST = "classic failed_nil_tricks=ignored"
BIDS = {3: "4 took 6", 2: "nil took 0", 1: "3 took 4", 0: "nil took 3"}  # South fails, North keeps, West and East bid 7


Finished = tuple[np.recarray, np.ndarray]  # a table after its last card, and its rules


def finished(rules: str, hand: dict[int, str]) -> Finished:
    """Return a hand that is told as bid and tricks by seat."""
    game = Game(rules, seed=1)
    table, compiled = game.state, game.view(0).compiled_rules
    for seat, words in hand.items():
        bid, _, tricks = words.split()
        table.nils[0, seat] = {"nil": NIL, "blind": BLIND_NIL_BID}.get(bid, NO_NIL)
        table.bids[0, seat] = int(bid) if bid.isdigit() else 0
        table.tricks[0, seat] = int(tricks)
    end_hand(table[0], compiled[0])
    return table, compiled


def counts(rules: str, hand: dict[int, str]) -> np.ndarray:
    """Return what each seat did: tricks bid, nils, bags of its side, and nils of others that failed."""
    table, compiled = finished(rules, hand)
    return np.array([style_counts(table[0], compiled[0], seat) for seat in range(4)])


def test_style_counts_with_a_partner():
    """East and West bid seven and take ten: three bags for both; South's nil is their prey, North's is not."""
    assert counts(LOST, BIDS).tolist() == [[0, 1, 0, 0], [3, 0, 3, 1], [0, 1, 0, 0], [4, 0, 3, 1]]


def test_style_counts_where_a_failed_nil_makes_bags():
    assert counts("classic failed_nil_tricks=bags", BIDS)[:, 2].tolist() == [3, 3, 3, 3]
    assert counts("classic", BIDS)[:, 2].tolist() == [3, 3, 3, 3]


def test_no_bags_where_none_are_counted():
    assert counts("classic bag_limit=off", BIDS)[:, 2].tolist() == [0, 0, 0, 0]


def test_a_bid_is_no_bolder_than_six():
    hand = {0: "6 took 1", 1: "7 took 7", 2: "13 took 2", 3: "1 took 3"}
    assert counts(LOST, hand)[:, 0].tolist() == [6, 6, 6, 1]


def test_style_counts_of_who_is_set():
    hand = {0: "5 took 3", 1: "1 took 3", 2: "2 took 3", 3: "blind took 4"}
    assert counts(LOST, hand).tolist() == [[5, 0, 0, 1], [1, 0, 2, 0], [2, 0, 0, 1], [0, 1, 2, 0]]


def test_style_counts_without_partners():
    """Where zero is a nil, it is everybody else's prey."""
    hand = {0: "nil took 1", 1: "3 took 5", 2: "4 took 4", 3: "nil took 3"}
    found = counts("solo nil=true failed_nil_tricks=ignored bag_limit=10", hand)
    assert found.tolist() == [[0, 1, 0, 1], [3, 0, 2, 2], [4, 0, 0, 2], [0, 1, 0, 1]]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"bold": 0.1}, [0, 0.3, 0, 0.4]),
        ({"bold": -0.1}, [0, -0.3, 0, -0.4]),
        ({"nil": 0.2}, [0.2, 0, 0.2, 0]),
        ({"bags": 0.05}, [0, -0.15, 0, -0.15]),
        ({"hunt": 0.3}, [0, 0.3, 0, 0.3]),
        ({"bold": 0.1, "nil": 0.2, "bags": 0.05, "hunt": 0.3}, [0.2, 0.45, 0.2, 0.55]),
    ],
)
def test_what_a_style_pays(weights, expected):
    out = np.empty((1, 4))
    write_styles(*finished(LOST, BIDS), np.zeros(1, np.int32), RewardWeights(1.0, 1.0, **weights), out)
    assert out[0].tolist() == pytest.approx(expected, abs=1e-6)


def test_weights_are_the_recipes():
    reward = Reward(points=0.5, winning=2.0, bold=-0.1, nil=0.2, bags=0.05, hunt=0.3)
    assert RewardWeights.of(reward) == (0.5, 2.0, -0.1, 0.2, 0.05, 0.3)
    assert RewardWeights.of(Reward()) == (0.3, 3.0, 0, 0, 0, 0)
