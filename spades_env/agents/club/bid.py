"""The bidding of `club`: tricks counted by eye, as at a club table, rounded by what the others bid and by the score.

    club_bid(s, r)        the number to bid: 0 (a nil, where zero is one) to 13
    club_call(s, r)       the action before it has seen its cards: look, or bid blind if that is the last hope
    count(r, hand)        the tricks of a hand, in hundredths
    nil_risk(r, hand)     the risk of a nil, in points
    promised(s, r, side)  the score of a side if it makes its bids

Side suits   an ace, a king, a queen count by the length of their suit: whole in a short one, little in a long one; a
             king more beside its ace, a queen more beside a higher card
Trumps       ace to jack by how many cards protect them; each low trump beyond three cards three quarters; then ruffs,
             no more than low trumps are left, by how short the side suits are
The table    the last seat bids less where the bids come to twelve or more, and more where they come to ten or less
Nil          each card above the usual winner of its round in its suit is a risk; with little risk and few tricks it
             bids nil, but never after its partner's
The score    no more than wins the game; where the others' bids would win it, up to two tricks more, or a bold nil
The rules    the nearest bid that they allow
"""

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.agents.baselines.legal import nearest_bid, nil_is_open
from spades_env.agents.lanes import RANK, top_trump
from spades_env.game.bidding import BLIND_NIL_BIT, legal_calls
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK, MAX_BID, NUM_TRICKS
from spades_env.game.scoring import bid_points, nil_bonus
from spades_env.game.state import LANE, NO_BID, NO_NIL, ONE, TRUMP_LANE, TRUMPS

