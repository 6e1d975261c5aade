"""Candidates: the actions that a search tries, cheapest first.

    find_candidates(s, r, x, actions)   fills actions, int64[≥ MOST_CANDIDATES]; returns how many there are

Cards of one suit are alike as long as no card that others may hold lies between them, so only the lowest of them is
tried, unless they are to be passed. Of the bids those near to what `rule` would bid are, and nil. What no partner
forgives, and no search feels, is left out: to lead trumps that only the partner may still follow.
"""

import numpy as np

from agents.compiled import RULE, choose_bid
from agents.simple import living_nil
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID
from spades_env.engine import legal_cards
from spades_env.state import BID, BLIND, LANE, NO_CARDS, ONE, PASS, TRUMPS

MOST_CANDIDATES = 14
BIDS_AROUND = 2  # on either side of rule's bid
BID_BESIDE_NIL = 3  # … and where it bids nil, on either side of this


@njit
def find_candidates(s, r, x, actions):
    """The actions worth a trial."""
    if s.phase == BLIND:
        actions[0], actions[1] = LOOK, BLIND_NIL
        return 2
    if s.phase == BID:
        return list_bids(s, r, x, actions)
    cards = distinct_cards(s, r)
    others = cards & ~TRUMPS
    return list_cards(r, others if others and draws_only_partners(s, r) else cards, actions)


@njit
def draws_only_partners(s, r):
    """Would a trump led be followed by my partner alone, and neither of us tries to lose every trick?"""
    me = np.int64(s.turn)
    if s.num_plays & 3 or r.side_mask != 1 or not r.cards & ~(s.played | s.hands[me]) & TRUMPS:
        return False
    foes_are_out = s.voids[me ^ 1] & s.voids[me ^ 3] & 8
    return foes_are_out and not s.voids[me ^ 2] & 8 and not (living_nil(s, me) or living_nil(s, me ^ 2))


@njit
def list_bids(s, r, x, actions):
    """Those near to rule's, lowest first; zero last where it is a nil."""
    usual = choose_bid(s, r, RULE, x) - BID_ZERO
    if r.zero_is_nil and usual == 0:
        usual = BID_BESIDE_NIL
    count = 0
    for number in range(max(np.int64(r.zero_is_nil), usual - BIDS_AROUND), min(MAX_BID, usual + BIDS_AROUND) + 1):
        actions[count] = BID_ZERO + number
        count += 1
    if r.zero_is_nil:
        actions[count] = BID_ZERO
        count += 1
    return count


@njit
def list_cards(r, cards, actions):
    """As actions: the lowest rank first, of one rank a trump last."""
    count = 0
    for rank in range(16):
        for lane in range(4):
            place = 16 * lane + rank
            if (cards >> np.uint64(place)) & ONE:
                actions[count] = r.card_at[place]
                count += 1
    return count


@njit
def distinct_cards(s, r):
    """The legal cards, of those that are alike only the lowest; cards to pass are not, as it matters who has which."""
    legal = legal_cards(s, r)
    if s.phase == PASS:
        return legal
    rivals = r.cards & ~(s.played | s.hands[s.turn])
    if s.num_plays & 3:
        rivals |= ONE << np.uint64(s.best_place)
    distinct = NO_CARDS
    while legal:
        card = legal & (~legal + ONE)
        distinct |= card
        lane = LANE << np.uint64(trailing_zeros(card) & 48)
        above = lane & rivals & ~(card - ONE)
        run = lane & (above & (~above + ONE)) - card if above else lane & ~(card - ONE)
        legal &= ~run
    return distinct


@njit
def share_with_equals(s, r, out):
    """out[card] of cards that are alike is what stands there for the one that is tried for them."""
    distinct = distinct_cards(s, r)
    rest = legal_cards(s, r)
    while rest:
        place = trailing_zeros(rest)
        out[r.card_at[place]] = out[r.card_at[lowest_equal(distinct, place)]]
        rest &= rest - ONE


@njit
def lowest_equal(distinct, place):
    """The place of the card that stands for this one: the highest of its suit that is distinct and not above it."""
    cards = distinct & (LANE << np.uint64(place & 48)) & ((ONE << np.uint64(place)) | ((ONE << np.uint64(place)) - ONE))
    last = -1
    while cards:
        last = trailing_zeros(cards)
        cards &= cards - ONE
    return last
