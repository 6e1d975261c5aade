"""Perfect-information Monte Carlo: each card's mean worth over worlds that are solved with open cards.

pimc:20    20 worlds

The hidden cards are dealt in any way that fits the view. In the last tricks the solver finds the exact worth of every
card if all seats see all cards. The best mean is played; of equal cards the one that `club` would play, else the
lowest. There are no rollouts and no model of the other players. Bids, passes and earlier cards are those of `club`.

Its weakness is strategy fusion: in every world it plays as if it knew that world. So it never hides or seeks
information, and it counts on finesses that may fail.
"""

from typing import NamedTuple

import numpy as np

from spades_env._jit import njit, trailing_zeros
from spades_env.agents.agent_name import AgentName
from spades_env.agents.base import CHANCE, Agent, Batch, Hint
from spades_env.agents.compiled import CLUB, choose
from spades_env.agents.solver.alpha_beta import new_solver, prepare, solve
from spades_env.agents.solver.outcomes import EQUITY, MILLION
from spades_env.agents.worlds.determinize import deal_world, new_plan, plan_worlds
from spades_env.game.engine import legal_cards
from spades_env.game.state import ONE, PLAY, new_tables

SOLVED = 7  # tricks from the end


class Workspace(NamedTuple):
    """The memory of a search, one for each thread."""

    solver: np.recarray  # SOLVER[1]
    plan: np.recarray  # PLAN[1]
    world: np.recarray  # STATE[1]
    totals: np.ndarray  # int64[13]


class Pimc(Agent):
    """Plays the card with the best mean over this many worlds."""

    def __init__(self, name: str, worlds: int, seed: int = 0):
        super().__init__(name, seed)
        self.worlds = worlds

    def _choose(self, batch: Batch) -> np.ndarray:
        out = np.empty(len(batch), np.int64)
        _choose_all(*batch.for_kernels, self.worlds, batch.walks(self.seed), new_workspace(), out)
        return out

    def _hint(self, batch: Batch) -> Hint:
        """Return the mean share of the win with each card, or the choice of `club` where it decides."""
        s, r = batch.tables[0], batch.rules[batch.rules_of[0]]
        if not is_solved(s):
            return super()._hint(batch)
        work = new_workspace()
        usual, totals = weigh(batch.tables, 0, r, self.worlds, batch.walks(self.seed)[0], work), work.totals
        legal, card_at = int(legal_cards(s, r)), batch.rules.card_at[batch.rules_of[0]]
        cards = [int(card_at[place]) for place in range(64) if legal >> place & 1]
        best = int(card_at[best_card(np.uint64(legal), usual, totals)])
        weighed = [(card, float(total / self.worlds / MILLION)) for card, total in zip(cards, totals, strict=False)]
        return sorted(weighed, key=lambda pair: pair[0] != best)

    def _hint_measure(self, batch: Batch) -> str:
        return CHANCE


def new_workspace() -> Workspace:
    return Workspace(new_solver(), new_plan(), new_tables(1), np.zeros(13, np.int64))


def make(name: AgentName, seed: int) -> Pimc:
    if name.options:
        raise name.refuse("it takes no options")
    if not name.setting:
        raise name.refuse("it needs a number of determinizations (pimc:20)")
    return Pimc(name.text, name.worlds(name.setting), seed)


@njit
def _choose_all(tables, rules, rules_of, worlds, walks, work, out):
    for i in range(len(tables)):
        s, r = tables[i], rules[rules_of[i]]
        legal = legal_cards(s, r)
        if is_solved(s) and legal & (legal - ONE):
            usual = weigh(tables, i, r, worlds, walks[i], work)
            out[i] = r.card_at[best_card(legal, usual, work.totals)]
        else:
            out[i] = choose(s, r, CLUB, CLUB, walks[i])


@njit
def is_solved(s):
    return s.phase == PLAY and s.num_plays >= 4 * (13 - SOLVED)


@njit
def weigh(views, i, r, worlds, x, work):
    """Sum the worths of the legal cards, the lowest place first, in work.totals; return the place of `club`'s card."""
    s, d = views[i], work.solver[0]
    values = np.empty(13)
    work.totals[:] = 0
    plan_worlds(s, r, work.plan[0])
    prepare(d, views, i, r, np.int64(s.turn) & r.side_mask, EQUITY)
    for _ in range(worlds):
        x = deal_world(views, i, r, work.plan[0], work.world, 0, x)
        for k in range(solve(d, work.world[0], r, values)):
            work.totals[k] += np.int64(values[k])
    return np.int64(r.place[choose(s, r, CLUB, CLUB, x)])


@njit
def best_card(legal, usual, totals):
    """Return the place of the best legal card; of equals the usual one, else the lowest."""
    best, most, k = np.int64(-1), np.int64(-1), 0
    while legal:
        place = np.int64(trailing_zeros(legal))
        if totals[k] > most or (totals[k] == most and place == usual):
            best, most = place, totals[k]
        legal &= legal - ONE
        k += 1
    return best
