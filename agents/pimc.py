"""Open cards in many worlds: what each card is worth if all four hands could be seen, on average.

pimc:20    20 worlds

Perfect-information Monte Carlo: the hidden cards are dealt evenly among all ways that fit the view, and with few tricks
left the solver tells exactly what every card is worth in a world where everybody sees everything. The mean over the
worlds decides; of equal cards the one that `club` would play, else the lowest. Nothing is rolled out, and nobody's
habits are guessed at. Bids, passes and earlier cards are `club`'s.

Its error is known: in every world it plays as if it knew that world, so it never hides nor seeks information, and it
counts on finesses that it cannot know of.
"""

import numpy as np

from agents.base import Agent, Batch, Hint
from agents.compiled import CLUB, choose
from agents.names import Word
from agents.search import whole_of
from agents.solver import new_desk, prepare, solve
from agents.stakes import EQUITY, MILLION
from agents.worlds import deal_world, new_plan, plan_worlds
from spades_env._jit import njit, trailing_zeros
from spades_env.engine import legal_cards
from spades_env.state import ONE, PLAY, new_tables

SOLVED = 7  # tricks from the end
MOST_WORLDS = 10_000


class Pimc(Agent):
    """The card that is worth most, its worths in so many worlds averaged."""

    def __init__(self, name: str, worlds: int, seed: int = 0):
        super().__init__(name, seed)
        self.worlds = worlds

    def _choose(self, batch: Batch) -> np.ndarray:
        out = np.empty(len(batch), np.int64)
        walks = batch.walks(self.seed)
        desk, plan, world = new_desk(), new_plan(), new_tables(1)
        _choose_all(*batch.for_kernels, self.worlds, walks, desk, plan, world, out)
        return out

    def _weigh(self, batch: Batch) -> Hint:
        """The share of the win that a card is worth; where `club` decides, what it does."""
        s, r = batch.tables[0], batch.rules[batch.rules_of[0]]
        if not is_solved(s):
            return super()._weigh(batch)
        totals = np.zeros(13, np.int64)
        desk, plan, world = new_desk(), new_plan(), new_tables(1)
        usual = weigh(batch.tables, 0, r, self.worlds, batch.walks(self.seed)[0], desk, plan, world, totals)
        legal, card_at = int(legal_cards(s, r)), batch.rules.card_at[batch.rules_of[0]]
        cards = [int(card_at[place]) for place in range(64) if legal >> place & 1]
        best = int(card_at[best_card(legal_cards(s, r), usual, totals)])
        weighed = [(card, float(total / self.worlds / MILLION)) for card, total in zip(cards, totals, strict=False)]
        return sorted(weighed, key=lambda pair: pair[0] != best)


def make(word: Word, seed: int) -> Pimc:
    """The agent of this name."""
    if word.options:
        raise word.refuse("it takes no options")
    if not word.setting:
        raise word.refuse("it needs a number of worlds (pimc:20)")
    return Pimc(word.text, whole_of(word, "worlds", word.setting, MOST_WORLDS), seed)


@njit
def _choose_all(tables, rules, rules_of, worlds, walks, desk, plan, world, out):
    totals = np.empty(13, np.int64)
    for i in range(len(tables)):
        s, r = tables[i], rules[rules_of[i]]
        legal = legal_cards(s, r)
        if is_solved(s) and legal & (legal - ONE):
            usual = weigh(tables, i, r, worlds, walks[i], desk, plan, world, totals)
            out[i] = r.card_at[best_card(legal, usual, totals)]
        else:
            out[i] = choose(s, r, CLUB, CLUB, walks[i])


@njit
def is_solved(s):
    """Are few enough tricks left?"""
    return s.phase == PLAY and s.num_plays >= 4 * (13 - SOLVED)


@njit
def weigh(views, i, r, worlds, x, desk, plan, world, totals):
    """totals[k]: the worth of the k-th legal card, the lowest place first, in all worlds; returns `club`'s place.

    desk: DESK[1], plan: PLAN[1], world: STATE[1], totals: int64[13].
    """
    s, d = views[i], desk[0]
    values = np.empty(13)
    totals[:] = 0
    plan_worlds(s, r, plan[0])
    prepare(d, views, i, r, np.int64(s.turn) & r.side_mask, EQUITY)
    for _ in range(worlds):
        x = deal_world(views, i, r, plan[0], world, 0, x)
        for k in range(solve(d, world[0], r, values)):
            totals[k] += np.int64(values[k])
    return np.int64(r.place[choose(s, r, CLUB, CLUB, x)])


@njit
def best_card(legal, usual, totals):
    """The place of the best of the legal cards: of equals the usual one, else the lowest."""
    best, most, k = np.int64(-1), np.int64(-1), 0
    while legal:
        place = np.int64(trailing_zeros(legal))
        if totals[k] > most or (totals[k] == most and place == usual):
            best, most = place, totals[k]
        legal &= legal - ONE
        k += 1
    return best
