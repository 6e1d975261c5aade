"""Grades for decisions: what a move has lost of the chance to win the game, and how sure that is.

    judge = Judge("zofia")
    judge.verdict(view, action)    a `Verdict`: the better action, what was lost, and the grades

All candidates are tried in the same worlds that fit what was bid and played, as the strongest characters try their
cards. The better action is the adviser's own, unless another is significantly better.

A card is two choices, that of the suit and that of the card within it. Each is graded apart; the losses add up.

A grade rests on the loss less its margin of error, so a blunder is one beyond doubt (benchmarks/agents/coach.py). It
never sees hidden cards.
"""

from dataclasses import dataclass

import numpy as np

from spades_env import agents
from spades_env.agents.agent_name import MOST_WORLDS
from spades_env.agents.base import Agent, AgentError, Hint
from spades_env.agents.network.trial import LevelTrial
from spades_env.agents.pair import Pair
from spades_env.agents.search.compare import Comparison, candidates, compare
from spades_env.checks import whole
from spades_env.game.cards import NUM_CARDS, Action, action_name
from spades_env.game.view import View
from spades_env.play.coach.known import Sight
from spades_env.play.table.advice import SAME

WORLDS = 128  # every action is tried in all of them
DOUBT = 2.0  # standard errors in the margin of error
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
        self._worlds, self._seed = whole("worlds", worlds, 1, MOST_WORLDS), seed

    def verdict(self, view: View, action: Action) -> Verdict | None:
        """Compare an action with the better one; None if there is no choice."""
        if action not in view.legal_actions():
            raise AgentError(f"{action_name(action)} is illegal here: a judge compares legal actions")
        sight = Sight(view)
        if all(sight.alike(action, other) for other in view.legal_actions()):
            return None
        actions, usual = candidates(view), self._policy.act(view)
        for one in (action, usual):  # a bid far from that of `rule`, a trump that a search doesn't lead
            if _place(sight, actions, one) is None:
                actions.append(one)
        done = _place(sight, actions, action)
        assert done is not None
        if len(actions) == 1:  # the other cards are those that a search doesn't try
            return None
        found = compare(view, actions, usual, self._worlds, self._seed)
        actions[done] = action  # of equal cards the one that was played
        chosen = found.answer
        if found.difference(chosen, done)[0] < SAME:
            chosen = done
        order = [chosen, *(c for c in np.argsort(-found.means, kind="stable") if c != chosen)]
        suit, card = _parts(found, sight, actions, chosen, done) if action < NUM_CARDS else (None, None)
        weighed = [(actions[c], float(found.means[c])) for c in order]
        return Verdict(action, actions[chosen], _loss(found, chosen, done), suit, card, weighed)


def _place(sight: Sight, actions: list[Action], action: Action) -> int | None:
    """Return the number of an action, or of a card like it."""
    if action in actions:
        return actions.index(action)
    return next((c for c, one in enumerate(actions) if action < NUM_CARDS and sight.alike(one, action)), None)


def _parts(
    found: Comparison, sight: Sight, actions: list[Action], chosen: int, done: int
) -> tuple[Loss | None, Loss | None]:
    """Split a loss into that of the suit and that of the card within it."""
    suits = [sight.suit(one) for one in actions]
    inside = [c for c, suit in enumerate(suits) if suit == suits[done]]
    best = chosen if chosen in inside else max(inside, key=lambda c: found.means[c])
    if found.difference(chosen, best)[0] < 0:  # the suit has lost nothing
        return Loss(0.0, 0.0), _loss(found, chosen, done) if len(inside) > 1 else None
    return (
        _loss(found, chosen, best) if len(set(suits)) > 1 else None,
        _loss(found, best, done) if len(inside) > 1 else None,
    )


def _loss(found: Comparison, best: int, done: int) -> Loss:
    return Loss(0.0, 0.0) if best == done else Loss(*found.difference(best, done))
