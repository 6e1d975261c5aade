"""The rule bot's estimates as small whole numbers, so that a network need not learn to estimate.

    write_rule_inputs(view, rules, out)     int8 numbers laid out by ROWS, of the seat to move

In card play: each seat's chance to win the trick after each card that I may play, the values of the cards, the value of
a trick to each seat, and how the hand may end: the match equity if bids are made or missed, bags taken, nils broken. In
the bidding, the value of every bid.

Chances are in hundredths. Values are shares of the win and mostly small, so their square roots are written, in
hundredths, with their sign, up to 100. (Without partners the rule bot values cards in hundreds of points, which are
written in the same way.)
"""

from functools import partial
from math import sqrt

import numpy as np

from spades_env._jit import JIT_ON, njit, trailing_zeros
from spades_env.agents.baselines.legal import nil_is_open, numbers_open
from spades_env.agents.equity import equity
from spades_env.agents.rule.bid import estimate, nil_safety
from spades_env.agents.rule.bid_worth import bid_worth, may_nil, new_bid_prices, nil_worth
from spades_env.agents.rule.chances import seat_chances
from spades_env.agents.rule.play import USUAL, card_worth, trick_context
from spades_env.agents.rule.trick_worth import side_prices
from spades_env.game.cards import BID_ZERO, MAX_BID, NUM_ACTIONS, NUM_CARDS
from spades_env.game.engine import legal_cards
from spades_env.game.observe import lay_out
from spades_env.game.scoring import contract, end_hand, living_nil
from spades_env.game.state import BID, LANE, NO_NIL, ONE, PLAY, STATE, new_tables

HOPE_UNIT = 9  # hopes are counted in ninths of a trick
ENDS = np.array(  # of a hand: is our bid made, is theirs; extra bags for us, for them
    [(1, 1, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0), (1, 1, 1, 0), (1, 1, 3, 0), (1, 1, 0, 1)]
)
ROWS = [
    ("i_win", (NUM_CARDS,), "of a card I may play: how likely it wins me the trick,"),
    ("left_wins", (NUM_CARDS,), "… it goes to my left neighbour,"),
    ("mate_wins", (NUM_CARDS,), "… to the player opposite,"),
    ("right_wins", (NUM_CARDS,), "… to my right one"),
    ("worth", (NUM_ACTIONS,), "what the rule bot finds a card or a bid worth, less the best one's"),
    ("trick_worth", (4,), "what it is worth to me that a seat wins a trick"),
    ("hope", (1,), "tricks I may hope for, in ninths; of a living nil: that it fears"),
    ("nil_hope", (1,), "how likely a nil of mine would be kept, before I bid"),
    ("ends", (len(ENDS),), "match equity if both sides make their bids; then by how much each end of ENDS differs"),
    ("nil_breaks", (4,), "… and each living nil that breaks"),
]
NUM_RULE_INPUTS = sum(int(np.prod(shape)) for _, shape, _ in ROWS)
CHANCES, _, _, _, WORTH, TRICK_WORTH, HOPE, NIL_HOPE, FIRST_END, NIL_BREAKS = (
    block.start for block in lay_out(0, ROWS).values()
)
UNBROKEN = -1


@njit
def write_rule_inputs(s, r, out):
    """Write the rule inputs to out: int8[NUM_RULE_INPUTS], all 0 before."""
    if s.phase == PLAY:
        _write_cards(s, r, out)
        _write_ends(s, r, out)
    elif s.phase == BID:
        _write_bids(s, r, out)


@njit
def hundredths(chance):
    return np.int64(np.rint(100 * min(max(chance, 0.0), 1.0)))


@njit
def rooted(worth):
    """Return the square root of a worth in hundredths, with the sign of the worth."""
    root = hundredths(sqrt(abs(worth)))
    return root if worth > 0 else -root


@njit
def hopes(tricks):
    """Return a number of tricks in whole units of HOPE_UNIT."""
    return np.int64(np.rint(min(HOPE_UNIT * tricks, 127.0)))


