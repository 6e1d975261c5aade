"""The bidding of `rule`: the legal bid with the best chance to win the game.

The tricks of the hand are estimated from tables fitted to our own games. Every legal bid, nil and blind bid is then
valued by the chance to win the game from the score it leads to (`bid_worth`). So it bids safely when ahead and boldly
when far behind, and most house rules need no code here: they show in what is legal and what it scores.
"""

import numpy as np

from spades_env._jit import bit_count, njit
from spades_env.agents.baselines.bis import nil_chance
from spades_env.agents.baselines.legal import nil_is_open, numbers_open
from spades_env.agents.rule.bid_worth import (
    USUAL_BID,
    bid_worth,
    blind_bid_worth,
    blind_nil_worth,
    may_nil,
    new_bid_prices,
    nil_worth,
)
from spades_env.agents.rule.play import riskiest
from spades_env.agents.rule.tables import TRICKS
from spades_env.game.bidding import BLIND_NIL_BIT, legal_calls
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID
from spades_env.game.state import BLIND, LANE, NO_NIL, ONE, SUICIDE

SUICIDE_MORE = 0.8  # tricks added for the only bidder of a side, whose bids are then made as often as others


@njit
def rule_bid(s, r, k):
    """Look, bid blind, or bid."""
    if s.phase == BLIND:
        return blind_call(s, r, k)
    me = np.int64(s.turn)
    return BID_ZERO + best_bid(s, r, estimate(s, r, me), nil_safety(r, s.hands[me]), new_bid_prices(), k)


@njit
def blind_call(s, r, k):
    """Return the best call on unseen cards, if it is better than a usual bid on seen ones."""
    me, calls = np.int64(s.turn), legal_calls(s, r)
    best, best_worth = np.int64(LOOK), bid_worth(s, r, me, 3, 3.0, new_bid_prices(), k)
    if calls & BLIND_NIL_BIT:
        worth = blind_nil_worth(s, r, me, k)
        if worth > k.last_resort * best_worth:
            best, best_worth = np.int64(BLIND_NIL), worth
    for bid in range(MAX_BID + 1):
        if calls >> bid & 1:
            worth = blind_bid_worth(s, r, me, bid, k)
            if worth > best_worth:
                best, best_worth = np.int64(BID_ZERO + bid), worth
    return best


@njit
def best_bid(s, r, tricks, safe, prices, k):
    """Return the number to bid on cards that expect these tricks and keep a nil with the chance `safe`."""
    me, numbers = np.int64(s.turn), numbers_open(s, r)
    low = 1 if r.zero_is_nil or tricks > 0.5 else 0
    usual = (np.int64(2) << min(np.int64(tricks) + 4, MAX_BID)) - (np.int64(1) << low)
    if numbers & usual:
        numbers &= usual
    best, best_worth = np.int64(0), -np.inf
    for bid in range(MAX_BID + 1):
        if numbers >> bid & 1:
            worth = bid_worth(s, r, me, bid, tricks, prices, k)
            if worth > best_worth:
                best, best_worth = np.int64(bid), worth
    if nil_is_open(s, r) and may_nil(s, r, me) and nil_worth(s, r, me, k.nil_trust * safe, prices, k) > best_worth:
        return np.int64(0)
    return best


@njit
def nil_safety(r, hand):
    """Return the chance to keep a nil, once the riskiest cards are passed; 0 where there is none."""
    if not r.zero_is_nil:
        return 0.0
    for _ in range(r.nil_pass):
        hand &= ~(ONE << np.uint64(riskiest(r, hand, hand)))
    return nil_chance(r, hand)


@njit
def estimate(s, r, me):
    """Return the tricks expected of the hand, given the bids before."""
    honours, length, lanes, shape = hand_kinds(s, me, r)
    tricks = TRICKS[honours] + TRICKS[length] + TRICKS[lanes[0]] + TRICKS[lanes[1]] + TRICKS[lanes[2]] + TRICKS[shape]
    higher, above, nils, last = bids_before(s, r, me)
    tricks += TRICKS[160] * higher + TRICKS[161] * above + TRICKS[162] * nils + TRICKS[163] * last
    if r.bidding == SUICIDE:
        tricks += SUICIDE_MORE
    return max(0.0, tricks)


@njit
def hand_features(s, r, me, x):
    """Write to x, float32[NUM_FEATURES], what the tricks of a hand are regressed on."""
    x[:] = 0
    honours, length, lanes, shape = hand_kinds(s, me, r)
    x[honours] = 1
    x[length] = 1
    for lane in lanes:
        x[lane] += 1
    x[shape] = 1
    x[160], x[161], x[162], x[163] = bids_before(s, r, me)


@njit
def hand_kinds(s, me, r):
    """Return the places of the features: the best trumps, the number of trumps, each side suit, the shape."""
    hand = s.hands[me]
    trumps = hand >> np.uint64(48)
    length = bit_count(trumps)
    honours = (trumps >> np.uint64(top_trump_bit(r) - 3)) & np.uint64(15)
    clubs, diamonds, hearts = hand & LANE, (hand >> np.uint64(16)) & LANE, (hand >> np.uint64(32)) & LANE
    missing = max(0, 3 - bit_count(clubs)) + max(0, 3 - bit_count(diamonds)) + max(0, 3 - bit_count(hearts))
    lanes = side_kind(clubs), side_kind(diamonds), side_kind(hearts)
    return np.int64(honours), 16 + min(length, 9), lanes, 96 + 8 * min(length, 7) + min(missing, 7)


@njit
def side_kind(held):
    """Return the place of a side suit's feature: by its ace, king, queen and length."""
    return 32 + 8 * np.int64((held >> np.uint64(10)) & np.uint64(7)) + min(bit_count(held), 7)


@njit
def bids_before(s, r, me):
    """Return the other features: trumps beyond thirteen, others' bids above usual, nils, and the bids if last."""
    above, nils, bids = 0.0, 0, 0
    for i in range(1, 4):
        seat = (me + i) & 3
        if s.bids[seat] >= 0:
            if s.nils[seat] != NO_NIL:
                nils += 1
            else:
                above += s.bids[seat] - USUAL_BID
                bids += 1
    return top_trump_bit(r) - 12, above, nils, above * (bids == 3)


@njit
def top_trump_bit(r):
    """Return the rank of the highest trump; all ranks below it are in the game."""
    return bit_count(r.cards >> np.uint64(48)) - 1
