"""What the numbers of a hint measure. Agents weigh their actions in two ways, and the numbers look alike.

CHOICE     how likely the agent is to choose an action: networks, tree searches, and agents with a single answer
CHANCE     the chance to win the game with it, a draw counting half: searches, over the worlds they imagine
"""

from agents.base import Agent, Batch, Hint
from spades_env.view import View

CHOICE, CHANCE = "choice", "chance"


def measure(agent: Agent, view: View, weighed: Hint) -> str:
    """Return what the numbers in `weighed`, the agent's hint for `view`, mean."""
    if all(weight == 1 for _, weight in weighed):  # nothing was tried: the answer stands alone, or with its equals
        return CHOICE
    return CHANCE if _tries_actions(_asked(agent, view), view) else CHOICE


def _asked(agent: Agent, view: View) -> Agent:
    """The agent that answers here, where several share a hand."""
    from agents.pair import Pair

    while isinstance(agent, Pair):
        agent = agent._who(agent._early(Batch.of([view]))[0])
    return agent


def _tries_actions(agent: Agent, view: View) -> bool:
    from agents.ismcts import Ismcts
    from agents.level_search import LevelSearch
    from agents.pimc import Pimc
    from agents.search import Search

    if isinstance(agent, Ismcts):
        return view.phase != "play"  # of cards it tells how often its tree visited each
    return isinstance(agent, Search | LevelSearch | Pimc)
