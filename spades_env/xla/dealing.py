"""Dealing: the deck of `Game(rules, seed)`, and a hand's first moment.

A Fisher–Yates shuffle swaps two places of the deck 39 times. Under vmap it would run at every step, so it is spread:
while a hand is played, each of its first 39 plays does one swap of the next hand's deck. To swap two places is to
rename two positions, which is two comparisons a card. The deck of a first hand is shuffled at once.
"""

from dataclasses import fields, replace
from typing import Any

import jax.numpy as jnp
from jax import lax

from spades_env.game.state import DRAW, NO_BID, NO_LANE, PLAY
from spades_env.xla import u64
from spades_env.xla.bidding import ask_for_bid, hand_bids_itself
from spades_env.xla.table import JaxTable, choose, deficits

SWAPS = 39  # the fourth seat gets what three seats did not draw


def walk_of(seed, hand_number):
    """Return where the random generator of a hand begins, uint32[2]."""
    salt = u64.mix((jnp.uint32(0), jnp.asarray(hand_number + 1, jnp.uint32)))
    return jnp.stack(u64.mix(u64.add(seed, salt)))


def next_seed(seed):
    """Return the seed of the next game when none is given, as all environments do."""
    return jnp.stack(u64.mix(u64.ahead(seed, 1)))


def swap(deck, walk, i):
    """Do step i of the shuffle, 0 to 38, to the positions of the cards, int8[54]."""
    high, low = u64.mix(u64.ahead(walk, (i >> 1) + 1))
    j = (i + u64.below(jnp.where(i & 1, high, low), 52 - i)).astype(jnp.int8)
    i = jnp.asarray(i, jnp.int8)
    return jnp.where(deck == i, j, jnp.where(deck == j, i, deck))


def finished(deck, walk, i):
    """Do the steps from i on."""
    return lax.while_loop(
        lambda c: c[1] < SWAPS, lambda c: (swap(c[0], walk, c[1]), c[1] + 1), (deck, jnp.asarray(i, jnp.int32))
    )[0]


def shuffles(t: JaxTable):
    """Does the play to come also swap two cards of the next deck?"""
    return (t.phase == PLAY) & (t.num_plays < SWAPS)


def seated(r, seed, scores: Any = 0, bags: Any = 0, hand_number: Any = 0, dealer: Any = None) -> JaxTable:
    """Return what outlasts a hand, before the first is dealt; scores and bags per side, as `Game` takes them."""
    seed = jnp.asarray(seed, jnp.uint32)
    hand_number = jnp.asarray(hand_number, jnp.int32)
    if dealer is None:
        by_seed = (u64.mix(seed)[1] & 3).astype(jnp.int32)
        dealer = (jnp.where(r.first_dealer >= 0, r.first_dealer, by_seed) + hand_number) & 3
    zeros = jnp.zeros(4, jnp.int32)
    return replace(
        JaxTable(*[None] * len(fields(JaxTable))),
        seed=seed,
        scores=zeros + jnp.asarray(scores, jnp.int32),
        bags=zeros + jnp.asarray(bags, jnp.int32),
        points=zeros,
        overtricks=zeros,
        hand_number=hand_number,
        dealer=jnp.asarray(dealer, jnp.int32),
    )


def new_game(r, seed, **standings) -> JaxTable:
    """Begin a game and deal its first hand at once."""
    t = seated(r, seed, **standings)
    return begin_hand(t, r, finished(jnp.asarray(r.position), walk_of(t.seed, t.hand_number), 0))


def next_hand(t: JaxTable, r) -> JaxTable:
    """Deal the hand after a finished one."""
    return begin_hand(replace(t, hand_number=t.hand_number + 1, dealer=(t.dealer + 1) & 3), r, t.deck)


def begin_hand(t: JaxTable, r, deck) -> JaxTable:
    """Give each seat thirteen places of a shuffled deck, and let the bidding begin."""
    zero, zeros, no = jnp.int32(0), jnp.zeros(4, jnp.int32), jnp.zeros(4, bool)
    first = (t.dealer + r.begin_offset) & 3
    t = replace(
        t,
        deck=jnp.asarray(r.position),
        walk=walk_of(t.seed, t.hand_number + 1),
        owner=sum(((deck >= place).astype(jnp.int8) for place in (13, 26, 39, 52)), jnp.zeros(54, jnp.int8)),
        order=jnp.zeros(54, jnp.int8),
        giver=jnp.full(54, -1, jnp.int8),
        **dict.fromkeys(("nils", "tricks", "passers"), zeros),
        **dict.fromkeys(("num_passers", "num_passed", "num_bids", "num_plays", "best_place", "best_seat"), zero),
        bids=zeros + NO_BID,
        looked=deficits(t, r) < r.blind_from,
        voids=jnp.zeros((4, 4), bool),
        blind_contract=no,
        leader=first,
        turn=first,
        broken=jnp.bool_(False),
        led_lane=zero + NO_LANE,
        winner=zero + DRAW,
    )
    playing = replace(t, looked=~no, phase=jnp.int32(PLAY))
    return choose(hand_bids_itself(t, r), playing, ask_for_bid(t, r))
