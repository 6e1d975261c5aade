"""The PettingZoo environment under the name that its users type: `from spades_env import spades_v0`."""

from spades_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
