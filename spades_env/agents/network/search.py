"""A search with a level: it tries its own candidates in likely worlds, with its own policy in the rollouts.

NAME+search:32       32 worlds
NAME+search:100ms    as many worlds as fit into the time: the only form whose answers vary

The candidates are bids, and cards of which no two are equal, that have a noticeable chance under the network. Each is
rolled out (`playouts`) in worlds that the network finds likely (`worlds`); its value is the match equity at the end of
the hand. Worlds are the same for all candidates, so differences are paired; a candidate that is significantly worse
than the best is dropped early. The network's favourite is replaced only by one that is significantly better.
"""

import time

import numpy as np

from spades_env._jit import njit
from spades_env.agents.base import CHANCE, Agent, Batch, Hint, untried
from spades_env.agents.equity import equity
from spades_env.agents.lanes import distinct_cards, lowest_equal
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import features, leave_out_wild_bids, log_probs, logits, masks
from spades_env.agents.network.playouts import finish_hands, make_moves
from spades_env.agents.network.worlds import likely_worlds
from spades_env.agents.search.agent import with_equals
from spades_env.agents.search.paired import add_world, answer, clear, drop_worse, means, new_trial, num_alive
from spades_env.game.cards import BID_ZERO
from spades_env.game.state import BID, BLIND, PASS

MOST_WORLDS = 10_000
NOTICEABLE = 0.005  # the least chance of a candidate
MOST_CANDIDATES = 8
FEWEST_BIDS = 3  # candidates in the bidding, whatever their chances
FIRST_ROUND = 8  # worlds; every later round takes as many as all before it
DIGITS = 12  # of a hint: rounding errors of sums must not distinguish candidates
DOUBT = 2.5  # standard errors by which a candidate must be worse to be dropped
CARD_LOYALTY = 1.0  # standard errors by which the favourite card must be worse than the best to be replaced,
BID_LOYALTY = 2.0  # … and the favourite bid
WORLDS_A_MS = 1.0  # of the time limit: the most that are weighed


class LevelSearch(Agent):
    """A search that tries its candidates in this many worlds, or in as many as fit into `seconds`."""

    def __init__(self, name: str, level: Level, worlds: int, seconds: float | None = None, seed: int = 0):
        super().__init__(name, seed)
        self.level, self.worlds, self.seconds = level, worlds, seconds
        self.weighs = seconds is None

    def _choose(self, batch: Batch) -> np.ndarray:
        walks = batch.walks(self.seed)
        trials = (self._think(batch, i, walks[i]) for i in range(len(batch)))
        return np.array([trial.actions[answer(trial)] for trial in trials], np.int64)

    def _hint(self, batch: Batch) -> Hint:
        """Return mean match equities."""
        found = means(self._think(batch, 0, batch.walks(self.seed)[0]))
        return with_equals(batch, [(action, round(worth, DIGITS)) for action, worth in found])

    def _hint_measure(self, batch: Batch) -> str:
        return CHANCE

    def _worths(self, batch: Batch) -> np.ndarray:
        if not self.weighs:
            return super()._worths(batch)
        out, walks = untried(len(batch)), batch.walks(self.seed)
        for i in range(len(batch)):
            tried = means(self._think(batch, i, walks[i], patient=True), False)
            for action, worth in with_equals(_alone(batch, i), tried) if len(tried) > 1 else tried:
                out[i, action] = worth
        return out

    def _think(self, batch: Batch, i: int, walk: np.uint64, patient: bool = False) -> np.record:
        """Return the TRIAL, after all worlds, of position i."""
        end = np.inf if self.seconds is None else time.perf_counter() + self.seconds
        one = _alone(batch, i)
        loyalty = CARD_LOYALTY if one.tables.phase[0] >= PASS else BID_LOYALTY
        trial = begin(candidates(self.level, one), loyalty)
        if trial.num < 2:
            return trial
        worlds, weights = self._worlds(one, walk)
        done, wanted = 0, FIRST_ROUND
        while num_alive(trial) > 1 and done < len(worlds) and (not done or time.perf_counter() < end):
            some = slice(done, done + wanted)
            alive = trial.actions[trial.alive > 0]
            add_worlds(trial, self._values(worlds[some].view(np.recarray), one.rules, alive), weights[some])
            if not patient:
                drop_worse(trial, DOUBT, 2)
            done += wanted
            wanted = done if self.seconds is None else FIRST_ROUND
        return trial

    def _values(self, worlds: np.recarray, rules: np.recarray, actions: np.ndarray) -> np.ndarray:
        """Return float64[worlds, actions]: the equities of the seat to move at the end of the hand."""
        tables = np.repeat(worlds, len(actions)).view(np.recarray)
        out = np.empty(len(tables))
        side = int(worlds["turn"][0]) & int(rules.side_mask[0])
        make_moves(tables, rules[0], np.arange(len(tables)), np.tile(actions, len(worlds)))
        self._finish(tables, rules, side)
        _value(tables, rules[0], side, out)
        return out.reshape(len(worlds), len(actions))

    def _worlds(self, one: Batch, walk: np.uint64) -> tuple[np.recarray, np.ndarray]:
        return likely_worlds(self.level, one, self.worlds, walk)

    def _finish(self, tables: np.recarray, rules: np.recarray, side: int) -> None:
        """Play the hands to their end; `side` is the one that searches."""
        finish_hands(self.level, tables, rules)


