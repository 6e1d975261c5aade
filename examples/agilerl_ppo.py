"""AgileRL's PPO at many tables at once.

Shows that its rollouts take the vector environment as it is: they look for the mask in `info`, where it stands. What
AgileRL is known for, populations whose settings evolve, takes the same environment in `train_on_policy`.

    pip install ".[agilerl]"      # in an environment of its own: AgileRL asks for pettingzoo<1.27, tensordict==0.13.0
    python examples/agilerl_ppo.py --updates 20
"""

import argparse

import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts
from gymnasium.vector import AutoresetMode, VectorWrapper

from spades_env.envs.gym_vector import SpadesGymVectorEnv

TABLES = 64
STEPS = 56  # in a rollout, at each table: four hands


class Scaled(VectorWrapper):
    """Scales features and points to about one."""

    def reset(self, **how):
        observation, info = super().reset(**how)
        return 0.1 * observation, info

    def step(self, actions):
        observation, reward, *rest = super().step(actions)
        return 0.1 * observation, reward / 100, *rest


def main(updates: int, seed: int) -> None:
    torch.set_num_threads(1)  # faster with a network as small as this
    torch.manual_seed(seed)
    tables = SpadesGymVectorEnv(
        TABLES, episode="hand", flat=True, obs_dtype="float32", illegal="raise", autoreset_mode=AutoresetMode.SAME_STEP
    )
    envs = Scaled(tables)
    envs.reset(seed=seed)
    agent = PPO(
        envs.single_observation_space, envs.single_action_space, num_envs=TABLES, learn_step=TABLES * STEPS,
        batch_size=512, lr=1e-3, gamma=1.0, share_encoders=False,
        net_config={"latent_dim": 64, "encoder_config": {"hidden_size": [128]}},
    )  # fmt: skip
    history, present = [], {}
    while len(history) < updates:
        hands, *last = collect_rollouts(agent, envs, **present)
        present = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), last, strict=True))
        loss = agent.learn()
        history.append(100 * np.mean(hands))
        print(f"{len(history) * TABLES * STEPS} steps: {history[-1]:+.1f} points a hand, loss {loss:.3f}")
    quarter = max(1, len(history) // 4)
    print(f"reward: {np.mean(history[:quarter]):+.1f} at first, {np.mean(history[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
