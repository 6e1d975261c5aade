"""Positions in the middle of a hand, for given cards of one seat."""

import numpy as np
from support.strategies import Table

from spades_env import Rules
from spades_env.game.cards import cards
from spades_env.game.engine import play
from spades_env.game.state import NIL, NO_NIL, PLAY

NORTH = 2
MADE = (2, 3, 4, 3)  # with bids of three
CLASSIC = Rules()


def position(hand: str, trick="", bids=(3, 3, 3, 3), tricks=(0, 0, 0, 0), gone="", rules=CLASSIC) -> Table:
    """Return a position with North to play from this hand to this trick, spades broken; `gone` was played before."""
    table = Table(rules)
    s = table.s
    s.hands[:] = 0
    s.hands[NORTH] = table.lanes(cards(hand))
    s.bids[:], s.tricks[:] = bids, tricks
    s.nils[:] = [NO_NIL if bid else NIL for bid in bids]
    s.phase, s.broken = PLAY, 1
    s.played = table.lanes(cards(gone))
    s.turn = s.leader = (NORTH - len(cards(trick))) % 4
    for played in cards(trick):
        s.hands[s.turn] |= np.uint64(table.lanes([played]))
        play(s, table.r, table.place[played])
    return table
