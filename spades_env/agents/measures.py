"""The two meanings of the weights of a hint, which all lie between 0 and 1.

CHOICE     the probability that the agent chooses the action, or of a tree search one like it: networks, tree searches,
           and agents with a single answer
CHANCE     the chance to win the game with it, a draw counting half: searches, as a mean over their worlds
"""

from spades_env.agents.base import CHANCE, CHOICE, Agent, Batch, Hint
from spades_env.agents.search.agent import with_equals
from spades_env.game.view import View

__all__ = ["CHANCE", "CHOICE", "measure"]


def measure(agent: Agent, view: View, hint: Hint) -> str:
    """Return what the weights of this agent's hint for the view mean."""
    batch = Batch.of([view])
    if not hint or hint == with_equals(batch, [(hint[0][0], 1.0)]):  # nothing was tried: only the answer and its equals
        return CHOICE
    return agent._hint_measure(batch)
