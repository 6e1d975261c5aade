"""Arrange what a seat sees by suit, so that all four suits of a network share their weights; nothing is judged.

    write_rows(source, which, POLICY, out)     int8[n, POLICY_ROW]: of observations, int8[N, NUM_FEATURES]
    write_rows(source, which, CRITIC, out)     int8[n, CRITIC_ROW]: of states, with all four hands; training only
    write_sight(view, rules, rules_features, out)  int8[NUM_SIGHT]: an observation and its tallies, not arranged
    PLACES[mode]                                   int64[70]: the place of each action's logit in the network's output

A row has four lanes, then what belongs to no suit, then tallies. A lane is an effective suit, its cards lowest first:
clubs, diamonds, hearts and trumps. It holds its cards' features channel by channel, 16 places each; so an input means
the same whatever the trumps are. A tally is a one-hot number that follows from others: the tricks a side still needs.
"""

import hashlib
from collections.abc import Sequence

import numpy as np

from spades_env._jit import njit
from spades_env.game.cards import NUM_ACTIONS, NUM_CARDS
from spades_env.game.observe import LAYOUT, NUM_FEATURES, OF_RULES, STATE_LAYOUT, write_features
from spades_env.game.rules import CHOICES, Rules
from spades_env.game.state import compile_rules
from spades_env.precomputed import precomputed

BLOCKS = LAYOUT | STATE_LAYOUT
LANES = 4
PLACES_A_LANE = 16
BY_CARD = {"policy": ("hand", "unseen", "passed", "table", "played"), "critic": ("hands", "table")}
BY_SUIT = {"policy": ("void", "led"), "critic": ("led",)}
BY_CARD_OR_SUIT = ("hand", "unseen", "passed", "table", "played", "order", "trump", "void", "led")
MODE_COLUMNS = (*range(BLOCKS["trumps"].start, BLOCKS["trumps"].place.stop), BLOCKS["big_two"].start)  # one-hot
NUM_MODES = len(CHOICES["trumps"])
NUM_CARD_LOGITS = LANES * PLACES_A_LANE
NUM_CALLS = NUM_ACTIONS - NUM_CARDS  # bids, blind nil, the look
NUM_LOGITS = NUM_CARD_LOGITS + NUM_CALLS
ZERO, ONE = -1, -2  # columns that are always 0 and 1

LEAST_NEED, NEEDS, BAGS, LEFT = -3, 14, 10, 14  # a side needs −3 or fewer … 10 tricks; 0 … 9 or more bags; 0 … 13 left
NUM_TALLIES = 4 * NEEDS + 4 * BAGS + LEFT + 8
TRICKS, TRICK, SIDE_BID, SIDE_MADE, SIDE_BAGS, NIL, BLIND_NIL = (
    BLOCKS[name].start for name in ("tricks", "trick", "side_bid", "side_made", "bags", "nil", "blind_nil")
)

OTHERS = tuple(
    i
    for name, block in LAYOUT.items()
    if name not in BY_CARD_OR_SUIT
    for i in range(block.start, block.start + block.size)
)


def _each(names: Sequence[str], size: int) -> list[int]:
    """Return where each row of these blocks begins, `size` features a row."""
    return [start for name in names for start in range(BLOCKS[name].start, BLOCKS[name].place.stop, size)]


def _lane(kind: str, card_at: np.ndarray, in_play: Sequence[int], lane: int) -> list[int]:
    """Return the columns of one lane."""
    places = range(lane * PLACES_A_LANE, (lane + 1) * PLACES_A_LANE)
    cards = [
        start + int(card_at[place]) if in_play[place] else ZERO
        for start in _each(BY_CARD[kind], NUM_CARDS)
        for place in places
    ]
    return [*cards, *(start + lane for start in _each(BY_SUIT[kind], LANES)), ONE if lane == LANES - 1 else ZERO]


