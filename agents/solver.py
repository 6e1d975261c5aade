"""Open cards: the worth of every legal card when all four hands are known and played as well as can be.

Alpha-beta with a bar in place of a window: "is it worth at least so much?", asked until the answer is pinned down.

Before the search the cards are pushed together: in every lane the k-th lowest card still in the game stands at place k.
After every trick they are pushed together anew, so positions that differ only in cards gone by are one and the same.
Cards of one hand with nothing between them that could make a difference are one card.

A desk is the memory of one thread. Without partners all others are taken to play against the seat to move.
"""

import numpy as np

from agents.stakes import STAKES, set_stakes
from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.engine import legal_cards, mix, next_random
from spades_env.state import LANE, NO_CARDS, ONE, TRUMPS

SLOTS = 1 << 16
SLOT_MASK = np.uint64(SLOTS - 1)
FAR = 1 << 31  # beyond any worth
PLIES = 53
SIDE_SUITS = np.uint64((1 << 48) - 1)
LANE_ENDS = np.uint64(0x800080008000)  # places above the side suits, where no card stands: a carry ends there

DESK = np.dtype(
    [
        ("stakes", STAKES),
        ("friends", "i8"),  # bit s: seat s wants what the seat to move wants
        ("salt", "u8"),  # of the stakes: what was remembered under others is not found
        ("nodes", "i8"),
        # the line of play the search is on, by the number of cards played from where it began
        ("hands", "u8", (PLIES, 4)),
        ("seat", "i8", PLIES),  # to move
        ("played", "i8", PLIES),  # cards in the trick on the table, …
        ("gone", "u8", PLIES),  # … these,
        ("lane", "u8", PLIES),  # … the lane led,
        ("best", "u8", PLIES),  # … the card that wins it,
        ("winner", "i8", PLIES),  # … and whose it is
        ("broken", "i8", PLIES),
        ("left", "i8", PLIES),  # tricks not yet complete
        ("index", "i8", PLIES),  # into the stakes
        ("cards", "u8", PLIES),  # still to be tried
        ("card", "u8", PLIES),  # tried last
        ("first", "u8", PLIES),  # tried first; then the best so far
        ("value", "i8", PLIES),
        ("key", "u8", PLIES),
        # what was found out about positions at the start of a trick
        ("keys", "u8", SLOTS),
        ("low", "i4", SLOTS),
        ("high", "i4", SLOTS),
        ("good", "u1", SLOTS),  # the place of the card that settled it
    ],
    align=True,
)


def new_desk() -> np.recarray:
    """DESK[1], for one thread at a time."""
    return np.zeros(1, DESK).view(np.recarray)


@njit
def prepare(d, tables, i, r, price):
    """Set the stakes for the tables that share the public facts of tables[i]."""
    set_stakes(d.stakes, tables, i, r, price)
    d.salt = mix(next_random(d.salt))
    d.friends = 0
    for seat in range(4):
        if (seat ^ np.int64(tables[i].turn)) & r.side_mask == 0:
            d.friends |= 1 << seat


@njit
def solve(d, s, r, values):
    """values[k]: the worth of the k-th legal card, lowest place first. Returns how many there are."""
    _set_up(d, s, r)
    legal = _legal(d, 0)
    distinct = legal & _distinct(d, 0)
    count = 0
    guess = np.int64(d.stakes.expected[0])
    while legal:
        card = legal & (~legal + ONE)
        legal ^= card
        if card & distinct:
            _play(d, 0, card)
            guess = _value(d, 1, guess)
        values[count] = guess
        count += 1
    return count


