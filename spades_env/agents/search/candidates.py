"""The candidate actions of a search, cheapest first.

    find_candidates(s, r, x, actions)   fill actions, int64[≥ MOST_CANDIDATES]; return how many there are

Cards of one suit are alike if no card that others may hold lies between them: then only the lowest is tried, unless
they are to be passed. The bids tried are those near what `rule` would bid, and nil. Leading trumps that only the
partner can follow is never tried: a bad mistake that searches do not recognise.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.agents.compiled import RULE, choose_bid
from spades_env.agents.lanes import distinct_cards, unseen
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID
from spades_env.game.scoring import living_nil
from spades_env.game.state import BID, BLIND, ONE, TRUMPS

MOST_CANDIDATES = 14
BIDS_AROUND = 2  # on either side of rule's bid
BID_BESIDE_NIL = 3  # stands for rule's bid where that is nil


@njit
def find_candidates(s, r, x, actions):
    """Fill `actions`; return how many there are."""
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
    """Would only my partner follow a trump lead, while neither of us has a living nil?"""
    me = np.int64(s.turn)
    if s.num_plays & 3 or r.side_mask != 1 or not unseen(s, r) & TRUMPS:
        return False
    foes_are_out = s.voids[me ^ 1] & s.voids[me ^ 3] & 8
    return foes_are_out and not s.voids[me ^ 2] & 8 and not (living_nil(s, me) or living_nil(s, me ^ 2))


@njit
def list_bids(s, r, x, actions):
    """List the bids near rule's, the lowest first; a nil last."""
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
    """List the cards by rank, the lowest first; of one rank a trump last."""
    count = 0
    for rank in range(16):
        for lane in range(4):
            place = 16 * lane + rank
            if (cards >> np.uint64(place)) & ONE:
                actions[count] = r.card_at[place]
                count += 1
    return count
