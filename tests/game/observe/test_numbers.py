"""Numbers at their ends: thirteen tricks, scores in hundreds and ones, the greatest options."""

import numpy as np
import pytest
from support.game.observed import block, one_hot, rules_block
from support.game.tables import SUITS_DEALT

from spades_env import Game, Rules
from spades_env.game.cards import BID_ZERO
from spades_env.game.observe import NUM_FEATURES, write_features
from spades_env.game.state import compile_rules, new_tables


def observed(game: Game, seat: int = 0) -> np.ndarray:
    return game.view(seat).features


def test_thirteen_tricks_and_a_bid_of_thirteen_fit():
    game = Game(Rules.preset("pagat", max_hands=1), deal=SUITS_DEALT, dealer=2)  # East bids and leads first
    for bid in (13, 0, 13, 0):
        game.apply(BID_ZERO + bid)
    assert block(observed(game), "bid") == [one_hot(bid, 14) for bid in (0, 13, 0, 13)]
    assert block(observed(game), "side_bid") == [0, 26, 0, 0]
    while not game.over:
        game.apply(game.legal_actions()[0])
    assert game.tricks == [0, 0, 0, 13]
    assert block(observed(game), "tricks") == [one_hot(tricks, 14) for tricks in (0, 0, 0, 13)]
    assert block(observed(game), "trick") == [13]
    assert block(observed(game), "side_made") == [0, 13, 0, 0]
    assert max(block(observed(game), "order")) == 52
    assert not any(block(observed(game), "table"))


def test_scores_are_exact_from_minus_12800_to_12799():
    table, compiled = new_tables(1), compile_rules(Rules())
    s, out = table[0], np.zeros(NUM_FEATURES, np.int8)
    for score in range(-12_800, 12_800, 7):
        s.scores[:2] = score, -score - 1
        write_features(s, compiled[0], 1, out)
        hundreds, ones = block(out, "score_hundreds"), block(out, "score_ones")
        assert [100 * hundreds[i] + ones[i] for i in range(4)] == [-score - 1, score, 0, 0]
        assert all(0 <= number <= 99 for number in ones)


@pytest.mark.parametrize(
    ("score", "hundreds", "ones"),
    [
        *[(0, 0, 0), (99, 0, 99), (-1, -1, 99), (-100, -1, 0), (12_699, 126, 99), (-12_799, -128, 1)],
        *[(12_800, 127, 0), (50_007, 127, 7), (1_000_000, 127, 0), (-12_801, -128, 99), (-50_003, -128, 97)],
    ],
)
def test_scores_in_hundreds_and_ones(score, hundreds, ones):
    features = observed(Game("classic", seed=1, scores=[score, 0]))
    assert block(features, "score_hundreds") == [hundreds, 0, 0, 0]
    assert block(features, "score_ones") == [ones, 0, 0, 0]


def test_the_greatest_options_are_observed_exactly():
    game = Game(Rules(bag_limit=100, target=None, max_hands=10_000), bags=[99, 0], hand_number=9_999)
    assert block(observed(game), "bags") == [99, 0, 0, 0]
    assert block(observed(game), "hand_number") == [99, 99]
    greatest = Rules(
        target=10_000, max_hands=10_000, floor=-10_000, nil_bonus=10_000, blind_nil_deficit=10_000,
        blind_nil_bonus=10_000, bag_limit=100, bag_penalty=10_000,
    )  # fmt: skip
    values = rules_block(greatest)
    for name in ("target", "max_hands", "nil_bonus", "blind_nil_deficit", "blind_nil_bonus", "bag_cost"):
        assert values[name] == [100, 0]
    assert (values["bag_limit"], values["floor"]) == ([100], [-100, 0])