@njit
def _set_up(d, s, r):
    """The table with its cards pushed together."""
    d.played[0] = np.int64(s.num_plays) & 3
    on_table = d.played[0] > 0
    best = ONE << np.uint64(s.best_place) if on_table else NO_CARDS
    everything = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3] | best
    for seat in range(4):
        d.hands[0, seat] = _pushed(s.hands[seat], everything)
    d.best[0] = _pushed(best, everything)
    d.gone[0] = d.best[0]
    d.lane[0] = LANE << np.uint64(16 * s.led_lane) if on_table else NO_CARDS
    d.seat[0] = s.turn
    d.winner[0] = s.best_seat
    d.broken[0] = s.broken | r.spades_any
    d.left[0] = 13 - (np.int64(s.num_plays) >> 2)
    d.index[0] = 0


@njit
def _pushed(cards, everything):
    """These cards at the places they get when all the cards in the game are pushed together."""
    pushed = NO_CARDS
    while cards:
        place = trailing_zeros(cards)
        cards &= cards - ONE
        below = everything & ((ONE << np.uint64(place)) - ONE) & (LANE << np.uint64(place & 48))
        pushed |= ONE << np.uint64((place & 48) + bit_count(below))
    return pushed


@njit
def _legal(d, ply):
    """What the seat to move may play."""
    own = d.hands[ply, d.seat[ply]]
    follow = own & d.lane[ply]
    if follow:
        return follow
    others = own & ~TRUMPS
    return others if others and not (d.played[ply] | d.broken[ply]) else own


@njit
def _distinct(d, ply):
    """The lowest card of each run of own cards with no card between that could make a difference."""
    seat = d.seat[ply]
    own = d.hands[ply, seat]
    others = d.hands[ply, (seat + 1) & 3] | d.hands[ply, (seat + 2) & 3] | d.hands[ply, (seat + 3) & 3]
    others |= d.best[ply] | LANE_ENDS
    empty = ~(own | others)
    above = own << ONE
    carried = (above & empty) + empty  # a carry runs through the gap above an own card to the next card
    return own & ~((carried | above) & ~empty)


@njit
def _play(d, ply, card):
    """The position after the card."""
    seat = d.seat[ply]
    lane = d.lane[ply] if d.played[ply] else LANE << np.uint64(trailing_zeros(card) & 48)
    takes = card & (lane | TRUMPS) and card > d.best[ply]
    best = card if takes else d.best[ply]
    winner = seat if takes else d.winner[ply]
    for each in range(4):
        d.hands[ply + 1, each] = d.hands[ply, each]
    d.hands[ply + 1, seat] ^= card
    d.broken[ply + 1] = d.broken[ply] | (card > SIDE_SUITS)
    if d.played[ply] < 3:
        d.seat[ply + 1] = (seat + 1) & 3
        d.played[ply + 1] = d.played[ply] + 1
        d.gone[ply + 1] = d.gone[ply] | card
        d.lane[ply + 1] = lane
        d.best[ply + 1] = best
        d.winner[ply + 1] = winner
        d.left[ply + 1] = d.left[ply]
        d.index[ply + 1] = d.index[ply]
    else:
        d.seat[ply + 1] = winner
        d.played[ply + 1] = 0
        d.gone[ply + 1] = NO_CARDS
        d.lane[ply + 1] = NO_CARDS
        d.best[ply + 1] = NO_CARDS
        d.left[ply + 1] = d.left[ply] - 1
        d.index[ply + 1] = d.index[ply] + d.stakes.step[winner]
        _push_together(d, ply + 1, d.gone[ply] | card)


@njit
def _push_together(d, ply, gone):
    """Close the gaps that the cards of a trick have left."""
    while gone:
        place = np.uint64(trailing_zeros(gone))
        above = (LANE << (place & np.uint64(48))) & ~((ONE << place) - ONE)
        for seat in range(4):
            hand = d.hands[ply, seat]
            d.hands[ply, seat] = (hand & ~above) | ((hand & above) >> ONE)
        gone = gone & ~above | ((gone & above & (gone - ONE)) >> ONE)


@njit
def _value(d, root, guess):
    """The worth of a position; a good guess saves time."""
    low, high, bar = -FAR, FAR, guess
    while low < high:
        value = _bound(d, root, bar)
        if value >= bar:
            low = value
            bar = value + 1
        else:
            high = value
            bar = value
    return low


