"""What a hand is worth: its points against the others', a price for bags, and the chance of winning."""

import random

import numpy as np
import pytest
from support.game.tables import play_hand, random_rules
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.agents.equity import LEARNED
from spades_env.game.scoring import end_hand
from spades_env.game.state import BLIND_NIL_BID, NIL, NO_NIL
from spades_env.training.recipe import Reward
from spades_env.training.rewards import Weights, Worth, reward_of, worths, write_style_counts


def worth_of(game: Game) -> Worth:
    """Of one game: float32[1, 4] each."""
    view = game.view(0)
    return worths(view.state, view.compiled_rules, np.zeros(1, np.int32))


def played(rules: Rules, seed: int, **start) -> tuple[Game, Worth, Worth]:
    """A game after a random hand; its worths before and after that."""
    game = Game(rules, seed=seed, **start)
    before = worth_of(game)
    play_hand(game, random.Random(seed))
    return game, before, worth_of(game)


def paid(before: Worth, after: Worth, points: float, equity: float) -> np.ndarray:
    """Without any style."""
    return reward_of(before, after, np.ones((1, 4, 4), np.float32), Weights(points, equity))


@pytest.mark.parametrize(
    ("preset", "scores", "bags", "points"),
    [
        ("classic", [0, 0], [0, 0], [0, 0, 0, 0]),
        ("classic", [120, 80], [0, 0], [0.4, -0.4, 0.4, -0.4]),
        ("solo", [30, 10, -20, 0], [0, 0, 0, 0], [1 / 3, 1 / 15, -1 / 3, -1 / 15]),
    ],
)
def test_points_by_hand(preset, scores, bags, points):
    game = Game(preset, seed=1, scores=scores, bags=bags)
    assert worth_of(game).points[0].tolist() == pytest.approx(points, abs=1e-6)


def test_a_hand_pays_the_points_it_brought():
    """Where no bags are counted."""
    for seed in range(scaled(20)):
        rules = Rules(bag_limit=None, target=None, max_hands=9, blind_nil_deficit=None)
        game, before, after = played(rules, seed, scores=[40, 90])
        mine, theirs = game.results[0].points
        reward = paid(before, after, 1.0, 0.0)
        assert reward[0].tolist() == pytest.approx([(mine - theirs) / 100, (theirs - mine) / 100] * 2, abs=1e-5)


@pytest.mark.parametrize(
    ("preset", "bags", "price"),
    [("classic", 3, 9), ("classic", 9, 81), ("showdown", 2, 8), ("pagat bag_penalty=50", 5, 12.5), ("solo", 0, 0)],
)
def test_the_price_of_bags(preset, bags, price):
    """The square of how full the tally is, of the penalty: three of ten bags are 9 % of 100 points."""
    rules = Rules.parse(preset)
    none, some = (
        worth_of(Game(rules, seed=1, bags=[count] + [0] * (rules.sides - 1))).points[0] for count in (0, bags)
    )
    assert 100 * (none - some)[0] == pytest.approx(LEARNED.tally * price, abs=1e-4)
    assert 100 * (some - none)[1] == pytest.approx(LEARNED.tally * price / (rules.sides - 1), abs=1e-4)


def test_a_full_tally_costs_no_more_than_it_takes():
    """The hand that fills it pays the penalty, of which most had been charged before."""
    before, after = (
        worth_of(Game("classic", seed=1, scores=[score, 0], bags=[bags, 0])) for score, bags in ((109, 9), (10, 0))
    )
    assert 100 * (after.points - before.points)[0, 0] == pytest.approx(-99 + LEARNED.tally * 81, abs=1e-4)


def test_what_the_sides_gain_sums_to_nothing():
    rng = random.Random(2)
    for seed in range(scaled(40)):
        game, before, after = played(random_rules(rng), seed)
        sides = game.rules.sides
        for weights in ((1.0, 0.0), (0.0, 1.0), (0.5, 3.0)):
            reward = paid(before, after, *weights)
            assert reward[0, :sides].sum() == pytest.approx(0, abs=1e-5)
            assert reward[0].tolist() == [reward[0, seat % sides] for seat in range(4)]
        assert after.equity[0, :sides].sum() == pytest.approx(1, abs=1e-5)


def test_weights():
    _, before, after = played(Rules(), 3)
    points, equity = paid(before, after, 1.0, 0.0), paid(before, after, 0.0, 1.0)
    assert paid(before, after, 0.5, 3.0) == pytest.approx(0.5 * points + 3 * equity, abs=1e-6)
    assert points.dtype == np.float32
    assert np.sign(points).tolist() == np.sign(equity).tolist()


def test_the_leader_is_likelier_to_win():
    behind, level, ahead = (
        worth_of(Game("classic", seed=1, scores=[score, 200])).equity[0] for score in (100, 200, 450)
    )
    assert behind[0] < level[0] == level[1] < ahead[0]
    assert ahead[0] == ahead[2] == pytest.approx(1 - ahead[1])


