"""Spades for learners and players: full rules, compiled, behind PettingZoo, Gymnasium and a vector API."""

from spades_env.game import Game, IllegalActionError
from spades_env.record import RecordError
from spades_env.rules import Rules, RulesError
from spades_env.vector_env import SpadesVectorEnv

__version__ = "0.1.0"
__all__ = ["Game", "IllegalActionError", "RecordError", "Rules", "RulesError", "SpadesVectorEnv", "__version__"]
