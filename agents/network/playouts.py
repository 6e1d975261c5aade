"""Rollouts of many hands by a level, with one forward pass for a move at every table.

    finish_hands(level, tables, rules)   STATE[N] in place, RULES[1]

Every seat sees its own view only. Where all legal cards are equal, one is played without asking; else the action with
the highest logit. There is no randomness.
"""

import numpy as np

from agents.lanes import distinct_cards
from agents.network.insight import NUM_INPUTS
from agents.network.level import Level
from agents.network.player import leave_out_wild_bids, logits, write_inputs
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import NUM_ACTIONS
from spades_env.engine import apply, write_mask
from spades_env.observe import compiled_rules_features
from spades_env.state import ONE, PASS

CARDS = 52


def finish_hands(level: Level, tables: np.recarray, rules: np.recarray) -> None:
    """Play all hands, none of them over yet, to their end."""
    rules_features = compiled_rules_features(rules)[0]
    x, mask = np.empty((len(tables), NUM_INPUTS), np.int8), np.empty((len(tables), NUM_ACTIONS), np.int8)
    asked = np.arange(len(tables))
    count = find_decisions(tables, rules[0], asked, rules_features, x, mask)
    while count:
        leave_out_wild_bids(level.heed, x[:count], mask[:count])
        masked = np.where(mask[:count], logits(level, x[:count]), -np.inf)
        make_moves(tables, rules[0], asked[:count], masked.argmax(axis=1))
        count = find_decisions(tables, rules[0], asked[:count], rules_features, x, mask)


@njit
def find_decisions(tables, r, asked, rules_features, x, mask):
    """Move the tables with a decision to the front of `asked`, write their inputs and masks, and count them."""
    count = 0
    for i in asked:
        s = tables[i]
        if skip_forced(s, r):
            write_inputs(s, r, rules_features, x[count])
            write_mask(s, r, mask[count])
            asked[count] = i
            count += 1
    return count


@njit
def make_moves(tables, r, asked, actions):
    for k in range(len(asked)):
        apply(tables[asked[k]], r, actions[k])


@njit
def skip_forced(s, r):
    """Play forced cards; return whether there is a decision to make."""
    while s.num_plays < CARDS:
        if s.phase < PASS:
            return True
        cards = distinct_cards(s, r)
        if cards & (cards - ONE):
            return True
        apply(s, r, np.int64(r.card_at[trailing_zeros(cards)]))
    return False
