"""Deals from a secret: reproducible, uniform, and the same through records, undo and positions."""

import random

import numpy as np
import pytest
from support.game.tables import play, play_hand
from support.strategies import scaled

from spades_env import Game
from spades_env.game.cards import NUM_SEATS, cards, deck
from spades_env.game.record import RecordError
from spades_env.game.secret_deals import WORD, _below, checked_secret, deal, derived, new_secret

SECRET = "00112233445566778899aabbccddeeff"
FIRST = "2C 4C 9C QC KC 6D 8D TD 2H 8H TH QH AS"  # South's, of hand 1
RULES = "classic target=off max_hands=3"


def test_a_known_deal():
    """A deal must never change: proofs and records depend on it."""
    hands = deal(SECRET, 0, deck("normal"))
    assert hands[0] == cards(FIRST)
    assert derived(SECRET, "seed", 8) == 7780225680214615904
    assert derived(SECRET, "bots") == 32161341350217940279152884676826051886


@pytest.mark.parametrize("trumps", ["normal", "nyc", "deuces"])
def test_every_card_is_dealt_once(trumps):
    hands = deal(new_secret(), 3, deck(trumps))
    assert [len(hand) for hand in hands] == [13] * 4
    assert sorted(card for hand in hands for card in hand) == sorted(deck(trumps))


def test_hands_differ_by_secret_and_by_number():
    found = {str(deal(f"{secret:032x}", number, deck("normal"))) for secret in range(8) for number in range(8)}
    assert len(found) == 64


def test_every_card_goes_to_every_seat_as_often():
    deals = max(1000, scaled(4000))
    found = np.zeros((NUM_SEATS, 52))
    for number in range(deals):
        for seat, hand in enumerate(deal(SECRET, number, deck("normal"))):
            found[seat, hand] += 1
    expected = deals / NUM_SEATS
    squares = ((found - expected) ** 2 / expected).sum()
    assert 80 < squares < 240  # chi square of 51 · 3 = 153 degrees of freedom, deviation about 17
    assert abs(found / deals - 0.25).max() < 5 * (0.25 * 0.75 / deals) ** 0.5


def test_no_place_is_favoured():
    """The highest words, which would make the first places likelier, are skipped."""
    assert _below(iter([WORD - 1, 4]), 3) == 1
    assert _below(iter([WORD - 2, 4]), 3) == (WORD - 2) % 3
    assert _below(iter([WORD - 1]), 2) == 1


@pytest.mark.parametrize("secret", ["", "5f", SECRET.upper(), SECRET + "0", "g" * 32, 7, None, SECRET + "\n"])
def test_what_is_no_secret(secret):
    with pytest.raises(ValueError, match="a secret is 32 hex digits"):
        checked_secret(secret)


def test_a_game_deals_from_its_secret():
    game = Game(RULES, secret=SECRET)
    assert game.hands[0] == cards(FIRST)
    assert game.hands != Game(RULES, game.seed).hands
    play_hand(game, random.Random(1))
    assert [sorted(hand) for hand in game.hands] == deal(SECRET, 1, deck("normal"))
    assert game.deal == Game(RULES, secret=SECRET, hand_number=1).deal
    with pytest.raises(ValueError, match="a seed or a secret, not both"):
        Game(RULES, 7, secret=SECRET)


def test_a_deal_that_was_given_is_followed_by_the_secret():
    suits = [list(range(13 * suit, 13 * suit + 13)) for suit in range(4)]
    game = Game(RULES, secret=SECRET, deal=suits)
    assert game.hands == suits
    play_hand(game, random.Random(1))
    assert [sorted(hand) for hand in game.hands] == deal(SECRET, 1, deck("normal"))


def test_after_undo_the_same_cards_come():
    game = Game(RULES, secret=SECRET)
    play_hand(game, random.Random(1))
    second = game.deal
    moves = game.undo(20)
    for move in moves:
        game.apply(move)
    assert (game.hand_number, game.deal) == (1, second)
    game.undo(len(game.moves))
    play_hand(game, random.Random(2))
    assert game.deal == second, "whatever was played before"


def test_a_record_tells_the_secret():
    game = Game(RULES, secret=SECRET)
    play(game, random.Random(3), 100)
    text = game.record()
    assert f"\nsecret: {SECRET}\n" in text
    assert "seed" not in text
    other = Game.replay(text)
    assert (other.secret, other.deal, other.record()) == (SECRET, game.deal, text)
    with pytest.raises(RecordError, match="line 5: expected 'hand 1, dealer North', found 'hand 1, dealer South'"):
        Game.replay(text.replace(SECRET, SECRET[::-1]))
    with pytest.raises(RecordError, match="line 3: a secret is 32 hex digits"):
        Game.replay(text.replace(SECRET, "5f"))


def test_a_position_tells_the_secret():
    game = Game(RULES, secret=SECRET)
    play(game, random.Random(3), 70)
    other = eval(repr(game), {"Game": Game})
    assert (other.deal, other.secret, other.hands) == (game.deal, SECRET, game.hands)
