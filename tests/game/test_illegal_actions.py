"""An illegal action is refused in words that say why, and changes nothing."""

import random
from typing import Any

import numpy as np
import pytest
from support.game.tables import (
    SOUTH_BEGINS,
    SUITS_DEALT,
    after,
    bid_all,
    finished,
    pagat,
    random_position,
    table_bytes,
)
from support.strategies import scaled

from spades_env import Game, IllegalActionError
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, card, cards, deck


def mixed_hands() -> Game:
    """South has led the 2♣; West holds 3♣ and spades, East no clubs."""
    hands = [cards("2C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S"), cards("3C"), [], []]
    rest = [c for c in deck("normal") if c not in hands[0] + hands[1]]
    hands[1] += rest[-12:]
    hands[2], hands[3] = rest[:13], rest[13:26]
    return after(bid_all(Game("pagat", deal=hands, seed=1, **SOUTH_BEGINS), 3, 3, 3, 3), "2C")


def blind_table(**options) -> Game:
    rules: dict[str, Any] = {"base": "pagat", "blind_nil_deficit": 0, "blind_nil_pass": 2} | options
    return Game(rules, deal=SUITS_DEALT, seed=1, **SOUTH_BEGINS)


def passing() -> Game:
    """South bid blind nil and has chosen the 2♣ to give away."""
    game = blind_table()
    game.apply(BLIND_NIL)
    return after(bid_all(game, 3, 3, 3), "2C")


def looked() -> Game:
    game = blind_table()
    game.apply(LOOK)
    return game


ILLEGAL = {  # what: (game, action, words that the refusal holds)
    "follow suit": (mixed_hands, card("AS"), ["West", "play the ace of spades", "clubs"]),
    "spades not broken": (
        lambda: bid_all(Game("pagat", seed=1, **SOUTH_BEGINS), 3, 3, 3, 3),
        "a spade",
        ["South", "of spades", "not broken"],
    ),
    "not held": (lambda: bid_all(pagat(), 3, 3, 3, 3), card("AS"), ["South", "play the ace of spades", "do not hold"]),
    "played before": (lambda: after(mixed_hands(), "3C", "5D"), card("2C"), ["East", "two of clubs", "do not hold"]),
    "not in the deck": (lambda: bid_all(pagat(), 3, 3, 3, 3), card("RJ"), ["South", "red joker", "not in the deck"]),
    "deuce left out": (
        lambda: bid_all(Game({"base": "pagat", "trumps": "nyc"}, seed=1, **SOUTH_BEGINS), 3, 3, 3, 3),
        card("2C"),
        ["South", "two of clubs", "not in the deck"],
    ),
    "above the table": (pagat, 70, ["South", "70", "0 to 69"]),
    "negative": (pagat, -1, ["South", "-1", "0 to 69"]),
    "far out": (pagat, 2**80, ["South", str(2**80), "0 to 69"]),
    "far below": (pagat, -(2**80), ["South", str(-(2**80)), "0 to 69"]),
    "unsigned": (pagat, 2**63, ["South", str(2**63), "0 to 69"]),
    "None": (pagat, None, ["South", "None", "0 to 69"]),
    "a text": (pagat, "AS", ["South", "'AS'", "0 to 69"]),
    "a float": (pagat, 57.0, ["South", "57.0", "0 to 69"]),
    "a list": (pagat, [57], ["South", "[57]", "0 to 69"]),
    "a bool": (lambda: bid_all(pagat(), 3, 3, 3, 3), True, ["South", "True", "0 to 69"]),
    "a numpy bool": (lambda: bid_all(pagat(), 3, 3, 3, 3), np.True_, ["South", "True", "0 to 69"]),
    "a numpy float": (pagat, np.float64(57), ["South", "57.0", "0 to 69"]),
    "bidding in play": (mixed_hands, BID_ZERO + 3, ["West", "bid 3", "time to play"]),
    "looking in play": (mixed_hands, LOOK, ["West", "look at the cards", "time to play"]),
    "blind nil in play": (mixed_hands, BLIND_NIL, ["West", "bid blind nil", "time to play"]),
    "playing in bidding": (pagat, card("2C"), ["South", "play the two of clubs", "time to bid"]),
    "blind nil off": (pagat, BLIND_NIL, ["South", "bid blind nil", "off"]),
    "blind nil too late": (looked, BLIND_NIL, ["South", "bid blind nil", "seen your cards"]),
    "looked already": (looked, LOOK, ["South", "look at the cards", "time to bid"]),
    "bidding before looking": (blind_table, BID_ZERO + 3, ["South", "bid 3", "have not looked", "look"]),
    "playing before looking": (blind_table, card("2C"), ["South", "two of clubs", "have not looked"]),
    "pass twice": (passing, card("2C"), ["South", "pass the two of clubs", "chosen it already"]),
    "pass what is not held": (passing, card("AS"), ["South", "pass the ace of spades", "do not hold"]),
    "bidding while passing": (passing, BID_ZERO, ["South", "bid 0", "time to pass"]),
    "game over": (finished, BID_ZERO, ["the game is over"]),
    "game over, no action": (finished, None, ["the game is over"]),
}


@pytest.mark.parametrize("what", ILLEGAL)
def test_illegal_actions(what):
    begin, action, words = ILLEGAL[what]
    game = begin()
    if action == "a spade":
        action = next(c for c in game.hands[game.turn] if c >= card("2S"))
    before = table_bytes(game), game.record(), repr(game), game.moves, game.results
    with pytest.raises(IllegalActionError) as refusal:
        game.apply(action)
    for word in words:
        assert word in str(refusal.value)
    assert (table_bytes(game), game.record(), repr(game), game.moves, game.results) == before


def test_all_that_is_not_legal_is_refused():
    rng = random.Random(32)
    for _ in range(scaled(40)):
        game = random_position(rng)
        before, legal = table_bytes(game), game.legal_actions()
        reason = "the game is over" if game.over else r"(South|West|North|East) cannot .+: ."
        for action in range(-2, 73):
            if action in legal:
                game.apply(action)
                game.undo()
            else:
                with pytest.raises(IllegalActionError, match=reason):
                    game.apply(action)
            assert table_bytes(game) == before


def test_an_illegal_action_is_a_value_error():
    assert issubclass(IllegalActionError, ValueError)