def test_a_lead_is_worth_more_the_fewer_hands_are_left():
    """The one just dealt is one of them."""
    one, two, three = (
        worth_of(Game(f"classic target=off max_hands={hands}", seed=1, scores=[60, 0])).equity[0, 0]
        for hands in (1, 2, 3)
    )
    assert one > two > three > 0.5
    last_of_four = Game("classic target=off max_hands=4", seed=1, scores=[60, 0], hand_number=3)
    assert worth_of(last_of_four).equity[0, 0] == one


@pytest.mark.parametrize("preset", ["classic", "solo"])
def test_a_game_that_is_over_is_won_or_lost(preset):
    rules = Rules.preset(preset, max_hands=1)
    for seed in range(scaled(20)):
        game, before, after = played(rules, seed)
        assert game.over
        best = [side for side, score in enumerate(game.scores) if score == max(game.scores)]
        expected = [(seat % rules.sides in best) / len(best) for seat in range(4)]
        assert after.equity[0].tolist() == pytest.approx(expected)
        reward = paid(before, after, 0.0, 3.0)
        assert reward[0].tolist() == pytest.approx([3 * (share - 1 / rules.sides) for share in expected], abs=1e-5)


# Styles

LOST = "classic failed_nil_tricks=ignored"
BIDS = {3: "4 took 6", 2: "nil took 0", 1: "3 took 4", 0: "nil took 3"}  # South fails, North keeps, West and East bid 7


def style_counts(rules: str, hand: dict[int, str]) -> np.ndarray:
    """What each seat did in a hand that is told as bid and tricks by seat, float32[4, 4]."""
    game = Game(rules, seed=1)
    table, compiled = game.state, game.view(0).compiled_rules
    for seat, words in hand.items():
        bid, _, tricks = words.split()
        table.nils[0, seat] = {"nil": NIL, "blind": BLIND_NIL_BID}.get(bid, NO_NIL)
        table.bids[0, seat] = int(bid) if bid.isdigit() else 0
        table.tricks[0, seat] = int(tricks)
    end_hand(table[0], compiled[0])
    out = np.full((1, 4, 4), np.nan, np.float32)
    write_style_counts(table, compiled, np.zeros(1, np.int32), out)
    return out[0]


def test_style_counts_with_a_partner():
    """East and West bid seven and take ten: three bags for both; South's nil is their prey, North's is not."""
    assert style_counts(LOST, BIDS).tolist() == [[0, 1, 0, 0], [3, 0, 3, 1], [0, 1, 0, 0], [4, 0, 3, 1]]


def test_style_counts_where_a_failed_nil_makes_bags():
    assert style_counts("classic failed_nil_tricks=bags", BIDS)[:, 2].tolist() == [3, 3, 3, 3]
    assert style_counts("classic", BIDS)[:, 2].tolist() == [3, 3, 3, 3]


def test_no_bags_where_none_are_counted():
    assert style_counts("classic bag_limit=off", BIDS)[:, 2].tolist() == [0, 0, 0, 0]


def test_a_bid_is_no_bolder_than_six():
    hand = {0: "6 took 1", 1: "7 took 7", 2: "13 took 2", 3: "1 took 3"}
    assert style_counts(LOST, hand)[:, 0].tolist() == [6, 6, 6, 1]


def test_style_counts_of_who_is_set():
    hand = {0: "5 took 3", 1: "1 took 3", 2: "2 took 3", 3: "blind took 4"}
    assert style_counts(LOST, hand).tolist() == [[5, 0, 0, 1], [1, 0, 2, 0], [2, 0, 0, 1], [0, 1, 2, 0]]


def test_style_counts_without_partners():
    """Where zero is a nil, it is everybody else's prey."""
    hand = {0: "nil took 1", 1: "3 took 5", 2: "4 took 4", 3: "nil took 3"}
    found = style_counts("solo nil=true failed_nil_tricks=ignored bag_limit=10", hand)
    assert found.tolist() == [[0, 1, 0, 1], [3, 0, 2, 2], [4, 0, 0, 2], [0, 1, 0, 1]]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (Weights(bold=0.1), [0, 0.3, 0, 0.4]),
        (Weights(bold=-0.1), [0, -0.3, 0, -0.4]),
        (Weights(nil=0.2), [0.2, 0, 0.2, 0]),
        (Weights(bags=0.05), [0, -0.15, 0, -0.15]),
        (Weights(hunt=0.3), [0, 0.3, 0, 0.3]),
        (Weights(bold=0.1, nil=0.2, bags=0.05, hunt=0.3), [0.2, 0.45, 0.2, 0.55]),
    ],
)
def test_what_a_style_pays(weights, expected):
    nothing = Worth(*np.zeros((2, 1, 4), np.float32))
    reward = reward_of(nothing, nothing, style_counts(LOST, BIDS)[None], weights)
    assert reward[0].tolist() == pytest.approx(expected, abs=1e-6)


def test_weights_are_the_recipes():
    reward = Reward(points=0.5, equity=3.0, bold=-0.1, nil=0.2, bags=0.05, hunt=0.3)
    assert Weights.of(reward) == (0.5, 3.0, -0.1, 0.2, 0.05, 0.3)
    assert not Weights.of(Reward()).style.any()