def _columns(kind: str) -> np.ndarray:
    """Return int64[modes, K]: the feature that each input of a row is, without the tallies."""
    found = []
    for mode in CHOICES["trumps"]:
        r = compile_rules(Rules(trumps=mode))[0]
        in_play = [(int(r.cards) >> place) & 1 for place in range(NUM_CARD_LOGITS)]
        found.append([c for lane in range(LANES) for c in _lane(kind, r.card_at, in_play, lane)] + list(OTHERS))
    return np.array(found, np.int64)


def _places() -> np.ndarray:
    places = (map(int, compile_rules(Rules(trumps=mode))[0].place) for mode in CHOICES["trumps"])
    return np.array([[*some, *range(NUM_CARD_LOGITS, NUM_LOGITS)] for some in places], np.int64)


def _sight() -> np.ndarray:
    """Return int64[modes, POLICY_ROW]: the feature or tally that each input of a row is."""
    return np.array([[*columns, *range(NUM_FEATURES, NUM_SIGHT)] for columns in POLICY.tolist()], np.int64)


POLICY, CRITIC = precomputed(_columns, "policy"), precomputed(_columns, "critic")
NUM_OTHERS = len(OTHERS) + NUM_TALLIES
POLICY_ROW, CRITIC_ROW = POLICY.shape[1] + NUM_TALLIES, CRITIC.shape[1] + NUM_TALLIES
POLICY_LANE, CRITIC_LANE = (POLICY_ROW - NUM_OTHERS) // LANES, (CRITIC_ROW - NUM_OTHERS) // LANES
PLACES = precomputed(_places)
NUM_SIGHT = NUM_FEATURES + NUM_TALLIES
SIGHT = precomputed(_sight)


def rows_mark() -> str:
    """Return a short hash that changes when the rows of a policy do."""
    layout = BY_CARD["policy"], BY_SUIT["policy"], OTHERS, (LEAST_NEED, NEEDS, BAGS, LEFT)
    return hashlib.sha256(repr(layout).encode()).hexdigest()[:12]


@njit
def write_rows(source, which, columns, out):
    """Write the rows of source[which]."""
    for i in range(len(which)):
        x, row = source[which[i]], out[i]
        of = columns[mode_of(x)]
        for k in range(len(of)):
            row[k] = x[of[k]] if of[k] >= 0 else of[k] == ONE
        write_tallies(x, row[len(of) :])


@njit
def write_sight(s, r, rules_features, out):
    """Write what the seat to move observes, and its tallies: int8[NUM_SIGHT]; rules_features depend on the rules."""
    write_features(s, r, s.turn, out)
    out[OF_RULES] = rules_features
    write_tallies(out, out[NUM_FEATURES:])


@njit
def mode_of(x):
    """Return the number of the trump mode in a row of features."""
    for mode in range(NUM_MODES):
        if x[MODE_COLUMNS[mode]]:
            return mode
    return 0


@njit
def write_tallies(x, out):
    """Write one-hot what each side needs, its bags, and the tricks left; then nils that stand, and broken ones."""
    out[:] = 0
    for side in range(4):
        need = np.int64(x[SIDE_BID + side]) - x[SIDE_MADE + side]
        out[NEEDS * side + min(max(need - LEAST_NEED, 0), NEEDS - 1)] = 1
        out[4 * NEEDS + BAGS * side + min(max(np.int64(x[SIDE_BAGS + side]), 0), BAGS - 1)] = 1
    out[4 * (NEEDS + BAGS) + 13 - np.int64(x[TRICK])] = 1
    for seat in range(4):
        has_nil = x[NIL + seat] | x[BLIND_NIL + seat]
        stands = x[TRICKS + 14 * seat]
        out[4 * (NEEDS + BAGS) + LEFT + seat] = has_nil & stands
        out[4 * (NEEDS + BAGS) + LEFT + 4 + seat] = has_nil & ~stands & 1
