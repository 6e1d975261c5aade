"""A tree over information sets: a node is a card played by the seat to move, whatever the hidden cards.

    plant(views, i, r, settings, pool, tree, nodes, x)   create the root and its candidates
    grow(views, i, r, settings, pool, tree, nodes)       make the iterations; is the choice still open?
    most_visited(tree, nodes)                            the node to play: its action is actions[node - 1]

An iteration deals a world and goes down the tree by the cards that are legal in it. Each seat plays the card with the
best upper confidence bound for its own side. The first card without a node gets one. From there a rollout goes to the
end of the hand, and each node on the way is credited with the match equity of the side that moved there.
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from spades_env._jit import njit
from spades_env.agents.equity import equity
from spades_env.agents.lanes import any_of
from spades_env.agents.search.candidates import MOST_CANDIDATES, find_candidates
from spades_env.agents.search.playouts import finish_hand
from spades_env.agents.worlds.likely import next_world, prepare_worlds
from spades_env.game.cards import NUM_CARDS
from spades_env.game.engine import legal_cards, mix, next_random, play
from spades_env.game.state import GOES_ON, ONE, record_dtype

EXPLORATION = 1.4  # standard deviations of the values of rollouts
FIRST_SPREAD = 0.1  # that deviation until it is known

NODE = record_dtype(
    [
        ("total", "f8"),  # sum of the values of its visits, for the side that moves here
        ("move", "i4"),  # the place of the card
        ("child", "i4"),  # its first child; 0: none
        ("next", "i4"),  # the next child of its parent; 0: none
        ("visits", "i4"),
        ("available", "i4"),  # visits of its parent in worlds where it was legal
        ("unused", "i4"),
    ],
)
TREE = record_dtype(
    [
        ("x", "u8"),  # the last random number
        ("num_nodes", "i8"),  # node 0 is the root
        ("num_candidates", "i8"),
        ("iterations", "i8"),
        ("actions", "i8", MOST_CANDIDATES),
        ("path", "i8", NUM_CARDS),  # nodes of this iteration
        ("sides", "i8", NUM_CARDS),  # that moved to them
        ("worth", "f8", 4),  # value of this iteration to each side
        ("worths", "f8"),  # sum of the values of iterations to the searching side,
        ("squares", "f8"),  # … and of their squares
    ],
)


class TreeSettings(NamedTuple):
    """How many iterations there are, how the rollouts play, and in what worlds."""

    iterations: int
    playing: int
    likely: bool
    counted: bool  # is that all, not a slice of a search by the clock? Then it ends when the lead is decided


@njit
def plant(views, i, r, settings, pool, tree, nodes, x):
    """Create the root, node 0, and the candidates, nodes 1, 2, …"""
    tree.num_candidates = find_candidates(views[i], r, x, tree.actions)
    tree.num_nodes = 1
    tree.iterations = 0
    tree.worths = 0
    tree.squares = 0
    nodes[0].child = 0
    for c in range(tree.num_candidates):
        add_node(tree, nodes, 0, np.int64(r.place[tree.actions[c]]))
    tree.x = prepare_worlds(views, i, r, settings.likely, pool, x) if tree.num_candidates > 1 else x


@njit
def add_node(tree, nodes, parent, move):
    """Add a child in front of its siblings."""
    k = tree.num_nodes
    tree.num_nodes = k + 1
    nodes[k].total = 0
    nodes[k].move = move
    nodes[k].child = 0
    nodes[k].next = nodes[parent].child
    nodes[k].visits = 0
    nodes[k].available = 0
    nodes[parent].child = k
    return k


@njit
def grow(views, i, r, settings, pool, tree, nodes):
    """Make the iterations; is the choice still open?"""
    for left in range(settings.iterations, 0, -1):
        if tree.num_candidates < 2 or tree.num_nodes == len(nodes):
            return False
        if settings.counted and left & 15 == 0 and visits_ahead(tree, nodes) > left:
            return False
        iterate(views, i, r, settings, pool, tree, nodes)
    return True


@njit
def most_visited(tree, nodes):
    """Return the candidate with the most visits; of equals the cheapest."""
    best = 1
    for k in range(2, tree.num_candidates + 1):
        if nodes[k].visits > nodes[best].visits:
            best = k
    return best


@njit
def visits_ahead(tree, nodes):
    """Return by how many visits the best candidate leads the second."""
    best = most_visited(tree, nodes)
    second = 0
    for k in range(1, tree.num_candidates + 1):
        if k != best:
            second = max(second, np.int64(nodes[k].visits))
    return nodes[best].visits - second


@njit
def iterate(views, i, r, settings, pool, tree, nodes):
    """Deal a world, go down the tree, roll out, and back up the values."""
    tree.x = next_world(views, i, r, settings.likely, pool, tree.x)
    s = pool.tables[0]
    depth, event = descend(s, r, tree, nodes)
    tree.x = next_random(tree.x)
    if event == GOES_ON:
        finish_hand(s, r, settings.playing, mix(tree.x))
    for side in range(r.sides):
        tree.worth[side] = equity(s, r, side)
    for k in range(depth):
        node = tree.path[k]
        nodes[node].visits += 1
        nodes[node].total += tree.worth[tree.sides[k]]
    worth = tree.worth[tree.sides[0]]
    tree.iterations += 1
    tree.worths += worth
    tree.squares += worth * worth


@njit
def descend(s, r, tree, nodes):
    """Follow the tree to a new node; return the depth and the last event."""
    c = exploration(tree)
    node, depth, event = np.int64(0), 0, GOES_ON
    while event == GOES_ON and (depth == 0 or nodes[node].visits):
        tree.sides[depth] = s.turn & r.side_mask
        node = pick_card(legal_cards(s, r), node, tree, nodes, c) if depth else pick_candidate(tree, nodes, c)
        tree.path[depth] = node
        depth += 1
        event = play(s, r, np.int64(nodes[node].move))
    return depth, event


@njit
def exploration(tree):
    """Return the weight of exploration: EXPLORATION standard deviations of the value of a rollout."""
    n = tree.iterations
    if n < MOST_CANDIDATES:
        return FIRST_SPREAD * EXPLORATION
    mean = tree.worths / n
    return EXPLORATION * sqrt(max(tree.squares / n - mean * mean, 0.0))


@njit
def pick_candidate(tree, nodes, c):
    """Return an untried candidate, or the most promising one; all are legal in every world."""
    best = 1
    best_bound = -1.0
    for k in range(1, tree.num_candidates + 1):
        if nodes[k].visits == 0:
            return k
        nodes[k].available = tree.iterations
        bound = upper_bound(nodes, k, c)
        if bound > best_bound:
            best, best_bound = k, bound
    return best


@njit
def pick_card(legal, parent, tree, nodes, c):
    """Return a new node for a legal card without one, or the most promising node."""
    tree.x = next_random(tree.x)
    best = np.int64(0)
    best_bound = -1.0
    untried = legal
    k = np.int64(nodes[parent].child)
    while k:
        card = ONE << np.uint64(nodes[k].move)
        if legal & card:
            untried ^= card
            nodes[k].available += 1
            bound = upper_bound(nodes, k, c)
            if bound > best_bound:
                best, best_bound = k, bound
        k = np.int64(nodes[k].next)
    if untried:
        best = add_node(tree, nodes, parent, any_of(untried, mix(tree.x)))
        nodes[best].available = 1
    return best


@njit
def upper_bound(nodes, k, c):
    """Return the upper confidence bound of the node's mean."""
    visits = nodes[k].visits
    return nodes[k].total / visits + c * sqrt(log(nodes[k].available) / visits)
