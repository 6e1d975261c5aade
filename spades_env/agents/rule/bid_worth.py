"""What a bid is worth to `rule`: the chance to win the game from the score that it leads to.

    bid_worth(s, r, me, bid, tricks, prices, k)     a bid on cards that expect these tricks
    nil_worth(s, r, me, chance, prices, k)          a nil that is kept with this chance
    blind_nil_worth(s, r, me, k)                    a nil on unseen cards
    blind_bid_worth(s, r, me, bid, k)               a bid for both partners on unseen cards

Seats that bid later are taken to make the usual bid; a side makes its bids with the chance `they_make`.
"""

import math

import numpy as np

from spades_env._jit import njit
from spades_env.agents.rule.trick_worth import bag_cost, win_chance
from spades_env.game.cards import MAX_BID
from spades_env.game.scoring import bid_points
from spades_env.game.state import NIL, NO_BID, NO_NIL, SUICIDE

USUAL_BID = 2.8
BLIND_NILS_KEPT = np.array([0.21, 0.51, 0.70, 0.80])  # by the cards passed, in 20,000 games of `rule` each
BLIND_BIDS_MADE = np.array(  # by the bid, in 20,000 hands of `rule` each
    [1.0, 1.0, 0.997, 0.986, 0.942, 0.848, 0.688, 0.484, 0.286, 0.139, 0.053, 0.015, 0.003, 0.0]
)
SUICIDE_BID = 4.2  # beside a nil, in 40,000 hands of `rule`,
FORCED_NIL_KEPT = 0.25  # … and how often the second of a side keeps the nil that it has to bid
NORMAL = np.array([0.5 + 0.5 * math.erf(x / 16 / math.sqrt(2)) for x in range(-64, 65)])  # at steps of 1/16
NIL_PRICE = MAX_BID + 1  # its row, behind those of the bids


@njit
def new_bid_prices():
    """Return float64[MAX_BID + 2, 3]: the prices of bids (`bid_price`) and nil (`nil_price`), which depend on no card.

    A row is NaN until it is first needed.
    """
    return np.full((MAX_BID + 2, 3), np.nan)


@njit
def may_nil(s, r, me):
    """Is a nil worth considering? Not without a bonus, nor after the partner's, as nobody would cover them.

    Two are hardly ever kept, so that no bonus for both makes up for it: 1.9 % of the best tenth of 3000 tries each.
    """
    covered = r.sides == 4 or s.nils[me ^ 2] == NO_NIL
    return r.zero_is_nil and r.nil_bonus > 0 and covered


@njit
def normal(x):
    """Return the share of a normal curve below x."""
    return NORMAL[min(max(np.int64(np.round(16 * x)) + 64, 0), 128)]


# The others


