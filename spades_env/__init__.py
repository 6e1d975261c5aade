"""Spades for learners and players: the full rules, compiled, with PettingZoo, Gymnasium and vector environments."""

from importlib import import_module

import gymnasium
import pettingzoo

from spades_env.game import Game, IllegalActionError
from spades_env.record import RecordError
from spades_env.rules import Rules, RulesError
from spades_env.vector_env import SpadesVectorEnv

__version__ = "0.1.0"
__all__ = ["Game", "IllegalActionError", "RecordError", "Rules", "RulesError", "SpadesVectorEnv", "__version__"]


def __getattr__(name: str):
    """Import `spades_v0` when it is first used."""
    if name == "spades_v0":
        return import_module("spades_env.spades_v0")
    raise AttributeError(f"module 'spades_env' has no attribute {name!r}")


gymnasium.register(
    "Spades-v0",
    entry_point="spades_env.gym_env:SpadesEnv",
    vector_entry_point="spades_env.gym_vector:SpadesGymVectorEnv",
)
if hasattr(pettingzoo, "register"):  # from 1.27 on
    for name in ("spades-v0", "spades_env/spades-v0"):  # with spades_v0 PettingZoo finds them, too
        pettingzoo.register("aec", name, "spades_env.spades_v0:env")
