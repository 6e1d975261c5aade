"""Double-dummy solver: the worth of every legal card when all hands are open and all seats play perfectly.

    solver = new_solver()                           the memory of one thread
    prepare(solver[0], tables, i, r, side, measure)   value the tricks left: the same for all worlds of a position
    solve(solver[0], tables[i], r, values)          values[k]: the worth of the k-th legal card, the lowest place first
    best_worth(solver[0], tables[i], r)             the worth of the best card alone

The worth is the side's points less the others', in thousandths, bags at their cost, or the share of the win (see
`outcomes`). In solo games all others are assumed to play against the seat to move.

The search is MTD(f): alpha-beta with a null window at one bar after another, until the worth is known. A transposition
table holds positions at the start of a trick; equal cards are tried once.
"""

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.lanes import up_to
from spades_env.agents.solver import line
from spades_env.agents.solver.line import LINE, PLIES
from spades_env.agents.solver.outcomes import OUTCOMES, set_outcomes
from spades_env.game.engine import mix, next_random
from spades_env.game.state import NO_CARDS, ONE, TRUMPS, record_dtype

SLOTS = 1 << 16
FAR = 1 << 31  # beyond any worth

SOLVER = record_dtype(
    [
        ("outcomes", OUTCOMES),
        ("friends", "i8"),  # bit s: seat s wants what the seat to move wants
        ("salt", "u8"),  # of the keys: entries made under other outcomes are not found
        *LINE,
        # the search at each ply of the line
        ("cards", "u8", PLIES),  # still to be tried, …
        ("early", "u8", PLIES),  # … these before the rest, …
        ("rising", "i8", PLIES),  # … from the lowest up?
        ("card", "u8", PLIES),  # tried last
        ("good", "u8", PLIES),  # the best card so far; at first the one to try first
        ("value", "i8", PLIES),
        ("key", "u8", PLIES),
        # the transposition table, of positions at the start of a trick
        ("slot_mask", "u8"),  # fewer slots for fewer tricks, to stay in the processor's cache
        ("keys", "u8", SLOTS),
        ("lows", "i4", SLOTS),
        ("highs", "i4", SLOTS),
        ("goods", "u1", SLOTS),  # the place of the best card
    ],
)


def new_solver() -> np.recarray:
    """Return a SOLVER[1], for one thread at a time."""
    return np.zeros(1, SOLVER).view(np.recarray)


@njit
def prepare(d, tables, i, r, side, measure):
    """Value the outcomes of tables[i], which is in play, for the side; they hold in all worlds of the position."""
    set_outcomes(d.outcomes, tables, i, r, side, measure)
    d.salt = mix(next_random(d.salt))  # which invalidates the transposition table
    left = 13 - (np.int64(tables[i].num_plays) >> 2)
    d.slot_mask = np.uint64(min(SLOTS, 4 << (2 * left)) - 1)
    d.friends = 0
    for seat in range(4):
        if seat & r.side_mask == side:
            d.friends |= 1 << seat


@njit
def solve(d, s, r, values):
    """Set values[k] to the worth of the k-th legal card, the lowest place first; return how many there are."""
    line.set_line(d, s, r)
    cards = line.legal(d, 0)
    distinct = line.distinct(d, 0)
    worth = np.int64(d.outcomes.expected[0])
    count = 0
    while cards:
        card = cards & (~cards + ONE)
        cards ^= card
        if card & distinct:
            line.play_on(d, 0, card)
            worth = _value(d, 1, worth)
        values[count] = worth
        count += 1
    return count


@njit
def best_worth(d, s, r):
    """Return the worth of the best card alone, in half the time."""
    line.set_line(d, s, r)
    return _value(d, 0, np.int64(d.outcomes.expected[0]))


@njit
def _value(d, root, guess):
    """Return the worth of the position at ply `root`; a good guess saves time."""
    low, high, bar = -FAR, FAR, guess
    while low < high:
        bound = _bound(d, root, bar)
        if bound >= bar:
            low = bound
            bar = bound + 1
        else:
            high = bound
            bar = bound
    return low


@njit
def _bound(d, root, bar):
    """Return a lower bound of the worth that is at least bar, or an upper bound below bar."""
    ply = root
    _open(d, ply, bar)
    while True:
        if d.cards[ply]:
            line.play_on(d, ply, _next_card(d, ply))
            ply += 1
            _open(d, ply, bar)
        elif ply > root:
            ply -= 1
            _take_value(d, ply, bar)
        else:
            return d.value[root]


@njit
def _open(d, ply, bar):
    """Set the value of a position just reached if it is known well enough, else the cards to try."""
    d.cards[ply] = NO_CARDS
    d.good[ply] = NO_CARDS
    if d.played[ply] == 0 and _is_known(d, ply, bar):
        return
    d.value[ply] = -FAR if d.friends >> d.seat[ply] & 1 else FAR
    d.cards[ply] = line.legal(d, ply) & line.distinct(d, ply)
    _order(d, ply)


