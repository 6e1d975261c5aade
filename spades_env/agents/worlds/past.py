"""The bids and cards of the other seats so far, each with the table just before it.

    look_back(w, r, plan, past)   replay the hand, once a decision: all worlds of a view share their public past
    hand_at(w, past, act)         the cards that the seat held before this act, if the world is w

An act is a bid or a card of a seat other than the one to move. Its moment is the table just before it; with the cards
of `hand_at` it is what the seat saw. The acts of a seat are numbered from MOST_ACTS × seat on.

w: STATE, a world in which all cards are known; plan: PLAN of the view; past: PAST.
"""

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.game.bidding import call, pass_card
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.game.engine import begin_hand, play
from spades_env.game.state import BLIND, BLIND_NIL_BID, ONE, PLAY, STATE, record_dtype

MOST_ACTS = 14  # of a seat in a hand: a bid and its cards

PAST = record_dtype(
    [
        ("played", "u8", 4),  # the cards each seat has played
        ("acts", "i8", 4),  # the number of acts by seat
        ("moves", "i8", 4 * MOST_ACTS),  # a bid, or the place of a card
        ("later", "u8", 4 * MOST_ACTS),  # the cards the seat has played since, this one included
        ("moments", STATE, 4 * MOST_ACTS),
        ("table", STATE),  # for replaying the hand
    ],
)


@njit
def look_back(w, r, plan, past):
    """Replay the hand and record the acts of the other seats; w is any world of the view."""
    past.played[:] = plan.played
    past.acts[:] = 0
    past.table = w
    t = past.table
    begin_hand(t, r)
    for seat in range(4):
        t.hands[seat] = hand_dealt(w, past.played, seat)
    look_back_on_bids(w, r, t, past)
    if w.phase == PLAY:
        look_back_on_cards(w, r, t, past)


@njit
def look_back_on_bids(w, r, t, past):
    """Replay the bids. Looks and blind bids are no acts, as the seat had not seen its cards."""
    while t.num_bids < w.num_bids:
        made = np.int64(w.bids[t.turn])
        if t.phase != BLIND:
            keep_act(w, t, past, made)
            call(t, r, BID_ZERO + made)
        elif w.nils[t.turn] == BLIND_NIL_BID:
            call(t, r, BLIND_NIL)
        elif w.blind_contract[t.turn & 1]:
            call(t, r, BID_ZERO + made)
        else:
            call(t, r, LOOK)


@njit
def look_back_on_cards(w, r, t, past):
    """Replay the cards, those passed first."""
    for i in range(w.num_passers):
        given = w.given[w.passers[i]]
        while given:
            pass_card(t, r, trailing_zeros(given))
            given &= given - ONE
    for k in range(w.num_plays):
        place = np.int64(w.plays[k])
        keep_act(w, t, past, place)
        first = MOST_ACTS * np.int64(t.turn)
        for act in range(first, first + past.acts[t.turn]):
            past.later[act] |= ONE << np.uint64(place)
        play(t, r, place)


@njit
def keep_act(w, t, past, move):
    """Record the move of the seat to move on t, unless it is the one to move in w."""
    seat = np.int64(t.turn)
    if seat != w.turn:
        act = MOST_ACTS * seat + past.acts[seat]
        past.moments[act] = t
        past.moves[act] = move
        past.later[act] = 0
        past.acts[seat] += 1


@njit
def hand_at(w, past, act):
    seat = act // MOST_ACTS
    return w.hands[seat] | past.later[act] if past.moments[act].phase == PLAY else hand_dealt(w, past.played, seat)


@njit
def hand_dealt(w, played, seat):
    """Return the thirteen cards that a seat was dealt."""
    partner = (seat + 2) & 3
    hand = w.hands[seat] | played[seat]
    if w.given[seat] & ~w.hands[seat]:  # the cards have changed hands
        hand = (hand & ~w.given[partner]) | w.given[seat]
    return hand
