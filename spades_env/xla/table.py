"""A table in JAX, and what is asked of four seats or sides at once.

The kernels keep a hand as 64 bits and loop over them. Here each fact is kept once per card, so that all of the game is
elementwise on int8[54]: no gather, no scatter, no branch. Under vmap every part of `apply` runs at every step.

    card       0    1    2    …   53
    owner      2    0    3        4       who holds it or has played it; NOBODY: left out
    order      0   17    0        0       when it was played, 1 to 52; 0: not yet
    giver     −1   −1    1       −1       who set it aside for its partner; −1: nobody
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from spades_env.game.state import NEVER

CARDS = np.arange(54, dtype=np.int8)
SEATS = np.arange(4, dtype=np.int32)
BIDS = np.arange(14, dtype=np.int32)
NOBODY = 4


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class JaxTable:
    """One table; fields are named as in game/state.py where they are the same."""

    seed: Any  # uint32[2]
    deck: Any  # int8[54], where each card lies in the next hand's deck, which is shuffled swap by swap in this hand
    walk: Any  # uint32[2], the random generator of that shuffle
    owner: Any  # int8[54]
    order: Any  # int8[54]
    giver: Any  # int8[54]
    bids: Any  # int32[4]
    nils: Any  # int32[4]
    looked: Any  # bool[4]
    tricks: Any  # int32[4]
    voids: Any  # bool[4, 4], by seat and lane
    blind_contract: Any  # bool[4], by seat: its side bid for both before it saw its cards
    passers: Any  # int32[4]
    scores: Any  # int32[4], per side, as are the next three
    bags: Any
    points: Any
    overtricks: Any
    num_passers: Any  # int32, as all that follow
    num_passed: Any
    num_bids: Any
    num_plays: Any
    hand_number: Any
    dealer: Any
    leader: Any
    turn: Any
    phase: Any
    broken: Any  # bool
    led_lane: Any
    best_place: Any
    best_seat: Any
    winner: Any


def choose(condition, then, otherwise):
    """Return one table or the other; facts that both share cost nothing."""
    return jax.tree.map(lambda a, b: a if a is b else jnp.where(condition, a, b), then, otherwise)


# Seats: values[4] by seat


def at(values, seat):
    """Return values[seat], by comparison: a gather under vmap is slow."""
    hit = jnp.expand_dims(seat == SEATS, tuple(range(1, values.ndim)))
    return (hit & values).any(0) if values.dtype == bool else jnp.where(hit, values, 0).sum(0, dtype=values.dtype)


at_each = jax.vmap(at, (None, 0))  # of several seats


def seen_from(values, seat):
    """Return values[4, …] with the seat's own first, then clockwise."""
    return at_each(values, (seat + SEATS) & 3)


def of_mates(values):
    """Return by seat what is kept of the seat opposite."""
    return jnp.concatenate([values[2:], values[:2]])


# Sides: values[4] by side, of which the first two or all four count


def is_side(r):
    return r.sides > SEATS


def by_side(values, r):
    """Return the sums over the seats of each side, int32[4]."""
    return jnp.where((SEATS & r.side_mask) == SEATS[:, None], values, 0).sum(1, dtype=jnp.int32)


def of_seats(values, r):
    """Return by seat what is kept of its side, int32[4]."""
    return jnp.where((SEATS & r.side_mask)[:, None] == SEATS, values, 0).sum(1, dtype=jnp.int32)


def deficits(t: JaxTable, r):
    """Return by seat how many points its side is behind the best other side, int32[4]."""
    side = SEATS & r.side_mask
    own = of_seats(t.scores, r)
    return jnp.where(side[:, None] != side, own, -NEVER).max(1) - own


# Cards: values[54] by card


def held(t: JaxTable, seat):
    """Return which cards a seat holds, bool[54]."""
    return (t.owner == seat.astype(jnp.int8)) & (t.order == 0)
