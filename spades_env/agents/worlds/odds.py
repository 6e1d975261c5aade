"""Deal hidden cards by odds: every card has its own chance of being in each hand; hand sizes and voids hold exactly.

    weigh_deals(plan, me)                once a decision: sum the weights of all deals
    deal_cards_by_odds(s, plan, me, x)   deal the unseen cards of a world

The weight of a deal is the product of its cards' chances. Cards are dealt one by one, in the plan's order. Before the
k-th, the left neighbour has room for a more cards, the partner for b. plan.ways_on[k, a, b] is the total weight of all
deals from there on. So each deal is drawn in proportion to its weight, and none is rejected.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.agents.worlds.constraints import SEATS_OF_HEAP
from spades_env.game.engine import mix, next_random
from spades_env.game.state import ONE

TO_UNIT = 1 / (1 << 53)
BELOW_ONE = 1 - 1e-12  # keeps a random share of a sum below the sum, despite rounding


@njit
def unit(x):
    """Return a number from 0 to 1 made from the random number x."""
    return np.float64(mix(x) >> np.uint64(11)) * TO_UNIT


@njit
def weigh_deals(plan, me):
    """Sum the weights of all deals, from the last card backwards."""
    end, heap = np.int64(plan.starts[4]), 3
    left, partner = np.int64(plan.room[(me + 1) & 3]), np.int64(plan.room[(me + 2) & 3])
    right = np.int64(plan.room[(me + 3) & 3])
    plan.ways_on[end, 0, 0] = 1.0
    for k in range(end - 1, -1, -1):
        while k < plan.starts[heap]:
            heap -= 1
        for i in range(3):
            may = SEATS_OF_HEAP[heap] >> i & 1
            plan.odds[k, i] = plan.chances[(me + 1 + i) & 3, plan.cards[k]] if may else 0.0
        for a in range(min(end - k, left) + 1):
            for b in range(min(end - k - a, partner) + 1):
                c = end - k - a - b
                plan.ways_on[k, a, b] = weight_from(plan, k, a, b, c) if c <= right else 0.0


@njit
def weight_from(plan, k, a, b, c):
    """Return the weight of all deals from the k-th card on, with room for a, b and c cards."""
    total = 0.0
    if a:
        total += plan.odds[k, 0] * plan.ways_on[k + 1, a - 1, b]
    if b:
        total += plan.odds[k, 1] * plan.ways_on[k + 1, a, b - 1]
    if c:
        total += plan.odds[k, 2] * plan.ways_on[k + 1, a, b]
    return total


@njit
def deal_cards_by_odds(s, plan, me, x):
    """Deal the cards of all heaps."""
    a, b = np.int64(plan.room[(me + 1) & 3]), np.int64(plan.room[(me + 2) & 3])
    for k in range(plan.starts[4]):
        x = next_random(x)
        mark = BELOW_ONE * unit(x) * plan.ways_on[k, a, b]
        to_left = plan.odds[k, 0] * plan.ways_on[k + 1, a - 1, b] if a else 0.0
        to_partner = plan.odds[k, 1] * plan.ways_on[k + 1, a, b - 1] if b else 0.0
        i = 0 if mark < to_left else 1 if mark < to_left + to_partner else 2
        a -= i == 0
        b -= i == 1
        s.hands[(me + 1 + i) & 3] |= ONE << np.uint64(plan.cards[k])
    return x
