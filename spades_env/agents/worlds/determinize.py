"""Worlds (determinizations): deals of the hidden cards that fit a seat's view, each as likely as another, or by odds.

    plan_worlds(s, r, plan)                      prepare the view s, once a decision
    deal_world(views, i, r, plan, worlds, j, x)  make worlds[j] a whole table that looks like views[i] to its seat
    count_worlds(view)                           count the worlds

The view is that of the seat to move. It knows its own cards (once it has looked), the cards played, those it gave its
partner, how many cards each seat holds, which suits a seat has shown to lack, that a seat has no club below one that it
had to play as its lowest, and how many trumps a seat bid (mirror, whiz). Unseen cards that the same seats may hold are
alike, so they are sorted into heaps, whatever the suit:

    heap 0   left neighbour or partner        heap 2   partner or right neighbour
    heap 1   left or right neighbour          heap 3   any of the three (before I have looked: any of the four)

A split says how many cards of heaps 0, 1 and 2 go to the first of their two seats; heap 3 fills the room that is left.
A split stands for as many worlds as there are ways to draw its cards. So a split is drawn by these numbers first, then
its cards: no world is rejected, and none is likelier than another. The cards that others have chosen to pass are drawn
too, from the hand they must be in.

If plan.by_odds, the heaps are dealt by odds instead, and splits aren't used (`worlds.odds`). Trumps that change places
below do so whatever their odds.

Before the heaps are made, a seat whose number of trumps is known gets that many as placeholders. After the deal all
unseen trumps change places at random. Worlds are only rejected where two others have exchanged cards since such a bid.
"""

from math import comb

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.agents.worlds.constraints import (
    HEAP_OF_SEATS,
    bar_cards,
    count_trumps,
    fits_bids,
    mix_trumps,
    passers_done,
    random_subset,
    who_may_hold,
)
from spades_env.agents.worlds.odds import deal_cards_by_odds, weigh_deals
from spades_env.game.bidding import cards_to_pass
from spades_env.game.engine import below, mix, next_random
from spades_env.game.state import LANE, NO_CARDS, ONE, record_dtype
from spades_env.game.view import View

MOST_SPLITS = 14**3  # 0 to 13 cards of each of three heaps
FIRST_OF_HEAP = (1, 1, 2)  # counted clockwise from me
SECOND_OF_HEAP = (2, 3, 3)
SHARED_BY_ALL = 3
WAYS_TO_DRAW = np.array([[comb(n, k) for k in range(14)] for n in range(40)], np.uint64)
MOST_DEALS = 10_000  # of a world, until it fits bids made before cards were exchanged
EVERY_NUMBER = np.uint64(0xFFFFFFFFFFFFFFFF)

PLAN = record_dtype(
    [
        ("known", "u8", 4),  # cards that are certain to be in a seat's hand
        ("barred", "u8", 4),  # cards that are certain not to be in it
        ("trusted", "i8", 4),  # what the seat's bid says about its trumps: UNKNOWN, COUNTED, PASSED
        ("aside", "u8", 4),  # trumps set aside for the seat, …
        ("trumps", "u8"),  # … and all unseen ones, which change places then
        ("played", "u8", 4),  # cards each seat has played
        ("heaps", "u8", 4),  # the heaps as sets of cards,
        ("cards", "u1", 52),  # … and as lists of places, one behind the other
        ("starts", "i1", 5),  # of the heaps in that list
        ("room", "i1", 4),  # how many cards of the heaps each seat holds
        ("choices", "i1", 3),  # of heaps 0, 1, 2: how many different counts the first seat may get
        ("unused", "i1", 4),
        ("num_splits", "i8"),
        ("ways", "u8", MOST_SPLITS),  # worlds of this split and all before it
        ("by_odds", "i8"),  # are the heaps dealt by odds? Then:
        ("chances", "f8", (4, 64)),  # of each seat to hold the card at each place,
        ("odds", "f8", (52, 3)),  # the same by listed card, seats clockwise from me; 0 where the card cannot be,
        ("ways_on", "f8", (53, 14, 14)),  # and the weights of all deals from a card on (`worlds.odds`)
    ],
)