# Hundredths of a trick, by the length of the suit, 0 to 13
ACE = np.array([0, 100, 100, 100, 95, 85, 70, 50, 30, 20, 10, 10, 10, 10])
KING_BESIDE_ACE = np.array([0, 0, 95, 90, 75, 50, 25, 10, 0, 0, 0, 0, 0, 0])
KING = np.array([0, 20, 60, 65, 55, 40, 20, 10, 0, 0, 0, 0, 0, 0])
QUEEN_BESIDE_HIGHER = np.array([0, 0, 25, 50, 35, 10, 0, 0, 0, 0, 0, 0, 0, 0])
QUEEN = np.array([0, 0, 5, 20, 15, 5, 0, 0, 0, 0, 0, 0, 0, 0])
RUFF = np.array([90, 55, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
LONG_TRUMP = 75
GUARDS = 3  # trumps before others count as long
ROUNDING = 60  # hundredths: a bid is the whole tricks of the hand plus this

FULL, CROWDED = 1200, 1300  # the sum of all bids, its own included
LOOSE, EMPTY = 1000, 900

# Nil: the rank up to which the lowest card, the second lowest … of a suit is safe, and the risk of each rank above it
SAFE_RANKS = (2, 5, 8, 10)
RANK_RISKS = (5, 4, 3, 1)
SAFE_TRUMP, TRUMP_RISK, LENGTH_RISK = 5, 5, 3
QUEEN_OF_TRUMPS = 20
NIL_TRUMPS = 3  # at most
IMPOSSIBLE = 999
NIL_RISK = 15  # the most for a bonus of a hundred
BOLD_NIL_RISK = 40  # … where nothing else wins
NIL_TRICKS = 330  # hands worth more are not bid as nil
USUAL_BID = 3  # of a seat that has not bid
MOST_BLIND = 8  # tricks bid for both partners before they have seen their cards


@njit
def club_bid(s, r):
    """Return the number to bid."""
    me = np.int64(s.turn)
    tricks = count(r, s.hands[me])
    if r.nil_bonus > 0 and nil_is_open(s, r) and _bids_nil(s, r, me, tricks):
        return np.int64(0)
    bid = (_after_the_others(s, me, tricks) + ROUNDING) // 100
    return nearest_bid(s, r, _for_the_score(s, r, me, min(MAX_BID, max(np.int64(r.zero_is_nil), bid))))


@njit
def club_call(s, r):
    """Look, unless the others' bids would win the game: then call what can catch up where no other bid can."""
    me = np.int64(s.turn)
    calls = legal_calls(s, r)
    theirs, ours = best_other(s, r, me), _without_me(s, r, me)
    if not (_would_end(s, r, theirs) and ours + 10 * USUAL_BID + 10 < theirs):
        return LOOK
    for bid in range(1, MOST_BLIND + 1):
        score = np.int64(s.scores[me & r.side_mask]) + 2 * bid_points(s, r, me & r.side_mask, bid)
        if calls >> bid & 1 and score > theirs:
            return BID_ZERO + bid
    covered = r.sides == 4 or s.nils[me ^ 2] == NO_NIL
    return BLIND_NIL if calls & BLIND_NIL_BIT and covered and theirs < ours + r.blind_nil_bonus else LOOK


# Tricks


@njit
def count(r, hand):
    tricks = _trumps(r, hand)
    for lane in range(TRUMP_LANE):
        tricks += _side_suit((hand >> np.uint64(16 * lane)) & LANE)
    return tricks


@njit
def _side_suit(suit):
    n = bit_count(suit)
    ace, king, queen = (suit >> np.uint64(12)) & ONE, (suit >> np.uint64(11)) & ONE, (suit >> np.uint64(10)) & ONE
    tricks = ACE[n] if ace else 0
    if king:
        tricks += KING_BESIDE_ACE[n] if ace else KING[n]
    if queen:
        tricks += QUEEN_BESIDE_HIGHER[n] if ace or king else QUEEN[n]
    return tricks


@njit
def _trumps(r, hand):
    """Count high trumps, long ones, and ruffs."""
    best = np.uint64(top_trump(r))
    n = bit_count(hand & TRUMPS)
    high = (hand >> (best - np.uint64(3))) & np.uint64(15)  # ace to jack, the ace on top
    low = n - bit_count(high)
    long = min(low, max(0, n - GUARDS - more_trumps(r)))
    ruffs = 0
    for lane in range(TRUMP_LANE):
        ruffs += RUFF[bit_count(hand & (LANE << np.uint64(16 * lane)))]
    return _high_trumps(high, n) + LONG_TRUMP * long + min(ruffs, 80 * (low - long))


@njit
def _high_trumps(high, n):
    tricks = 0
    if high & np.uint64(8):
        tricks += 100
    if high & np.uint64(4):
        tricks += 100 if n >= 3 or high & np.uint64(8) else 40 * n
    if high & np.uint64(2):
        tricks += 85 if n >= 3 else 60 if high & np.uint64(8) and n == 2 else 25
    if high & np.uint64(1):
        tricks += 45 if n >= 4 else 35 if high > np.uint64(1) and n == 3 else 10
    return tricks


@njit
def more_trumps(r):
    """Return 1 where a hand holds about one trump more than in the plain game, else 0."""
    return np.int64(bit_count(r.cards & TRUMPS) > NUM_TRICKS)


@njit
def _after_the_others(s, me, tricks):
    """Return the tricks, corrected by the bids of the three others for the last to bid."""
    if s.num_bids < 3:
        return tricks
    total = tricks
    for i in range(1, 4):
        total += 100 * max(0, np.int64(s.bids[(me + i) & 3]))
    if total >= FULL:
        return max(0, tricks - (60 if total >= CROWDED else 35))
    return tricks + (50 if total <= EMPTY else 25 if total <= LOOSE else 0)


# Nil


@njit
def _bids_nil(s, r, me, tricks):
    if r.sides == 2 and s.nils[me ^ 2] != NO_NIL:
        return False
    risk = nil_risk(r, s.hands[me])
    if r.sides == 4:
        risk *= 2  # three others attack it
    theirs, ours = best_other(s, r, me), _without_me(s, r, me)
    if s.num_bids >= 2 and _would_end(s, r, theirs) and ours + tricks // 10 <= theirs < ours + r.nil_bonus:
        return risk <= BOLD_NIL_RISK
    return tricks < NIL_TRICKS and 100 * risk <= NIL_RISK * min(200, np.int64(r.nil_bonus))


@njit
def nil_risk(r, hand):
    risk = _trump_risk(r, (hand & TRUMPS) >> np.uint64(16 * TRUMP_LANE), top_trump(r) & RANK)
    for lane in range(TRUMP_LANE):
        suit = (hand >> np.uint64(16 * lane)) & LANE
        for k in range(4):
            if suit:
                risk += RANK_RISKS[k] * max(0, trailing_zeros(suit) - SAFE_RANKS[k])
                suit &= suit - ONE
    return risk


@njit
def _trump_risk(r, trumps, ace):
    n = bit_count(trumps)
    if n > NIL_TRUMPS + more_trumps(r) or trumps >> np.uint64(ace - 1):
        return IMPOSSIBLE
    risk = LENGTH_RISK * max(0, n - 1 - more_trumps(r))
    if trumps >> np.uint64(ace - 2):
        risk += QUEEN_OF_TRUMPS
    safe = SAFE_TRUMP + ace - 12
    while trumps:
        risk += TRUMP_RISK * max(0, trailing_zeros(trumps) - safe)
        trumps &= trumps - ONE
    return risk


# The score


@njit
def _for_the_score(s, r, me, bid):
    """Bid no more than wins the game; add up to two tricks where the others' bids would win it."""
    partner_has_bid = r.sides == 4 or s.bids[me ^ 2] != NO_BID
    theirs, ours = best_other(s, r, me), _without_me(s, r, me)
    enough = (np.int64(r.target) - ours + 9) // 10
    if partner_has_bid and 1 <= enough < bid and ours + 10 * enough > theirs:
        return enough
    missing = (theirs - ours) // 10 + 1 - bid
    if s.num_bids == 3 and _would_end(s, r, theirs) and 1 <= missing <= 2:
        return min(MAX_BID, bid + missing)
    return bid


@njit
def _would_end(s, r, score):
    return score >= r.target or s.hand_number + 1 >= r.max_hands


@njit
def best_other(s, r, me):
    """Return the score of the best other side if it makes its bids."""
    best = np.int64(-(1 << 40))
    for side in range(r.sides):
        if side != me & r.side_mask:
            best = max(best, promised(s, r, side))
    return best


@njit
def _without_me(s, r, me):
    """Return the score of my side if all but me make their bids."""
    return promised(s, r, me & r.side_mask) - 10 * USUAL_BID


@njit
def promised(s, r, side):
    """Return the score of a side that makes its bids; seats still to bid count the usual bid."""
    points = np.int64(s.scores[side])
    bid = np.int64(0)
    for seat in range(side, 4, r.sides):
        if s.nils[seat] != NO_NIL:
            points += nil_bonus(s, r, seat)
        elif s.bids[seat] != NO_BID:
            bid += np.int64(s.bids[seat])
        elif not s.blind_contract[side & 1]:
            bid += USUAL_BID
    return points + bid_points(s, r, side, bid)
