"""Playouts by a level: many tables played on side by side to the end of the hand, the network asked for all at once.

    finish_hands(level, tables, rules, walks)   STATE[N] in place, RULES[1], uint64[N]

Every seat sees its own view only: the features are those of the seat to move. Moves that leave no choice, cards that
are alike among them, are made without asking. Chance, where `temperature` grants any, comes from a table's walk and the
moves made in the hand, so tables with the same walk share their luck move by move whatever was done before.
"""

import numpy as np

from agents.candidates import distinct_cards
from agents.insight import NUM_INPUTS, write_insight
from agents.level import Level
from agents.network import _pick_all, logits
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import NUM_ACTIONS
from spades_env.engine import apply, mix, write_mask
from spades_env.observe import NUM_FEATURES, TABLE_SIZE, compiled_rules_features, write_features
from spades_env.state import ONE, PASS

TEMPERATURE = 0.0  # of roll-outs: the favourite action
CARDS = 52
MOVES_A_PHASE = 64  # more than are made in any


def finish_hands(
    level: Level, tables: np.recarray, rules: np.recarray, walks: np.ndarray, temperature: float = TEMPERATURE
) -> None:
    """All hands, of which none is over yet, are played until they are scored."""
    told = compiled_rules_features(rules)[0]
    x, mask = np.empty((len(tables), NUM_INPUTS), np.int8), np.empty((len(tables), NUM_ACTIONS), np.int8)
    asked, chances = np.arange(len(tables)), np.empty(len(tables), np.uint64)
    actions = np.empty(len(tables), np.int64)
    count = find_decisions(tables, rules[0], asked, told, walks, x, mask, chances)
    while count:
        _pick_all(logits(level, x[:count]), mask[:count], temperature, chances[:count], actions[:count])
        make_moves(tables, rules[0], asked[:count], actions)
        count = find_decisions(tables, rules[0], asked[:count], told, walks, x, mask, chances)


@njit
def find_decisions(tables, r, asked, told, walks, x, mask, chances):
    """Of the tables `asked` those with a decision to make stay, in front; what it is goes into the rows beside them."""
    count = 0
    for i in asked:
        s = tables[i]
        if skip_forced(s, r):
            write_inputs(s, r, told, x[count])
            write_mask(s, r, mask[count])
            moves = MOVES_A_PHASE * np.int64(s.phase) + s.num_bids + s.num_passed + s.num_plays
            chances[count] = mix(walks[i] + np.uint64(moves))
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
