"""Playouts: a table played on to the end of the hand, by kernels that read nothing their seat may not know.

    finish_hand(s, r, playing, x)   until the hand is scored; x begins the walk of random numbers

`rule` bids and passes; `playing` is how cards are played: a way of agents.compiled, or LOOSE: any legal card, each as
likely as another, but a nil that still lives ducks. Seats that play at random say nothing about bids, and break
every nil: so before cards are played a search lets `rule` play them, and in play it lets nils defend themselves.
"""

import numpy as np

from agents.compiled import RULE, choose_bid, choose_card
from agents.simple import living_nil, simple_card
from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.engine import apply, below, legal_cards, mix, next_random, play
from spades_env.state import GOES_ON, ONE, PASS

LOOSE = -1  # beside the ways of agents.compiled


@njit
def finish_hand(s, r, playing, x):
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
        play_by_kernel(s, r, playing, x)


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


@njit
def any_of(cards, bits):
    """The place of one of the cards, by 64 random bits."""
    for _ in range(below(bits >> np.uint64(32), bit_count(cards))):
        cards &= cards - ONE
    return trailing_zeros(cards)


@njit
def play_by_kernel(s, r, playing, x):
    """Cards by a way of agents.compiled."""
    event = GOES_ON
    while event == GOES_ON:
        x = next_random(x)
        event = apply(s, r, choose_card(s, r, playing, x))
