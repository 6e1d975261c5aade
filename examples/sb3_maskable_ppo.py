"""MaskablePPO of sb3-contrib at many tables at once.

Shows that the vector environment goes straight into Stable-Baselines3: flat observations, masks through
`action_masks()`, the reward of a step all that the seat was paid until it moves again.

    pip install ".[sb3]"
    python examples/sb3_maskable_ppo.py --updates 20
"""

import argparse

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from spades_env.envs.adapters import sb3_vec_env

TABLES = 64
STEPS = 56  # in a rollout, at each table: four hands


class Progress(BaseCallback):
    """Records the rewards of each rollout's hands."""

    def __init__(self):
        super().__init__()
        self.hands: list[float] = []
        self.history: list[float] = []

    def _on_step(self) -> bool:
        self.hands += [info["episode"]["r"] for info in self.locals["infos"] if "episode" in info]
        return True

    def _on_rollout_end(self) -> None:
        self.history.append(float(np.mean(self.hands)))
        loss = self.logger.name_to_value.get("train/value_loss", float("nan"))
        print(f"{self.num_timesteps} steps: {self.history[-1]:+.1f} points a hand, value loss {loss:.0f}")
        self.hands.clear()


def main(updates: int, seed: int) -> None:
    torch.set_num_threads(1)  # faster with a network as small as this
    envs = VecMonitor(sb3_vec_env(TABLES, episode="hand", obs_dtype="float32", opponents="random", illegal="raise"))
    model = MaskablePPO(
        "MlpPolicy", envs, learning_rate=1e-3, n_steps=STEPS, batch_size=512, n_epochs=4, gamma=1.0, seed=seed,
        device="cpu",
    )  # fmt: skip
    progress = Progress()
    model.learn(updates * TABLES * STEPS, callback=progress)
    history = progress.history
    quarter = max(1, len(history) // 4)
    print(f"reward: {np.mean(history[:quarter]):+.1f} at first, {np.mean(history[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
