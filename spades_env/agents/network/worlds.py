"""Belief weighting by a level: draw worlds in which the other seats' bids and plays are likely under its policy.

    likely_worlds(level, batch, count, x)   worlds of a single view: STATE[M ≤ count], weights float64[M]

A pool of worlds is dealt uniformly, and the hand is replayed in each. Wherever another seat had a choice, in the
bidding and in the latest tricks, the network gives the chance of its action with the cards it has in this world; equal
cards count as one. The weight of a world is the product. Nobody plays exactly like the level, so each chance is mixed
with that of a random action, and the product is raised to a power that leaves enough worlds alive. From the pool
`count` worlds are drawn by their weights; one drawn twice has twice the weight.
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.base import Batch
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.network.insight import NUM_INPUTS
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import log_probs, logits, write_inputs
from spades_env.agents.worlds.deal import deal_world, new_plan, plan_worlds
from spades_env.agents.worlds.past import PAST, hand_at, look_back
from spades_env.agents.worlds.pool import power_that_leaves, unit
from spades_env.game.cards import BID_ZERO, NUM_ACTIONS
from spades_env.game.engine import legal_cards, next_random, write_mask
from spades_env.game.observe import compiled_rules_features
from spades_env.game.state import ONE, PLAY, new_tables

POOL_A_WORLD = 4  # worlds that are weighed for each that is drawn,
LARGEST_POOL = 256  # … but at most this many
MOST_PLAYS = 16  # the latest cards that are looked at
BLIND_CHANCE = 0.1  # share of a random action in every chance
WORLDS_ALIVE = 0.5  # of the number drawn: the least effective size of the weighted pool


class Decisions(NamedTuple):
    """Decisions that other seats made in the worlds of a pool, a row for each."""

    x: np.ndarray  # int8[N, NUM_INPUTS]: what the network reads of them
    mask: np.ndarray  # int8[N, NUM_ACTIONS]
    alike: np.ndarray  # int8[N, NUM_ACTIONS]: 1 for the action taken, and for equal cards
    world_of: np.ndarray  # int64[N]: the number of the world


def new_decisions(count: int) -> Decisions:
    x, mask = np.empty((count, NUM_INPUTS), np.int8), np.empty((count, NUM_ACTIONS), np.int8)
    return Decisions(x, mask, np.zeros((count, NUM_ACTIONS), np.int8), np.empty(count, np.int64))


def likely_worlds(level: Level, batch: Batch, count: int, x: np.uint64) -> tuple[np.recarray, np.ndarray]:
    """Draw worlds that fit the view of the seat to move; their weights sum to `count`."""
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
    """Return float64[P]: the log-probabilities of the others' actions in these worlds."""
    past, out = np.zeros(1, PAST).view(np.recarray), new_decisions(len(pool) * int(num_decisions(pool[0])))
    look_back(pool[0], rules[0], plan[0], past[0])
    count = write_decisions(pool, rules[0], past[0], compiled_rules_features(rules)[0], out)
    x, mask, alike, world_of = (rows[:count] for rows in out)
    chances = (np.exp(log_probs(logits(level, x), mask)) * alike).sum(axis=1)
    any_legal = alike.sum(axis=1) / mask.sum(axis=1)
    mixed = np.log((1 - BLIND_CHANCE) * chances + BLIND_CHANCE * any_legal)
    return np.bincount(world_of, mixed, len(pool))


def tempered(logarithms: np.ndarray, alive: float) -> np.ndarray:
    """Return weights e^(power × logarithm) that sum to 1; the power is the nearest to 1 that leaves this many alive."""
    best = logarithms.max()
    weights = np.exp(power_that_leaves(logarithms, best, alive, 0.0) * (logarithms - best))
    return weights / weights.sum()


def drawn_evenly(weights: np.ndarray, count: int, start: float) -> np.ndarray:
    """Return int64[count]: places in `weights`, drawn at even steps (systematic sampling)."""
    sums = np.cumsum(weights)
    return np.searchsorted(sums / sums[-1], (np.arange(count) + start) / count, side="right").clip(max=len(weights) - 1)


@njit
def deal_pool(views, r, plan, pool, x):
    """Deal worlds of the first view uniformly; return the next random number."""
    plan_worlds(views[0], r, plan)
    for j in range(len(pool)):
        x = deal_world(views, 0, r, plan, pool, j, x)
    return x


@njit
def num_decisions(s):
    """Return the most actions of others that are looked at."""
    return np.int64(s.num_bids) + min(np.int64(s.num_plays), MOST_PLAYS)


@njit
def write_decisions(pool, r, past, rules_features, out):
    """Write a row for every decision of others in every world; return the number of rows."""
    row = 0
    for j in range(len(pool)):
        for k in range(past.num_acts):
            act = past.in_order[k]
            t = past.moments[act]
            t.hands[t.turn] = hand_at(pool[j], past, act)
            if t.phase == PLAY:
                t.given[:] = pool[j].given
                distinct = distinct_cards(t, r)
                if k < past.num_acts - MOST_PLAYS or not distinct & (distinct - ONE):
                    continue
                mark_alike(t, r, distinct, past.moves[act], out.alike[row])
            else:
                out.alike[row, BID_ZERO + past.moves[act]] = 1
            write_inputs(t, r, rules_features, out.x[row])
            write_mask(t, r, out.mask[row])
            out.world_of[row] = j
            row += 1
    return row


@njit
def mark_alike(s, r, distinct, place, alike):
    """Mark with 1 every legal card that equals the one at this place."""
    like = lowest_equal(distinct, place)
    rest = legal_cards(s, r)
    while rest:
        other = trailing_zeros(rest)
        alike[r.card_at[other]] = lowest_equal(distinct, other) == like
        rest &= rest - ONE
