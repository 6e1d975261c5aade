"""Bidding and passing: what a seat may bid, blind or not, and what a bid does.

    legal_calls(s, r)      bids 0 … 13, blind nil and the look as the bits 0 … 15
    call(s, r, action)     lets the seat to move make one of them
    pass_card(s, r, place)

`least_bid` and `suicide` bind the second of a side to bid, `total_not` the last of all. A seat that does not bid,
because its partner bid blind for both or because the hand bids itself, keeps NO_BID.
"""

import numpy as np

from spades_env._jit import bit_count, inlined, njit
from spades_env.game import state
from spades_env.game.cards import BID_ZERO, BLIND_NIL, LOOK

ALL_BIDS = np.int64(0x3FFF)
BLIND_NIL_BIT = np.int64(1 << (BLIND_NIL - BID_ZERO))
LOOK_BIT = np.int64(1 << (LOOK - BID_ZERO))


@inlined
def hand_bids_itself(s, r):
    """Is this a hand without bids, in which every trick counts?"""
    return r.bids_itself != 0 and s.hand_number == 0


@inlined
def deficit(s, r, side):
    """Return how many points a side is behind the best other side."""
    best = -state.NEVER
    for other in range(r.sides):
        if other != side and s.scores[other] > best:
            best = np.int64(s.scores[other])
    return best - s.scores[side]


@njit
def begin_bidding(s, r):
    """Hide the cards of every seat that may bid blind, and ask the first seat."""
    for seat in range(4):
        s.looked[seat] = deficit(s, r, seat & r.side_mask) < r.blind_from
    ask_for_bid(s, r)


@njit
def ask_for_bid(s, r):
    """Let the seat to move bid, or choose first whether to look, if it can bid blind."""
    s.phase = state.BLIND
    if s.looked[s.turn] or blind_calls(s, r) == LOOK_BIT:
        s.looked[s.turn] = 1
        s.phase = state.BID


# What is legal


@inlined
def legal_calls(s, r):
    """Return what the seat to move may bid: bit b for a bid of b, then blind nil, then the look."""
    if s.phase == state.BLIND:
        return blind_calls(s, r)
    return ALL_BIDS if r.all_bids_open else open_bids(s, r)


@inlined
def open_bids(s, r):
    """Return the bids of a seat that knows its cards."""
    mate = (s.turn + 2) & 3
    second = s.bids[mate] != state.NO_BID
    if r.bidding == state.MIRROR or r.bidding == state.WHIZ:
        bids = np.int64(1) << np.int64(bit_count(s.hands[s.turn] & state.TRUMPS))
        return bids | 1 if r.bidding == state.WHIZ and r.zero_is_nil else bids
    if r.bidding == state.SUICIDE:
        if not second:
            return at_least(r.least_bid) | 1
        return np.int64(1) if s.nils[mate] == state.NO_NIL else at_least(max(1, r.least_bid))
    bids = at_least(r.least_bid - s.bids[mate]) if second and r.sides == 2 else ALL_BIDS
    if is_last_bidder(s, False):
        allowed = bids & ~forbidden_bid(s, r)
        return allowed if allowed else bids
    return bids


@inlined
def blind_calls(s, r):
    """Return what a seat may bid before it sees its cards: for both partners, blind nil, or not yet."""
    calls = LOOK_BIT
    behind = deficit(s, r, s.turn & r.side_mask)
    partners_bid = np.int64(s.bids[(s.turn + 2) & 3])
    if behind >= r.blind_bid_deficit and partners_bid == state.NO_BID:
        bids = at_least(max(r.blind_bid, r.least_bid))
        calls |= bids & ~forbidden_bid(s, r) if is_last_bidder(s, True) else bids
    enough_bid = partners_bid == state.NO_BID or partners_bid >= r.least_bid
    makes_total = is_last_bidder(s, False) and forbidden_bid(s, r) & 1
    if behind >= r.blind_nil_deficit and enough_bid and not makes_total:
        calls |= BLIND_NIL_BIT
    return calls


@inlined
def is_to_bid(s, seat):
    """Is this seat still to bid?"""
    return s.phase <= state.BID and s.bids[seat] == state.NO_BID and not s.blind_contract[seat & 1]


