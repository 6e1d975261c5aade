"""A reward for every decision: what it has lost of the chance to win the game, by a cheap search.

    judge = RegretJudge()
    judge.regret(view, action)      0.0 for the best action, 0.05 for one that loses five points of a hundred

It is the coach's search with fewer worlds and `rule` as its adviser, so it takes any position of any rules and reads no
level. It never sees hidden cards. benchmarks/agents/regret.py measures its speed and its error against a long search.
"""

from spades_env.game.cards import Action
from spades_env.game.view import View
from spades_env.play.coach.grade import Judge, Verdict

ADVISER = "rule"
QUICK_WORLDS = 32


class RegretJudge:
    """Grades decisions of any seat. The same view and action always get the same regret."""

    def __init__(self, worlds: int = QUICK_WORLDS, seed: int = 0):
        self._judge = Judge(ADVISER, worlds, seed)

    def regret(self, view: View, action: Action) -> float:
        """Return what the action loses against the best that the search has found, from 0 to 1."""
        found = self.verdict(view, action)
        return found.whole.lost if found else 0.0

    def verdict(self, view: View, action: Action) -> Verdict | None:
        """Return the better action and the loss; None if there is no choice."""
        return self._judge.verdict(view, action)
