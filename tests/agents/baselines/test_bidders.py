"""The bidders RB and BIS: worked hands for each of their rules, and known numbers."""

from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
from support.agents.bidding import NIL_FOR_NOTHING, NO_NIL, SOLO, asked, bids_of, dealt, weighed
from support.strategies import Table, scaled

from spades_env import Rules
from spades_env.agents.baselines.bis import FOLLOW, SAFE, bis_bid, expected_tricks, nil_chance, risk
from spades_env.agents.baselines.rb import rb_bid
from spades_env.agents.lanes import top_trump
from spades_env.game.cards import NUM_CARDS, TRUMP_ORDERS


def bids_at(table: Table, bidder) -> list[int]:
    """What each seat would bid if it were the first."""
    bids = []
    for seat in range(4):
        table.s.turn = seat
        bids.append(bidder(table.s, table.r))
    return bids


# RB


@pytest.mark.parametrize(
    ("hand", "number"),
    [
        ("98 A8752 A862 65", 2),  # two aces
        ("98 AK752 9862 65", 2),  # an ace, a king with company
        ("98 A98752 9862 K", 1),  # no point for a king alone
        ("98 A98752 962 K5", 2),
        ("Q84 A8752 986 65", 2),  # the queen of spades among three
        ("AQ 98752 9862 65", 2),  # … with the ace alone
        ("Q4 A8752 9862 65", 1),  # no point for her with another
        ("A A8752 A862 A65", 3),  # fewer than two spades cost a point
        ("- AK752 AK62 A652", 4),
        ("98432 A75 986 65", 3),  # two spades above three
        ("A84 A87532 9862 -", 3),  # three spades and a void
        ("A84 A87532 986 6", 3),  # … and a singleton
        ("A84 A9875432 9 6", 4),  # … and two
        ("A8 A87532 9862 6", 2),  # two spades ruff nothing
        ("9 98752 9862 865", 1),  # never below one
        ("AKQJT98765432 - - -", 13),
    ],
)
def test_rb_counts_points(hand, number):
    assert asked(rb_bid, hand) == number


@pytest.mark.parametrize(
    ("hand", "nil"),
    [
        ("832 5432 T743 54", True),
        ("T82 5432 T743 54", True),
        ("J82 5432 T743 54", False),  # the third lowest above a ten
        ("92 5432 T743 543", False),  # the second lowest above an eight
        ("6 5432 T7432 543", False),  # the lowest above a five
        ("5 5432 T7432 543", True),
        ("8432 5432 T743 5", False),  # four spades
        ("- 65432 T7432 543", True),
        ("832 5432 T743 85", True),
        ("832 5432 T743 95", False),
        ("832 5432 T743 76", False),
        ("832 543 AKQT54 5", True),  # three low cards cover the high ones
        ("832 543 AKQJ54 5", False),
    ],
)
def test_rb_bids_nil_without_a_liability(hand, nil):
    assert (asked(rb_bid, hand) == 0) == nil
    assert asked(rb_bid, hand, NO_NIL) > 0
    assert asked(rb_bid, hand, NIL_FOR_NOTHING) > 0


def test_rb_bids_as_published():
    """Over random deals the four bids sum to 11.46 (sd 0.95), and 1.4 % are nils."""
    bids = np.array([bids_at(table, rb_bid) for table in dealt(scaled(20_000))])
    sums = bids.sum(1)
    assert abs(sums.mean() - 11.46) < 4 * 0.95 / sqrt(len(sums)) + 0.01
    assert len(sums) < 1000 or abs(sums.std() - 0.95) < 0.03
    assert abs((bids == 0).mean() - 0.0143) < 4 * sqrt(0.014 / bids.size) + 0.001


@pytest.mark.parametrize("bidder", [rb_bid, bis_bid])
@pytest.mark.parametrize("trumps", TRUMP_ORDERS)
def test_no_trump_mode_makes_them_overbid(bidder, trumps):
    """Each bids as if it were the first, in every mode about as many as there are tricks to win."""
    rules = Rules(blind_nil_deficit=None, trumps=trumps)
    sums = [sum(bids_at(table, bidder)) for table in dealt(scaled(1000), rules)]
    assert 10 - 5 / sqrt(len(sums)) < np.mean(sums) < 12.2 + 5 / sqrt(len(sums))


