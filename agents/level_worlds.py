"""Worlds weighed by a level: those in which the other seats would have bid and played as they did come up more often.

    likely_worlds(level, batch, count, x)   worlds of the only view of a batch: STATE[M ≤ count], weights float64[M]

A pool of worlds is dealt, each as likely as another, and the hand is replayed in each. Wherever another seat had a
choice, in the bidding and in the latest tricks, the network says how likely it was to do what it did with the cards it
has in this world; cards that are alike count as one. The weight of a world is the product. Nobody plays quite like the
level, so each chance is mixed with blind chance, and the product is taken to a power that leaves enough worlds alive.
Out of the pool `count` worlds are drawn by their weights; one that is drawn twice weighs twice.
"""

import numpy as np

from agents.base import Batch
from agents.candidates import distinct_cards, lowest_equal
from agents.insight import NUM_INPUTS
from agents.level import Level
from agents.level_playouts import write_inputs
from agents.likely import power_that_leaves, unit
from agents.network import log_probs, logits
from agents.rewind import deal_again, replay_passes, up_to_bid
from agents.worlds import deal_world, new_plan, plan_worlds
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import BID_ZERO, NUM_ACTIONS
from spades_env.engine import bid, legal_cards, next_random, play, write_mask
from spades_env.observe import compiled_rules_features
from spades_env.state import ONE, PLAY, new_tables

POOL_A_WORLD = 4  # worlds that are weighed for one that is drawn, …
LARGEST_POOL = 256  # … as long as there are no more
MOST_PLAYS = 16  # the latest cards of others that are looked at
BLIND_CHANCE = 0.1  # how much of every chance is that of any legal action
WORLDS_ALIVE = 0.5  # of the number drawn: the effective size of the weighted pool, at least


def likely_worlds(level: Level, batch: Batch, count: int, x: np.uint64) -> tuple[np.recarray, np.ndarray]:
    """Worlds that the seat to move may be in, with what they weigh together `count`."""
    rules, plan = batch.rules, new_plan()
    others = num_decisions(batch.tables[0])
    pool = new_tables(max(count, min(POOL_A_WORLD * count, LARGEST_POOL)) if others else count)
    x = np.uint64(deal_pool(batch.tables, rules[0], plan[0], pool, x))
    if not others:
        return pool, np.ones(count)
    weights = tempered(fits(level, pool, rules, plan), WORLDS_ALIVE * count)
    drawn = drawn_evenly(weights, count, unit(np.uint64(next_random(x))))
    times = np.bincount(drawn, minlength=len(pool))
    return pool[times > 0].view(np.recarray), times[times > 0].astype(np.float64)


def fits(level: Level, pool: np.recarray, rules: np.recarray, plan: np.recarray) -> np.ndarray:
    """float64[P]: the logarithms of the chances that the others do in these worlds what they did."""
    most = len(pool) * num_decisions(pool[0])
    x, mask = np.empty((most, NUM_INPUTS), np.int8), np.empty((most, NUM_ACTIONS), np.int8)
    alike, world_of = np.zeros((most, NUM_ACTIONS), np.int8), np.empty(most, np.int64)
    told = compiled_rules_features(rules)[0]
    rows = replay_all(pool, rules[0], plan[0].played, new_tables(1), told, x, mask, alike, world_of)
    mask, alike = mask[:rows], alike[:rows]
    chances = (np.exp(log_probs(logits(level, x[:rows]), mask)) * alike).sum(axis=1)
    any_legal = alike.sum(axis=1) / mask.sum(axis=1)
    mixed = np.log((1 - BLIND_CHANCE) * chances + BLIND_CHANCE * any_legal)
    return np.bincount(world_of[:rows], mixed, len(pool))


def tempered(logarithms: np.ndarray, alive: float) -> np.ndarray:
    """Weights that sum to 1: e^(power × logarithm), the power as near to 1 as leaves so many worlds alive."""
    best = logarithms.max()
    weights = np.exp(power_that_leaves(logarithms, best, alive, 0.0) * (logarithms - best))
    return weights / weights.sum()


def drawn_evenly(weights: np.ndarray, count: int, start: float) -> np.ndarray:
    """int64[count]: places in `weights`, at even steps through their sums."""
    sums = np.cumsum(weights)
    return np.searchsorted(sums / sums[-1], (np.arange(count) + start) / count, side="right").clip(max=len(weights) - 1)


@njit
def deal_pool(views, r, plan, pool, x):
    """Any worlds of the first view; returns where the walk has got to."""
    plan_worlds(views[0], r, plan)
    for j in range(len(pool)):
        x = deal_world(views, 0, r, plan, pool, j, x)
    return x


@njit
def num_decisions(s):
    """How many moves of others are looked at, at most."""
    return np.int64(s.num_bids) + min(np.int64(s.num_plays), MOST_PLAYS)


@njit
def replay_all(pool, r, played, tables, told, x, mask, alike, world_of):
    """Every decision of others in every world is a row; returns how many there are."""
    rows = 0
    for j in range(len(pool)):
        deal_again(pool[j], r, played, tables)
        t = tables[0]
        first = rows
        rows = replay_bids(pool[j], r, t, told, x, mask, alike, rows)
        if pool[j].phase == PLAY:
            replay_passes(pool[j], r, t)
            rows = replay_cards(pool[j], r, t, told, x, mask, alike, rows)
        world_of[first:rows] = j
    return rows


@njit
def replay_bids(w, r, t, told, x, mask, alike, row):
    """Bid again; bids of others who had looked are rows."""
    for _ in range(w.num_bids):
        if up_to_bid(w, r, t):
            made = BID_ZERO + np.int64(w.bids[t.turn])
            if t.turn != w.turn:
                write_inputs(t, r, told, x[row])
                write_mask(t, r, mask[row])
                alike[row, made] = 1
                row += 1
            bid(t, r, made)
    return row


@njit
def replay_cards(w, r, t, told, x, mask, alike, row):
    """Play again; the latest cards of others are rows, where they had a choice."""
    wanted = MOST_PLAYS
    first = np.int64(w.num_plays)
    while first > 0 and wanted > 0:
        first -= 1
        wanted -= ((np.int64(w.leaders[first >> 2]) + first) & 3) != w.turn
    for k in range(w.num_plays):
        place = np.int64(w.plays[k])
        if k >= first and t.turn != w.turn:
            distinct = distinct_cards(t, r)
            if distinct & (distinct - ONE):
                write_inputs(t, r, told, x[row])
                write_mask(t, r, mask[row])
                mark_alike(t, r, distinct, place, alike[row])
                row += 1
        play(t, r, place)
    return row


@njit
def mark_alike(s, r, distinct, place, alike):
    """1 for every legal card that is as good as the one at this place."""
    like = lowest_equal(distinct, place)
    rest = legal_cards(s, r)
    while rest:
        other = trailing_zeros(rest)
        alike[r.card_at[other]] = lowest_equal(distinct, other) == like
        rest &= rest - ONE
