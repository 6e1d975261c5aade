"""`Level`, under the name that programs have always imported."""

from agents.network.level import Level

__all__ = ["Level"]
