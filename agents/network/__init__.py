"""Trained levels: their files, the inputs of their networks, and how they play."""

from agents.network.level import Level
from agents.network.player import features, masks

__all__ = ["Level", "features", "masks"]