@pytest.mark.parametrize(
    ("hand", "number"),
    [
        ("RBA 9875 9865 43", 3),  # as ace, king and queen; fewer than three trumps would cost a point
        ("R9 98753 A863 A5", 2),
        ("RB98 98765 9876 -", 3),  # four trumps and a void
        ("R9876 9875 9865 -", 2),  # one trump above four
    ],
)
def test_rb_counts_jokers_as_the_best_spades(hand, number):
    assert asked(rb_bid, hand, Rules(blind_nil_deficit=None, trumps="jokers")) == number


# BIS: tricks


def follow(length: int, suit_round: int, solo: int = 0) -> float:
    return FOLLOW[solo, 13 - length, suit_round - 1]


@pytest.mark.parametrize(("length", "published"), [(3, (0.983, 0.855, 0.489)), (6, (0.915, 0.544, 0.095))])
def test_both_opponents_follow_as_published(length, published):
    """Exact; the published figures, which seem to be simulated, lie up to 0.006 beside it."""
    assert FOLLOW[0, 13 - length] == pytest.approx(published, abs=0.006)


def test_following_is_counted_right():
    """Two cards out: each opponent has one in 2 · 13 · 13 of 39 · 38 ways; of three, solo, all have one."""
    assert FOLLOW[0, 2, 0] == pytest.approx(2 * 13 * 13 / (39 * 38))
    assert FOLLOW[1, 3, 0] == pytest.approx(13**3 / comb(39, 3))
    assert not FOLLOW[0, 0].any()


@pytest.mark.parametrize(
    ("hand", "tricks"),
    [
        ("32 A987 9862 765", follow(4, 1)),
        ("32 AK7 9862 7654", follow(3, 1) + follow(3, 2)),
        ("32 KQ7 9862 7654", follow(3, 2) + follow(3, 3)),
        ("2 AKQ2 98652 765", follow(4, 1) + follow(4, 2) + follow(4, 3)),
        ("- K 987652 765432", 0),  # a king alone
        ("- Q7 987652 76543", 0),  # a queen with one other
        ("AKQJ 987 987 654", 4),
        ("K 9876 9876 6543", 0),
        ("K2 9876 9876 654", 1),
        ("Q2 9876 9876 654", 0),
        ("Q32 987 9876 654", 1),
        ("J32 987 9876 654", 0),
        ("J432 987 987 654", 1),
        ("AQ2 987 9876 654", 2),  # one higher is out, one lower there
        ("AJ2 987 9876 654", 1),
        ("KQ2 987 9876 654", 2),
        ("A87654 987 987 5", 1 + 2),  # two spades above four; two ruffs promise less
        ("A8765 9876 9876 -", 1 + follow(0, 1) + follow(0, 2) + follow(0, 3)),
        ("A87 98765 98765 -", 1 + follow(0, 1) + follow(0, 2)),  # two spades are free
        ("K87 98765 98765 -", 1 + follow(0, 1)),  # one guards the king
        ("87 987654 98765 -", follow(0, 1) + follow(0, 2)),
        ("872 987654 765 7", follow(1, 2) + follow(1, 3)),
        ("87 9876543 76 76", 2 * follow(2, 3)),
        ("876 9876543 76 7", follow(1, 2) + follow(1, 3) + follow(2, 3)),
    ],
)
def test_bis_weighs_every_trick(hand, tricks):
    assert weighed(expected_tricks, hand) == pytest.approx(tricks)


def test_bis_alone_has_three_opponents():
    assert weighed(expected_tricks, "32 AK7 9862 7654", SOLO) == pytest.approx(follow(3, 1, 1) + follow(3, 2, 1))


def test_bis_knows_which_suits_lack_cards():
    """Where jokers replace 2♣ and 2♥, there are twelve clubs."""
    jokers, deuces = (Rules(blind_nil_deficit=None, trumps=trumps) for trumps in ("jokers", "deuces"))
    assert weighed(expected_tricks, "43 9876 986 A987", jokers) == pytest.approx(FOLLOW[0, 8, 0])
    assert weighed(expected_tricks, "43 9876 A86 9876", deuces) == pytest.approx(FOLLOW[0, 9, 0])


def test_four_deuces_are_four_tricks():
    rules = Rules(blind_nil_deficit=None, trumps="deuces")
    assert weighed(expected_tricks, "2 9872 9872 9872", rules) == 4


