"""A game as text: its repr, its deal, and games made from the text of a deal."""

import random

import pytest
from support.game.tables import (
    SUITS_DEALT,
    after,
    bid_all,
    hand_start,
    play,
    play_hand,
    random_position,
    same,
)
from support.strategies import scaled

from spades_env import Game, Rules
from spades_env.game.cards import cards


def record_of_hand(game: Game) -> str:
    """Return the record from the present hand on."""
    record = game.record()
    return record[record.rindex(f"\nhand {game.hand_number + 1}, ") :]


def test_a_repr_is_the_code_of_the_game():
    rng = random.Random(37)
    for i in range(scaled(60)):
        game = random_position(rng, trumps=("jokers", "nyc", "normal", "deuces", "barmore")[i % 5], tie="draw")
        other = eval(repr(game))
        assert repr(other) == repr(game)
        assert record_of_hand(other) == record_of_hand(game)
        assert other.hands == game.hands
        assert [other.view(seat).features.tobytes() for seat in range(4)] == [
            game.view(seat).features.tobytes() for seat in range(4)
        ]


def test_a_repr_in_an_extra_hand():
    """A tie after the last hand is played out, so hand numbers go beyond max_hands."""
    game = Game(Rules.preset("pagat", max_hands=1), deal=SUITS_DEALT, seed=1, dealer=2, scores=[150, 0])
    bid_all(game, 12, 1, 1, 1)
    play_hand(game, random.Random(1))
    assert (game.scores, game.hand_number, game.over) == ([130, 130], 1, False)
    assert repr(eval(repr(game))) == repr(game)


def test_a_deal_round_trips():
    rng = random.Random(38)
    for trumps in ("normal", "nyc", "barmore", "deuces", "jokers"):
        game = Game(Rules(trumps=trumps, blind_nil_deficit=0, blind_nil_pass=3), seed=rng.getrandbits(64))
        dealt, deal = game.hands, game.deal
        assert [sorted(cards(hand)) for hand in deal.split("|")] == dealt
        assert Game.from_deal(deal, str(game.rules), seed=0).hands == dealt
        play(game, rng, 40)
        assert game.deal == deal
        play_hand(game, rng)
        assert game.deal == hand_start(game).deal != deal


def test_from_deal_with_moves():
    deal = " | ".join(" ".join(f"{rank}{suit}" for rank in "AKQJT98765432") for suit in "CDHS")
    game = Game.from_deal(deal, "pagat", dealer=3, moves="bid:3 bid:3 bid:0 bid:4 AC 2d", seed=2)
    same(game, after(bid_all(Game("pagat", 2, deal=SUITS_DEALT, dealer=3), 3, 3, 0, 4), "AC", "2D"))


@pytest.mark.parametrize(
    ("deal", "moves", "words"),
    [
        ("AS KS | | ", "", "four hands divided by |, South first; this has 3"),
        ("AS KS | | | ", "", "four hands of 13 cards, not of [2, 0, 0, 0]"),
        ("AS ZZ | | | ", "", "'ZZ' isn't a card"),
        (None, "bid:14", "bid:14"),
        (None, "bid:x", "bid:x"),
        (None, "bid:٣", "bid:٣"),
        (None, "XX", "'XX' isn't a card"),
        (None, "AS", "play the ace of spades: it is time to bid"),
    ],
)
def test_bad_texts_of_a_deal(deal, moves, words):
    with pytest.raises(ValueError, match=r".") as refusal:
        Game.from_deal(Game("pagat", seed=1).deal if deal is None else deal, "pagat", moves=moves)
    assert words in str(refusal.value)
