"""Spades for learners and players: the full rules, compiled, with PettingZoo, Gymnasium and vector environments."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from spades_env._version import __version__

if TYPE_CHECKING:
    from spades_env import agents, rollout, spades_v0
    from spades_env.envs.gym_env import SpadesEnv
    from spades_env.envs.gym_vector import SpadesGymVectorEnv
    from spades_env.game import cards, observe
    from spades_env.game.game import Game, IllegalActionError
    from spades_env.game.record import RecordError
    from spades_env.game.rules import Rules, RulesError
    from spades_env.game.view import View
    from spades_env.vector.env import SpadesVectorEnv

__all__ = [
    "Game",
    "IllegalActionError",
    "RecordError",
    "Rules",
    "RulesError",
    "SpadesEnv",
    "SpadesGymVectorEnv",
    "SpadesVectorEnv",
    "View",
    "__version__",
    "agents",
    "cards",
    "observe",
    "rollout",
    "spades_v0",
]
PLACES = {  # the modules of the public names; each is imported when its name is first used
    "Game": "game.game",
    "IllegalActionError": "game.game",
    "RecordError": "game.record",
    "Rules": "game.rules",
    "RulesError": "game.rules",
    "SpadesEnv": "envs.gym_env",
    "SpadesGymVectorEnv": "envs.gym_vector",
    "SpadesVectorEnv": "vector.env",
    "View": "game.view",
}
TASKS = {  # Gymnasium's ids, from the easiest on, and the arguments of SpadesEnv that each sets
    "SpadesBids-v0": {"decides": "bids", "opponents": "rule", "episode": "hand"},
    "SpadesCards-v0": {"decides": "cards", "opponents": "rule", "episode": "hand"},
    "SpadesHand-v0": {"opponents": "rule", "episode": "hand"},
    "SpadesGame-v0": {"opponents": "rule", "reward": "win"},
}
MODULES = {
    "agents": "agents",
    "cards": "game.cards",
    "observe": "game.observe",
    "rollout": "rollout",
    "spades_v0": "spades_v0",
}


def __getattr__(name: str) -> Any:
    if name in PLACES:
        return getattr(import_module(f"spades_env.{PLACES[name]}"), name)
    if name in MODULES:
        return import_module(f"spades_env.{MODULES[name]}")
    raise AttributeError(f"module 'spades_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def _register() -> None:
    """Let `gymnasium.make` and PettingZoo find the environments by their names."""
    import gymnasium
    import pettingzoo

    for name, settings in {"Spades-v0": {}, **TASKS}.items():
        gymnasium.register(
            name,
            entry_point="spades_env.envs.gym_env:SpadesEnv",
            vector_entry_point="spades_env.envs.gym_vector:SpadesGymVectorEnv",
            kwargs=settings,
        )
    if hasattr(pettingzoo, "register"):  # from 1.27 on
        for name in ("spades-v0", "spades_env/spades-v0"):  # with spades_v0 PettingZoo finds them, too
            pettingzoo.register("aec", name, "spades_env.spades_v0:env")


if find_spec("gymnasium"):  # there is none in a web page
    _register()
