"""BIS, a bidder from the literature that adds up the probability of every trick. Its fitted numbers are our own.

    bis_bid(s, r)             the number to bid: 0 (a nil, where zero is one) to 13
    expected_tricks(r, hand)  the tricks of the cards alone
    nil_chance(r, hand)       the chance to keep a nil

Side suits   an ace, a king with another card, a queen with two: the chance that all opponents still follow in the
             first, second, third round (FOLLOW, exact)
Spades       ace, king, queen, jack: 1 for each with as many lower spades beside it as higher ones are out; then 1 for
             every spade beyond four, or the ruffs if they promise more: each spade that is neither a winner nor a
             winner's guard ruffs one missing round of a side suit shorter than three, at that round's chance
The others   the last to bid shares evenly, with all who want tricks, what the bids leave of thirteen
Nil          (2 p − 1) × bonus against ten points for each trick of the other bid. p is the product of how safe each
             card is (SAFE), corrected by a curve: both fitted

The score of the game is ignored. A nil after the partner's nil is never bid. Where the rules do not allow the bid, the
nearest is made, or a nil that is worth more; a bid of more tricks than the hand has counts as lost. Where jokers or
deuces are trumps, the four best trumps stand for ace to jack.
"""

from math import comb

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.agents.baselines.legal import nearest_bid, nil_is_open
from spades_env.agents.baselines.rb import ACE, extra_trumps, holds
from spades_env.agents.fitted import load_fitted
from spades_env.agents.lanes import RANK, top_trump
from spades_env.game.cards import MAX_BID, NUM_TRICKS
from spades_env.game.state import LANE, NO_NIL, ONE, TRUMP_LANE, TRUMPS

ROUNDS = 3  # of a side suit in which a trick is counted
HONOURS = 4  # trumps that count as winners: ace, king, queen, jack
LONG = 4  # every spade beyond these is a trick
ROUND_UP = 0.2  # a bid is the whole tricks of the hand plus this
SHADING = 0.5 - ROUND_UP  # tricks by which a bid is below its hand, on average

_FITTED = load_fitted("bis")
SAFE = _FITTED["safe"]  # how safe a card is in a nil; `risk` finds its place
SIDE_ROWS, TRUMP_ROWS, COLUMNS = 4, 6, 13  # of SAFE
CURVES = _FITTED["curves"]  # factor and power of the odds; with partners, solo


def _follow(out: int, rounds: int, opponents: int) -> float:
    """Return the chance that each opponent has `rounds` cards of a suit of which `out` are in the other hands."""
    ways = 0
    for a in range(out + 1):
        for b in range(out + 1 - a):
            held = (a, b, out - a - b)
            if min(held[:opponents]) >= rounds:
                ways += comb(13, a) * comb(13, b) * comb(13, held[2])
    return ways / comb(39, out)


# [partners or solo, cards in the other hands, round]
FOLLOW = np.array([[[_follow(out, k + 1, n) for k in range(ROUNDS)] for out in range(14)] for n in (2, 3)])


@njit
def bis_bid(s, r):
    hand = s.hands[s.turn]
    tricks = with_share(s, expected_tricks(r, hand))
    wanted = max(np.int64(r.zero_is_nil), min(MAX_BID, int(tricks + ROUND_UP)))
    bid = nearest_bid(s, r, wanted)
    partner_is_nil = r.sides == 2 and s.nils[(s.turn + 2) & 3] != NO_NIL
    if not partner_is_nil and nil_is_open(s, r):
        worth = 10 * bid if bid <= tricks + 1 else -10 * bid
        if (2 * nil_chance(r, hand) - 1) * r.nil_bonus > worth:
            return np.int64(0)
    return bid


@njit
def with_share(s, tricks):
    """Return the tricks of a hand, for the last to bid with its share of what the others' bids leave."""
    if s.num_bids < 3:
        return tricks
    rest = NUM_TRICKS - tricks
    sharers = 1
    for i in range(1, 4):
        seat = (s.turn + i) & 3
        if s.nils[seat] == NO_NIL:
            rest -= max(0, np.int64(s.bids[seat])) + SHADING
            sharers += 1
    return max(0.0, tricks + rest / sharers)


@njit
def expected_tricks(r, hand):
    follow = FOLLOW[r.sides >> 2]
    tricks = 0.0
    for lane in range(TRUMP_LANE):
        suit = LANE << np.uint64(16 * lane)
        out = bit_count(r.cards & suit & ~hand)
        for k in range(min(ROUNDS, bit_count(hand & suit))):
            if holds(hand, 16 * lane + ACE - k):
                tricks += follow[out, k]
    winners, guards = _spade_winners(r, hand)
    spades = bit_count(hand & TRUMPS)
    length = float(spades - LONG - extra_trumps(r))
    return tricks + winners + max(length, _ruffs(r, hand, follow, spades - winners - guards))


@njit
def nil_chance(r, hand):
    chance = 1.0
    top = top_trump(r)
    cards = hand
    while cards:
        row, column = risk(hand, trailing_zeros(cards), top)
        if row < 0:
            return 0.0
        chance *= SAFE[row, column]
        cards &= cards - ONE
    return corrected(chance, CURVES[r.sides >> 2, 0], CURVES[r.sides >> 2, 1])


@njit
def corrected(chance, factor, power):
    """Return the chance with its odds raised to a power, times a factor."""
    kept = factor * chance**power
    return kept / (kept + (1 - chance) ** power)


@njit
def risk(hand, place, top):
    """Return the row and column of a nil's card in SAFE; row −1 if it must take a trick.

    Side suits: by how many lower ones the hand holds (0, 1, 2, 3 or more), and the rank.
    Trumps, in the rows below: by how many higher ones it holds (0 … 5 or more), and how many higher ones are out.
    """
    lane = place >> 4
    suit = (hand >> np.uint64(16 * lane)) & LANE
    lower = bit_count(suit & ((ONE << np.uint64(place & RANK)) - ONE))
    if lane != TRUMP_LANE:
        return min(lower, SIDE_ROWS - 1), place & RANK
    higher = bit_count(suit) - lower - 1
    out = top - place - higher
    if out <= higher:
        return -1, 0
    return SIDE_ROWS + min(higher, TRUMP_ROWS - 1), min(out, COLUMNS - 1)


@njit
def _spade_winners(r, hand):
    """Return how many of the four best trumps take a trick, and how many lower ones guard them."""
    best = top_trump(r)
    lower = bit_count(hand & TRUMPS)
    winners = 0
    guards = 0
    out = 0
    for place in range(best, best - HONOURS, -1):
        if not holds(hand, place):
            out += 1
            continue
        lower -= 1
        if lower >= out:
            winners += 1
            guards = out
    return winners, guards


@njit
def _ruffs(r, hand, follow, spades):
    """Return the tricks of this many spare spades where side suits are short."""
    taken = 0  # rounds by lane, eight bits each
    total = 0.0
    for _ in range(min(spades, TRUMP_LANE * ROUNDS)):
        best = 0.0
        best_lane = 0
        for lane in range(TRUMP_LANE):
            suit = LANE << np.uint64(16 * lane)
            k = bit_count(hand & suit) + ((taken >> (8 * lane)) & 255)
            chance = follow[bit_count(r.cards & suit & ~hand), k] if k < ROUNDS else 0.0
            if chance > best:
                best = chance
                best_lane = lane
        taken += 1 << (8 * best_lane)
        total += best
    return total
