"""Trained levels: their files, the inputs of their networks, and how they play."""

from spades_env.agents.network.level import Level
from spades_env.agents.network.player import masks, sights

__all__ = ["Level", "masks", "sights"]
