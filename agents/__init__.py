"""Whoever decides: random, rule-based, bidders, search; and the arena that measures them.

import agents
bot = agents.load("bis/mc:30x30", seed=0)     # agents.names() lists what there is
bot.act(game.view(game.turn))                 # -> action
"""

from agents.base import Agent, AgentError, Batch
from agents.names import check_name, load, names

__all__ = ["Agent", "AgentError", "Batch", "check_name", "load", "names"]
