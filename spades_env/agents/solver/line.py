"""One line of play with all cards open, which a search walks down and up again.

Cards are compacted: in every lane the k-th lowest card still in the game stands at place k. This is repeated at the
start of every trick, so positions that differ only in cards already played become equal.

Most fields are indexed by ply, the number of cards played since the search began.
"""

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.game.engine import first_trick_cards
from spades_env.game.state import LANE, NO_CARDS, ONE, TRUMPS

PLIES = 53

LINE = [
    ("hands", "u8", (PLIES, 4)),
    ("seat", "i8", PLIES),  # to move
    ("played", "i8", PLIES),  # cards in the trick on the table, …
    ("lane", "u8", PLIES),  # … the lane led,
    ("best", "u8", PLIES),  # … the card that wins it,
    ("winner", "i8", PLIES),  # … and whose it is
    ("gone", "u8", PLIES),  # cards played since the last compaction
    ("broken", "i8", PLIES),
    ("breaking", "u8"),  # the lanes whose lead lets a spade break spades
    ("first_trick", "i8"),  # plies in which the lowest club must be played
    ("left", "i8", PLIES),  # tricks not yet complete
    ("index", "i8", PLIES),  # into the outcomes
]

SIDE_SUITS = ~TRUMPS
LANE_ENDS = np.uint64(0x800080008000)  # the highest place of each side suit, where no card ever stands
EACH = 0x01010101  # a one in the eight bits of every seat


@njit
def set_line(d, s, r):
    """Set ply 0 to the table s, which is in play."""
    played = np.int64(s.num_plays) & 3
    best = ONE << np.uint64(s.best_place) if played else NO_CARDS
    everything = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3] | best
    for seat in range(4):
        d.hands[0, seat] = _compacted(s.hands[seat], everything)
    d.seat[0] = s.turn
    d.played[0] = played
    d.lane[0] = LANE << np.uint64(16 * s.led_lane) if played else NO_CARDS
    d.best[0] = _compacted(best, everything)
    d.winner[0] = s.best_seat
    d.gone[0] = d.best[0]
    d.broken[0] = s.broken | r.spades_any
    d.breaking = SIDE_SUITS | TRUMPS if r.lead_breaks else SIDE_SUITS
    d.first_trick = max(0, 4 - np.int64(s.num_plays)) * r.lowest_club
    d.left[0] = 13 - (np.int64(s.num_plays) >> 2)
    d.index[0] = 0


@njit
def _compacted(cards, everything):
    """Return the cards at their places after compaction; everything: the cards still in the game."""
    compacted = NO_CARDS
    while cards:
        place = np.uint64(trailing_zeros(cards))
        cards &= cards - ONE
        lane = place & np.uint64(48)
        below = everything & (LANE << lane) & ((ONE << place) - ONE)
        compacted |= ONE << (lane + np.uint64(bit_count(below)))
    return compacted


@njit
def compact(d, ply):
    """Close the gaps left by cards that were played."""
    gone = d.gone[ply]
    while gone:
        place = np.uint64(trailing_zeros(gone))
        above = (LANE << (place & np.uint64(48))) & ~((ONE << place) - ONE)
        for seat in range(4):
            hand = d.hands[ply, seat]
            d.hands[ply, seat] = (hand & ~above) | ((hand & above) >> ONE)
        gone &= gone - ONE
        gone = (gone & ~above) | ((gone & above) >> ONE)
    d.gone[ply] = NO_CARDS


@njit
def legal(d, ply):
    """Return the legal cards of the seat to move."""
    own = d.hands[ply, d.seat[ply]]
    if ply < d.first_trick:
        return first_trick_cards(own)
    follow = own & d.lane[ply]
    if follow:
        return follow
    others = own & SIDE_SUITS
    return others if others and not (d.played[ply] | d.broken[ply]) else own


@njit
def distinct(d, ply):
    """Return the lowest of each run of the seat's cards, without another seat's card in between."""
    own = d.hands[ply, d.seat[ply]]
    empty = ~(own | others(d, ply) | d.best[ply] | LANE_ENDS)
    above = own << ONE
    carried = (above & empty) + empty  # a carry runs up the gap above an own card, to the next card
    return own & ~((carried | above) & ~empty)


@njit
def others(d, ply):
    seat = d.seat[ply]
    return d.hands[ply, (seat + 1) & 3] | d.hands[ply, (seat + 2) & 3] | d.hands[ply, (seat + 3) & 3]


@njit
def play_on(d, ply, card):
    """Set ply + 1 to the position after the card, not yet compacted at the start of a trick."""
    seat = d.seat[ply]
    lane = d.lane[ply] if d.played[ply] else LANE << np.uint64(trailing_zeros(card) & 48)
    takes = card & (lane | TRUMPS) and card > d.best[ply]
    winner = seat if takes else d.winner[ply]
    for each in range(4):
        d.hands[ply + 1, each] = d.hands[ply, each]
    d.hands[ply + 1, seat] ^= card
    d.gone[ply + 1] = d.gone[ply] | card
    d.broken[ply + 1] = d.broken[ply] | ((card > SIDE_SUITS) & (lane & d.breaking != NO_CARDS))
    if d.played[ply] < 3:
        d.seat[ply + 1] = (seat + 1) & 3
        d.played[ply + 1] = d.played[ply] + 1
        d.lane[ply + 1] = lane
        d.best[ply + 1] = card if takes else d.best[ply]
        d.winner[ply + 1] = winner
        d.left[ply + 1] = d.left[ply]
        d.index[ply + 1] = d.index[ply]
    else:
        d.seat[ply + 1] = winner
        d.played[ply + 1] = 0
        d.lane[ply + 1] = NO_CARDS
        d.best[ply + 1] = NO_CARDS
        d.left[ply + 1] = d.left[ply] - 1
        d.index[ply + 1] = d.index[ply] + d.outcomes.step[winner]


@njit
def last_winner(d, ply):
    """Return the winner of the last trick, at its start: each hand has one card."""
    winner = d.seat[ply]
    best = d.hands[ply, winner]
    lane = LANE << np.uint64(trailing_zeros(best) & 48)
    for i in range(1, 4):
        seat = (d.seat[ply] + i) & 3
        card = d.hands[ply, seat]
        if card & (lane | TRUMPS) and card > best:
            best = card
            winner = seat
    return winner


@njit
def sure_tricks(d, ply):
    """Return the summed steps of the tricks that trumps are sure to take, at the start of a trick.

    A trump loses only to a higher one of another seat, and that one cannot beat a second trump.
    """
    beaters = 0  # higher trumps of the others that have beaten nothing yet, eight bits for each seat
    steps = 0
    trumps = bit_count((others(d, ply) | d.hands[ply, d.seat[ply]]) & TRUMPS)
    for place in range(47 + trumps, 47, -1):
        owner = _owner(d, ply, ONE << np.uint64(place))
        own = 1 << (8 * owner)
        if beaters & (255 * own):
            beaters -= own
        else:
            steps += d.outcomes.step[owner]
        beaters += EACH - own
    return steps


@njit
def _owner(d, ply, card):
    for seat in range(3):
        if d.hands[ply, seat] & card:
            return seat
    return 3
