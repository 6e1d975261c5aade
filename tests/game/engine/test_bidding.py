"""Bidding: who bids first and leads, who may bid blind nil, and which cards are passed."""

import copy

import pytest
from support.game.engine_moves import bid_all, do, legal
from support.game.tables import SUITS_DEALT
from support.strategies import Table

from spades_env import Rules
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.game.state import PASS, PLAY


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    ("first_lead", "offset"), [("left_of_dealer", 1), ("right_of_dealer", 3), ("highest_bidder", 1)]
)
def test_who_bids_first_and_then_clockwise(first_lead, offset, dealer):
    table = Table(Rules(first_lead=first_lead), dealer=dealer)
    for turn in range(4):
        assert table["turn"] == (dealer + offset + turn) % 4
        bid_all(table, 3)
    assert table["phase"] == PLAY
    assert table["bids"] == [3] * 4


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(("first_lead", "offset"), [("left_of_dealer", 1), ("right_of_dealer", 3)])
def test_who_bids_first_leads_first(first_lead, offset, dealer):
    table = Table(Rules(first_lead=first_lead), dealer=dealer)
    bid_all(table, 1, 7, 2, 3)
    assert table["turn"] == (dealer + offset) % 4


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    ("bids", "highest"),
    [
        ((5, 1, 2, 3), 0),
        ((1, 5, 2, 3), 1),
        ((1, 2, 5, 3), 2),
        ((1, 2, 3, 5), 3),
        ((4, 4, 1, 4), 0),
        ((1, 4, 4, 4), 1),
        ((0, 1, 3, 3), 2),
        ((0, 0, 0, 0), 0),
        ((13, 13, 13, 13), 0),
    ],
)
def test_the_first_of_the_highest_bidders_leads(bids, highest, dealer):
    table = Table(Rules.preset("solo"), dealer=dealer)
    bid_all(table, *bids)
    assert table["turn"] == (dealer + 1 + highest) % 4


def test_a_blind_nil_counts_as_zero_for_the_lead():
    table = Table(Rules.preset("solo", blind_nil_deficit=0), dealer=3)
    do(table, BLIND_NIL, LOOK, BID_ZERO, BLIND_NIL, LOOK, BID_ZERO + 1)
    assert (table["bids"], table["turn"]) == ([0, 0, 0, 1], 3)


@pytest.mark.parametrize(
    ("preset", "deficit", "scores", "entitled"),
    [
        ("classic", 100, (0, 99), []),
        ("classic", 100, (0, 100), [0, 2]),
        ("classic", 100, (250, 149), [1, 3]),
        ("classic", 100, (-100, 0), [0, 2]),
        ("classic", 0, (0, 0), [0, 1, 2, 3]),
        ("classic", 0, (1, 0), [1, 3]),
        ("classic", None, (-9000, 9000), []),
        ("solo", 100, (0, 120, 20, 21), [0, 2]),
        ("solo", 0, (50, 50, 49, 50), [0, 1, 2, 3]),
        ("solo", 0, (51, 50, 49, 50), [1, 2, 3]),
    ],
)
def test_who_may_bid_blind_nil(preset, deficit, scores, entitled):
    table = Table(Rules.preset(preset, blind_nil_deficit=deficit), dealer=0, scores=scores)
    asked = []
    for _ in range(4):
        seat = table["turn"]
        if legal(table) == [BLIND_NIL, LOOK]:
            asked.append(seat)
            assert not table["looked"][seat]
            do(table, LOOK)
        assert table["looked"][seat]
        assert (table["turn"], legal(table)) == (seat, list(range(BID_ZERO, BLIND_NIL)))
        do(table, BID_ZERO + 2)
    assert sorted(asked) == entitled


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("blind", "order"),
    [
        ([1], [1, 3]),
        ([3], [3, 1]),
        ([1, 3], [1, 3]),
        ([0], [0, 2]),
        ([0, 1], [1, 3, 0, 2]),
        ([2, 3], [2, 0, 3, 1]),
        ([0, 1, 2, 3], [1, 3, 2, 0]),
    ],
)
def test_blind_nil_bidders_and_partners_pass(count, blind, order):
    rules = Rules(first_lead="left_of_dealer", blind_nil_deficit=0, blind_nil_pass=count)
    table = Table(rules, hands=SUITS_DEALT, dealer=0)
    for seat in (1, 2, 3, 0):
        do(table, *([BLIND_NIL] if seat in blind else [LOOK, BID_ZERO + 3]))
    held = copy.deepcopy(SUITS_DEALT)
    for first, second in zip(order[::2], order[1::2], strict=True):
        for seat in (first, second):
            assert table.hands == held  # nothing has come from the other side yet
            for card_passed in SUITS_DEALT[seat][:count]:
                assert (table["phase"], table["turn"]) == (PASS, seat)
                do(table, card_passed)
                assert card_passed not in legal(table) or table["turn"] != seat
        held[first], held[second] = (
            sorted(SUITS_DEALT[first][count:] + SUITS_DEALT[second][:count]),
            sorted(SUITS_DEALT[second][count:] + SUITS_DEALT[first][:count]),
        )
    assert table.hands == held
    assert (table["phase"], table["turn"]) == (PLAY, 1)


def test_nobody_passes_without_a_blind_nil():
    table = Table(Rules(blind_nil_deficit=0, blind_nil_pass=2), dealer=0)
    bid_all(table, 0, 3, 4, 0)
    assert table["phase"] == PLAY
