"""Fits of the bots' numbers to games: `python -m train.fit NAME`."""

import agents
from agents.compiled import Compiled


def compiled_agent(name: str) -> Compiled:
    bot = agents.load(name)
    if not isinstance(bot, Compiled):
        raise SystemExit(f"{name} is too slow to learn from: it is not compiled throughout")
    return bot
