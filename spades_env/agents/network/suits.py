"""Arrange a network's inputs by suit, so that all four suits share their weights.

    arrange(features)      int8[N, NUM_INPUTS] → int8[N, NUM_ARRANGED]: four lanes, then features of no card or suit

A lane is an effective suit, its cards lowest first, as in the engine: clubs, diamonds, hearts and trumps. It holds the
features of its cards channel by channel, 16 places each. So an input has the same meaning whatever the trumps are, with
jokers and deuces among them.

The place of a feature depends on the trumps alone: COLUMNS has a row of feature numbers for each mode. The columns ZERO
and ONE come after the features and are always 0 and 1.
"""

import numpy as np

from spades_env._jit import njit
from spades_env.agents.network.insight import INSIGHT, NUM_INPUTS
from spades_env.agents.network.rows import LANES, NUM_CARD_LOGITS, PLACES_A_LANE, mode_of
from spades_env.game.cards import NUM_CARDS
from spades_env.game.observe import LAYOUT
from spades_env.game.rules import CHOICES, Rules
from spades_env.game.state import compile_rules

BLOCKS = LAYOUT | INSIGHT
CHANNELS = (  # by card
    "hand", "unseen", "passed", "table", "higher", "lower", "master", "takes", "legal", "advice",
    "i_win", "left_wins", "mate_wins", "right_wins", "worth",
)  # fmt: skip
OF_SUITS = ("led", "held", "out")  # one number for each suit
LEFT_OUT = ("order", "trump")  # when a card was played; its strength, which is its place in the lane
CARD_ROWS = len(CHANNELS) + LANES  # channels, and the seat that has played the card
SUIT_ROWS = LANES + len(OF_SUITS) + 1  # the void seats, one number each, and whether it is trumps
LANE_INPUTS = CARD_ROWS * PLACES_A_LANE + SUIT_ROWS
ZERO, ONE = NUM_INPUTS, NUM_INPUTS + 1


def _card_features() -> list[int]:
    """Return the first feature of each row of card features."""
    played = BLOCKS["played"].start
    return [BLOCKS[name].start for name in CHANNELS] + [played + NUM_CARDS * seat for seat in range(LANES)]


def _others() -> list[int]:
    """Return the features that belong to no single card or suit."""
    used = set()
    for start in _card_features():
        used |= set(range(start, start + NUM_CARDS))
    for name in (*OF_SUITS, *LEFT_OUT, "void"):
        used |= set(range(BLOCKS[name].start, BLOCKS[name].start + BLOCKS[name].size))
    return [i for i in range(NUM_INPUTS) if i not in used]


def _lane(card_at: np.ndarray, in_play: np.ndarray, lane: int) -> list[int]:
    """Return the columns of one lane."""
    columns = []
    for start in _card_features():
        for place in range(lane * PLACES_A_LANE, (lane + 1) * PLACES_A_LANE):
            columns.append(start + int(card_at[place]) if in_play[place] else ZERO)
    void = BLOCKS["void"].start
    columns += [void + LANES * seat + lane for seat in range(LANES)]
    columns += [BLOCKS[name].start + lane for name in OF_SUITS]
    return [*columns, ONE if lane == LANES - 1 else ZERO]


def _columns() -> np.ndarray:
    columns = []
    for mode in CHOICES["trumps"]:
        r = compile_rules(Rules(trumps=mode))[0]
        in_play = [(int(r.cards) >> place) & 1 for place in range(NUM_CARD_LOGITS)]
        lanes = [column for lane in range(LANES) for column in _lane(r.card_at, np.array(in_play), lane)]
        columns.append([*lanes, *_others()])
    return np.array(columns, np.int64)


COLUMNS = _columns()
NUM_ARRANGED = COLUMNS.shape[1]
NUM_OTHERS = NUM_ARRANGED - LANES * LANE_INPUTS


def arrange(features: np.ndarray) -> np.ndarray:
    """Map int8[N, NUM_INPUTS or more] to int8[N, NUM_ARRANGED]; what follows the inputs is ignored."""
    out = np.empty((len(features), NUM_ARRANGED), np.int8)
    arrange_all(features, COLUMNS, out)
    return out


@njit
def arrange_all(features, columns, out):
    for i in range(len(out)):
        x = features[i]
        to = columns[mode_of(x)]
        for k in range(len(to)):
            column = to[k]
            out[i, k] = x[column] if column < NUM_INPUTS else column - ZERO
