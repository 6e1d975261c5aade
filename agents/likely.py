"""Likely worlds: those in which the other seats would have bid and played about as they did.

    prepare_worlds(views, i, r, likely, bench, x)   once a decision: deals a pool of worlds and weighs them
    next_world(views, i, r, likely, bench, x)       one of them onto bench.tables[0], as likely as its weight says

Where `likely` is false there is no pool, and the next world is any that agents.worlds may deal.

The weight of a world comes from replaying the hand in it. Wherever another seat had a choice `rule` is asked what it
would have done with these cards; each time the seat did otherwise costs a factor. The factors are mild, as nobody plays
quite like `rule`: worlds that fit badly become rare, not impossible.
"""

from math import exp
from typing import NamedTuple

import numpy as np

from agents.candidates import distinct_cards, lowest_equal
from agents.compiled import RULE, choose_bid, choose_card
from agents.worlds import deal_world, new_plan, plan_worlds
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK
from spades_env.engine import begin_hand, bid, mix, next_random, pass_card, play
from spades_env.state import BLIND, BLIND_NIL_BID, ONE, PLAY, new_tables

LARGEST_POOL = 256  # worlds that are weighed for a decision
OTHER_BID = 1.0  # what a trick between the bid and rule's takes off the logarithm of the weight,
OTHER_NIL = 2.0  # … a nil where rule bids none, or none where it does,
OTHER_CARD = 0.5  # … and another card
TO_UNIT = 1 / (1 << 53)


class Bench(NamedTuple):
    """What a search works on. Every question has its own, so that threads don't meet."""

    plan: np.recarray  # PLAN[1]
    pool: np.recarray  # STATE[P] worlds
    weights: np.ndarray  # float64[P]: of these and of those before it
    tables: np.recarray  # STATE[2]: the world at hand, and the table that is played on


def new_bench(pool: int) -> Bench:
    """Room for one question after another, with a pool of so many worlds, or as many as make sense."""
    pool = min(pool, LARGEST_POOL)
    return Bench(new_plan(), new_tables(pool), np.zeros(pool), new_tables(2))


@njit
def prepare_worlds(views, i, r, likely, bench, x):
    """What is done once a decision; returns where the walk has got to."""
    plan_worlds(views[i], r, bench.plan[0])
    return fill_pool(views, i, r, bench, x) if likely else x


@njit
def next_world(views, i, r, likely, bench, x):
    """A likely world, or any, onto bench.tables[0]."""
    if likely:
        return draw_world(bench, x)
    return deal_world(views, i, r, bench.plan[0], bench.tables, 0, x)


@njit
def draw_world(bench, x):
    """A world of the pool onto bench.tables[0], as likely as its weight says."""
    x = next_random(x)
    low, high = 0, len(bench.pool) - 1
    share = np.float64(mix(x) >> np.uint64(11)) * TO_UNIT * bench.weights[high]
    while low < high:
        middle = (low + high) >> 1
        if share < bench.weights[middle]:
            high = middle
        else:
            low = middle + 1
    bench.tables[0] = bench.pool[low]
    return x


@njit
def fill_pool(views, i, r, bench, x):
    """Deal the pool and weigh it."""
    best = -np.inf
    for j in range(len(bench.pool)):
        x = deal_world(views, i, r, bench.plan[0], bench.pool, j, x)
        bench.tables[1] = bench.pool[j]
        bench.weights[j] = fit(bench.pool[j], r, bench.plan[0].played, bench.tables[1])
        best = max(best, bench.weights[j])
    total = 0.0
    for j in range(len(bench.pool)):
        total += exp(bench.weights[j] - best)
        bench.weights[j] = total
    return x


@njit
def fit(w, r, played, t):
    """The logarithm of a world's weight; t, a copy of w, is the table for the replay."""
    begin_hand(t, r)
    for seat in range(4):
        t.hands[seat] = hand_dealt(w, played, seat)
    off = bids_off(w, r, t)
    if w.phase == PLAY:
        replay_passes(w, r, t)
        off += cards_off(w, r, t)
    return -off


@njit
def hand_dealt(w, played, seat):
    """The thirteen cards on which the seat bid."""
    partner = (seat + 2) & 3
    hand = w.hands[seat] | played[seat]
    if w.given[seat] & ~w.hands[seat]:
        hand = (hand & ~w.given[partner]) | w.given[seat]
    return hand


@njit
def bids_off(w, r, t):
    """Bid again, and see how far the others' bids are from rule's."""
    off = 0.0
    for _ in range(w.num_bids):
        seat = np.int64(t.turn)
        if t.phase == BLIND:
            if w.nils[seat] == BLIND_NIL_BID:
                bid(t, r, BLIND_NIL)
                continue
            bid(t, r, LOOK)
        made = np.int64(w.bids[seat])
        if seat != w.turn:
            usual = choose_bid(t, r, RULE, w.seed) - BID_ZERO
            off += OTHER_NIL if r.zero_is_nil and (made == 0) != (usual == 0) else OTHER_BID * abs(made - usual)
        bid(t, r, BID_ZERO + made)
    return off


@njit
def replay_passes(w, r, t):
    """The cards change hands again."""
    for i in range(w.num_passers):
        given = w.given[w.passers[i]]
        while given:
            pass_card(t, r, trailing_zeros(given))
            given &= given - ONE


@njit
def cards_off(w, r, t):
    """Play again, and see how often the others' cards are neither rule's nor alike."""
    off = 0.0
    for k in range(w.num_plays):
        place = np.int64(w.plays[k])
        if t.turn != w.turn:
            distinct = distinct_cards(t, r)
            if distinct & (distinct - ONE):
                usual = np.int64(r.place[choose_card(t, r, RULE, w.seed)])
                off += OTHER_CARD * (lowest_equal(distinct, usual) != lowest_equal(distinct, place))
        play(t, r, place)
    return off
