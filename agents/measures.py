"""What the weights of a hint mean. They all lie between 0 and 1, but agents have two kinds of them.

CHOICE     how likely the agent is to choose an action: networks, tree searches, and agents with a single answer
CHANCE     the chance to win the game with it, a draw counting half: searches, over the worlds they imagine
"""

from agents.base import CHANCE, CHOICE, Agent, Batch, Hint
from spades_env.view import View

__all__ = ["CHANCE", "CHOICE", "measure"]


def measure(agent: Agent, view: View, hint: Hint) -> str:
    """Return what the weights of the agent's hint for a view mean."""
    if all(weight == 1 for _, weight in hint):  # nothing was tried: the answer stands alone, or with its equals
        return CHOICE
    return agent._hint_measure(Batch.of([view]))