@pytest.mark.parametrize(
    ("bids", "number"),
    [
        ((), 3),
        ((3, 3, 3), 3),  # rest 13 − 3 − 3 × 3.3 = 0.1; a quarter of it
        ((1, 1, 1), 4),  # rest 6.1
        ((4, 4, 4), 2),  # rest −2.9
        ((5, 5), 3),  # not the last
        ((0, 3, 3), 4),  # rest 3.4, a third of it
        ((3, 0, 3), 4),
        ((13, 13, 13), 1),
    ],
)
def test_the_last_to_bid_takes_its_share(bids, number):
    assert weighed(expected_tricks, "AKQ 987 9876 654") == 3
    assert asked(bis_bid, "AKQ 987 9876 654", bids=bids) == number


# BIS: nil


def spade_holdings():
    """Every set of spades, as ranks from 2 to 14, with its probability."""
    for size in range(14):
        for ranks in combinations(range(2, 15), size):
            yield ranks, comb(39, 13 - size) / comb(52, 13)


def must_lose(ranks) -> bool:
    """As published: the ace; king and queen; three above 9; four above 7; five above 5; six above 3; any seven."""
    above = [(1, 13), (2, 11), (3, 9), (4, 7), (5, 5), (6, 3), (7, 0)]
    return any(sum(rank > limit for rank in ranks) >= count for count, limit in above)


def test_spades_that_must_take_a_trick():
    share = 0.0
    for ranks, probability in spade_holdings():
        places = [46 + rank for rank in ranks]
        hand = np.uint64(sum(1 << place for place in places))
        rows = [risk(hand, place, 60)[0] for place in places]
        assert (min(rows, default=0) < 0) == must_lose(ranks)
        share += probability * (min(rows, default=0) < 0)
    assert share == pytest.approx(0.325, abs=0.0005)


def test_every_card_of_every_mode_has_its_danger():
    for trumps in TRUMP_ORDERS:
        for table in dealt(scaled(50), Rules(trumps=trumps)):
            top = top_trump(table.r)
            assert table.card_at[top] == TRUMP_ORDERS[trumps][0] < NUM_CARDS
            for hand in table.s.hands:
                for place in (place for place in range(64) if int(hand) >> place & 1):
                    row, column = risk(hand, place, top)
                    assert -1 <= row < len(SAFE)
                    assert 0 <= column < SAFE.shape[1]
                assert 0 <= nil_chance(table.r, hand) <= 1


def test_nil_chances_are_in_order():
    """A card made higher, a hand made worse."""
    hands = ["32 5432 5432 432", "82 5432 5432 432", "82 5432 5432 832", "82 5432 5432 K32", "82 5432 QJT9 K84"]
    chances = [weighed(nil_chance, hand) for hand in hands]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.95
    assert chances[-1] < 0.5
    assert weighed(nil_chance, "A2 5432 5432 432") == 0
    assert 0 <= weighed(nil_chance, "82 5432 5432 832", SOLO) < weighed(nil_chance, "82 5432 5432 832")


def test_nil_is_bid_where_it_scores_more():
    bids = []
    for bonus in (50, 75, 100, 200):
        rules = Rules(blind_nil_deficit=None, nil_bonus=bonus)
        for table in dealt(scaled(500), rules):
            plain = Table(NIL_FOR_NOTHING, table["seed"])
            for number, other in zip(bids_at(table, bis_bid), bids_at(plain, bis_bid), strict=True):
                hand = table.s.hands[len(bids) % 4]
                worth = (2 * nil_chance(table.r, hand) - 1) * bonus
                assert number == (0 if worth > 10 * other else other)
                assert other > 0
                bids.append(number)
    assert 0 in bids or len(bids) < 200


def test_nobody_bids_nil_after_the_partner():
    hand = "32 5432 5432 432"
    assert asked(bis_bid, hand) == 0
    assert asked(bis_bid, hand, bids=(0, 4)) > 0
    assert asked(bis_bid, hand, bids=(4, 0)) == 0  # an opponent's nil is no reason
    assert asked(bis_bid, hand, SOLO, bids=(0, 4)) == asked(bis_bid, hand, SOLO, bids=(4, 0))


def test_zero_is_a_bid_where_it_is_no_nil():
    assert asked(bis_bid, "32 5432 5432 432", NO_NIL) == 0
    assert asked(bis_bid, "32 5432 5432 432", NO_NIL, bids=(0, 4)) == 0


def test_bis_bids_like_other_bots():
    """Their four bids sum to between 10.7 and 11.8; nil is bid on one hand in nine."""
    bids = bids_of(bis_bid, scaled(5000))
    noise = 6 / sqrt(len(bids))
    assert 10.7 - noise < np.sum(bids, 1).mean() < 11.0 + noise
    assert np.mean(np.equal(bids, 0)) == pytest.approx(0.115, abs=0.015 + noise / 10)
