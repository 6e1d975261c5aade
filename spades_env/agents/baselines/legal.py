"""The legal bids, for bidders that know what they want to bid.

numbers_open(s, r)          the numbers that the seat to move may bid, a bit each; a nil is none
nil_is_open(s, r)           may it bid nil?
nearest_bid(s, r, wanted)   the legal bid nearest to a number: never a nil, unless nothing else is legal
"""

import numpy as np

from spades_env._jit import njit
from spades_env.game.bidding import ALL_BIDS, legal_calls
from spades_env.game.cards import MAX_BID


@njit
def numbers_open(s, r):
    bids = legal_calls(s, r) & ALL_BIDS
    return bids & ~np.int64(1) if r.zero_is_nil else bids


@njit
def nil_is_open(s, r):
    return r.zero_is_nil != 0 and legal_calls(s, r) & 1 != 0


@njit
def nearest_bid(s, r, wanted):
    """Return the legal bid nearest to the number; of two, the lower, as it is the safer."""
    numbers = numbers_open(s, r)
    for away in range(MAX_BID + 1):
        if wanted >= away and numbers >> (wanted - away) & 1:
            return np.int64(wanted - away)
        if numbers >> (wanted + away) & 1:
            return np.int64(wanted + away)
    return np.int64(0)
