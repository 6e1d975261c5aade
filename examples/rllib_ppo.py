"""RLlib's PPO on its new API stack, with action masking, at the PettingZoo environment.

Shows two partners who learn with one policy against two opponents who play at random (a policy that is never trained).
`RLlibKeys` renames the parts of an observation to what RLlib's masking module looks for.

    pip install ".[rllib]"        # in an environment of its own: RLlib asks for gymnasium==1.2.2
    python examples/rllib_ppo.py --updates 12
"""

import argparse
import logging

import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from spades_env import spades_v0
from spades_env.envs.adapters import RLlibKeys

HANDS = 64  # in an iteration


def make_env(_config) -> PettingZooEnv:
    """Return a table that raises an error at an illegal action; RLlib's check, which tries one, must be off."""
    return PettingZooEnv(RLlibKeys(spades_v0.raw_env(episode="hand", obs_dtype="float32")))


def policy_of(agent: str, *_args, **_kwargs) -> str:
    """Return the policy of an agent: South and North learn, West and East do not."""
    return "learner" if agent in ("player_0", "player_2") else "others"


def module() -> RLModuleSpec:
    """Return RLlib's own masking module; policy and value share no layers, since values are in points."""
    net = {"fcnet_hiddens": [128], "fcnet_activation": "tanh", "vf_share_layers": False}
    return RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=net)


def config(seed: int) -> PPOConfig:
    """Return a configuration that runs in this process; `num_env_runners=2` would play in two others."""
    return (
        PPOConfig()
        .environment("spades", disable_env_checking=True)
        .env_runners(num_env_runners=0, rollout_fragment_length=56 * HANDS, batch_mode="complete_episodes")
        .multi_agent(policies={"learner", "others"}, policy_mapping_fn=policy_of, policies_to_train=["learner"])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"learner": module(), "others": module()}))
        .training(gamma=1.0, lambda_=0.95, lr=1e-3, num_epochs=4, minibatch_size=256, train_batch_size=56 * HANDS)
        .training(vf_clip_param=1e9, grad_clip=10.0, entropy_coeff=0.01, use_kl_loss=False)
        .debugging(seed=seed, log_level="ERROR")
    )


def main(updates: int, seed: int) -> None:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    register_env("spades", make_env)
    algorithm = config(seed).build_algo()
    history = []
    while len(history) < updates:
        result = algorithm.train()
        history.append(result["env_runners"]["agent_episode_returns_mean"]["player_0"])
        loss = result["learners"]["learner"]["vf_loss"]
        print(f"{len(history) * HANDS} hands: {history[-1]:+.1f} points a hand, value loss {loss:.0f}")
    algorithm.stop()
    ray.shutdown()
    quarter = max(1, len(history) // 4)
    print(f"reward: {np.mean(history[:quarter]):+.1f} at first, {np.mean(history[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
