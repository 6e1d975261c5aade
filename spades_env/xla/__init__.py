"""Spades in JAX: the game of `spades_env.game` on CPU, GPU and TPU, by the same seeds, actions and observations.

    env = Spades("classic")                        Pgx's words: init, step, observe
    adapters                                       Pgx's own classes, JaxMARL, gymnax

Importing this package imports jax, which the extra `jax` brings. Tests play it in lock-step with the compiled engine.
"""

from spades_env.extras import needed

needed("jax", 'spades_env.xla needs {missing}: pip install "spades-env[jax]"')

from spades_env.xla.env import JaxState, Spades, random_action  # noqa: E402
from spades_env.xla.rules import jax_rules, stacked_rules  # noqa: E402
from spades_env.xla.u64 import pair  # noqa: E402

__all__ = ["JaxState", "Spades", "jax_rules", "pair", "random_action", "stacked_rules"]
