"""Deals: the deck of each trump mode, hands that depend on the seed alone, and the odds of chance."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from support.game.engine_moves import MODES, play_out, suits
from support.game.tables import finish_at_random
from support.strategies import Table, random_options, scaled

from spades_env import Rules
from spades_env.game.cards import TRUMP_ORDERS, deck
from spades_env.game.engine import deal, deal_next, new_game

NUM_DEALS = max(2000, scaled(20_000))


@pytest.mark.parametrize("trumps", MODES)
def test_the_deck_is_the_suits_of_the_mode(trumps):
    assert sorted(deck(trumps)) == sorted(itertools.chain(*suits(trumps)))
    assert list(TRUMP_ORDERS[trumps]) == suits(trumps)[0]
    assert len(deck(trumps)) == 52


@pytest.mark.parametrize("trumps", MODES)
def test_a_deal_is_the_deck_once_over_four_hands(trumps):
    table = Table(Rules(trumps=trumps))
    for seed in range(scaled(100)):
        new_game(table.s, table.r, np.uint64(seed))
        for _ in range(3):
            assert [len(hand) for hand in table.hands] == [13] * 4
            assert sorted(itertools.chain(*table.hands)) == sorted(deck(trumps))
            deal_next(table.s, table.r)


def test_a_deal_depends_on_seed_and_hand_number_alone():
    rng = random.Random(1)
    for seed in (0, 1, 2**63, 2**64 - 1):
        expected = [Table(Rules(), seed, hand_number=number).hands for number in range(5)]
        for _ in range(scaled(10)):
            options = {**random_options(rng), "trumps": "normal", "target": None, "max_hands": 9, "floor": None}
            table = Table(Rules(**options), seed, dealer=rng.randrange(4))
            for hands in expected:
                assert table.hands == hands
                play_out(table, rng)
                deal_next(table.s, table.r)
        assert len({str(hands) for hands in expected}) == 5


def test_different_seeds_give_different_deals():
    deals = {str(Table(Rules(), seed).hands) for seed in range(200)}
    deals |= {str(Table(Rules(), 1, hand_number=number).hands) for number in range(1, 200)}
    assert len(deals) == 399


@pytest.fixture(scope="module")
def many_deals() -> np.ndarray:
    """Return bool[deal, seat, card]: which seat holds which card."""
    table = Table(Rules(trumps="normal"))
    lanes = np.zeros((NUM_DEALS, 4), np.uint64)
    for number in range(NUM_DEALS):
        table.s.seed, table.s.hand_number = np.uint64(number // 4), number % 4
        deal(table.s, table.r)
        lanes[number] = table.state.hands[0]
    places = np.array([table.place[c] for c in range(52)], np.uint64)
    return (lanes[:, :, None] >> places & np.uint64(1)).astype(bool)


def far_off(counts, chance: float) -> float:
    """Return the largest deviation of these counts out of NUM_DEALS, in standard deviations."""
    deviation = (NUM_DEALS * chance * (1 - chance)) ** 0.5
    return float(np.abs(np.asarray(counts) - NUM_DEALS * chance).max() / deviation)


def test_every_card_goes_to_every_seat_equally_often(many_deals):
    counts = many_deals.sum(axis=0)
    assert far_off(counts, 1 / 4) < 5
    squares = ((counts - NUM_DEALS / 4) ** 2 / (NUM_DEALS / 4)).sum()
    assert 80 < squares < 240  # chi square of 51 · 3 = 153 degrees of freedom, deviation about 17


def test_any_two_cards_lie_together_equally_often(many_deals):
    held = many_deals.transpose(1, 0, 2).reshape(-1, 52).astype(np.float32)
    together = (held.T @ held)[np.triu_indices(52, 1)]
    assert far_off(together, 12 / 51) < 5.5


def test_suits_are_as_long_as_chance_makes_them(many_deals):
    lengths = many_deals[:, 0, 39:].sum(axis=1)
    for length, chance in ((0, 0.01279), (3, 0.28633), (4, 0.23861), (5, 0.12469)):
        assert far_off([(lengths == length).sum()], chance) < 4.5


def test_successive_deals_are_independent(many_deals):
    same = (many_deals[1:] & many_deals[:-1]).sum() / (NUM_DEALS - 1)
    assert abs(same - 13) < 0.15


def test_the_first_dealer_is_any_seat_equally_often():
    table = Table(Rules())
    dealers = Counter()
    for seed in range(NUM_DEALS):
        table.s.seed = 0
        new_game(table.s, table.r, np.uint64(seed))
        dealers[table["dealer"]] += 1
    assert far_off([dealers[seat] for seat in range(4)], 1 / 4) < 5


def test_the_first_dealer_may_be_fixed():
    for seat, name in enumerate(("south", "west", "north", "east")):
        rules = Rules(first_dealer=name)
        assert {Table(rules, seed)["dealer"] for seed in range(20)} == {seat}


def test_the_deal_turns_clockwise():
    table = Table(Rules.preset("showdown"), seed=3)
    dealers, leaders = [], []
    for number in range(6):
        dealers.append(table["dealer"])
        leaders.append(table["turn"])
        assert table["hand_number"] == number
        finish_at_random(table.s, table.r, number)
        deal_next(table.s, table.r)
    assert dealers == [1, 2, 3, 0, 1, 2]
    assert leaders == [2, 3, 0, 1, 2, 3]
