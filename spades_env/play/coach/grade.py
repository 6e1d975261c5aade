"""Grades for decisions: what a move has lost of the chance to win the game, and how sure that is.

    judge = Judge("zofia")
    judge.verdict(view, action)    a `Verdict`: the better action, what was lost, and the grades

All candidates are tried in the same worlds that fit what was bid and played, as the strongest characters try their
cards. The better action is the adviser's own, unless another is significantly better.

A card is two choices, that of the suit and that of the card within it. Each is graded apart; the losses add up.

A grade rests on the loss less its margin of error, so a blunder is one beyond doubt (benchmarks/coach.py). It never
sees hidden cards.
"""

from dataclasses import dataclass

import numpy as np

from spades_env import agents
from spades_env.agents.base import Agent, Batch, Hint
from spades_env.agents.compiled import RULE
from spades_env.agents.network.trial import ROLLOUTS, STRAYING, LevelTrial
from spades_env.agents.pair import Pair
from spades_env.agents.search.candidates import MOST_CANDIDATES
from spades_env.agents.search.monte_carlo import MonteCarlo
from spades_env.agents.search.paired import answer
from spades_env.agents.search.trials import TrialSettings
from spades_env.agents.worlds.pool import draw_all, prepare_worlds
from spades_env.game.cards import NUM_CARDS, Action
from spades_env.game.view import View
from spades_env.play.coach.sight import Sight

WORLDS = 128  # as many as the champion tries
LOYALTY = 2.0  # standard errors by which the adviser's own action must be worse to be replaced
DOUBT = 2.0  # standard errors in the margin of error
EVEN = 0.0005  # a smaller loss counts as none
BEST, GOOD, INACCURACY, MISTAKE, BLUNDER = GRADES = ("best", "good", "inaccuracy", "mistake", "blunder")
FAULTS = (BLUNDER, MISTAKE, INACCURACY)
LEAST = {BLUNDER: 0.05, MISTAKE: 0.02, INACCURACY: 0.005}  # lost for certain, as a chance to win


@dataclass(frozen=True)
class Loss:
    """The chance to win that a choice has lost, and its standard error."""

    lost: float
    error: float

    @property
    def certain(self) -> float:
        """What was lost beyond the margin of error."""
        return max(0.0, self.lost - DOUBT * self.error)

    @property
    def grade(self) -> str:
        found = next((grade for grade, least in LEAST.items() if self.certain >= least), None)
        return found or (GOOD if self.lost > 0 else BEST)

    def as_dict(self) -> dict:
        return {"grade": self.grade, "lost": round(self.lost, 4), "doubt": round(DOUBT * self.error, 4)}


@dataclass(frozen=True)
class Verdict:
    """What a move has lost. suit, card: the two choices in a card, None where there was no such choice."""

    action: Action
    better: Action
    whole: Loss
    suit: Loss | None
    card: Loss | None
    weighed: Hint  # the better action first, then all others tried by their chance to win

    @property
    def grade(self) -> str:
        return self.whole.grade


class Judge:
    """Tries the actions of one position after another. The agent is asked for its own choice first."""

    def __init__(self, adviser: str | Agent, worlds: int = WORLDS, seed: int = 0):
        agent = agents.load(adviser) if isinstance(adviser, str) else adviser
        self._policy = agent.first if isinstance(agent, Pair) and isinstance(agent.second, LevelTrial) else agent
        settings = TrialSettings(worlds, ROLLOUTS, RULE, True, True, LOYALTY, np.inf, STRAYING)
        self._search = _Trials("coach", settings, None, seed)

    def verdict(self, view: View, action: Action) -> Verdict | None:
        """Compare an action with the better one; None if there is no choice."""
        sight = Sight(view)
        if all(sight.alike(action, other) for other in view.legal_actions()):
            return None
        batch = Batch.of([view])
        trial = self._search.tried(batch, int(self._policy._choose(batch)[0]), action, sight)
        actions = [int(one) for one in trial.actions[: trial.num]]
        done = _place(sight, actions, action)
        assert done is not None
        actions[done] = action  # of equal cards the one that was played
        chosen = int(answer(trial))
        if trial.totals[chosen] - trial.totals[done] < EVEN * trial.worlds:
            chosen = done
        means = trial.totals[: trial.num] / trial.weight
        order = [chosen, *(c for c in np.argsort(-means, kind="stable") if c != chosen)]
        suit, card = _parts(trial, sight, actions, chosen, done) if action < NUM_CARDS else (None, None)
        weighed = [(actions[c], float(means[c])) for c in order]
        return Verdict(action, actions[chosen], _loss(trial, chosen, done), suit, card, weighed)


class _Trials(MonteCarlo):
    """A search that tries what was done, too."""

    def tried(self, batch: Batch, preferred: Action, done: Action, sight: Sight) -> np.record:
        """Return the TRIAL of the one position of a batch."""
        memory, pool, walk = self._new_memory(), self._new_pool(), self.first_of(batch)
        self.preferred = preferred
        self._begin(batch, 0, walk, pool, memory)
        trial = memory[0]
        if _place(sight, [int(one) for one in trial.actions[: trial.num]], done) is None:
            if trial.num == 1:  # nothing was to be tried, so there are no worlds yet
                r = batch.rules[0]
                x = prepare_worlds(batch.tables, 0, r, True, pool, np.uint64(trial.x))
                trial.x = draw_all(pool, np.uint64(x))
            trial.num = min(trial.num + 1, MOST_CANDIDATES)
            trial.actions[trial.num - 1] = done
        self._go_on(batch, 0, pool, memory)
        return trial

    def first_of(self, batch: Batch) -> np.uint64:
        return batch.walks(self.seed)[0]

    def _preferred(self, batch: Batch) -> np.ndarray:
        return np.array([self.preferred])


def _place(sight: Sight, actions: list[Action], action: Action) -> int | None:
    """Return the number of an action, or of a card like it."""
    if action in actions:
        return actions.index(action)
    return next((c for c, one in enumerate(actions) if action < NUM_CARDS and sight.alike(one, action)), None)


def _parts(
    trial: np.record, sight: Sight, actions: list[Action], chosen: int, done: int
) -> tuple[Loss | None, Loss | None]:
    """Split a loss into that of the suit and that of the card within it."""
    suits = [sight.suit(one) for one in actions]
    inside = [c for c, suit in enumerate(suits) if suit == suits[done]]
    best = chosen if chosen in inside else max(inside, key=lambda c: trial.totals[c])
    return (
        _loss(trial, chosen, best) if len(set(suits)) > 1 else None,
        _loss(trial, best, done) if len(inside) > 1 else None,
    )


def _loss(trial: np.record, best: int, done: int) -> Loss:
    """Return the mean difference of two candidates over all worlds, which count equally."""
    n, products = int(trial.worlds), trial.products
    if best == done or n < 2:
        return Loss(0.0, 0.0)
    lost = float((trial.totals[best] - trial.totals[done]) / n)
    both = products[max(best, done), min(best, done)]
    variance = (products[best, best] + products[done, done] - 2 * both) / n - lost * lost
    return Loss(lost, float(np.sqrt(max(0.0, variance) / (n - 1))))
