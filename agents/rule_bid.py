"""The bidding of `rule`: the bid that promises most of the game.

The hand's tricks are estimated from tables fitted to our own games; the side's tricks scatter about the sum of both
partners' hopes. Every bid, nil, and blind nil is then judged by what it does to the chance of winning from the score:
so a lead is kept by safe bids, and a lost cause tried by bold ones.
"""

import math

import numpy as np

from agents.bis import nil_chance
from agents.chances import win_chance
from agents.rule_numbers import NUM_FEATURES, TRICKS
from agents.rule_play import bag_cost
from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID
from spades_env.state import BLIND, LANE, NIL, NO_NIL, ONE

USUAL_BID = 2.8
BLIND_NILS_KEPT = np.array([0.21, 0.51, 0.70, 0.80])  # by the cards passed, in 20,000 games of `rule` each
NORMAL = np.array([0.5 + 0.5 * math.erf(x / 16 / math.sqrt(2)) for x in range(-64, 65)])  # at steps of 1/16


@njit
def rule_bid(s, r, k):
    """Look, blind nil, or a bid."""
    if s.phase == BLIND:
        return BLIND_NIL if blind_nil_pays(s, r, k) else LOOK
    me = np.int64(s.turn)
    tricks = estimate(s, r, me)
    best, best_worth = np.int64(0), -1.0
    low = 1 if r.zero_is_nil or tricks > 0.5 else 0
    for bid in range(low, min(np.int64(tricks) + 4, MAX_BID) + 1):
        worth = bid_worth(s, r, me, bid, tricks, k)
        if worth > best_worth:
            best, best_worth = bid, worth
    if r.zero_is_nil and r.nil_bonus > 0 and not partners_nil(s, r, me):
        chance = k.nil_trust * nil_chance(r, s.hands[me])
        if nil_worth(s, r, me, chance, r.nil_bonus, k) > best_worth:
            return np.int64(BID_ZERO)
    return BID_ZERO + best


@njit
def partners_nil(s, r, me):
    """Has the partner bid nil? Two nils leave nobody to cover them."""
    return r.sides == 2 and s.nils[me ^ 2] != NO_NIL


@njit
def estimate(s, r, me):
    """The tricks that the hand may hope for, given the bids before."""
    features = np.zeros(NUM_FEATURES, np.float32)
    hand_features(s, r, me, features)
    tricks = 0.0
    for i in range(NUM_FEATURES):
        tricks += TRICKS[i] * features[i]
    return max(0.0, tricks)


@njit
def hand_features(s, r, me, x):
    """What the tricks of a hand are regressed on."""
    x[:] = 0
    hand = s.hands[me]
    trumps = hand >> np.uint64(48)
    top = top_bit(r.cards >> np.uint64(48))
    length = bit_count(trumps)
    honours = (trumps >> np.uint64(top - 3)) & np.uint64(15)
    x[np.int64(honours)] = 1
    x[16 + min(length, 9)] = 1
    shape = 0
    for lane in range(3):
        held = (hand >> np.uint64(16 * lane)) & LANE
        n = bit_count(held)
        x[32 + 8 * np.int64((held >> np.uint64(10)) & np.uint64(7)) + min(n, 7)] += 1
        if n < 3:
            shape += 3 - n
    x[96 + 8 * min(length, 7) + min(shape, 7)] = 1
    x[160] = np.float32(top - 12)
    above, nils, come = 0.0, 0, 0
    for i in range(1, 4):
        seat = (me + i) & 3
        if s.bids[seat] >= 0:
            if s.nils[seat] != NO_NIL:
                nils += 1
            else:
                above += s.bids[seat] - USUAL_BID
                come += 1
    x[161] = above
    x[162] = nils
    x[163] = above * (come == 3)


@njit
def top_bit(cards):
    """The place of the highest of some cards; there must be one."""
    top = 0
    while cards:
        top = trailing_zeros(cards)
        cards &= cards - ONE
    return top


@njit
def normal(x):
    """The share of a normal curve below x."""
    return NORMAL[min(max(np.int64(np.round(16 * x)) + 64, 0), 128)]


@njit
def others_points(s, r, me, side):
    """What the others' contract brings a side if it keeps it: bids made, and the usual bid for those to come."""
    bid = 0.0
    nils = 0.0
    for seat in range(side, 4, r.sides):
        if seat == me:
            continue
        if s.nils[seat] != NO_NIL:
            nils += 0.5 * (r.nil_bonus if s.nils[seat] == NIL else 0)
        elif s.bids[seat] >= 0:
            bid += np.int64(s.bids[seat])
        else:
            bid += USUAL_BID
    return bid, nils


@njit
def best_other(s, r, me):
    """Score of the best other side if it makes its bids, and if it is set."""
    up, down = -1e9, -1e9
    for side in range(r.sides):
        if side != me & r.side_mask:
            bid, nils = others_points(s, r, me, side)
            if s.scores[side] + 10 * bid + nils > up:
                up = s.scores[side] + 10 * bid + nils
                down = s.scores[side] - 10 * bid + nils
    return up, down


@njit
def outcome(s, r, mine, up, down, k):
    """My chance to win with a score, the other side making or missing its bid."""
    hands_left = np.int64(r.max_hands) - s.hand_number - 1
    return k.they_make * win_chance(r, hands_left, mine, up) + (1 - k.they_make) * win_chance(r, hands_left, mine, down)


@njit
def bid_worth(s, r, me, bid, tricks, k):
    """The chance to win with this bid."""
    side = me & r.side_mask
    partners, nils = others_points(s, r, me, side)
    up, down = best_other(s, r, me)
    total = bid + partners
    hope = tricks + partners + k.higher
    makes = 1 - normal((total - 0.5 - hope) / k.scatter)
    bags = max(hope - total, 0.0) + 0.4
    score = s.scores[side] + nils
    made = outcome(s, r, score + 10 * total, up, down, k)
    slope = (made - outcome(s, r, score + 10 * total - 20, up, down, k)) / 20 if made < 1 else 0.0
    made -= slope * bags * bag_cost(s, r, side, False)
    return makes * made + (1 - makes) * outcome(s, r, score - 10 * total, up, down, k)


@njit
def nil_worth(s, r, me, chance, bonus, k):
    """The chance to win with a nil that is kept with this chance."""
    side = me & r.side_mask
    partners, nils = others_points(s, r, me, side)
    up, down = best_other(s, r, me)
    score = s.scores[side] + nils
    kept = k.they_make * outcome(s, r, score + bonus + 10 * partners, up, down, k) + (1 - k.they_make) * outcome(
        s, r, score + bonus - 10 * partners, up, down, k
    )
    broken = k.they_make * outcome(s, r, score - bonus + 10 * partners, up, down, k) + (1 - k.they_make) * outcome(
        s, r, score - bonus - 10 * partners, up, down, k
    )
    return chance * kept + (1 - chance) * broken


@njit
def blind_nil_pays(s, r, k):
    """Is a nil on unseen cards better than a usual bid?"""
    me = np.int64(s.turn)
    chance = k.nil_trust * BLIND_NILS_KEPT[r.blind_nil_pass]
    look = bid_worth(s, r, me, 3, 3.0, k)
    return nil_worth(s, r, me, chance, r.blind_nil_bonus, k) > k.last_resort * look
