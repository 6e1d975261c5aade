"""The hand so far, played again: what seats held when they bid, and how the cards changed hands.

    deal_again(w, r, played, table)   table[0]: the world w before its first bid
    up_to_bid(w, r, t)                the seat to move looks, or bids blind nil, as it did; has it a bid to make still?
    replay_passes(w, r, t)            the cards change hands

w: STATE, a world in which all cards are known; played: uint64[4], what the seats have played of them.
"""

from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BLIND_NIL, LOOK
from spades_env.engine import begin_hand, bid, pass_card
from spades_env.state import BLIND, BLIND_NIL_BID, ONE


@njit
def deal_again(w, r, played, table):
    """The world before its first bid, onto table[0]: STATE[1]."""
    table[0] = w
    t = table[0]
    begin_hand(t, r)
    for seat in range(4):
        t.hands[seat] = hand_dealt(w, played, seat)


@njit
def hand_dealt(w, played, seat):
    """The thirteen cards on which the seat bid."""
    partner = (seat + 2) & 3
    hand = w.hands[seat] | played[seat]
    if w.given[seat] & ~w.hands[seat]:
        hand = (hand & ~w.given[partner]) | w.given[seat]
    return hand


@njit
def up_to_bid(w, r, t):
    """The seat to move looks, or bids blind nil, as it did; has it a bid to make still?"""
    if t.phase != BLIND:
        return True
    blind = w.nils[t.turn] == BLIND_NIL_BID
    bid(t, r, BLIND_NIL if blind else LOOK)
    return not blind


@njit
def replay_passes(w, r, t):
    """The cards change hands."""
    for i in range(w.num_passers):
        given = w.given[w.passers[i]]
        while given:
            pass_card(t, r, trailing_zeros(given))
            given &= given - ONE
