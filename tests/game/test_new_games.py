"""A new game: its seed, deal, dealer, scores and bags, and what is refused."""

import random
from typing import Any

import numpy as np
import pytest
from support.game.tables import (
    SUITS_DEALT,
    play_hand,
    table_bytes,
)

from spades_env import Game
from spades_env.game.cards import BID_ZERO

UNTYPED: Any = Game  # takes anything


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dealer": 4}, ["dealer", "from 0 to 3", "4"]),
        ({"dealer": -1}, ["dealer", "from 0 to 3", "-1"]),
        ({"dealer": "West"}, ["dealer", "from 0 to 3", "West"]),
        ({"dealer": True}, ["dealer", "from 0 to 3", "True"]),
        ({"seed": -1}, ["seed", "from 0 to", "-1"]),
        ({"seed": 2**64}, ["seed", str(2**64 - 1), str(2**64)]),
        ({"seed": 1.5}, ["seed", "1.5"]),
        ({"seed": "7"}, ["seed", "'7'"]),
        ({"scores": [1]}, ["scores", "2 numbers", "one a side"]),
        ({"scores": [1, 2, 3, 4]}, ["scores", "2 numbers", "one a side"]),
        ({"scores": [1, 2.5]}, ["scores", "from -100000000 to 100000000", "2.5"]),
        ({"scores": [1, 1_000_000_001]}, ["scores", "from -100000000 to 100000000", "1000000001"]),
        ({"scores": [None, 1]}, ["scores", "None"]),
        ({"scores": 5}, ["scores", "2 numbers"]),
        ({"bags": [10, 0]}, ["bags", "from 0 to 9", "10"]),
        ({"bags": [-1, 0]}, ["bags", "from 0 to 9", "-1"]),
        ({"bags": [1, 2, 3]}, ["bags", "2 numbers"]),
        ({"bags": 5}, ["bags", "2 numbers"]),
        ({"hand_number": -1}, ["hand_number", "from 0", "-1"]),
        ({"hand_number": None}, ["hand_number", "from 0", "None"]),
        ({"hand_number": 1.0}, ["hand_number", "from 0", "1.0"]),
        ({"rules": {"max_hands": 8}, "hand_number": 8}, ["hand_number", "from 0 to 7", "8"]),
        ({"rules": "solo", "bags": [0, 0, 0, 1]}, ["bags", "from 0 to 0", "1"]),
        ({"rules": "solo", "scores": [1, 2]}, ["scores", "4 numbers"]),
    ],
)
def test_bad_starts(options, words):
    with pytest.raises(ValueError, match="must") as refusal:
        Game(**options)
    for word in words:
        assert word in str(refusal.value)


def dealt(changes: dict) -> list[list]:
    """Return a deal of whole suits, with some places (seat, number) changed."""
    hands: list[list] = [list(hand) for hand in SUITS_DEALT]
    for (seat, number), value in changes.items():
        hands[seat][number] = value
    return hands


@pytest.mark.parametrize(
    ("rules", "deal", "words"),
    [
        ("classic", SUITS_DEALT[:3], ["four hands of 13", "13, 13, 13"]),
        ("classic", [*SUITS_DEALT, []], ["four hands of 13"]),
        ("classic", [SUITS_DEALT[0][:12], *SUITS_DEALT[1:]], ["four hands of 13", "12, 13, 13, 13"]),
        ("classic", [], ["four hands of 13"]),
        ("classic", dealt({(0, 0): 1}), ["3C", "twice"]),
        ("classic", dealt({(0, 0): 51}), ["AS", "twice"]),
        ("classic", dealt({(0, 0): 52}), ["BJ", "not in the deck", "normal"]),
        ({"trumps": "nyc"}, SUITS_DEALT, ["2C", "not in the deck", "nyc"]),
        ("classic", dealt({(0, 0): 54}), ["54", "not in the deck"]),
        ("classic", dealt({(0, 0): -1}), ["-1", "not in the deck"]),
        ("classic", dealt({(0, 0): None}), ["None"]),
        ("classic", dealt({(0, 0): "2C"}), ["2C"]),
        ("classic", dealt({(0, 1): 1.0}), ["1.0"]),
        ("classic", dealt({(0, 1): True}), ["True"]),
        ("classic", [1, 2, 3, 4], ["four hands of 13"]),
        ("classic", 7, ["four hands of 13"]),
    ],
)
def test_bad_deals(rules, deal, words):
    with pytest.raises(ValueError, match=r".") as refusal:
        Game(rules, deal=deal)
    for word in words:
        assert word in str(refusal.value)


def test_numpy_numbers_are_numbers():
    game = UNTYPED(
        "classic",
        np.uint64(7),
        deal=np.array(SUITS_DEALT),
        dealer=np.int8(2),
        scores=np.array([-50, 120]),
        bags=np.array([3, 0], np.int32),
        hand_number=np.int64(2),
    )
    plain = Game("classic", 7, deal=SUITS_DEALT, dealer=2, scores=[-50, 120], bags=[3, 0], hand_number=2)
    assert table_bytes(game) == table_bytes(plain)
    assert repr(game) == repr(plain)
    assert game.record() == plain.record()
    game.apply(np.int64(BID_ZERO + 3))
    assert [type(move) for move in game.moves] == [int]
    assert game.undo(np.int64(1)) == [BID_ZERO + 3]


def test_a_start_is_what_was_asked_for():
    game = Game("classic", 7, deal=SUITS_DEALT[::-1], dealer=2, scores=[-50, 120], bags=[3, 0], hand_number=2)
    assert (game.seed, game.hands, game.dealer, game.turn) == (7, SUITS_DEALT[::-1], 2, 1)
    assert (game.scores, game.bags, game.hand_number, game.phase) == ([-50, 120], [3, 0], 2, "bid")
    assert (game.results, game.moves, game.winner, game.over) == ([], [], None, False)
    assert Game("classic", 7, scores=[-50, 120], dealer=3).phase == "blind"
    assert Game("classic", 7, scores=[-50, 120], dealer=0).phase == "bid"
    assert [Game("showdown", 7, hand_number=number).dealer for number in range(5)] == [1, 2, 3, 0, 1]
    assert Game("classic", 0).seed == 0
    assert Game("classic", 2**64 - 1).seed == 2**64 - 1


def test_a_game_without_a_seed_has_one_of_its_own():
    game, other = Game(), Game()
    assert game.seed != other.seed
    assert Game(seed=game.seed).hands == game.hands


def test_a_hand_number_continues_the_deals_of_the_seed():
    whole = Game("pagat", seed=5)
    rng = random.Random(1)
    for number in range(1, 4):
        play_hand(whole, rng)
        later = Game("pagat", seed=5, hand_number=number)
        assert (later.hands, later.dealer) == (whole.hands, whole.dealer)


def test_a_given_deal_leaves_the_later_deals_to_the_seed():
    games = [Game("pagat", seed=12), Game("pagat", seed=12, deal=SUITS_DEALT)]
    for game in games:
        play_hand(game, random.Random(2))
    assert games[0].hands == games[1].hands


def test_blind_nil_stays_off_however_far_behind():
    lead = 100_000_000
    for rules in ("pagat", "solo"):
        scores = [-lead, lead] if rules == "pagat" else [-lead, lead, 0, 0]
        game = Game(rules, seed=1, scores=scores)
        assert game.phase == "bid"
        assert all(game.looked)
