"""Fits of the bots' numbers to games: `python -m spades_env.training.fit NAME`."""

from spades_env import agents
from spades_env.agents.compiled import Compiled


def compiled_agent(name: str) -> Compiled:
    bot = agents.load(name)
    if not isinstance(bot, Compiled):
        raise SystemExit(f"{name} is too slow to learn from: it is not compiled throughout")
    return bot
