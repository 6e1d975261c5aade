"""The bidding of `club`: worked hands, the sum of the bids, nils, the score."""

from math import sqrt

import numpy as np
import pytest
from support.agents.bidding import NIL_FOR_NOTHING, NO_NIL, SOLO, asked, bids_of, cards_of, weighed
from support.strategies import Table, scaled

from spades_env import Rules
from spades_env.agents.club.bid import IMPOSSIBLE, club_bid, club_call, count, nil_risk
from spades_env.game.bidding import call
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, TRUMP_ORDERS


@pytest.mark.parametrize(
    ("hand", "hundredths"),
    [
        ("98 A8752 A862 65", 85 + 95 + 15),  # an ace counts less in a long suit; a doubleton may be trumped
        ("987 A87 A862 K65", 100 + 95 + 65),
        ("987 AK7 8762 765", 100 + 90),
        ("987 KQ7 8762 765", 65 + 50),
        ("987 Q75 8762 765", 20),
        ("987 QJ5 8762 K65", 20 + 65),
        ("AKQJ 987 987 654", 100 + 100 + 85 + 45),
        ("K2 9876 9876 654", 80),
        ("Q2 9876 9876 654", 25),
        ("A87654 987 987 6", 100 + 3 * 75 + 55),  # three trumps beyond three; two low ones are left to trump with
        ("876 98765 98765 -", 90),
        ("- 98765 98765 876", 0),  # nothing to trump with
    ],
)
def test_it_counts_tricks_by_eye(hand, hundredths):
    assert weighed(count, hand) == hundredths


@pytest.mark.parametrize(
    ("bids", "number"), [((), 3), ((3, 3), 3), ((3, 3, 3), 3), ((2, 2, 2), 4), ((5, 5, 4), 3), ((4, 0, 1), 4)]
)
def test_the_last_to_bid_looks_at_the_sum(bids, number):
    assert asked(club_bid, "AKQJ 987 987 654", bids=bids) == number


@pytest.mark.parametrize(
    ("hand", "nil"),
    [
        ("832 5432 T743 54", True),
        ("9 98752 9862 865", True),  # two sixes and a five at the bottom are few risks
        ("9 98765 9876 865", False),  # … a nine, a six and eights above it are many
        ("7 95432 T432 543", True),
        ("T82 5432 T743 54", False),  # the ten of spades
        ("92 9852 9862 765", False),
        ("Q2 5432 T743 543", False),
        ("8432 5432 T74 54", False),  # four spades
        ("K 5432 T7432 543", False),
        ("- 65432 T7432 543", True),
        ("32 AKQ43 5432 42", True),  # two low cards below ace, king, queen
    ],
)
def test_nil_is_a_hand_without_risks(hand, nil):
    assert (asked(club_bid, hand) == 0) == nil
    assert asked(club_bid, hand, NO_NIL, bids=(4, 0)) == (weighed(count, hand) + 60) // 100
    assert asked(club_bid, hand, NIL_FOR_NOTHING) > 0


def test_no_nil_after_the_partners():
    assert asked(club_bid, "832 5432 T743 54", bids=(0, 4)) > 0
    assert asked(club_bid, "832 5432 T743 54", bids=(4, 0)) == 0


def test_alone_it_risks_less():
    assert asked(club_bid, "832 5432 T743 54", SOLO) > 0
    assert asked(club_bid, "32 5432 T7432 43", SOLO) == 0


@pytest.mark.parametrize("hand", ["A2 5432 5432 432", "K2 5432 5432 432", "5432 5432 5432 2"])
def test_spades_that_no_nil_can_hold(hand):
    assert weighed(nil_risk, hand) == IMPOSSIBLE


def at_score(hand: str, scores, bids=(), **options) -> int:
    """What it bids with these cards at this score, the others' bids made before."""
    rules = Rules(blind_nil_deficit=None, **options)
    table = Table(rules, scores=scores, dealer=1)
    for number in bids:
        call(table.s, table.r, BID_ZERO + number)
    table.s.hands[table["turn"]] = table.lanes(cards_of(hand))
    return int(club_bid(table.s, table.r))


def test_it_bids_no_more_than_wins_the_game():
    assert at_score("A95 Q952 KJ6 A84", (0, 0), bids=(4, 3, 3)) == 3
    assert at_score("A95 Q952 KJ6 A84", (300, 450), bids=(4, 3, 3)) == 2


def test_it_bids_more_where_the_others_would_win():
    """Their bids would reach 500: the last to bid adds one or two tricks, or bids a bold nil, but nothing wild."""
    hand = "AK5 AQ52 KJ6 A84"
    assert at_score(hand, (460, 440), bids=(3, 3, 3)) == at_score(hand, (0, 0), bids=(3, 3, 3)) + 2
    assert at_score(hand, (460, 300), bids=(3, 3, 3)) == at_score(hand, (0, 0), bids=(3, 3, 3))
    assert at_score("953 J62 Q73 K842", (480, 420), bids=(3, 3, 3)) == 0
    assert at_score("953 J62 Q73 K842", (0, 0), bids=(3, 3, 3)) > 0


@pytest.mark.parametrize(
    ("scores", "blind"),
    [
        ((0, 0), False),
        ((470, 310), True),  # they reach 500, forty more do not beat that, two hundred do
        ((470, 430), True),
        ((490, 480), False),
        ((470, 100), False),  # out of reach
        ((300, 100), False),  # there is time
    ],
)
def test_a_blind_nil_is_the_last_hope(scores, blind):
    table = Table(Rules(blind_nil_deficit=0), scores=scores, dealer=2)
    assert table["turn"] == 1
    assert club_call(table.s, table.r) == (BLIND_NIL if blind else LOOK)


def test_it_bids_like_a_person():
    """Four bids sum to about eleven, three hands of a hundred are nils."""
    bids = bids_of(club_bid, scaled(5000))
    noise = 6 / sqrt(len(bids))
    assert 10.8 - noise < np.sum(bids, 1).mean() < 11.6 + noise
    assert np.mean(np.equal(bids, 0)) == pytest.approx(0.03, abs=0.01 + noise / 10)


@pytest.mark.parametrize("trumps", TRUMP_ORDERS)
def test_no_trump_mode_makes_it_overbid(trumps):
    sums = np.sum(bids_of(club_bid, scaled(1000), Rules(blind_nil_deficit=None, trumps=trumps)), 1)
    assert 10.3 - 5 / sqrt(len(sums)) < np.mean(sums) < 12.2 + 5 / sqrt(len(sums))
