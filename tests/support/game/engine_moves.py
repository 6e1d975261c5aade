"""Moves on the engine's table, and the suits of every trump mode as the rule books list them."""

import random

import numpy as np
from support.strategies import Table

from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, NUM_ACTIONS, cards
from spades_env.game.engine import apply, write_mask
from spades_env.game.state import GOES_ON

# from the highest card: trumps, hearts, diamonds, clubs
SUITS_OF = {
    "normal": (
        "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C",
    ),
    "nyc": (
        "RJ BJ 2D 2S AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
    "barmore": (
        "RJ BJ 2S AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
    "deuces": (
        "2S 2D 2C 2H AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
    "jokers": (
        "RJ BJ AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
        "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D",
        "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C",
    ),
}
MODES = tuple(SUITS_OF)


def suits(trumps: str) -> list[list[int]]:
    """Return the suits of a trump mode, trumps first, each from its highest card."""
    return [cards(text) for text in SUITS_OF[trumps]]


def legal(table: Table) -> list[int]:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    write_mask(table.s, table.r, mask)
    return np.flatnonzero(mask).tolist()


def do(table: Table, *actions: int) -> int:
    """Apply these actions, all legal, and return the event of the last one."""
    event = GOES_ON
    for action in actions:
        assert action in legal(table)
        event = apply(table.s, table.r, action)
    return int(event)


def bid_all(table: Table, *bids: int) -> None:
    """Make four bids in bidding order; a seat that may bid blind nil looks first."""
    for bid in bids:
        do(table, *([LOOK] if legal(table) == [BLIND_NIL, LOOK] else []), BID_ZERO + bid)


def play_out(table: Table, rng: random.Random) -> list[int]:
    """Play the rest of the hand at random, and return the actions."""
    actions, event = [], GOES_ON
    while event == GOES_ON:
        actions.append(rng.choice(legal(table)))
        event = do(table, actions[-1])
    return actions
