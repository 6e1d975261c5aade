"""The candidate actions of a search, cheapest first.

    find_candidates(s, r, x, actions)   fill actions, int64[≥ MOST_CANDIDATES]; return how many there are

Cards of one suit are alike if no card that others may hold lies between them: then only the lowest is tried, unless
they are to be passed. The bids tried are the legal ones near what `rule` would bid, and nil. Leading trumps that only
the partner can follow is never tried: a bad mistake that searches do not recognise.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.agents.baselines.legal import nearest_bid, nil_is_open, numbers_open
from spades_env.agents.compiled import RULE, choose_bid
from spades_env.agents.lanes import distinct_cards, unseen
from spades_env.game.bidding import BLIND_NIL_BIT, legal_calls
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID
from spades_env.game.scoring import living_nil
from spades_env.game.state import BID, BLIND, ONE, TRUMPS

MOST_CANDIDATES = 14
BIDS_AROUND = 2  # on either side of rule's bid
BID_BESIDE_NIL = 3  # stands for rule's bid where that is nil
BLIND_BIDS = 4  # for both partners


@njit
def find_candidates(s, r, x, actions):
    """Fill `actions`; return how many there are."""
    if s.phase == BLIND:
        return list_blind(s, r, actions)
    if s.phase == BID:
        return list_bids(s, r, x, actions)
    cards = distinct_cards(s, r)
    others = cards & ~TRUMPS
    return list_cards(r, others if others and draws_only_partners(s, r) else cards, actions)


@njit
def draws_only_partners(s, r):
    """Would only my partner follow a trump lead, while neither of us has a living nil?"""
    me = np.int64(s.turn)
    if s.num_plays & 3 or r.side_mask != 1 or not unseen(s, r) & TRUMPS:
        return False
    foes_are_out = s.voids[me ^ 1] & s.voids[me ^ 3] & 8
    return foes_are_out and not s.voids[me ^ 2] & 8 and not (living_nil(s, me) or living_nil(s, me ^ 2))


@njit
def list_blind(s, r, actions):
    """List the look, a blind nil, and the lowest blind bids for both partners."""
    calls = legal_calls(s, r)
    actions[0], count = LOOK, 1
    if calls & BLIND_NIL_BIT:
        actions[1], count = BLIND_NIL, 2
    most = count + BLIND_BIDS
    for number in range(MAX_BID + 1):
        if calls >> number & 1 and count < most:
            actions[count] = BID_ZERO + number
            count += 1
    return count


@njit
def list_bids(s, r, x, actions):
    """List the legal bids near rule's, the lowest first; a nil last."""
    usual = choose_bid(s, r, RULE, x) - BID_ZERO
    if r.zero_is_nil and usual == 0:
        usual = nearest_bid(s, r, BID_BESIDE_NIL)
    count = 0
    numbers = numbers_open(s, r)
    for number in range(max(0, usual - BIDS_AROUND), min(MAX_BID, usual + BIDS_AROUND) + 1):
        if numbers >> number & 1:
            actions[count] = BID_ZERO + number
            count += 1
    if nil_is_open(s, r):
        actions[count] = BID_ZERO
        count += 1
    return count


@njit
def list_cards(r, cards, actions):
    """List the cards by rank, the lowest first; of one rank a trump last."""
    count = 0
    for rank in range(16):
        for lane in range(4):
            place = 16 * lane + rank
            if (cards >> np.uint64(place)) & ONE:
                actions[count] = r.card_at[place]
                count += 1
    return count
