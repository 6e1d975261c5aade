"""Kernels on sets of cards in lanes: the strongest, the weakest, a random one, and those that are alike."""

import numpy as np

from spades_env._jit import bit_count, inlined, njit, trailing_zeros
from spades_env.game.engine import below, legal_cards
from spades_env.game.state import LANE, NO_CARDS, ONE, PASS, TRUMP_LANE, TRUMPS

RANK = 15  # a place & RANK is the card's rank in its lane
ALL = ~NO_CARDS


@inlined
def unseen(s, r):
    """Return the cards in the other hands, as the seat to move knows them."""
    return r.cards & ~(s.played | s.hands[s.turn])


@njit
def winners(s, cards):
    """Return the cards that would win the trick on the table so far."""
    above = (ALL << np.uint64(s.best_place)) << ONE
    if s.best_place >> 4 == TRUMP_LANE:
        return cards & above
    return cards & ((above & (LANE << np.uint64(16 * s.led_lane))) | TRUMPS)


@njit
def top_trump(r):
    return top(r.cards)


@njit
def highest(cards):
    """Return the place of the strongest card: the best trump, else the highest rank of any suit."""
    if cards & TRUMPS:
        return top(cards)
    best = -1
    place = -1
    for lane in range(TRUMP_LANE):
        inside = (cards >> np.uint64(16 * lane)) & LANE
        if inside and top(inside) > best:
            best = top(inside)
            place = 16 * lane + best
    return place


@njit
def lowest(cards):
    """Return the place of the weakest card: the lowest rank of any side suit, else the lowest trump."""
    best = RANK + 1
    place = -1
    for lane in range(TRUMP_LANE):
        inside = (cards >> np.uint64(16 * lane)) & LANE
        if inside and trailing_zeros(inside) < best:
            best = trailing_zeros(inside)
            place = 16 * lane + best
    return place if place >= 0 else trailing_zeros(cards)


@njit
def top(cards):
    """Return the highest place of a set that is not empty."""
    return bit_count(up_to(cards)) - 1


@inlined
def up_to(cards):
    """Return all places up to that of the highest card."""
    for shift in (1, 2, 4, 8, 16, 32):
        cards |= cards >> np.uint64(shift)
    return cards


@inlined
def nth_card(cards, n):
    """Return the place of the n-th lowest card, counted from 0."""
    for _ in range(np.int64(n)):
        cards &= cards - ONE
    return trailing_zeros(cards)


@inlined
def any_of(cards, bits):
    """Return the place of a random card, chosen by the upper 32 of 64 random bits."""
    return nth_card(cards, below(bits >> np.uint64(32), bit_count(cards)))


@njit
def distinct_cards(s, r):
    """Return the legal cards, of those that are alike only the lowest; cards to pass are never alike."""
    legal = legal_cards(s, r)
    if s.phase == PASS:
        return legal
    rivals = unseen(s, r)
    if s.num_plays & 3:
        rivals |= ONE << np.uint64(s.best_place)
    distinct = NO_CARDS
    while legal:
        card = legal & (~legal + ONE)
        distinct |= card
        lane = LANE << np.uint64(trailing_zeros(card) & 48)
        above = lane & rivals & ~(card - ONE)
        run = lane & (above & (~above + ONE)) - card if above else lane & ~(card - ONE)
        legal &= ~run
    return distinct


@njit
def share_with_equals(s, r, out):
    """Copy out[card] of each card that was tried to all that are alike."""
    distinct = distinct_cards(s, r)
    rest = legal_cards(s, r)
    while rest:
        place = trailing_zeros(rest)
        out[r.card_at[place]] = out[r.card_at[lowest_equal(distinct, place)]]
        rest &= rest - ONE


@njit
def lowest_equal(distinct, place):
    """Return the place of the distinct card that is like this one: the highest of its suit not above it."""
    card = ONE << np.uint64(place)
    cards = distinct & (LANE << np.uint64(place & 48)) & (card | (card - ONE))
    last = -1
    while cards:
        last = trailing_zeros(cards)
        cards &= cards - ONE
    return last
