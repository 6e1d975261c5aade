"""Agents that play Spades (rules, searches, networks), and the arena that measures them.

from spades_env import agents
bot = agents.load("bis/mc:30x30", seed=0)     # agents.names() lists the kinds
bot.act(game.view(game.turn))                 # -> action
"""

from importlib import import_module

from spades_env.agents.base import Agent, AgentError, Batch
from spades_env.agents.registry import check_name, load, names

__all__ = ["Agent", "AgentError", "Batch", "check_name", "load", "names"]


def __getattr__(name: str):
    """Return `agents.benchmark`, which programs import from here."""
    if name == "benchmark":
        return import_module("spades_env.agents.arena.benchmark")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