@njit
def others_contract(s, r, me, side, nil):
    """Return what all seats of a side but me have bid, with the usual bid for those to come, and their nils' points.

    A nil counts half its bonus, since some are broken. A blind one, which may as well be broken, counts nothing.
    nil: do I bid nil?
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
        elif r.bidding == SUICIDE:
            more, points = suicide_to_come(s, r, me, seat, nil)
            bid += more
            nils += points
        elif not s.blind_contract[side & 1]:
            bid += USUAL_BID
    return bid, nils


@njit
def suicide_to_come(s, r, me, seat, nil):
    """Return the expected bid of a seat that has not bid, and the points of its nil, where one partner bids nil."""
    mate = seat ^ 2
    if mate != me and s.bids[mate] == NO_BID:
        return 0.5 * SUICIDE_BID, 0.0
    mate_is_nil = nil if mate == me else s.nils[mate] != NO_NIL
    return (SUICIDE_BID, 0.0) if mate_is_nil else (0.0, (2 * FORCED_NIL_KEPT - 1) * r.nil_bonus)


@njit
def best_other(s, r, me):
    """Return the score of the best other side if it makes its bids, and if it is set."""
    up, down = -1e9, -1e9
    for side in range(r.sides):
        if side != me & r.side_mask:
            bid, nils = others_contract(s, r, me, side, False)
            points = bid_points(s, r, side, bid)
            if s.scores[side] + points + nils > up:
                up = s.scores[side] + points + nils
                down = s.scores[side] - points + nils
    return up, down


@njit
def outcome(s, r, mine, up, down, k):
    """Return my chance to win at this score, averaged over the other side making and missing its bid."""
    hands_left = np.int64(r.max_hands) - s.hand_number - 1
    return k.they_make * win_chance(r, hands_left, mine, up) + (1 - k.they_make) * win_chance(r, hands_left, mine, down)


# Bids


@njit
def bid_worth(s, r, me, bid, tricks, prices, k):
    """Return the chance to win with this bid on cards that expect these tricks."""
    price = prices[bid]
    if np.isnan(price[0]):
        price[0], price[1], price[2] = bid_price(s, r, me, bid, k)
    margin = tricks + k.higher - bid
    scatter = k.scatter_of_tens if r.ten_points and makes_ten(s, r, me, bid) else k.scatter
    makes = 1 - normal((-0.5 - margin) / scatter)
    return makes * (price[0] - (max(margin, 0.0) + 0.4) * price[1]) + (1 - makes) * price[2]


@njit
def makes_ten(s, r, me, bid):
    """Would this bid, with those of the others of the side, be one that scores `ten_points`?"""
    others, _ = others_contract(s, r, me, me & r.side_mask, False)
    return bid + others >= r.ten_from


@njit
def bid_price(s, r, me, bid, k):
    """Return the chance to win if the bid is made, the cost of each bag, and the chance if it is missed."""
    side = me & r.side_mask
    others, nils = others_contract(s, r, me, side, False)
    up, down = best_other(s, r, me)
    points = bid_points(s, r, side, bid + others)
    score = s.scores[side] + nils
    made = outcome(s, r, score + points, up, down, k)
    missed = outcome(s, r, score - points, up, down, k)
    if made >= 1 or bid + others >= r.ten_from:
        return made, 0.0, missed
    slope = (made - outcome(s, r, score + points - 20, up, down, k)) / 20
    return made, slope * bag_cost(s, r, side, False), missed


@njit
def blind_bid_worth(s, r, me, bid, k):
    """Return the chance to win with this bid for both partners, before they have seen their cards."""
    side = me & r.side_mask
    up, down = best_other(s, r, me)
    score, points = np.float64(s.scores[side]), 2 * bid_points(s, r, side, bid)
    chance = BLIND_BIDS_MADE[bid]
    made = outcome(s, r, score + points, up, down, k)
    return chance * made + (1 - chance) * outcome(s, r, score - points, up, down, k)


# Nils


@njit
def nil_worth(s, r, me, chance, prices, k):
    """Return the chance to win with a nil that is kept with the given chance."""
    price = prices[NIL_PRICE]
    if np.isnan(price[0]):
        price[0], price[1] = nil_price(s, r, me, r.nil_bonus, k)
    return chance * price[0] + (1 - chance) * price[1]


@njit
def blind_nil_worth(s, r, me, k):
    chance = k.nil_trust * BLIND_NILS_KEPT[r.blind_nil_pass]
    kept, broken = nil_price(s, r, me, r.blind_nil_bonus, k)
    return chance * kept + (1 - chance) * broken


@njit
def nil_price(s, r, me, bonus, k):
    """Return the chances to win if a nil with this bonus is kept and if it is broken."""
    side = me & r.side_mask
    others, nils = others_contract(s, r, me, side, True)
    up, down = best_other(s, r, me)
    score = s.scores[side] + nils
    points = bid_points(s, r, side, others)
    kept = beside_partner(s, r, score + bonus, points, up, down, k)
    return kept, beside_partner(s, r, score - bonus, points, up, down, k)


@njit
def beside_partner(s, r, score, points, up, down, k):
    """Return my chance to win, averaged over the partner making and missing a bid worth `points`."""
    made = outcome(s, r, score + points, up, down, k)
    return k.they_make * made + (1 - k.they_make) * outcome(s, r, score - points, up, down, k)
