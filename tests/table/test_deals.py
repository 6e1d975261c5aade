"""Counting deals: what is expected is right, what is found is what is dealt, and an unfair shuffle is noticed."""

import json
from itertools import combinations
from math import comb

import pytest
from support.strategies import scaled

from spades_env import Game
from spades_env.game.cards import card as card_named
from spades_env.play.review import deals as statistics
from spades_env.play.review.deals import counted, dealt, likelihood


def secret(number: int) -> str:
    return f"{number:032x}"


def figure(told: dict, words: str) -> dict:
    [found] = [one for one in told["figures"] if one["name"] == words]
    return found


def test_the_deals_are_those_of_games():
    found = dealt(secret(7), 3)
    for i in range(3):
        hands = [{card for card in range(52) if hand >> card & 1} for hand in found[i]]
        assert hands == [set(hand) for hand in Game("classic", secret=secret(7), hand_number=i).hands]


def test_every_deal_is_counted_once_in_each_figure():
    deals = scaled(2000)
    told = counted(secret(11), deals)
    assert told["deals"] == deals
    assert len(told["figures"]) == 18
    for one in told["figures"][1:]:
        assert sum(row["found"] for row in one["rows"]) == deals, one["name"]
        assert sum(row["expected"] for row in one["rows"]) == pytest.approx(deals, abs=1), one["name"]
    assert json.loads(json.dumps(told)) == told


def test_what_is_counted_is_there():
    deals = max(100, scaled(500))  # of fewer, rare cases are counted together
    hands = [Game("classic", secret=secret(0), hand_number=number).hands for number in range(deals)]
    told = counted(secret(0), deals)
    with_ace = [sum(card_named("AS") in hand[seat] for hand in hands) for seat in range(4)]
    assert [row["found"] for row in figure(told, "Who holds the ace of spades")["rows"]][:2] == with_ace[:2]
    found = dealt(secret(0), deals)
    fits = [statistics._fits_nil(dealt_hands[2]) for dealt_hands in found]
    for hand, fit in zip(hands, fits, strict=True):
        high = any(one % 13 > 10 for one in hand[2])
        spades = [one - 39 for one in hand[2] if one >= 39]
        assert fit == (not high and len(spades) <= 3 and all(rank <= 7 for rank in spades))


def test_what_is_expected():
    assert statistics._drawn(4, 0) == pytest.approx(0.3038, abs=1e-4)  # a hand without an ace
    assert statistics._drawn(13, 4) == pytest.approx(0.2386, abs=1e-4)  # four cards of a suit
    assert sum(statistics._void_chances()) == pytest.approx(1)
    assert 1 - statistics._void_chances()[0] == pytest.approx(0.0510, abs=1e-3)


def test_the_chance_of_a_nil_by_counting(monkeypatch):
    """In a small deck all hands can be listed: 4 low spades, 6 other low cards, 3 high ones, hands of 4."""
    deck = ["s"] * 4 + ["o"] * 6 + ["h"] * 3
    fits = [hand for hand in combinations(deck, 4) if "h" not in hand and hand.count("s") <= 3]
    for name, value in {"NINE": 3, "QUEEN": 1, "SUITS": "abcd", "HAND": 4, "HANDS": comb(13, 4)}.items():
        monkeypatch.setattr(statistics, name, value)
    assert statistics._nil_chance() == pytest.approx(len(fits) / comb(13, 4))


@pytest.mark.parametrize(
    ("distance", "freedom", "chance"), [(3.84, 1, 0.05), (9.49, 4, 0.05), (4.35, 5, 0.5), (18.47, 7, 0.01)]
)
def test_likelihoods_are_those_of_the_tables(distance, freedom, chance):
    assert likelihood(distance, freedom) == pytest.approx(chance, rel=0.06)


def test_a_fair_shuffle_is_rarely_suspected():
    runs = scaled(40)
    chances = [one["likelihood"] for run in range(runs) for one in counted(secret(run), scaled(1000))["figures"]]
    rare = sum(chance < 0.001 for chance in chances)
    assert rare <= 1 + 0.01 * len(chances)


def test_an_unfair_shuffle_is_noticed(monkeypatch):
    """One deal in five gives South the ace of spades, no matter who held it."""
    deals = scaled(2000)
    fair = dealt(secret(5), deals)
    unfair, ace = [list(hands) for hands in fair], statistics.ACE_OF_SPADES
    for hands in unfair[::5]:
        holder = next(seat for seat in range(4) if hands[seat] & ace)
        if holder:
            hands[holder] ^= ace
            hands[0] |= ace
    monkeypatch.setattr(statistics, "dealt", lambda secret, count: unfair)
    told = figure(counted(secret(5), deals), "Who holds the ace of spades")
    if deals >= 500:
        assert told["likelihood"] < 0.001
    if deals >= 2000:
        assert told["words"] == "Chance alone is as far off, or further, in fewer than 1 of 10,000 such counts."