def begin(actions: np.ndarray, loyalty: float) -> np.record:
    """Return a TRIAL of these actions, int64[C], before any world; the first is the favourite."""
    trial = new_trial()[0]
    clear(trial)
    trial.num, trial.favourite, trial.loyalty, trial.doubt = len(actions), 0, loyalty, np.inf
    trial.actions[: len(actions)] = actions
    trial.alive[len(actions) :] = 0
    return trial


def worlds_in(seconds: float) -> int:
    """Return how many worlds a search with this time limit weighs."""
    return min(MOST_WORLDS, max(FIRST_ROUND, int(1000 * seconds * WORLDS_A_MS)))


def _alone(batch: Batch, i: int) -> Batch:
    number = int(batch.rules_of[i])
    rules = batch.rules[number : number + 1].view(np.recarray)
    return Batch(batch.tables[i : i + 1].view(np.recarray), rules, np.zeros(1, np.int32))


def candidates(level: Level, batch: Batch) -> np.ndarray:
    """Return int64[C]: the actions to try at the one position of the batch, the network's favourite first."""
    s, r, phase = batch.tables[0], batch.rules[0], int(batch.tables.phase[0])
    x, mask = features(batch), masks(batch)
    leave_out_wild_bids(level.heed, x, mask)
    chances = np.exp(log_probs(logits(level, x), mask))[0]
    if phase >= PASS:
        _gather_alike(r, np.uint64(distinct_cards(s, r)), mask[0], chances)
    order = np.argsort(-np.where(mask[0], chances, -1.0), kind="stable")[: mask.sum()]  # a legal one may have 0, too
    if phase == BLIND:
        return order
    fewest = FEWEST_BIDS if phase == BID else 1
    count = max(fewest, int((chances[order[:MOST_CANDIDATES]] >= NOTICEABLE).sum()))
    chosen = order[:count]
    if phase == BID and batch.rules.zero_is_nil[0] and BID_ZERO not in chosen:
        chosen = np.append(chosen, BID_ZERO)
    return chosen


@njit
def _gather_alike(r, distinct, mask, chances):
    """Add up the chances of equal cards at the one that represents them; clear the others in mask."""
    for action in np.flatnonzero(mask):
        card = np.int64(r.card_at[lowest_equal(distinct, np.int64(r.place[action]))])
        if card != action:
            chances[card] += chances[action]
            chances[action] = 0
            mask[action] = 0


@njit
def add_worlds(trial, values, weights):
    """Add the values of the live candidates in some worlds, float64[worlds, alive], and the worlds' weights."""
    for row in range(len(values)):
        k = 0
        for c in range(trial.num):
            if trial.alive[c]:
                trial.values[c] = values[row, k]
                k += 1
        add_world(trial, weights[row])


@njit
def _value(tables, r, side, out):
    for k in range(len(tables)):
        out[k] = equity(tables[k], r, side)
