"""Reasons for bids of hands made by hand, by the usual rules and by house rules."""

import pytest
from support.play.claims.proof import NAMES
from support.play.handmade import NO_BLIND, bidding

from spades_env.agents.measures import CHOICE
from spades_env.game.cards import BID_ZERO
from spades_env.play.coach.why import explain

BIG = "AS 9S 7S 5S 3S KH QH 4H AD 8D 6D 4D 2D"  # counts 6
SMALL = "7S 5S 2S 8H 4H 2H TD 6D 3D 9C 6C 4C 2C"  # counts 0
TENS = "JS 9S 4S QH TH 7H 3H 2H QD TD 9D QC 5C"  # counts 1, and no card is worth half a trick
ALL_LOW = "5H 4H 3H 2H 6D 5D 4D 3D 2D 5C 4C 3C 2C"


@pytest.mark.parametrize(
    ("hand", "before", "best", "instead", "start", "words"),
    [
        (BIG, (), 6, 5, {}, "That's what you count: ace of spades, 2 long spades, king-queen of hearts, ace of "
         "diamonds and ruffs in clubs."),
        (TENS, (), 1, 2, {}, "Counted suit by suit, the hand is worth 0.6 tricks."),
        (BIG, (4, 2, 3), 5, 6, {}, "You count 6, but with the others' 9 that makes 15 of 13 tricks."),
        (BIG, (1, 1, 1), 7, 6, {}, "You count 6, but the others bid only 3."),
        (BIG, (4, 2, 3), 5, 6, {"scores": [430, 200]}, "That's enough: with it, your side reaches 500 of 500 points."),
        (BIG, (4, 4), 5, 6, {}, "Counted suit by suit, the hand is worth 5.4 tricks (ace of spades, 2 long spades, "
         "king-queen of hearts, ace of diamonds and ruffs in clubs), but Zofia bids less."),
        (BIG, (), 6, 0, {}, "No nil: the ace of spades is one of the three highest spades."),
        (BIG.replace("AS", "JS"), (), 5, 0, {}, "No nil: 5 spades are hard to lose."),
        (SMALL, (), 0, 1, {}, "Your highest spade is the seven of spades, and you have a low card in every other "
         "suit you hold."),
        (ALL_LOW, (), 0, 1, {}, "You have no spade, and a low card in every suit you hold."),
        (SMALL.replace("7S", "TS"), (), 0, 1, {}, "Counted suit by suit, the hand is worth only 0.0 tricks."),
    ],
)  # fmt: skip
def test_reasons_for_bids(hand, before, best, instead, start, words):
    view = bidding(hand, *before, **start)
    weighed = [(BID_ZERO + best, 0.6), (BID_ZERO + instead, 0.3)]
    assert explain(view, weighed, CHOICE, ["You", "Mei", "Zofia", "Dara"], "Zofia") == words


@pytest.mark.parametrize(
    ("hand", "before", "best", "instead", "rules", "words"),
    [
        (SMALL, (1, 1), 3, 4, "least_bid=4", "Your side must bid at least 4, and that's the least you can bid."),
        (SMALL, (), 1, 2, "least_bid=4", "Counted suit by suit, the hand is worth only 0.0 tricks, but Zofia bids "
         "more."),
        (SMALL, (4, 1), 1, 2, "least_bid=4", "Counted suit by suit, the hand is worth only 0.0 tricks, but Zofia bids "
         "more."),
        (BIG, (1, 1), 6, 5, "least_bid=4", "That's what you count: ace of spades, 2 long spades, king-queen of hearts, "
         "ace of diamonds and ruffs in clubs."),
        (SMALL, (4, 0, 0), 4, 5, "bidding=suicide least_bid=4", "Your side must bid at least 4, and that's the "
         "least you can bid."),
        (BIG, (), 5, 0, "bidding=whiz", "No nil: the ace of spades is one of the three highest spades."),
        (SMALL, (), 3, 0, "bidding=whiz", "You hold 3 trumps, and by the rules it's that or nil."),
        (BIG, (4, 8, 3), 5, 6, "ten_points=200", "You count 6, but with the others' 15 that makes 21 of 13 tricks."),
    ],
)  # fmt: skip
def test_reasons_for_bids_by_the_house_rules(hand, before, best, instead, rules, words):
    """None names a bid that is closed."""
    view = bidding(hand, *before, rules=f"{NO_BLIND} {rules}", scores=[430, 200])
    weighed = [(BID_ZERO + best, 0.6), (BID_ZERO + instead, 0.3)]
    assert {action for action, _ in weighed} <= set(view.legal_actions())
    assert explain(view, weighed, CHOICE, ["You", "Mei", "Zofia", "Dara"], "Zofia") == words


def test_one_legal_bid_needs_no_reason():
    view = bidding(BIG, rules=f"{NO_BLIND} bidding=mirror")
    assert explain(view, [(BID_ZERO + 5, 1.0)], CHOICE, NAMES, "Zofia") is None