def new_plan() -> np.recarray:
    return np.zeros(1, PLAN).view(np.recarray)


def count_worlds(view: View) -> int:
    """Count the worlds that fit what the seat to move knows."""
    plan = new_plan()
    plan_worlds(view.state[0], view.compiled_rules[0], plan[0])
    own_hands = 1 if view.looked[view.seat] else comb(52, 13)
    ways, left = own_hands * int(plan[0].ways[plan[0].num_splits - 1]), int(plan[0].trumps).bit_count()
    for aside in plan[0].aside.tolist():
        ways *= comb(left, aside.bit_count())
        left -= aside.bit_count()
    return ways


# Once a decision


@njit
def plan_worlds(s, r, plan):
    """Fill the plan with what the seat to move knows from its view s."""
    me = np.int64(s.turn)
    plan.played[:] = 0
    for k in range(s.num_plays):
        seat = (np.int64(s.leaders[k >> 2]) + k) & 3
        plan.played[seat] |= ONE << np.uint64(s.plays[k])
    plan.known[:] = 0
    if s.looked[me]:
        plan.known[me] = s.hands[me]
        plan.known[(me + 2) & 3] = s.given[me] & ~s.hands[me] & ~s.played
    bar_cards(s, r, plan)
    plan.heaps[:] = 0
    count_trumps(s, r, plan, me)
    fill_heaps(s, r, plan, me)
    count_splits(plan, me)
    if plan.by_odds:
        weigh_deals(plan, me)


@njit
def fill_heaps(s, r, plan, me):
    """Put each unseen card on the heap of the seats that may hold it, or in the hand of the only such seat."""
    unseen = r.cards & ~(s.played | plan.known[me] | plan.known[(me + 2) & 3] | plan.trumps)
    for lane in range(4):
        cards = unseen & (LANE << np.uint64(16 * lane))
        while cards:
            lowest = cards & ~(cards - ONE)
            alike = lowest if r.lowest_club and lane == 0 else cards
            share_out(plan, me, alike, who_may_hold(plan, me, lowest))
            cards ^= alike
    end = 0
    for heap in range(4):
        plan.starts[heap] = end
        cards = plan.heaps[heap]
        while cards:
            plan.cards[end] = trailing_zeros(cards)
            cards &= cards - ONE
            end += 1
    plan.starts[4] = end
    for seat in range(4):
        plan.room[seat] = 13 - bit_count(plan.played[seat]) - bit_count(plan.known[seat] | plan.aside[seat])


@njit
def share_out(plan, me, cards, seats):
    """Put cards on the heap of these seats, or in the hand of the only one."""
    heap = HEAP_OF_SEATS[seats]
    if heap >= 0:
        plan.heaps[heap] |= cards
    elif seats:
        plan.known[(me + 1 + (seats >> 1)) & 3] |= cards


@njit
def count_splits(plan, me):
    """Number the splits and count the worlds of each; before I have looked, those for one hand of mine."""
    left, partner = np.int64(plan.room[(me + 1) & 3]), np.int64(plan.room[(me + 2) & 3])
    right = np.int64(plan.room[(me + 3) & 3])
    a, b, c = bit_count(plan.heaps[0]), bit_count(plan.heaps[1]), bit_count(plan.heaps[2])
    d = bit_count(plan.heaps[SHARED_BY_ALL]) - np.int64(plan.room[me])
    plan.choices[0] = 1 + min(a, left)
    plan.choices[1] = 1 + min(b, left)
    plan.choices[2] = 1 + min(c, partner)
    worlds = NO_CARDS
    split = 0
    for x in range(plan.choices[0]):
        for y in range(plan.choices[1]):
            for z in range(plan.choices[2]):
                room_left, room_partner = left - x - y, partner - (a - x) - z
                if room_left >= 0 and room_partner >= 0 and right >= (b - y) + (c - z):
                    of_pairs = WAYS_TO_DRAW[a, x] * WAYS_TO_DRAW[b, y] * WAYS_TO_DRAW[c, z]
                    worlds += of_pairs * WAYS_TO_DRAW[d, room_left] * WAYS_TO_DRAW[d - room_left, room_partner]
                plan.ways[split] = worlds
                split += 1
    plan.num_splits = split