@njit
def _write_cards(s, r, out):
    """Write the chances and values of the cards that may be played."""
    legal = legal_cards(s, r)
    hand = s.hands[s.turn]
    sight = trick_context(s, r, side_prices(s, r, np.int64(s.turn) & 1, USUAL), USUAL)
    out[TRICK_WORTH] = rooted(sight.mine)
    out[TRICK_WORTH + 1] = rooted(sight.lefts)
    out[TRICK_WORTH + 2] = rooted(sight.partners)
    out[TRICK_WORTH + 3] = rooted(sight.rights)
    worths = np.empty(64)
    hope, best = 0.0, -np.inf
    for lane in range(4):
        held = (hand >> np.uint64(16 * lane)) & LANE
        now = sight.hopes[lane]
        hope += now
        cards = (legal >> np.uint64(16 * lane)) & LANE
        while cards:
            place = 16 * lane + trailing_zeros(cards)
            cards &= cards - ONE
            worths[place] = card_worth(s, sight, held, lane, place & 15, now, USUAL)
            best = max(best, worths[place])
            card = np.int64(r.card_at[place])
            own, left, partner, right = seat_chances(s, sight.me, sight.out, place, USUAL)
            out[CHANCES + card] = hundredths(own)
            out[CHANCES + NUM_CARDS + card] = hundredths(left)
            out[CHANCES + 2 * NUM_CARDS + card] = hundredths(partner)
            out[CHANCES + 3 * NUM_CARDS + card] = hundredths(right)
    out[HOPE] = hopes(hope)
    while legal:
        place = trailing_zeros(legal)
        legal &= legal - ONE
        out[WORTH + np.int64(r.card_at[place])] = rooted(worths[place] - best)


@njit
def _write_bids(s, r, out):
    me = np.int64(s.turn)
    tricks = estimate(s, r, me)
    out[HOPE] = hopes(tricks)
    worths, prices = np.zeros(MAX_BID + 1), new_bid_prices()
    numbers, nil_open, best = numbers_open(s, r), nil_is_open(s, r), -np.inf
    for bid in range(MAX_BID + 1):
        if numbers >> bid & 1:
            worths[bid] = bid_worth(s, r, me, bid, tricks, prices, USUAL)
            best = max(best, worths[bid])
    if r.zero_is_nil:
        chance = USUAL.nil_trust * nil_safety(r, s.hands[me])
        out[NIL_HOPE] = hundredths(chance)
        worths[0] = nil_worth(s, r, me, chance, prices, USUAL)
        if nil_open and (may_nil(s, r, me) or not numbers):
            best = max(best, worths[0])
    for bid in range(MAX_BID + 1):
        if numbers >> bid & 1 or (bid == 0 and nil_open):
            out[WORTH + BID_ZERO + bid] = rooted(worths[bid] - best)


@njit
def _write_ends(s, r, out):
    """Write the match equities of the possible ends of the hand."""
    scratch = _one_table()
    usual = _end_worth(s, r, ENDS[0], UNBROKEN, scratch)
    out[FIRST_END] = hundredths(usual)
    for i in range(1, len(ENDS)):
        out[FIRST_END + i] = rooted(_end_worth(s, r, ENDS[i], UNBROKEN, scratch) - usual)
    for i in range(4):
        seat = (s.turn + i) & 3
        if living_nil(s, seat):
            out[NIL_BREAKS + i] = rooted(_end_worth(s, r, ENDS[0], seat, scratch) - usual)


@njit
def _one_table():
    return np.empty(1, STATE)


if not JIT_ON:
    _one_table = partial(new_tables, 1)


@njit
def _end_worth(s, r, end, broken, scratch):
    """Return my side's match equity if the hand ends so, with the nil of one seat broken unless UNBROKEN."""
    scratch[0] = s
    t = scratch[0]
    mine = s.turn & r.side_mask
    for side in range(r.sides):
        ours = side == mine
        _take_tricks(t, r, side, end[0] if ours else end[1], end[2] if ours else end[3])
    if broken != UNBROKEN:
        t.tricks[broken] = 1
    end_hand(t, r)
    return equity(t, r, mine)


@njit
def _take_tricks(t, r, side, made, bags):
    """Give the side the tricks its bid lacks, if it is made, and extra bags; none to a side with nils only."""
    bid, taken = contract(t, r, side)
    taker = -1
    for seat in range(side, 4, r.sides):
        if t.nils[seat] == NO_NIL:
            taker = seat
    if taker >= 0:
        t.tricks[taker] += max(0, bid - taken) * made + bags