@njit
def _bound(d, root, bar):
    """A bound of the worth: at least bar if the worth is, else below it, and the worth is below it too."""
    ply = root
    _open(d, ply, bar)
    while True:
        if d.cards[ply]:
            _play(d, ply, _next_card(d, ply))
            ply += 1
            _open(d, ply, bar)
        elif ply > root:
            ply -= 1
            _close(d, ply, bar)
        else:
            return d.value[root]


@njit
def _open(d, ply, bar):
    """A position is reached: either its value is known well enough, or here are the cards to try."""
    d.cards[ply] = NO_CARDS
    d.first[ply] = NO_CARDS
    if d.played[ply] == 0 and _is_known(d, ply, bar):
        return
    d.nodes += 1
    d.cards[ply] = _legal(d, ply) & _distinct(d, ply)
    d.value[ply] = -FAR if d.friends >> d.seat[ply] & 1 else FAR


@njit
def _is_known(d, ply, bar):
    """At the start of a trick: is the value on one side of the bar whatever is played, or was it found before?"""
    k, index = d.stakes, d.index[ply]
    if d.left[ply] == 1:
        d.value[ply] = k.low[index + k.step[_last_winner(d, ply)]]
        return True
    if _settles(d, ply, k.low[index], k.high[index], bar):
        return True
    key = _key(d, ply)
    slot = np.int64(key & SLOT_MASK)
    d.key[ply] = key
    if d.keys[slot] != key:
        return False
    d.first[ply] = ONE << np.uint64(d.good[slot])
    return _settles(d, ply, d.low[slot], d.high[slot], bar)


@njit
def _settles(d, ply, low, high, bar):
    """Is a worth between these bounds on one side of the bar?"""
    d.value[ply] = low if low >= bar else high
    return low >= bar or high < bar


@njit
def _next_card(d, ply):
    """Which card to try next."""
    cards = d.cards[ply]
    card = d.first[ply] & cards
    if not card:
        card = cards & (~cards + ONE)
    d.cards[ply] ^= card
    d.card[ply] = card
    return card


@njit
def _close(d, ply, bar):
    """The card tried last has its value: it is the best so far, or settles the position, or neither."""
    value = d.value[ply + 1]
    wants_more = d.friends >> d.seat[ply] & 1
    if value > d.value[ply] if wants_more else value < d.value[ply]:
        d.value[ply] = value
        d.first[ply] = d.card[ply]
        if (value >= bar) == wants_more:
            d.cards[ply] = NO_CARDS
    if not d.cards[ply] and d.played[ply] == 0:
        _remember(d, ply, bar)


@njit
def _remember(d, ply, bar):
    """What was found out about a position at the start of a trick."""
    slot = np.int64(d.key[ply] & SLOT_MASK)
    if d.keys[slot] != d.key[ply]:
        d.keys[slot] = d.key[ply]
        d.low[slot] = d.stakes.low[d.index[ply]]
        d.high[slot] = d.stakes.high[d.index[ply]]
    if d.value[ply] >= bar:
        d.low[slot] = d.value[ply]
    else:
        d.high[slot] = d.value[ply]
    d.good[slot] = trailing_zeros(d.first[ply])


@njit
def _last_winner(d, ply):
    """Who takes the last trick, one card in every hand."""
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
def _key(d, ply):
    """A hash of a position at the start of a trick."""
    hands = d.hands[ply, 0] * np.uint64(0x9E3779B97F4A7C15) + d.hands[ply, 1] * np.uint64(0xD1B54A32D192ED03)
    hands += d.hands[ply, 2] * np.uint64(0x8CB92BA72F3D8DD7) + d.hands[ply, 3] * np.uint64(0xAAAAAAAA2FB9F3B5)
    rest = np.uint64(8 * d.index[ply] + 2 * d.seat[ply] + d.broken[ply])
    return mix(d.salt ^ (hands + rest * np.uint64(0xDB4F0B9175AE2165)))
