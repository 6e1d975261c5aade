"""`Level`, under the name that programs have always imported."""

from spades_env.agents.network.level import Level

__all__ = ["Level"]
