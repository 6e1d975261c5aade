"""Rollouts: play a table on to the end of the hand. No seat acts on cards it may not see.

    finish_hand(s, r, playing, x)             play until the hand is scored; random numbers follow x
    finish_hand(s, r, playing, x, straying)   … with this share of random cards
    play_until(s, r, x, straying, left)       … by `rule`, until this many tricks are left; the event (`game.state`)

`rule` bids and passes; `playing` says how cards are played: like RULE, or LOOSE: at random, but a living nil ducks.
Random seats say nothing about bids and break every nil. So bids are tried with `rule` playing on, and nils defend
themselves.

Straying, random deviations from `rule`, keeps a search from exploiting the exact rollout policy. A living nil never
strays.
"""

import numpy as np

from spades_env._jit import inlined, njit, trailing_zeros
from spades_env.agents.baselines.simple import simple_card
from spades_env.agents.compiled import RULE, choose_bid, choose_card
from spades_env.agents.lanes import any_of
from spades_env.agents.rule.play import USUAL, best_card
from spades_env.agents.rule.trick_worth import NO_PRICES, nils_left, side_prices
from spades_env.game.cards import NUM_TRICKS
from spades_env.game.engine import apply, legal_cards, mix, next_random, play
from spades_env.game.scoring import living_nil
from spades_env.game.state import GOES_ON, ONE, PASS

LOOSE = -1  # a style of card play, beside those of agents.compiled
LOW_BITS = np.uint64((1 << 24) - 1)
UNIT = 2.0**-24  # turns a number of 24 bits into a share


@njit
def finish_hand(s, r, playing, x, straying=0.0):
    """Play until the hand is scored, which it must not be yet."""
    while s.phase < PASS:
        x = next_random(x)
        apply(s, r, choose_bid(s, r, RULE, x))
    while s.phase == PASS:
        x = next_random(x)
        apply(s, r, choose_card(s, r, RULE, x))
    if playing == LOOSE:
        play_loosely(s, r, x)
    else:
        play_until(s, r, x, straying, 0)


@njit
def play_loosely(s, r, x):
    """Play random legal cards, but for a living nil the highest that loses."""
    event = GOES_ON
    while event == GOES_ON:
        if living_nil(s, s.turn):
            event = play(s, r, simple_card(s, r))
        else:
            x = next_random(x)
            event = play(s, r, any_of(legal_cards(s, r), mix(x)))


@njit
def play_until(s, r, x, straying, left):
    """Play like `rule`, except for cards that stray. Prices are computed once, and again when a nil breaks."""
    event, nils, even, odd, end = GOES_ON, -1, NO_PRICES, NO_PRICES, 4 * (NUM_TRICKS - left)
    while event == GOES_ON and s.num_plays < end:
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
    return event


@inlined
def strays(s, bits, straying):
    """Does the seat to move play a random card? Decided by the lower 24 random bits; `any_of` uses others."""
    return np.int64(bits & LOW_BITS) * UNIT < straying and not living_nil(s, s.turn)
