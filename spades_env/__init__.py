"""Spades for learners and players: the full rules, compiled, with PettingZoo, Gymnasium and vector environments."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from spades_env.game import Game, IllegalActionError
from spades_env.record import RecordError
from spades_env.rules import Rules, RulesError

if TYPE_CHECKING:
    from spades_env.vector_env import SpadesVectorEnv

__version__ = "0.1.0"
__all__ = ["Game", "IllegalActionError", "RecordError", "Rules", "RulesError", "SpadesVectorEnv", "__version__"]


def __getattr__(name: str) -> Any:
    """Import the environments when they are first used: a table does without them."""
    if name == "SpadesVectorEnv":
        return import_module("spades_env.vector_env").SpadesVectorEnv
    if name == "spades_v0":
        return import_module("spades_env.spades_v0")
    raise AttributeError(f"module 'spades_env' has no attribute {name!r}")


def _register() -> None:
    """Let `gymnasium.make` and PettingZoo find the environments by their names."""
    import gymnasium
    import pettingzoo

    gymnasium.register(
        "Spades-v0",
        entry_point="spades_env.gym_env:SpadesEnv",
        vector_entry_point="spades_env.gym_vector:SpadesGymVectorEnv",
    )
    if hasattr(pettingzoo, "register"):  # from 1.27 on
        for name in ("spades-v0", "spades_env/spades-v0"):  # with spades_v0 PettingZoo finds them, too
            pettingzoo.register("aec", name, "spades_env.spades_v0:env")


if find_spec("gymnasium"):  # there is none in a web page
    _register()
