"""Adapters for frameworks whose conventions differ from Gymnasium's and PettingZoo's. Nothing else imports them.

Stable-Baselines3   `sb3_vec_env(64, opponents="random")` goes to sb3-contrib's MaskablePPO as its env
RLlib               `PettingZooEnv(rllib_env())`, in the function given to `register_env`
TorchRL             takes `SpadesGymVectorEnv(n, autoreset_mode=AutoresetMode.DISABLED)` as it is, in its
                    GymWrapper(…, categorical_action_encoding=True), with
                    DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
"""

import numpy as np
from gymnasium.spaces import Dict
from gymnasium.vector import AutoresetMode
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from spades_env.envs import aec
from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.errors import SpadesError
from spades_env.game.rules import RulesSource


def sb3_vec_env(num_envs: int, rules: RulesSource = "classic", *, flat: bool = True, **options):
    """Return a Stable-Baselines3 VecEnv of `SpadesGymVectorEnv`.

    Args:
        num_envs: How many tables.
        rules: What `Rules.of` takes.
        flat: Return observations as one array each; MaskablePPO asks `action_masks` for the mask.
        **options: Other arguments of `SpadesGymVectorEnv`, except `autoreset_mode`.

    Examples:
        >>> from spades_env.envs.adapters import sb3_vec_env
        >>> env = sb3_vec_env(4, "match", opponents="random")
        >>> env.reset().shape
        (4, 824)
    """
    from stable_baselines3.common.vec_env import VecEnv  # pyright: ignore[reportMissingImports] — optional, imported late

    class SpadesVecEnv(VecEnv):
        def __init__(self):
            self.envs = SpadesGymVectorEnv(
                num_envs, rules, flat=flat, autoreset_mode=AutoresetMode.SAME_STEP, **options
            )
            super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

        def reset(self):
            observations, _ = self.envs.reset(seed=None if None in self._seeds else self._seeds)
            self._reset_seeds()
            return observations

        def step_async(self, actions):
            self._actions = actions

        def step_wait(self):
            observations, rewards, terminations, truncations, infos = self.envs.step(self._actions)
            each = [{"illegal": bool(illegal), "TimeLimit.truncated": False} for illegal in infos["illegal"]]
            for i in np.flatnonzero(terminations | truncations).tolist():
                each[i] = {
                    "illegal": bool(infos["final_info"]["illegal"][i]),
                    "TimeLimit.truncated": bool(truncations[i]),
                    "terminal_observation": infos["final_obs"][i],
                }
            return observations, rewards.astype(np.float32), terminations | truncations, each

        def close(self):
            self.envs.close()

        def get_images(self):
            return list(self.envs.render())

        def has_attr(self, attr_name):
            return hasattr(self.envs, attr_name)

        def get_attr(self, attr_name, indices=None):
            return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

        def set_attr(self, attr_name, value, indices=None):
            raise AttributeError(f"the tables share one environment: make a new one with another {attr_name}")

        def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
            """Call a method that answers for all tables, as `action_masks` does; return the answers for these."""
            answers = getattr(self.envs, method_name)(*method_args, **method_kwargs)
            return [answers[i] for i in self._get_indices(indices)]

        def env_is_wrapped(self, wrapper_class, indices=None):
            return [False for _ in self._get_indices(indices)]

    return SpadesVecEnv()


def rllib_env(rules: RulesSource = "classic", **options) -> "RLlibKeys":
    """Return `spades_v0.env` as RLlib's masking module wants it: float32, under the key "observations".

    Args:
        rules: What `Rules.of` takes.
        **options: Other arguments of `spades_v0.env`, except `obs_dtype` and `mask_in`.

    Raises:
        SpadesError: An option cannot be chosen here, or is wrong.

    Examples:
        >>> from spades_env.envs.adapters import rllib_env
        >>> env = rllib_env("match", episode="hand")
        >>> env.reset(seed=7)
        >>> env.observe(env.agent_selection)["observations"].dtype
        dtype('float32')
    """
    if fixed := {"obs_dtype", "mask_in"} & set(options):
        raise SpadesError(
            f"{min(fixed)} cannot be chosen here: RLlib's masking module wants float32, the mask beside it"
        )
    return RLlibKeys(aec.env(rules, obs_dtype="float32", **options))


class RLlibKeys(wrappers.BaseWrapper):
    """Renames "observation" to "observations"."""

    def __init__(self, env: AECEnv):
        super().__init__(env)
        self.observation_spaces = {
            agent: Dict(_renamed(env.observation_space(agent))) for agent in env.unwrapped.possible_agents
        }

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def observe(self, agent):
        return _renamed(self.env.observe(agent))


def _renamed(parts) -> dict:
    return {"observations": parts["observation"], "action_mask": parts["action_mask"]}
