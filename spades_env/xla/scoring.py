"""The score of a hand, the bags, the end of the game, as game/scoring.py has them; all sides at once."""

from dataclasses import replace

import jax.numpy as jnp

from spades_env.game.cards import NUM_TRICKS
from spades_env.game.state import BLIND_NIL_BID, DRAW, NEVER, NIL, NO_NIL, OVER
from spades_env.xla.bidding import hand_bids_itself
from spades_env.xla.table import SEATS, JaxTable, by_side, is_side, of_mates


def end_hand(t: JaxTable, r):
    """Score a finished hand; return the table, and whether the game is over."""
    points, overtricks = hand_results(t, r)
    bags = t.bags + overtricks * r.bags_counted
    full = bags // r.bag_limit
    gifts = (full.sum(dtype=jnp.int32) - full) * r.bag_gift * is_side(r)
    points = points + overtricks * r.overtrick_points - full * r.bag_cost + gifts
    t = replace(t, points=points, overtricks=overtricks, scores=t.scores + points, bags=bags - full * r.bag_limit)
    ends = (t.hand_number + 1 >= r.max_hands) | (t.scores >= r.target).any() | (t.scores <= r.floor).any()
    winner = jnp.where(ends, leading_side(t, r), DRAW)
    over = ends & ((winner != DRAW) | (r.extra_hand == 0))
    return replace(t, winner=winner, phase=jnp.where(over, OVER, t.phase)), over


def leading_side(t: JaxTable, r):
    """Return the side with the most points, or DRAW."""
    scores = jnp.where(is_side(r), t.scores, -NEVER)
    leads = scores == scores.max()
    return jnp.where(leads.sum() > 1, DRAW, jnp.where(leads, SEATS, 0).sum(dtype=jnp.int32))


def hand_results(t: JaxTable, r):
    """Return the points of each side but for its overtricks, and its overtricks."""
    points, overtricks = bid_results(t, r)
    won = by_side(t.tricks, r)
    itself = hand_bids_itself(t, r)
    points = jnp.where(itself, 10 * won, points) + (won == NUM_TRICKS) * r.slam_points
    return points, jnp.where(itself, 0, overtricks)


def bid_results(t: JaxTable, r):
    """Return the points of each side's bids and nils, and its overtricks."""
    bid = side_bids(t, r)
    made = by_side(t.tricks * ((t.nils == NO_NIL) | (r.failed_as_made != 0)), r)
    failed = by_side(t.tricks * (t.nils != NO_NIL), r)
    kept = made >= bid
    worth = jnp.where(bid < r.ten_from, 10 * bid, r.ten_points)
    worth = jnp.where(t.blind_contract, 2 * worth, worth)
    overtricks = failed * r.failed_as_bags + kept * (made - bid + failed * r.failed_beside_made)
    return nil_points(t, r) + jnp.where(kept, worth, -worth), overtricks * (bid < r.ten_from)


def side_bids(t: JaxTable, r):
    return by_side(jnp.maximum(0, t.bids), r)


def nil_points(t: JaxTable, r):
    """Return the points of each side's nils."""
    bonus = jnp.where(t.nils == NIL, r.nil_bonus, jnp.where(t.nils == BLIND_NIL_BID, r.blind_nil_bonus, 0))
    kept = (t.nils == NIL) & (t.tricks == 0)
    both = kept & of_mates(kept) & (r.sides == 2) & is_side(r)
    return by_side(jnp.where(t.tricks > 0, -bonus, bonus), r) + both * r.double_nil_extra
