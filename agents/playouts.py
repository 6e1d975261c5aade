"""Playouts: a table played on to the end of the hand, by kernels that read nothing their seat may not know.

    finish_hand(s, r, playing, x)             until the hand is scored; x begins the walk of random numbers
    finish_hand(s, r, playing, x, straying)   … this share of cards is any legal one

`rule` bids and passes; `playing` is how cards are played: as by RULE, or LOOSE: any legal card, each as likely as
another, but a nil that still lives ducks. Seats that play at random say nothing about bids, and break every nil: so
before cards are played a search lets `rule` play them, and in play it lets nils defend themselves.

Seats that stray play like `rule` on the whole. What is best only if all keep to it to the last card is then worth no
more than it is among people. A nil that still lives never strays.
"""

import numpy as np

from agents.compiled import RULE, choose_bid, choose_card
from agents.rule_play import USUAL, best_card
from agents.rule_stakes import NO_PRICES, nils_left, side_prices
from agents.simple import living_nil, simple_card
from spades_env._jit import bit_count, inlined, njit, trailing_zeros
from spades_env.engine import apply, below, legal_cards, mix, next_random, play
from spades_env.state import GOES_ON, ONE, PASS

LOOSE = -1  # beside the ways of agents.compiled
LOW_BITS = np.uint64((1 << 24) - 1)
UNIT = 2.0**-24  # of a number of so many bits, as a share


@njit
def finish_hand(s, r, playing, x, straying=0.0):
    """All seats go on until the hand is scored, which it is not yet."""
    while s.phase < PASS:
        x = next_random(x)
        apply(s, r, choose_bid(s, r, RULE, x))
    while s.phase == PASS:
        x = next_random(x)
        apply(s, r, choose_card(s, r, RULE, x))
    if playing == LOOSE:
        play_loosely(s, r, x)
    else:
        play_by_rule(s, r, x, straying)


@njit
def play_loosely(s, r, x):
    """Any legal card; of a living nil the highest that loses."""
    event = GOES_ON
    while event == GOES_ON:
        if living_nil(s, s.turn):
            event = play(s, r, simple_card(s, r))
        else:
            x = next_random(x)
            event = play(s, r, any_of(legal_cards(s, r), mix(x)))


@inlined
def any_of(cards, bits):
    """The place of one of the cards, by 64 random bits."""
    for _ in range(below(bits >> np.uint64(32), bit_count(cards))):
        cards &= cards - ONE
    return trailing_zeros(cards)


@njit
def play_by_rule(s, r, x, straying):
    """What `rule` plays, and cards that stray. Prices are reckoned once, and again when a nil breaks."""
    event, nils, even, odd = GOES_ON, -1, NO_PRICES, NO_PRICES
    while event == GOES_ON:
        if nils_left(s) != nils:
            nils = nils_left(s)
            even, odd = side_prices(s, r, 0, USUAL), side_prices(s, r, 1, USUAL)
        x = next_random(x)
        legal = legal_cards(s, r)
        if straying and strays(s, mix(x), straying):
            event = play(s, r, any_of(legal, mix(x)))
        elif legal & (legal - ONE):
            event = play(s, r, best_card(s, r, legal, odd if s.turn & 1 else even, USUAL))
        else:
            event = play(s, r, trailing_zeros(legal))


@inlined
def strays(s, bits, straying):
    """Does the seat to move play any card, by 24 of 64 random bits (`any_of` uses others)?"""
    return np.int64(bits & LOW_BITS) * UNIT < straying and not living_nil(s, s.turn)
