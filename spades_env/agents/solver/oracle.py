"""`oracle` CHEATS: it sees all cards. It is a yardstick of how much an honest bot could still gain, never an opponent.

In the last tricks it plays the solver's best card; rollouts decide between equal ones. Before that, for bids and
passes, and in solo games, every action is tried by rollouts of the true deal. There all seats bid like `rule` and play
like `rule` or, every other time, like `simple`, with some random cards: otherwise the oracle would exploit the exact
moves of one bot. The last tricks of rollouts are solved.
"""

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import Agent, Batch, Hint
from spades_env.agents.compiled import RANDOM, RULE, SIMPLE, choose
from spades_env.agents.solver.alpha_beta import best_worth, new_solver, prepare, solve
from spades_env.agents.solver.outcomes import POINTS, worth
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.engine import apply, legal_cards, mix, next_random, write_mask
from spades_env.game.state import GOES_ON, ONE, PLAY, new_tables

SOLVED = 8  # tricks from the end
ROLLOUT_SOLVED = 5  # … and in rollouts
ROLLOUTS = 48  # of every action
TIE_ROLLOUTS = 6  # of every card that the solver finds as good as the best
NOISE = 1 / 8  # the share of random cards in rollouts
FEW = 1e-10  # the weight of rollouts beside the solver's worths: less than any difference between these
ILLEGAL = -1e18  # in place of a worth


class Oracle(Agent):
    """Plays with all cards open."""

    cheats = True

    def _choose(self, batch: Batch) -> np.ndarray:
        return self._points(batch).argmax(axis=1)

    def _hint(self, batch: Batch) -> Hint:
        [worths] = self._points(batch)
        legal = np.flatnonzero(worths > ILLEGAL)
        low, spread = worths[legal].min(), np.ptp(worths[legal])
        return [(int(action), float((worths[action] - low) / spread) if spread else 1.0) for action in legal]

    def _points(self, batch: Batch) -> np.ndarray:
        """Return float64[N, 70]: the worth of every action in thousandths of a point, or ILLEGAL."""
        worths = np.full((len(batch), NUM_ACTIONS), ILLEGAL)
        walks = batch.walks(self.seed)
        _weigh_all(*batch.for_kernels, walks, new_solver(), new_tables(1), worths)
        return worths


def make(name: AgentName, seed: int) -> Agent:
    if name.setting or name.options:
        raise name.refuse("it takes no settings")
    return Oracle(name.text, seed)


@njit
def _weigh_all(tables, rules, rules_of, walks, solver, spare, worths):
    for i in range(len(tables)):
        weigh(tables, i, rules[rules_of[i]], walks[i], solver, spare, worths[i])


@njit
def weigh(tables, i, r, x, solver, spare, worths):
    """Set worths[action] of every legal action of the seat to move at tables[i].

    x: the random number before those used; solver: SOLVER[1]; spare: STATE[1], for rollouts.
    """
    s = tables[i]
    solved = s.phase == PLAY and r.sides == 2 and s.num_plays >= 4 * (13 - SOLVED)
    if solved:
        solve_cards(tables, i, r, POINTS, solver, worths)
    else:
        mask = np.empty(NUM_ACTIONS, np.int8)
        write_mask(s, r, mask)
        for action in range(NUM_ACTIONS):
            if mask[action]:
                worths[action] = 0
    _try_out(tables, i, r, x, solved, solver, spare, worths)


@njit
def solve_cards(tables, i, r, measure, solver, worths):
    """Set worths[card] of every legal card. measure: POINTS or EQUITY."""
    s, d = tables[i], solver[0]
    values = np.empty(13)
    prepare(d, tables, i, r, np.int64(s.turn) & r.side_mask, measure)
    solve(d, s, r, values)
    legal = legal_cards(s, r)
    k = 0
    while legal:
        worths[r.card_at[trailing_zeros(legal)]] = values[k]
        legal &= legal - ONE
        k += 1


@njit
def _try_out(tables, i, r, x, solved, solver, spare, worths):
    """Add to the best actions, if several are tied, the mean of rollouts with the same random numbers."""
    tied, count = np.max(worths), 0
    rollouts, weight = (TIE_ROLLOUTS, FEW) if solved else (ROLLOUTS, 1.0)
    for action in range(NUM_ACTIONS):
        count += worths[action] == tied
    if count < 2:
        return
    for action in range(NUM_ACTIONS):
        if worths[action] == tied:
            total = 0
            for n in range(rollouts):
                spare[0] = tables[i]
                playing = SIMPLE if n & 1 else RULE
                total += _rollout(tables, i, r, action, playing, mix(x + np.uint64(n)), solver, spare)
            worths[action] += weight * total / rollouts


@njit
def _rollout(tables, i, r, action, playing, x, solver, spare):
    """Return the worth of the hand after the action, with bids of `rule` and cards in the given style."""
    t, d = spare[0], solver[0]
    side = np.int64(t.turn) & r.side_mask
    event = apply(t, r, action)
    while event == GOES_ON:
        if r.sides == 2 and t.num_plays == 4 * (13 - ROLLOUT_SOLVED):
            prepare(d, spare, 0, r, side, POINTS)
            return best_worth(d, t, r)
        x = next_random(x)
        random = t.phase == PLAY and mix(x) < NOISE * 2.0**64
        event = apply(t, r, choose(t, r, RULE, RANDOM if random else playing, next_random(x)))
    return worth(t, tables[i], r, side, POINTS)
