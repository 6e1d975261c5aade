"""The bidding of `rule`: the bid with the best chance to win the game.

The tricks of the hand are estimated from tables fitted to our own games. Each bid, nil and blind nil is then valued by
the chance to win the game from the score it leads to. So it bids safely when ahead and boldly when far behind.
"""

import math

import numpy as np

from spades_env._jit import bit_count, njit
from spades_env.agents.baselines.bis import nil_chance
from spades_env.agents.rule.tables import TRICKS
from spades_env.agents.rule.trick_worth import bag_cost, win_chance
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID
from spades_env.game.state import BLIND, LANE, NIL, NO_NIL

USUAL_BID = 2.8
BLIND_NILS_KEPT = np.array([0.21, 0.51, 0.70, 0.80])  # by the cards passed, in 20,000 games of `rule` each
NORMAL = np.array([0.5 + 0.5 * math.erf(x / 16 / math.sqrt(2)) for x in range(-64, 65)])  # at steps of 1/16
NIL_PRICE = MAX_BID + 1  # its row, behind those of the bids


@njit
def rule_bid(s, r, k):
    """Look, bid blind nil, or bid."""
    if s.phase == BLIND:
        return BLIND_NIL if blind_nil_pays(s, r, k) else LOOK
    me = np.int64(s.turn)
    safe = nil_chance(r, s.hands[me]) if r.zero_is_nil else 0.0
    return BID_ZERO + best_bid(s, r, estimate(s, r, me), safe, new_bid_prices(), k)


@njit
def new_bid_prices():
    """Return float64[MAX_BID + 2, 3]: the prices of bids (`bid_price`) and nil (`nil_price`), which depend on no card.

    A row is NaN until it is first needed.
    """
    return np.full((MAX_BID + 2, 3), np.nan)


@njit
def best_bid(s, r, tricks, safe, prices, k):
    """Return the number to bid on cards that expect these tricks and keep a nil with the chance `safe`."""
    me = np.int64(s.turn)
    best, best_worth = np.int64(0), -1.0
    low = 1 if r.zero_is_nil or tricks > 0.5 else 0
    for bid in range(low, min(np.int64(tricks) + 4, MAX_BID) + 1):
        worth = bid_worth(s, r, me, bid, tricks, prices, k)
        if worth > best_worth:
            best, best_worth = bid, worth
    if may_nil(s, r, me) and nil_worth(s, r, me, k.nil_trust * safe, prices, k) > best_worth:
        return np.int64(0)
    return best


@njit
def may_nil(s, r, me):
    """Is a nil worth considering? Not without a bonus, nor after the partner's, as nobody would cover them."""
    covered = r.sides == 4 or s.nils[me ^ 2] == NO_NIL
    return r.zero_is_nil and r.nil_bonus > 0 and covered


@njit
def estimate(s, r, me):
    """Return the tricks expected of the hand, given the bids before."""
    honours, length, lanes, shape = hand_kinds(s, me, r)
    tricks = TRICKS[honours] + TRICKS[length] + TRICKS[lanes[0]] + TRICKS[lanes[1]] + TRICKS[lanes[2]] + TRICKS[shape]
    higher, above, nils, last = bids_before(s, r, me)
    tricks += TRICKS[160] * higher + TRICKS[161] * above + TRICKS[162] * nils + TRICKS[163] * last
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


@njit
def normal(x):
    """Return the share of a normal curve below x."""
    return NORMAL[min(max(np.int64(np.round(16 * x)) + 64, 0), 128)]


@njit
def others_contract(s, r, me, side):
    """Return what all seats of a side but me have bid, with the usual bid for those to come, and their nils' points.

    A nil counts half its bonus, since some are broken. A blind one, which may as well be broken, counts nothing.
    """
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
    """Return the score of the best other side if it makes its bids, and if it is set."""
    up, down = -1e9, -1e9
    for side in range(r.sides):
        if side != me & r.side_mask:
            bid, nils = others_contract(s, r, me, side)
            if s.scores[side] + 10 * bid + nils > up:
                up = s.scores[side] + 10 * bid + nils
                down = s.scores[side] - 10 * bid + nils
    return up, down


@njit
def outcome(s, r, mine, up, down, k):
    """Return my chance to win at this score, averaged over the other side making and missing its bid."""
    hands_left = np.int64(r.max_hands) - s.hand_number - 1
    return k.they_make * win_chance(r, hands_left, mine, up) + (1 - k.they_make) * win_chance(r, hands_left, mine, down)


@njit
def bid_worth(s, r, me, bid, tricks, prices, k):
    """Return the chance to win with this bid on cards that expect these tricks."""
    price = prices[bid]
    if np.isnan(price[0]):
        price[0], price[1], price[2] = bid_price(s, r, me, bid, k)
    margin = tricks + k.higher - bid
    makes = 1 - normal((-0.5 - margin) / k.scatter)
    return makes * (price[0] - (max(margin, 0.0) + 0.4) * price[1]) + (1 - makes) * price[2]


@njit
def bid_price(s, r, me, bid, k):
    """Return the chance to win if the bid is made, the cost of each bag, and the chance if it is missed."""
    side = me & r.side_mask
    others, nils = others_contract(s, r, me, side)
    up, down = best_other(s, r, me)
    points = 10 * (bid + others)
    score = s.scores[side] + nils
    made = outcome(s, r, score + points, up, down, k)
    slope = (made - outcome(s, r, score + points - 20, up, down, k)) / 20 if made < 1 else 0.0
    return made, slope * bag_cost(s, r, side, False), outcome(s, r, score - points, up, down, k)


@njit
def nil_worth(s, r, me, chance, prices, k):
    """Return the chance to win with a nil that is kept with the given chance."""
    price = prices[NIL_PRICE]
    if np.isnan(price[0]):
        price[0], price[1] = nil_price(s, r, me, r.nil_bonus, k)
    return chance * price[0] + (1 - chance) * price[1]


@njit
def nil_price(s, r, me, bonus, k):
    """Return the chances to win if a nil with this bonus is kept and if it is broken."""
    side = me & r.side_mask
    others, nils = others_contract(s, r, me, side)
    up, down = best_other(s, r, me)
    score = s.scores[side] + nils
    kept = beside_partner(s, r, score + bonus, others, up, down, k)
    return kept, beside_partner(s, r, score - bonus, others, up, down, k)


@njit
def beside_partner(s, r, score, bid, up, down, k):
    """Return my chance to win, averaged over the partner making and missing its bid."""
    made = outcome(s, r, score + 10 * bid, up, down, k)
    return k.they_make * made + (1 - k.they_make) * outcome(s, r, score - 10 * bid, up, down, k)


@njit
def blind_nil_pays(s, r, k):
    """Is a nil on unseen cards better than a usual bid?"""
    me = np.int64(s.turn)
    chance = k.nil_trust * BLIND_NILS_KEPT[r.blind_nil_pass]
    kept, broken = nil_price(s, r, me, r.blind_nil_bonus, k)
    look = bid_worth(s, r, me, 3, 3.0, new_bid_prices(), k)
    return chance * kept + (1 - chance) * broken > k.last_resort * look