@njit
def _is_known(d, ply, bar):
    """Is it certain, at the start of a trick, on which side of the bar the worth lies? Then set the value."""
    k, index = d.outcomes, d.index[ply]
    if _settles(d, ply, k.low[index], k.high[index], bar):
        return True
    if d.left[ply] == 1:
        d.value[ply] = k.low[index + k.step[line.last_winner(d, ply)]]
        return True
    line.compact(d, ply)
    sure = index + line.sure_tricks(d, ply)
    if _settles(d, ply, k.low[sure], k.high[sure], bar):
        return True
    d.key[ply] = _key(d, ply)
    slot = np.int64(d.key[ply] & d.slot_mask)
    if d.keys[slot] != d.key[ply]:
        return False
    d.good[ply] = ONE << np.uint64(d.goods[slot])
    return _settles(d, ply, d.lows[slot], d.highs[slot], bar)


@njit
def _settles(d, ply, low, high, bar):
    """Do these bounds lie on one side of the bar? Then the value is one of them."""
    d.value[ply] = low if low >= bar else high
    return low >= bar or high < bar


@njit
def _order(d, ply):
    """Choose which cards to try first, and from which end, by the average worth of a trick."""
    k, index, seat = d.outcomes, d.index[ply], d.seat[ply]
    d.early[ply] = NO_CARDS
    d.rising[ply] = 0
    if d.played[ply] == 0:
        return
    friend = d.friends >> seat & 1
    d.rising[ply] = (k.expected[index + k.step[seat]] > k.expected[index]) == friend
    winning = (d.lane[ply] | TRUMPS) & ~up_to(d.best[ply])
    safe = ~up_to(_threat(d, ply))
    if d.rising[ply] and not (d.friends >> d.winner[ply] & 1 == friend and d.best[ply] & safe):
        d.early[ply] = winning & safe
    else:
        d.early[ply] = ~winning


@njit
def _threat(d, ply):
    """Return the cards with which opponents yet to play can take the trick."""
    threat = NO_CARDS
    for i in range(1, 4 - d.played[ply], 2):
        hand = d.hands[ply, (d.seat[ply] + i) & 3]
        follow = hand & d.lane[ply]
        threat |= follow if follow else hand & TRUMPS
    return threat


@njit
def _next_card(d, ply):
    """Return the next card to try, and take it from those left."""
    cards = d.cards[ply]
    card = d.good[ply] & cards
    if not card:
        early = cards & d.early[ply]
        card = _end_of(early if early else cards, d.rising[ply])
    d.cards[ply] ^= card
    d.card[ply] = card
    return card


@njit
def _take_value(d, ply, bar):
    """Back up the value of the card tried last; a cut-off leaves no cards to try."""
    value = d.value[ply + 1]
    friend = d.friends >> d.seat[ply] & 1
    if value > d.value[ply] if friend else value < d.value[ply]:
        d.value[ply] = value
        d.good[ply] = d.card[ply]
        if (value >= bar) == friend:
            d.cards[ply] = NO_CARDS
    if not d.cards[ply] and d.played[ply] == 0:
        _remember(d, ply, bar)


@njit
def _remember(d, ply, bar):
    """Store the bound found for a position at the start of a trick."""
    slot = np.int64(d.key[ply] & d.slot_mask)
    if d.keys[slot] != d.key[ply]:
        d.keys[slot] = d.key[ply]
        d.lows[slot] = d.outcomes.low[d.index[ply]]
        d.highs[slot] = d.outcomes.high[d.index[ply]]
    if d.value[ply] >= bar:
        d.lows[slot] = d.value[ply]
    else:
        d.highs[slot] = d.value[ply]
    d.goods[slot] = trailing_zeros(d.good[ply])


@njit
def _key(d, ply):
    """Hash a position at the start of a trick."""
    x = d.hands[ply, 0] * np.uint64(0x9E3779B97F4A7C15) + d.hands[ply, 1] * np.uint64(0xD1B54A32D192ED03)
    x += d.hands[ply, 2] * np.uint64(0x8CB92BA72F3D8DD7) + d.hands[ply, 3] * np.uint64(0xABC98388FB8FAC03)
    rest = np.uint64(8 * d.index[ply] + 2 * d.seat[ply] + d.broken[ply])
    return mix(d.salt ^ (x + rest * np.uint64(0xDB4F0B9175AE2165)))


@njit
def _end_of(cards, rising):
    if rising:
        return cards & (~cards + ONE)
    below = up_to(cards)
    return below ^ (below >> ONE)
