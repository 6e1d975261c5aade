"""The simple card player, trick by trick, and the agents that use it."""

import numpy as np
import pytest
from support.game.positions import MADE, position
from support.strategies import Table

from spades_env import Game, Rules, agents
from spades_env.agents.baselines.simple import simple_card
from spades_env.agents.lanes import highest, lowest, top_trump
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, TRUMP_ORDERS, card, card_name, cards

CLASSIC = Rules()
SOLO = Rules.preset("solo")
PARTNER_TAKES_OVER = Rules(failed_nil_tricks="partner")
SOUTH, NORTH = 0, 2


def plays(hand: str, trick="", **facts) -> str:
    table = position(hand, trick, **facts)
    return card_name(table.card_at[simple_card(table.s, table.r)])


# The simple player


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("AH 2C 9D KS", "", "AH"),  # nothing beats it in its suit
        ("KH 3C 9D QS", "", "3C"),  # nothing is sure
        ("KH AS 9D", "", "AS"),
        ("AH QH 2H", "KH", "AH"),
        ("AH QH 2H", "TH", "AH"),  # high: two others are to come
        ("KH QH 2H", "AH", "2H"),  # it can't
        ("AH QH 2H", "TH 5H 4H", "QH"),  # last to play: the cheapest
        ("AH QH 2H", "5H TH 4H", "2H"),  # it is the partner's
        ("AH QH 2H", "5H 6S 4H", "2H"),
        ("2C 9D KS 4S", "TH", "4S"),  # the cheapest spade
        ("2C 9D KS 4S", "TH 6S", "KS"),
        ("3C 9D JS 4S", "TH QS", "3C"),  # over-ruffing fails
        ("JS 4S", "TS", "JS"),
    ],
)
def test_it_wins_while_tricks_are_needed(hand, trick, played):
    assert plays(hand, trick) == played


def test_it_remembers_what_is_gone():
    assert plays("KH 3C 9D", gone="AH") == "KH"
    assert plays("QH 3C 9D", gone="AH") == "3C"
    assert plays("QH KH 3C 9D", gone="AH") == "KH"


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [("AH 3C 9D KS", "", "3C"), ("AH QH 2H", "KH", "2H"), ("AC 9D 4S", "KH", "9D"), ("AS 4S", "KH", "4S")],
)
def test_it_plays_low_once_the_bid_is_made(hand, trick, played):
    assert plays(hand, trick, tricks=MADE) == played


@pytest.mark.parametrize(
    ("hand", "trick", "played"),
    [
        ("AH QH 2H", "KH", "QH"),  # the highest that loses
        ("KH QH JH", "TH", "JH"),  # it must win, or hope
        ("KH 2C 3D", "", "2C"),
        ("KS 4S AC 2C", "TH", "AC"),
        ("JS 4S AC", "TH QS", "JS"),  # a spade below a spade
    ],
)
def test_it_ducks_its_nil(hand, trick, played):
    assert plays(hand, trick, bids=(4, 3, 0, 3)) == played


def test_a_failed_nil_helps_only_where_its_tricks_count():
    failed = {"bids": (4, 3, 0, 3), "tricks": (0, 0, 1, 0)}
    assert plays("AH QH 2H", "KH", **failed) == "2H"
    assert plays("AH QH 2H", "KH", **failed, rules=PARTNER_TAKES_OVER) == "AH"


def test_alone_it_has_no_partner():
    assert plays("AH QH 2H", "5H TH 4H", rules=SOLO) == "QH"
    assert plays("AH QH 2H", "KH", rules=SOLO, tricks=(5, 0, 2, 0)) == "AH"
    assert plays("AH QH 2H", "KH", rules=SOLO, tricks=(0, 0, 3, 0)) == "2H"


def test_highest_and_lowest():
    table = Table(CLASSIC)
    for held, high, low in (("2C KD 3S", "3S", "2C"), ("2C KD", "KD", "2C"), ("AS 3S", "AS", "3S"), ("5H", "5H", "5H")):
        lanes = np.uint64(table.lanes(cards(held)))
        assert (table.card_at[highest(lanes)], table.card_at[lowest(lanes)]) == (card(high), card(low))


@pytest.mark.parametrize("trumps", TRUMP_ORDERS)
def test_the_best_trump(trumps):
    table = Table(Rules(trumps=trumps))
    assert table.card_at[top_trump(table.r)] == TRUMP_ORDERS[trumps][0]


def test_a_blind_nil_gives_its_best_and_gets_the_worst():
    game = Game(Rules(blind_nil_deficit=0, blind_nil_pass=1), seed=5, dealer=1)
    for action in (BLIND_NIL, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4, LOOK, BID_ZERO + 4):
        game.apply(action)
    south, north = game.hands[SOUTH], game.hands[NORTH]
    for _ in range(2):
        game.apply(agents.load("rb").act(game.view(game.turn)))
    assert game.view(NORTH).received == [max(south)]  # a spade: they have the highest ids
    sides = [c for c in north if c < card("2S")]
    assert game.view(SOUTH).received == [min(sides, key=lambda c: (c % 13, c))]


# The agents


def test_they_look_before_they_bid():
    game = Game(Rules(blind_nil_deficit=0), seed=1)
    assert [agents.load(name).act(game.view(game.turn)) for name in ("rb", "bis")] == [LOOK, LOOK]
