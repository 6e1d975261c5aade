"""Advice as it is shown: shares are bars as they are, worths are told by what less than the best one brings."""

from play.advice import TRACE, advice
from spades_env.cards import BID_ZERO, card


def shown(*weights):
    return [(one["bar"], one["words"]) for one in advice([(number, weight) for number, weight in enumerate(weights)])]


def test_shares_are_bars():
    assert shown(0.75, 0.25, 0.0) == [(0.75, "75%"), (0.25, "25%"), (0.0, "0%")]
    assert shown(1.0) == [(1.0, "100%")]


def test_cards_that_are_alike_bear_the_same_share():
    assert shown(0.6, 0.6, 0.4) == [(0.6, "60%"), (0.6, "60%"), (0.4, "40%")]


def test_worths_lie_close_together_and_are_told_apart():
    assert shown(0.576, 0.57599, 0.571, 0.4) == [(1.0, "58%"), (0.9998, "58%"), (0.9, "−0.5"), (TRACE, "−17.6")]


def test_actions_are_words():
    told = advice([(card("AS"), 0.9), (BID_ZERO + 4, 0.1)])
    assert [(one["action"], one["weight"]) for one in told] == [("AS", 0.9), ("bid:4", 0.1)]
    assert advice([]) == []
