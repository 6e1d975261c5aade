"""Rollouts of many hands by a level, with one forward pass for a move at every table.

    finish_hands(level, tables, rules)             STATE[N] in place, RULES[1]
    finish_hands(level, tables, rules, foe, side)  … where `level` plays for this side, and `foe` for the others

Every seat sees its own view only. Where all legal cards are equal, one is played without asking; else the action with
the highest logit. There is no randomness.
"""

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.lanes import distinct_cards
from spades_env.agents.network.insight import NUM_INPUTS
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import leave_out_wild_bids, logits, write_inputs
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.engine import apply, write_mask
from spades_env.game.observe import compiled_rules_features
from spades_env.game.state import ONE, PASS

CARDS = 52


def finish_hands(
    level: Level, tables: np.recarray, rules: np.recarray, foe: Level | None = None, side: int = 0
) -> None:
    """Play all hands, none of them over yet, to their end."""
    rules_features = compiled_rules_features(rules)[0]
    x, mask = np.empty((len(tables), NUM_INPUTS), np.int8), np.empty((len(tables), NUM_ACTIONS), np.int8)
    asked = np.arange(len(tables))
    count = find_decisions(tables, rules[0], asked, rules_features, x, mask)
    while count:
        if foe:
            own = (tables.turn[asked[:count]] & int(rules.side_mask[0])) == side
            actions = np.empty(count, np.int64)
            for player, which in ((level, np.flatnonzero(own)), (foe, np.flatnonzero(~own))):
                if len(which):
                    actions[which] = _best(player, x[which], mask[which])
        else:
            actions = _best(level, x[:count], mask[:count])
        make_moves(tables, rules[0], asked[:count], actions)
        count = find_decisions(tables, rules[0], asked[:count], rules_features, x, mask)


def _best(level: Level, x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the level's actions, int64[n]."""
    leave_out_wild_bids(level.heed, x, mask)
    return np.where(mask, logits(level, x), -np.inf).argmax(axis=1)


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
