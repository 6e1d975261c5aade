"""Playouts by a level: many tables played on side by side to the end of the hand, the network asked for all at once.

    finish_hands(level, tables, rules)   STATE[N] in place, RULES[1]

Every seat sees its own view only: the features are those of the seat to move. Moves that leave no choice, cards that
are alike among them, are made without asking; else the favourite is played. Nothing is left to chance.
"""

import numpy as np

from agents.candidates import distinct_cards
from agents.insight import NUM_INPUTS, write_insight
from agents.level import Level
from agents.network import leave_out_wild_bids, logits
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import NUM_ACTIONS
from spades_env.engine import apply, write_mask
from spades_env.observe import NUM_FEATURES, TABLE_SIZE, compiled_rules_features, write_features
from spades_env.state import ONE, PASS

CARDS = 52


def finish_hands(level: Level, tables: np.recarray, rules: np.recarray) -> None:
    """All hands, of which none is over yet, are played until they are scored."""
    told = compiled_rules_features(rules)[0]
    x, mask = np.empty((len(tables), NUM_INPUTS), np.int8), np.empty((len(tables), NUM_ACTIONS), np.int8)
    asked = np.arange(len(tables))
    count = find_decisions(tables, rules[0], asked, told, x, mask)
    while count:
        leave_out_wild_bids(level.heed, x[:count], mask[:count])
        likes = np.where(mask[:count], logits(level, x[:count]), -np.inf)
        make_moves(tables, rules[0], asked[:count], likes.argmax(axis=1))
        count = find_decisions(tables, rules[0], asked[:count], told, x, mask)


@njit
def find_decisions(tables, r, asked, told, x, mask):
    """Of the tables `asked` those with a decision to make stay, in front; what it is goes into the rows beside them."""
    count = 0
    for i in asked:
        s = tables[i]
        if skip_forced(s, r):
            write_inputs(s, r, told, x[count])
            write_mask(s, r, mask[count])
            asked[count] = i
            count += 1
    return count


@njit
def make_moves(tables, r, asked, actions):
    """One move at each of the tables asked."""
    for k in range(len(asked)):
        apply(tables[asked[k]], r, actions[k])


@njit
def skip_forced(s, r):
    """Play on while there is no choice; is there a decision to make?"""
    while s.num_plays < CARDS:
        if s.phase < PASS:
            return True
        cards = distinct_cards(s, r)
        if cards & (cards - ONE):
            return True
        apply(s, r, np.int64(r.card_at[trailing_zeros(cards)]))
    return False


@njit
def write_inputs(s, r, told, out):
    """All that the network is told of the seat to move: int8[NUM_INPUTS]; told: what the rules decide of it."""
    write_features(s, r, s.turn, out)
    out[TABLE_SIZE:NUM_FEATURES] = told
    write_insight(s, r, s.turn, out[NUM_FEATURES:])
