"""What a view reveals about hidden hands: suits that a seat lacks, clubs it cannot have, the number of trumps it bid.

    bar_cards(s, r, plan)         bar each seat from the cards that it has shown not to hold
    count_trumps(s, r, plan, me)  set aside the trumps of the others whose bids tell them (mirror, whiz)
    mix_trumps(s, plan, me, x)    let the unseen trumps of a world change places
    fits_bids(s, plan)            do the bids of seats that have exchanged cards since fit the world?

plan: PLAN; `determinize` says how the trumps set aside are used.
"""

import numpy as np

from spades_env._jit import bit_count, njit
from spades_env.agents.lanes import any_of
from spades_env.game.bidding import cards_to_pass
from spades_env.game.engine import mix, next_random
from spades_env.game.state import LANE, MIRROR, NO_BID, NO_CARDS, NO_NIL, ONE, TRUMPS, WHIZ

HEAP_OF_SEATS = np.array([-1, -1, -1, 0, -1, 1, 2, 3], np.int64)  # bit 0 the left neighbour, 1 the partner, 2 the right
SEATS_OF_HEAP = np.array([0b011, 0b101, 0b110, 0b111], np.int64)  # … and back
UNKNOWN, COUNTED, PASSED = range(3)  # nothing; how many it has; how many it had before it exchanged cards


@njit
def who_may_hold(plan, me, card):
    """Return a bit for each other seat, clockwise, to which the card is not barred."""
    seats = 0
    for i in range(3):
        if not plan.barred[(me + 1 + i) & 3] & card:
            seats |= 1 << i
    return seats


@njit
def bar_cards(s, r, plan):
    """Bar each seat from the suits that it lacks, and from clubs below one that it had to play as its lowest."""
    for seat in range(4):
        plan.barred[seat] = NO_CARDS
        for lane in range(4):
            if (np.int64(s.voids[seat]) >> lane) & 1:
                plan.barred[seat] |= LANE << np.uint64(16 * lane)
    if r.lowest_club:
        for k in range(min(4, np.int64(s.num_plays))):
            if s.plays[k] < 16:
                plan.barred[(s.leaders[0] + k) & 3] |= (ONE << np.uint64(s.plays[k])) - ONE


# Trumps that were bid


@njit
def count_trumps(s, r, plan, me):
    """Set aside the unseen trumps that the others must hold by their bids, where bids tell trumps."""
    plan.trumps = NO_CARDS
    plan.aside[:] = NO_CARDS
    plan.trusted[:] = UNKNOWN
    if r.bidding != MIRROR and r.bidding != WHIZ:
        return
    for i in range(1, 4):
        seat = (me + i) & 3
        if s.bids[seat] != NO_BID and (r.bidding == MIRROR or s.nils[seat] == NO_NIL):
            plan.trusted[seat] = COUNTED if i == 2 or not has_exchanged(s, r, seat) else PASSED
            plan.trumps = r.cards & TRUMPS & ~(s.played | plan.known[me] | plan.known[(me + 2) & 3])
    rest = plan.trumps
    for seat in range(4):
        if plan.trusted[seat] == COUNTED:
            held = plan.played[seat] | plan.known[seat]
            missing = trumps_now(s, seat) - bit_count(held & TRUMPS)
            for _ in range(missing):
                plan.aside[seat] |= rest & ~(rest - ONE)
                rest &= rest - ONE
    seats = who_may_hold(plan, me, TRUMPS)
    for i in range(3):
        if plan.trusted[(me + 1 + i) & 3] == COUNTED:
            seats &= ~(1 << i)
    if HEAP_OF_SEATS[seats] >= 0:
        plan.heaps[HEAP_OF_SEATS[seats]] |= rest
    elif seats:
        plan.aside[(me + 1 + (seats >> 1)) & 3] |= rest


@njit
def trumps_now(s, seat):
    """Return how many trumps that a seat bid it has after the exchange, those played included."""
    given, received = s.given[seat] & ~s.hands[seat], s.given[(seat + 2) & 3] & ~s.hands[(seat + 2) & 3]
    return np.int64(s.bids[seat]) - bit_count(given & TRUMPS) + bit_count(received & TRUMPS)


@njit
def mix_trumps(s, plan, me, x):
    """Let the unseen trumps change places at random."""
    rest = plan.trumps
    for i in range(1, 4):
        seat = (me + i) & 3
        x, drawn = random_subset(rest, bit_count(s.hands[seat] & plan.trumps), x)
        s.hands[seat] = (s.hands[seat] & ~plan.trumps) | drawn
        rest ^= drawn
    return x


@njit
def fits_bids(s, plan):
    """Had the seats that have exchanged cards since as many trumps as they bid?"""
    for seat in range(4):
        if plan.trusted[seat] == PASSED:
            trumps = bit_count((s.hands[seat] | plan.played[seat]) & TRUMPS)
            if trumps != trumps_now(s, seat):
                return False
    return True


# Cards that were passed


@njit
def has_exchanged(s, r, seat):
    """Has the seat exchanged cards with its partner?"""
    chosen = passers_done(s, r)
    for i in range(chosen & ~1):
        if s.passers[i] == seat:
            return True
    return False


@njit
def passers_done(s, r):
    """Return how many seats have chosen all cards that they pass."""
    left, done = np.int64(s.num_passed), 0
    while left > 0 and left >= cards_to_pass(s, r, s.passers[done]):
        left -= cards_to_pass(s, r, s.passers[done])
        done += 1
    return done


@njit
def random_subset(cards, count, x):
    """Draw `count` of the cards, all subsets equally likely."""
    subset = NO_CARDS
    for _ in range(count):
        x = next_random(x)
        card = ONE << np.uint64(any_of(cards, mix(x)))
        subset |= card
        cards ^= card
    return x, subset
