"""Endings: the engine counts as many ways to play the last tricks as the plain reference."""

import copy
from collections import Counter

import pytest
from support.game import reference
from support.game.engine_moves import bid_all, legal
from support.game.tables import SUITS_DEALT
from support.strategies import Table

from spades_env import Rules
from spades_env.game.cards import cards
from spades_env.game.engine import apply
from spades_env.game.state import GOES_ON

# Trumps; the last cards of South, West, North, East; who leads; are spades broken?
# In how many ways it can be played to the end, by the tricks that South & North win.
ENDINGS = {
    "a suit each, South leads": ("normal", "2C 3C 4C | 2D 3D 4D | 2H 3H 4H | 5H 6H 7H", 0, False, {3: 6**4}),
    "a suit each, the trumps lead": ("normal", "2S 3S 4S | 2D 3D 4D | 2H 3H 4H | 2C 3C 4C", 0, False, {3: 6**4}),
    "a suit each, the trumps answer": ("normal", "2C 3C 4C | 2S 3S 4S | 2H 3H 4H | 2D 3D 4D", 0, False, {0: 6**4}),
    "one trick": ("normal", "2C | 3C | AC | 2S", 0, False, {0: 1}),
    "all hearts": ("normal", "2H 6H TH | 3H 7H JH | 4H 8H QH | 5H 9H KH", 0, False, {0: 150, 1: 804, 2: 342}),
    "spades not broken": ("normal", "AS KC 2D | QS 3D 4C | KS 5C 6H | 2S 7H 8D", 1, False, {1: 9, 2: 17, 3: 4}),
    "spades broken": ("normal", "AS KC 2D | QS 3D 4C | KS 5C 6H | 2S 7H 8D", 1, True, {1: 11, 2: 23, 3: 4}),
    "2D is a spade": ("nyc", "2D KD 3C | RJ AD 4C | 3S QD 5H | BJ JD 6H", 2, False, {0: 16, 1: 27, 2: 5}),
    "2D is a diamond": ("barmore", "2D KD 3C | RJ AD 4C | 3S QD 5H | BJ JD 6H", 2, False, {0: 26, 1: 14}),
    "deuces": ("deuces", "2C KC 5D | 2H AC 6D | 2D QC 7H | AS JC 8H", 3, False, {1: 14, 2: 32, 3: 2}),
    "jokers": ("jokers", "RJ AS 9C | BJ KS 8C | 2S TH 7C | 3S JH 6D", 0, True, {1: 6, 2: 22, 3: 16}),
    "four tricks": (
        "normal",
        "AS 9H 4D 3C | KH QH 2D 5S | 7S JD TD 8C | QC 6C 2H 5D",
        0,
        False,
        {1: 192, 2: 968, 3: 708, 4: 168},
    ),
}


def ending(name: str) -> tuple[Table, reference.Table]:
    """Return the same ending for engine and reference: earlier tricks are played, every seat has bid 3."""
    trumps, text, leader, broken, _ = ENDINGS[name]
    hands = [cards(hand) for hand in text.split("|")]
    options = Rules.preset("pagat", trumps=trumps).as_dict()
    engine = Table(Rules(**options), dealer=(leader - 1) % 4)
    bid_all(engine, 3, 3, 3, 3)
    engine.s.hands[:] = [engine.lanes(hand) for hand in hands]
    engine.s.num_plays, engine.s.broken = 52 - 4 * len(hands[0]), broken
    plain = reference.Table(options, hands, (leader - 1) % 4)
    plain.bids, plain.phase, plain.turn, plain.broken = [3] * 4, "play", leader, broken
    return engine, plain


def engine_tree(table: Table) -> Counter:
    """Count the ways to play to the end, by the tricks of South & North."""
    ways = Counter()
    before = table.state.copy()
    for action in legal(table):
        if apply(table.s, table.r, action) == GOES_ON:
            ways += engine_tree(table)
        else:
            ways[table["tricks"][0] + table["tricks"][2]] += 1
        table.state[0] = before[0]
    return ways


def reference_tree(table: reference.Table) -> Counter:
    """Count the same with the reference."""
    ways = Counter()
    for action in table.legal():
        after = copy.deepcopy(table)
        after.apply(action, lambda hand_number: SUITS_DEALT)
        if not after.results:
            ways += reference_tree(after)
        else:
            won = after.results[-1]["tricks"]
            ways[won[0] + won[2]] += 1
    return ways


@pytest.mark.parametrize("name", ENDINGS)
def test_the_whole_tree_of_an_ending(name):
    engine, plain = ending(name)
    ways = engine_tree(engine)
    assert ways == reference_tree(plain)
    assert ways == ENDINGS[name][-1]