# For every world


@njit
def deal_world(views, i, r, plan, worlds, j, x):
    """Deal a world with the random numbers that follow x; return the last of them."""
    s, me = worlds[j], np.int64(views[i].turn)
    for _ in range(MOST_DEALS):
        worlds[j] = views[i]
        x = deal_heaps(s, plan, me, x)
        if plan.trumps:
            x = mix_trumps(s, plan, me, x)
        if s.num_passed:
            x = lay_aside(s, r, plan, me, x)
        if fits_bids(s, plan):
            break
    s.seed = mix(next_random(x))
    return x


@njit
def deal_heaps(s, plan, me, x):
    """Deal all hands of a world."""
    for seat in range(4):
        s.hands[seat] = plan.known[seat] | plan.aside[seat]
    if plan.by_odds:
        return deal_cards_by_odds(s, plan, me, x)
    x, split = draw_split(plan, x)
    for heap in (2, 1, 0):
        if plan.heaps[heap]:
            count = split % plan.choices[heap]
            split //= plan.choices[heap]
            x, drawn = draw_cards(plan, heap, np.int64(plan.starts[heap]), count, x)
            s.hands[(me + FIRST_OF_HEAP[heap]) & 3] |= drawn
            s.hands[(me + SECOND_OF_HEAP[heap]) & 3] |= plan.heaps[heap] ^ drawn
    return deal_rest(s, plan, me, x)


@njit
def deal_rest(s, plan, me, x):
    """Fill the hands from heap 3; the fourth seat gets what three have not drawn."""
    start = np.int64(plan.starts[SHARED_BY_ALL])
    rest = plan.heaps[SHARED_BY_ALL]
    for i in range(3):
        seat = (me + i) & 3
        room = 13 - bit_count(s.hands[seat]) - bit_count(plan.played[seat])
        x, drawn = draw_cards(plan, SHARED_BY_ALL, start, room, x)
        s.hands[seat] |= drawn
        rest ^= drawn
        start += room
    s.hands[(me + 3) & 3] |= rest
    return x


@njit
def draw_split(plan, x):
    """Draw a split in proportion to its number of worlds."""
    if plan.num_splits == 1:
        return x, 0
    total = plan.ways[plan.num_splits - 1]
    while True:
        x = next_random(x)
        bits = mix(x)
        number = bits % total
        if bits - number <= EVERY_NUMBER - (total - ONE):  # else low numbers would be too frequent
            break
    low, high = 0, plan.num_splits - 1
    while low < high:
        middle = (low + high) >> 1
        if number < plan.ways[middle]:
            high = middle
        else:
            low = middle + 1
    return x, low


@njit
def draw_cards(plan, heap, start, count, x):
    """Draw `count` of the heap's cards listed from `start` on, and move them to the front of these."""
    end = np.int64(plan.starts[heap + 1])
    drawn = NO_CARDS
    for k in range(start, start + count):
        x = next_random(x)
        j = k + below(mix(x) >> np.uint64(32), end - k)
        place = plan.cards[j]
        plan.cards[j] = plan.cards[k]
        plan.cards[k] = place
        drawn |= ONE << np.uint64(place)
    return x, drawn


@njit
def lay_aside(s, r, plan, me, x):
    """Draw the cards that others have passed: from their hand, or after the exchange from their partner's cards."""
    chosen = passers_done(s, r)
    for i in range(chosen):
        seat = np.int64(s.passers[i])
        partner = (seat + 2) & 3
        exchanged = (i | 1) < chosen
        if seat != me and not (partner == me and exchanged):
            cards = s.hands[partner] | plan.played[partner] if exchanged else s.hands[seat]
            x, s.given[seat] = random_subset(cards, cards_to_pass(s, r, seat), x)
    return x
