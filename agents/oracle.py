"""`oracle` CHEATS: it sees all cards. A yardstick of how far an honest bot could still go, never an opponent.

Few tricks from the end it plays as well as can be: the solver's best card. Before that, and for bids and passes, it
tries every action on the true deal: the `rule` bot, now and then with a random card, plays the hand on in every seat, and
the last tricks are solved.
"""

import numpy as np

from agents.base import Agent, Batch, Hint
from agents.compiled import RANDOM, RULE, choose
from agents.names import Word
from agents.solver import best_worth, new_desk, prepare, solve
from agents.stakes import RULES_PRICE, worth
from spades_env._jit import njit, trailing_zeros
from spades_env.cards import NUM_ACTIONS
from spades_env.engine import apply, legal_cards, mix, next_random, write_mask
from spades_env.state import GOES_ON, ONE, PLAY, new_tables

SOLVED = 8  # tricks from the end, the best card is found
ROLLOUT_SOLVED = 5  # … in roll-outs
ROLLOUTS = 24  # of every action
TIE_ROLLOUTS = 6  # of every card that is as good as the best
NOISE = 1 / 8  # share of random cards in roll-outs
NEVER_CHOSEN = -1e18


class Oracle(Agent):
    """Plays with open cards."""

    cheats = True

    def _choose(self, batch: Batch) -> np.ndarray:
        out = np.empty(len(batch), np.int64)
        _choose_all(batch.tables, batch.rules, batch.rules_of, batch.walks(self.seed), new_desk(), new_tables(1), out)
        return out

    def _weigh(self, batch: Batch) -> Hint:
        worths = np.empty(NUM_ACTIONS)
        x = batch.walks(self.seed)[0]
        weigh(batch.tables, 0, batch.rules[0], x, new_desk(), new_tables(1), np.empty(NUM_ACTIONS, np.int8), worths)
        legal = np.flatnonzero(worths > NEVER_CHOSEN)
        low, spread = worths[legal].min(), np.ptp(worths[legal])
        return [(int(action), float((worths[action] - low) / spread) if spread else 1.0) for action in legal]


def make(word: Word, seed: int) -> Agent:
    """The oracle; it takes no setting and no options."""
    if word.setting or word.options:
        raise word.refuse("it takes no settings")
    return Oracle(word.text, seed)


@njit
def _choose_all(tables, rules, rules_of, walks, desk, spare, out):
    mask = np.empty(NUM_ACTIONS, np.int8)
    worths = np.empty(NUM_ACTIONS)
    for i in range(len(tables)):
        weigh(tables, i, rules[rules_of[i]], walks[i], desk, spare, mask, worths)
        out[i] = np.argmax(worths)


@njit
def weigh(tables, i, r, x, desk, spare, mask, worths):
    """worths[action]: in thousandths of a point; NEVER_CHOSEN if it is not legal."""
    s = tables[i]
    write_mask(s, r, mask)
    worths[:] = NEVER_CHOSEN
    left = 13 - (np.int64(s.num_plays) >> 2)
    if s.phase == PLAY and left <= SOLVED and r.sides == 2:
        _solve_cards(tables, i, r, desk, worths)
        _try_out(tables, i, r, x, TIE_ROLLOUTS, desk, spare, worths, np.max(worths))
    else:
        for action in range(NUM_ACTIONS):
            if mask[action]:
                worths[action] = 0
        _try_out(tables, i, r, x, ROLLOUTS, desk, spare, worths, 0.0)


@njit
def _solve_cards(tables, i, r, desk, worths):
    s = tables[i]
    values = np.empty(13)
    prepare(desk[0], tables, i, r, np.int64(s.turn) & r.side_mask, RULES_PRICE)
    solve(desk[0], s, r, values)
    legal = legal_cards(s, r)
    k = 0
    while legal:
        worths[r.card_at[trailing_zeros(legal)]] = values[k]
        legal &= legal - ONE
        k += 1


@njit
def _try_out(tables, i, r, x, rollouts, desk, spare, worths, bar):
    """Add the mean of roll-outs to those worths that are at the bar; all actions with the same random numbers."""
    count = 0
    for action in range(NUM_ACTIONS):
        count += worths[action] == bar
    if count < 2:
        return
    for action in range(NUM_ACTIONS):
        if worths[action] == bar:
            total = 0.0
            for n in range(rollouts):
                spare[0] = tables[i]
                event = apply(spare[0], r, action)
                total += _roll_out(tables, i, r, mix(x + np.uint64(n)), desk, spare, event)
            worths[action] += total / rollouts


@njit
def _roll_out(tables, i, r, x, desk, spare, event):
    side = np.int64(tables[i].turn) & r.side_mask
    t = spare[0]
    while event == GOES_ON:
        if t.phase == PLAY and r.sides == 2 and t.num_plays & 3 == 0 and t.num_plays >= 4 * (13 - ROLLOUT_SOLVED):
            prepare(desk[0], spare, 0, r, side, RULES_PRICE)
            return 1.0 * best_worth(desk[0], t, r)
        x = next_random(x)
        random = t.phase == PLAY and (mix(x) >> np.uint64(11)) * 2.0**-53 < NOISE
        event = apply(t, r, choose(t, r, RULE, RANDOM if random else RULE, x))
    return 1.0 * worth(t, tables[i], r, side, RULES_PRICE)
