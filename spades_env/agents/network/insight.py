"""Inputs of a network in addition to the observation: facts that follow from it, computed instead of learned.

    write_insight(view, rules, seat, out)     int8 numbers laid out by INSIGHT, after the observation's

An observation says where every card is. A person sees at once that no card left beats the queen, that two tricks are
missing, that the partner is winning; a network needs millions of hands to learn it. `advice` is the rule bot's action:
a network that knows it starts where that bot ends. So a level must play with the rule bot that it was trained with: a
test compares the bot's choices with recorded ones, and `insight_mark` changes when they do.

Seats and sides are relative as in an observation; suits are effective ones. Only the view is read.
"""

import hashlib

import numpy as np

from spades_env._jit import bit_count, njit, trailing_zeros
from spades_env.agents.compiled import RULE, choose
from spades_env.agents.network.rule_inputs import ROWS as RULE_ROWS
from spades_env.agents.network.rule_inputs import write_rule_inputs
from spades_env.game.cards import NUM_ACTIONS, NUM_CARDS
from spades_env.game.engine import write_mask
from spades_env.game.observe import LARGEST, NUM_FEATURES, SMALLEST, STATE_SIZE, lay_out, own_hand
from spades_env.game.scoring import contract, living_nil
from spades_env.game.state import LANE, NEVER, NO_BID, NO_NIL, ONE, OVER, PLAY, TRUMP_LANE

ADVISER = 1  # raised when the rule bot's choices change; levels trained before are then refused
FIFTH = 5  # points to the target are counted in fives
ROWS = [
    ("legal", (NUM_ACTIONS,), "1: I may do this now"),
    ("higher", (NUM_CARDS,), "of a card I hold: how many unseen cards of its suit beat it"),
    ("lower", (NUM_CARDS,), "… and how many it beats"),
    ("master", (NUM_CARDS,), "1: I hold this card, and no unseen card of its suit beats it"),
    ("takes", (NUM_CARDS,), "1: I hold this card, and played now it would be winning the trick on the table"),
    ("held", (4,), "cards I hold of clubs, diamonds, hearts, spades"),
    ("out", (4,), "unseen cards of each"),
    ("need", (4,), "tricks the seat lacks to its bid (below 0: has more); 0 for a nil"),
    ("nil_alive", (4,), "1: the seat bid nil, blind or not, and has no trick yet"),
    ("side_need", (4,), "per side: tricks it lacks to its bids so far"),
    ("side_bids", (4,), "per side: seats that have bid"),
    ("left", (1,), "tricks not finished"),
    ("slack", (1,), "… less those that the sides lack"),
    ("place", (4,), "one-hot: cards in the trick on the table"),
    ("partner_wins", (1,), "1: my partner is winning it"),
    ("to_target", (4,), "per side: points to the target, in fives; 0 where there is none"),
    ("advice", (NUM_ACTIONS,), "one-hot: what the rule bot would do"),
    *RULE_ROWS,
]
RULE_BOT_INPUTS = ("advice", *(name for name, _, _ in RULE_ROWS))  # what the rule bot computes, by block
INSIGHT = lay_out(NUM_FEATURES, ROWS)
NUM_INPUTS = NUM_FEATURES + sum(block.size for block in INSIGHT.values())
NUM_OPEN_INPUTS = NUM_INPUTS + STATE_SIZE - NUM_FEATURES  # followed by all four hands, for critics

(
    LEGAL, HIGHER, LOWER, MASTER, TAKES, HELD, OUT, NEED, NIL_ALIVE, SIDE_NEED, SIDE_BIDS, LEFT, SLACK, PLACE,
    PARTNER_WINS, TO_TARGET, ADVICE, RULE_INPUTS, *_,
) = (block.start - NUM_FEATURES for block in INSIGHT.values())  # fmt: skip


def insight_mark() -> str:
    """Return a short hash that changes when the layout or the rule bot does."""
    lines = [f"{block.name} {block.shape} {block.start}" for block in INSIGHT.values()]
    return hashlib.sha256("\n".join([*lines, f"adviser {ADVISER}"]).encode()).hexdigest()[:12]


@njit
def write_insight(s, r, seat, out):
    """Write the insight of the seat to move to out: int8[NUM_INPUTS − NUM_FEATURES]."""
    out[:] = 0
    if s.phase == OVER:
        return
    write_mask(s, r, out[LEGAL : LEGAL + NUM_ACTIONS])
    write_held(s, r, seat, out)
    needed = write_needs(s, r, seat, out)
    left = 13 - (np.int64(s.num_plays) >> 2)
    out[LEFT] = left
    out[SLACK] = left - needed
    on_table = np.int64(s.num_plays) & 3
    out[PLACE + on_table] = 1
    out[PARTNER_WINS] = on_table > 0 and s.best_seat == (seat + 2) & 3
    if r.target < NEVER:
        for i in range(r.sides):
            way = (np.int64(r.target) - np.int64(s.scores[(seat + i) & r.side_mask])) // FIFTH
            out[TO_TARGET + i] = max(SMALLEST, min(LARGEST, way))
    out[ADVICE + choose(s, r, RULE, RULE, np.uint64(0))] = 1
    write_rule_inputs(s, r, out[RULE_INPUTS:])


@njit
def write_held(s, r, seat, out):
    """Compare my cards with the unseen ones."""
    hand = own_hand(s, seat)
    unseen = r.cards & ~(s.played | hand | s.given[seat])
    on_table = s.phase == PLAY and s.num_plays & 3
    for lane in range(4):
        cards = LANE << np.uint64(16 * lane)
        out[HELD + lane] = bit_count(hand & cards)
        out[OUT + lane] = bit_count(unseen & cards)
        beats_best = lane == TRUMP_LANE or lane == np.int64(s.best_place) >> 4
        rest = hand & cards
        while rest:
            place = trailing_zeros(rest)
            card = np.int64(r.card_at[place])
            below = (ONE << np.uint64(place)) - ONE
            lower = bit_count(unseen & cards & below)
            higher = bit_count(unseen & cards) - lower
            out[HIGHER + card] = higher
            out[LOWER + card] = lower
            out[MASTER + card] = higher == 0
            out[TAKES + card] = on_table and beats_best and place > s.best_place
            rest &= rest - ONE


@njit
def write_needs(s, r, seat, out):
    """Write the tricks that seats and sides lack; return how many the sides lack together."""
    for i in range(4):
        other = (seat + i) & 3
        if s.bids[other] == NO_BID:
            continue
        out[SIDE_BIDS + (i & r.side_mask)] += 1
        out[NIL_ALIVE + i] = living_nil(s, other)
        if s.nils[other] == NO_NIL:
            out[NEED + i] = np.int64(s.bids[other]) - np.int64(s.tricks[other])
    needed = 0
    for i in range(r.sides):
        bid, made = contract(s, r, (seat + i) & r.side_mask)
        out[SIDE_NEED + i] = bid - made
        needed += max(0, bid - made)
    return needed


@njit
def write_insights(tables, rules, rules_of, out):
    """Write the insight of the seats to move at many tables: int8[N, NUM_INPUTS − NUM_FEATURES]."""
    for i in range(len(tables)):
        write_insight(tables[i], rules[rules_of[i]], tables[i].turn, out[i])
