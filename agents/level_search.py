"""A level that thinks ahead: its own candidates, tried in likely worlds with the level itself playing on in all seats.

NAME+search:32       32 worlds
NAME+search:100ms    as many worlds as fit into the time: the one form that does not always answer alike

The network proposes: bids, and cards of which none are alike, that it gives a noticeable chance. In worlds that it
finds likely (`agents.level_worlds`) each candidate is played out by it (`agents.level_playouts`) and is worth the match
equity at the end of the hand. Worlds are the same for all candidates, so differences are paired; a candidate that is
worse than the best beyond doubt is dropped early. The network's favourite is left only for one that is surely better.
"""

import time

import numpy as np

from agents.base import Agent, Batch, Hint, untried
from agents.candidates import distinct_cards, lowest_equal
from agents.equity import equity
from agents.level import Level
from agents.level_playouts import finish_hands
from agents.level_worlds import likely_worlds
from agents.names import Word
from agents.network import features, leave_out_wild_bids, log_probs, logits, masks
from agents.paired import Paired
from agents.search import only_option, seconds_of, whole_of, with_equals
from spades_env._jit import njit
from spades_env.cards import BID_ZERO
from spades_env.engine import apply
from spades_env.state import BID, BLIND, PASS

OPTION = "search:"
MOST_WORLDS = 10_000
NOTICEABLE = 0.005  # the chance that makes a candidate,
MOST_CANDIDATES = 8
FEWEST_BIDS = 3  # … whatever their chances
FIRST_ROUND = 8  # worlds; every later round takes as many as all before it
CARD_LOYALTY = 1.0  # standard errors by which the favourite card must be worse than the best to be left for it,
BID_LOYALTY = 2.0  # … and the favourite bid
WORLDS_A_MS = 1.0  # of the time granted: more are not weighed


class LevelSearch(Agent):
    """It tries its candidates in so many worlds, or in as many as fit into `seconds`."""

    def __init__(self, name: str, level: Level, worlds: int, seconds: float | None = None, seed: int = 0):
        super().__init__(name, seed)
        self.level, self.worlds, self.seconds = level, worlds, seconds
        self.weighs = seconds is None

    def _choose(self, batch: Batch) -> np.ndarray:
        walks = batch.walks(self.seed)
        return np.array([self._think(batch, i, walks[i]).answer() for i in range(len(batch))], np.int64)

    def _weigh(self, batch: Batch) -> Hint:
        """Mean match equities."""
        return with_equals(batch, self._think(batch, 0, batch.walks(self.seed)[0]).means())

    def _worths(self, batch: Batch) -> np.ndarray:
        if not self.weighs:
            return super()._worths(batch)
        out, walks = untried(len(batch)), batch.walks(self.seed)
        for i in range(len(batch)):
            trials = self._think(batch, i, walks[i], patient=True)
            tried = [(trials.answer(), 1.0)]
            if trials.open:
                tried = with_equals(_alone(batch, i), list(trials.worths().items()))
            for action, worth in tried:
                out[i, action] = worth
        return out

    def _think(self, batch: Batch, i: int, walk: np.uint64, patient: bool = False) -> Paired:
        end = np.inf if self.seconds is None else time.perf_counter() + self.seconds
        one = _alone(batch, i)
        loyalty = CARD_LOYALTY if one.tables.phase[0] >= PASS else BID_LOYALTY
        trials = Paired(candidates(self.level, one), loyalty, patient)
        if not trials.open:
            return trials
        worlds, weights = likely_worlds(self.level, one, self.worlds, walk)
        done, wanted = 0, FIRST_ROUND
        while trials.open and done < len(worlds) and (not done or time.perf_counter() < end):
            some = slice(done, done + wanted)
            trials.add(self._values(worlds[some].view(np.recarray), one.rules, trials.alive()), weights[some])
            done += wanted
            wanted = done if self.seconds is None else FIRST_ROUND
        return trials

    def _values(self, worlds: np.recarray, rules: np.recarray, actions: np.ndarray) -> np.ndarray:
        """float64[worlds, actions]: the equities of the seat to move at the end of the hand."""
        tables = np.repeat(worlds, len(actions)).view(np.recarray)
        out = np.empty(len(tables))
        side = int(worlds["turn"][0]) & int(rules.side_mask[0])
        _act(tables, rules[0], actions)
        finish_hands(self.level, tables, rules)
        _value(tables, rules[0], side, out)
        return out.reshape(len(worlds), len(actions))


def make(word: Word, level: Level, seed: int) -> LevelSearch:
    """The level of this word that thinks as its option says."""
    asked = only_option(word, OPTION)
    seconds = seconds_of(asked)
    worlds = whole_of(asked, "worlds", asked.setting, MOST_WORLDS) if seconds is None else _worlds_in(seconds)
    return LevelSearch(word.text, level, worlds, seconds, seed)


def _worlds_in(seconds: float) -> int:
    return min(MOST_WORLDS, max(FIRST_ROUND, int(1000 * seconds * WORLDS_A_MS)))


def _alone(batch: Batch, i: int) -> Batch:
    """One position of a batch, with its rules only."""
    number = int(batch.rules_of[i])
    rules = batch.rules[number : number + 1].view(np.recarray)
    return Batch(batch.tables[i : i + 1].view(np.recarray), rules, np.zeros(1, np.int32))


def candidates(level: Level, batch: Batch) -> np.ndarray:
    """int64[C]: what is worth a trial at the one position of the batch, the network's favourite first."""
    s, r, phase = batch.tables[0], batch.rules[0], int(batch.tables.phase[0])
    x, mask = features(batch), masks(batch)
    leave_out_wild_bids(level.heed, x, mask)
    chances = np.exp(log_probs(logits(level, x), mask))[0]
    if phase >= PASS:
        _gather_alike(r, np.uint64(distinct_cards(s, r)), mask[0], chances)
    order = np.argsort(-chances, kind="stable")[: mask.sum()]
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
    """Cards that are alike have their chances added up at the one that stands for them, which is left alone in mask."""
    for action in np.flatnonzero(mask):
        card = np.int64(r.card_at[lowest_equal(distinct, np.int64(r.place[action]))])
        if card != action:
            chances[card] += chances[action]
            chances[action] = 0
            mask[action] = 0


@njit
def _act(tables, r, actions):
    """Every action in every world: the table of world w and action a is w × actions + a."""
    for k in range(len(tables)):
        apply(tables[k], r, actions[k % len(actions)])


@njit
def _value(tables, r, side, out):
    for k in range(len(tables)):
        out[k] = equity(tables[k], r, side)
