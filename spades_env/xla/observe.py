"""What a seat sees: the features of game/observe.py, byte for byte. Hidden cards reach players here only.

features(t, r, seat)         int8[NUM_FEATURES]
hidden_features(t, seat)     all hands and the cards laid aside, for central critics
"""

import jax.numpy as jnp
import numpy as np

from spades_env.game.cards import PHASES
from spades_env.game.observe import LARGEST, LAYOUT, NOW_ROWS, SMALLEST, TABLE_ROWS
from spades_env.game.state import BLIND_NIL_BID, NIL, NO_NIL, OVER
from spades_env.xla.bidding import hand_bids_itself, may_bid_nil, to_bid
from spades_env.xla.scoring import side_bids
from spades_env.xla.table import BIDS, NOBODY, SEATS, JaxTable, at, at_each, by_side, held, is_side, seen_from


def features(t: JaxTable, r, seat):
    """Return all that a seat may know, int8[NUM_FEATURES]."""
    seat = jnp.asarray(seat, jnp.int32)
    blocks = cards(t, seat) | bids_and_tricks(t, seat) | moment(t, seat) | standing(t, r, seat) | now(t, r, seat)

    def in_order(rows):
        return [blocks[name].reshape(-1).astype(jnp.int8) for name, *_ in rows]

    return jnp.concatenate([*in_order(TABLE_ROWS), r.features, *in_order(NOW_ROWS)])


def hidden_features(t: JaxTable, seat):
    """Return all hands and the cards laid aside, seat-relative, int8[2 · 4 · 54]."""
    hands = [held(t, (seat + i) & 3) for i in range(4)]
    return jnp.concatenate([*hands, *(hand & (t.giver == t.owner) for hand in hands)]).astype(jnp.int8)


def cards(t: JaxTable, seat) -> dict:
    """Return the blocks of one number per card."""
    seat8 = seat.astype(jnp.int8)
    played = t.order > 0
    mine = held(t, seat) & at(t.looked, seat)
    gave = t.giver == seat8
    got = (t.giver == (seat8 ^ 2)) & (t.owner != (seat8 ^ 2))
    passed = jnp.where(played, 0, gave.astype(jnp.int8) - got.astype(jnp.int8))
    return {
        "hand": mine,
        "unseen": (t.owner != NOBODY) & ~mine & ~played & (passed == 0),
        "passed": passed,
        "table": t.order > (t.num_plays & ~3).astype(jnp.int8),
        "played": jnp.concatenate([(t.owner == (seat8 + i) & 3) & played for i in range(4)]),
        "order": t.order,
    }


def bids_and_tricks(t: JaxTable, seat) -> dict:
    """Return the blocks of one row per seat."""
    nils = seen_from(t.nils, seat)
    return {
        "bid": seen_from(t.bids, seat)[:, None] == BIDS,
        "nil": nils == NIL,
        "blind_nil": nils == BLIND_NIL_BID,
        "looked": seen_from(t.looked, seat),
        "tricks": seen_from(t.tricks, seat)[:, None] == BIDS,
        "void": seen_from(t.voids, seat),
    }


def moment(t: JaxTable, seat) -> dict:
    """Return the blocks that say whose move of which trick it is."""
    running = t.num_plays & 3 != 0

    def is_at(other):
        return (other - seat) & 3 == SEATS

    return {
        "phase": t.phase == np.arange(len(PHASES)),
        "turn": is_at(t.turn) & (t.phase != OVER),
        "dealer": is_at(t.dealer),
        "leader": is_at(t.leader),
        "winning": is_at(t.best_seat) & running,
        "led": (t.led_lane == SEATS) & running,
        "broken": t.broken,
        "trick": t.num_plays >> 2,
    }


def standing(t: JaxTable, r, seat) -> dict:
    """Return the blocks of one number per side."""
    scores, bags = seen_side(t.scores, r, seat), seen_side(t.bags, r, seat)
    counted = t.nils == NO_NIL
    bids, made = by_side(counted * jnp.maximum(0, t.bids), r), by_side(counted * t.tricks, r)
    number = jnp.stack([jnp.minimum(t.hand_number // 100, LARGEST), t.hand_number % 100])
    return {
        "hand_number": number,
        "score_hundreds": jnp.clip(scores // 100, SMALLEST, LARGEST),
        "score_ones": scores % 100,
        "bags": jnp.minimum(bags, LARGEST),
        "side_bid": seen_side(bids, r, seat),
        "side_made": seen_side(made, r, seat),
    }


def now(t: JaxTable, r, seat) -> dict:
    """Return the blocks of what house rules make possible."""
    bid = side_bids(t, r)
    missing = jnp.where(by_side(to_bid(t), r) > 0, jnp.maximum(0, r.least_bid - bid), 0)
    return {
        "bids_missing": seen_side(missing, r, seat),
        "may_bid_nil": seen_from(may_bid_nil(t, r), seat),
        "blind_contract": seen_side(t.blind_contract & (r.sides == 2), r, seat),
        "ten_bid": seen_side(bid >= r.ten_from, r, seat),
        "no_bids": hand_bids_itself(t, r),
        "room": np.zeros(LAYOUT["room"].size),
    }


def seen_side(values, r, seat):
    """Return what is kept per side with the seat's own first, then clockwise; 0 beyond the last side."""
    return at_each(values, (seat + SEATS) & r.side_mask) * is_side(r)