@inlined
def may_bid_nil(s, r, seat):
    """May this seat still bid nil or blind nil, as far as everybody knows?"""
    blind_nil = not s.looked[seat] and deficit(s, r, seat & r.side_mask) >= r.blind_nil_deficit
    if not is_to_bid(s, seat) or not (r.zero_is_nil or blind_nil):
        return False
    if seat == s.turn and is_last_bidder(s, False) and forbidden_bid(s, r) & 1:
        return False
    mates_bid = np.int64(s.bids[(seat + 2) & 3])
    if r.sides == 4 or mates_bid == state.NO_BID:
        return True
    if r.bidding == state.SUICIDE:
        return mates_bid > 0
    return mates_bid >= r.least_bid


@inlined
def at_least(number):
    """Return the bids of a number or more."""
    number = max(np.int64(0), np.int64(number))
    return ALL_BIDS >> number << number


@inlined
def is_last_bidder(s, for_both):
    """Does nobody bid after the seat to move? for_both: when it bids for its partner, too."""
    for i in range(1, 4 - s.num_bids):
        if not (s.blind_contract[(s.turn + i) & 1] or (for_both and i == 2)):
            return False
    return True


@inlined
def forbidden_bid(s, r):
    """Return the bid that `total_not` forbids to the last bidder, as a bit; 0 if there is none."""
    bid = np.int64(r.total_not)
    for seat in range(4):
        bid -= max(0, np.int64(s.bids[seat]))
    return np.int64(1) << bid if r.total_not >= 0 and 0 <= bid <= 13 else np.int64(0)


# Acting


@njit
def call(s, r, action):
    """Look, bid blind nil, or bid; a bid before the look is for both partners."""
    seat = s.turn
    if action == LOOK:
        s.looked[seat] = 1
        s.phase = state.BID
        return
    if action == BLIND_NIL:
        s.bids[seat] = 0
        s.nils[seat] = state.BLIND_NIL_BID
    else:
        s.bids[seat] = action - BID_ZERO
        s.nils[seat] = state.NIL if action == BID_ZERO and r.zero_is_nil else state.NO_NIL
        if s.phase == state.BLIND:
            s.blind_contract[seat & 1] = 1
    s.num_bids += 1
    s.turn = (seat + 1) & 3
    while s.num_bids < 4 and s.blind_contract[s.turn & 1]:  # the partner of a blind bidder
        s.num_bids += 1
        s.turn = (s.turn + 1) & 3
    if s.num_bids == 4:
        end_bidding(s, r)
    else:
        ask_for_bid(s, r)


@njit
def end_bidding(s, r):
    """Show all seats their cards, and decide who passes and who leads."""
    first = np.int64(s.turn)
    if r.highest_leads:
        for i in range(1, 4):
            seat = (first + i) & 3
            if s.bids[seat] > s.bids[s.leader]:
                s.leader = seat
    if r.blind_nil_pass | r.nil_pass:
        for i in range(4):
            seat = (first + i) & 3
            if cards_for_nil(s, r, seat) and not passes(s, seat):
                s.passers[s.num_passers] = seat
                s.passers[s.num_passers + 1] = (seat + 2) & 3
                s.num_passers += 2
    s.looked[:] = 1
    s.phase = state.PASS if s.num_passers else state.PLAY
    s.turn = s.passers[0] if s.num_passers else s.leader


# Passing


@njit
def passes(s, seat):
    for i in range(s.num_passers):
        if s.passers[i] == seat:
            return True
    return False


@inlined
def cards_for_nil(s, r, seat):
    """Return how many cards are passed because this seat bid nil."""
    if s.nils[seat] == state.NIL:
        return r.nil_pass
    return r.blind_nil_pass if s.nils[seat] == state.BLIND_NIL_BID else np.int32(0)


@inlined
def cards_to_pass(s, r, seat):
    """Return how many cards a passer and its partner each pass."""
    return max(cards_for_nil(s, r, seat), cards_for_nil(s, r, (seat + 2) & 3))


@njit
def pass_card(s, r, place):
    """Set a card aside for the partner; once both have chosen, exchange the cards."""
    seat = np.int64(s.turn)
    mate = (seat + 2) & 3
    s.given[seat] |= state.ONE << np.uint64(place)
    s.num_passed += 1
    if bit_count(s.given[seat]) < cards_to_pass(s, r, seat):
        return
    passers = 1
    while s.passers[passers - 1] != seat:
        passers += 1
    if passers & 1 == 0:
        s.hands[seat] = (s.hands[seat] & ~s.given[seat]) | s.given[mate]
        s.hands[mate] = (s.hands[mate] & ~s.given[mate]) | s.given[seat]
    if passers < s.num_passers:
        s.turn = s.passers[passers]
    else:
        s.phase = state.PLAY
        s.turn = s.leader
