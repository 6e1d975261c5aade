"""The game: what the seat to move may do, and what its action does. Pure functions of one table; jax.vmap makes many.

    legal_mask(t, r)           bool[70]; all true when the game is over, as in Pgx
    apply(t, r, action)        lets the seat to move act; returns the table and GOES_ON, HAND_OVER or GAME_OVER

`apply` trusts its input. It scores a finished hand; `dealing.next_hand` deals the next.
"""

from dataclasses import replace

import jax.numpy as jnp

from spades_env.game.state import BID, GAME_OVER, GOES_ON, HAND_OVER, OVER, PASS, PLAY, TRUMP_LANE
from spades_env.xla.bidding import call, legal_calls, pass_card
from spades_env.xla.dealing import shuffles, swap
from spades_env.xla.scoring import end_hand
from spades_env.xla.table import CARDS, SEATS, JaxTable, choose, held

NO_PLACE = 99


def legal_mask(t: JaxTable, r):
    calls = legal_calls(t, r) & (t.phase <= BID)
    return jnp.concatenate([legal_cards(t, r), calls]) | (t.phase == OVER)


def legal_cards(t: JaxTable, r):
    """Return the cards the seat to move may play or pass, bool[54]."""
    hand = held(t, t.turn)
    others = hand & (r.lane != TRUMP_LANE)
    follow = hand & (r.lane == t.led_lane.astype(jnp.int8))
    leads = t.num_plays & 3 == 0
    wanted = jnp.where(leads, others & ~(t.broken | (r.spades_any != 0)), follow)
    clubs = hand & (r.lane == 0)
    lowest = clubs & (r.place == jnp.where(clubs, r.place, NO_PLACE).min())
    wanted = jnp.where(in_first_trick(t, r), jnp.where(lowest.any(), lowest, others), wanted)
    play = jnp.where(wanted.any(), wanted, hand)
    return jnp.where(t.phase == PASS, hand & (t.giver < 0), play & (t.phase == PLAY))


def in_first_trick(t: JaxTable, r):
    """Is this the trick to which everybody plays the lowest club?"""
    return (t.num_plays < 4) & (r.lowest_club != 0)


def apply(t: JaxTable, r, action):
    """Let the seat to move act, and score a finished hand."""
    action = jnp.asarray(action, jnp.int32)
    moved = choose(t.phase == PASS, pass_card(t, r, action), call(t, r, action))
    moved = choose(t.phase == PLAY, play(t, r, action), moved)
    ends = moved.num_plays == 52
    scored, over = end_hand(moved, r)
    event = jnp.where(ends, jnp.where(over, jnp.int32(GAME_OVER), HAND_OVER), GOES_ON)
    return choose(ends, scored, moved), event


def play(t: JaxTable, r, card) -> JaxTable:
    """Play a card of the seat to move; finish the trick."""
    chosen = card.astype(jnp.int8) == CARDS
    place = jnp.where(chosen, r.place, 0).sum(dtype=jnp.int32)
    lane = place >> 4
    leads = t.num_plays & 3 == 0
    led_lane = jnp.where(leads, lane, t.led_lane)
    trump, follows = lane == TRUMP_LANE, lane == led_lane
    takes = leads | ((place > t.best_place) & (follows | trump))
    best_seat = jnp.where(takes, t.turn, t.best_seat)
    done = t.num_plays + 1
    over = done & 3 == 0
    breaks = trump & (~follows | (leads & (r.lead_breaks != 0)))
    return replace(
        t,
        deck=jnp.where(shuffles(t), swap(t.deck, t.walk, t.num_plays), t.deck),
        order=jnp.where(chosen, done.astype(jnp.int8), t.order),
        num_plays=done,
        led_lane=led_lane,
        best_place=jnp.where(takes, place, t.best_place),
        best_seat=best_seat,
        broken=t.broken | breaks,
        voids=t.voids | ((t.turn == SEATS)[:, None] & shown_voids(t, r, lane, led_lane)),
        tricks=t.tricks + (over & (best_seat == SEATS)),
        turn=jnp.where(over, best_seat, (t.turn + 1) & 3),
        leader=jnp.where(over, best_seat, t.leader),
    )


def shown_voids(t: JaxTable, r, lane, led_lane):
    """Return which lanes a seat shows not to hold by playing a card of this lane, bool[4]."""
    in_first, leads = in_first_trick(t, r), t.num_plays & 3 == 0
    trump, plain = lane == TRUMP_LANE, SEATS < TRUMP_LANE
    no_club = in_first & (lane != 0) & ((SEATS == 0) | (trump & plain))
    only_trumps = leads & trump & ~t.broken & (r.spades_any == 0) & plain  # else it might not lead one
    discards = ~leads & (lane != led_lane) & ~in_first & (led_lane == SEATS)
    return no_club | only_trumps | discards
