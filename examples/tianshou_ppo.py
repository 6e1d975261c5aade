"""Tianshou's PPO on the one-seat environment, with an actor that masks.

Shows how to keep the whole reward: Tianshou's own PettingZoo wrapper gives a transition to whoever moved, so three of
four seats never see the end of a hand; `Spades-v0` gathers what a seat is paid until it moves again. The parts of the
observation are renamed `obs` and `mask`, the names that Tianshou's DQN family looks for; its PPO looks for none, so
the actor applies the mask.

    pip install ".[tianshou]"
    python examples/tianshou_ppo.py --updates 24
"""

import argparse

import gymnasium
import numpy as np
import torch
from gymnasium.spaces import Dict
from gymnasium.wrappers import TransformObservation
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step
from torch import nn

from spades_env.game.observe import NUM_FEATURES

TABLES = 16
HANDS = 64  # in a rollout


def make_env() -> gymnasium.Env:
    """Return an environment of one seat among random players; an illegal action raises an error."""
    env = gymnasium.make("spades_env:Spades-v0", episode="hand", obs_dtype="float32", illegal="raise")
    parts = env.observation_space.spaces
    space = Dict({"obs": parts["observation"], "mask": parts["action_mask"]})
    env = TransformObservation(env, lambda seen: {"obs": seen["observation"], "mask": seen["action_mask"]}, space)
    return gymnasium.wrappers.TransformReward(env, lambda points: points / 100)


class Net(nn.Module):
    """Returns the logits of legal actions, or with one output a value, as Tianshou calls actors and critics."""

    def __init__(self, outputs: int):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(NUM_FEATURES, 128), nn.Tanh(), nn.Linear(128, outputs))

    def forward(self, seen, state=None, info=None):
        out = self.layers(torch.as_tensor(seen.obs) * 0.1)
        if out.shape[-1] == 1:
            return out
        return out.masked_fill(torch.as_tensor(seen.mask) == 0, -1e9), state


def main(updates: int, seed: int) -> None:
    torch.set_num_threads(1)  # faster with a network as small as this
    torch.manual_seed(seed)
    envs = DummyVectorEnv([make_env] * TABLES)
    envs.seed(seed)
    policy = DiscreteActorPolicy(actor=Net(70), action_space=envs.action_space[0])
    algorithm = PPO(policy=policy, critic=Net(1), optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, max_grad_norm=0.5)
    buffer = VectorReplayBuffer(HANDS * 14, TABLES)
    collector = Collector(algorithm, envs, buffer)
    collector.reset()
    history = []
    while len(history) < updates:
        with policy_within_training_step(policy):
            played = collector.collect(n_episode=HANDS)
            learned = algorithm.update(buffer, batch_size=256, repeat=4)
        collector.reset_buffer()
        history.append(100 * played.returns.mean())
        hands = len(history) * HANDS
        print(f"{hands} hands: {history[-1]:+.1f} points a hand, value loss {learned.vf_loss.mean:.2f}")
    quarter = max(1, len(history) // 4)
    print(f"reward: {np.mean(history[:quarter]):+.1f} at first, {np.mean(history[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
