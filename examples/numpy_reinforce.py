"""A linear softmax policy that learns with REINFORCE, in plain numpy.

Shows the smallest loop that learns: many tables as one Gymnasium vector environment, one seat of each learning among
random players, a hand as an episode, the mask applied to the logits.

    pip install .
    python examples/numpy_reinforce.py --updates 60
"""

import argparse

import numpy as np
from gymnasium.vector import AutoresetMode

from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.game.observe import NUM_FEATURES

TABLES = 512
STEP_SIZE = 0.003
SCALE = 0.1  # of features: most are 0 or 1, some are counts


class LinearPolicy:
    """Logits that are linear in the features, trained with RMSprop."""

    def __init__(self, features: int, actions: int, seed: int):
        self.rng = np.random.default_rng(seed)
        self.weights = np.zeros((features, actions))
        self.size = np.zeros((features, actions))

    def probabilities(self, features: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the probabilities, 0 where the mask is: float[N, A]."""
        logits = np.where(mask, features @ self.weights, -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def act(self, probabilities: np.ndarray) -> np.ndarray:
        """Sample an action for each table, with Gumbel noise: int[N]."""
        with np.errstate(divide="ignore"):
            return (np.log(probabilities) + self.rng.gumbel(size=probabilities.shape)).argmax(axis=1)

    def learn(self, gradient: np.ndarray) -> None:
        self.size += 0.1 * (gradient**2 - self.size)
        self.weights += STEP_SIZE * gradient / (np.sqrt(self.size) + 1e-8)


def play_hands(envs: SpadesGymVectorEnv, policy: LinearPolicy) -> tuple[list, np.ndarray]:
    """Play one hand at every table; return (features, probabilities, actions) of each step, and the rewards."""
    observation, info = envs.reset()
    total, steps, ended = np.zeros(envs.num_envs), [], np.zeros(envs.num_envs, bool)
    while not ended.any():  # a hand is a bid and thirteen cards at every table
        features = observation * SCALE
        probabilities = policy.probabilities(features, info["action_mask"] == 1)
        actions = policy.act(probabilities)
        steps.append((features, probabilities, actions))
        observation, reward, ended, _, info = envs.step(actions)
        total += reward
    return steps, total


def main(updates: int, seed: int) -> None:
    envs = SpadesGymVectorEnv(
        TABLES, episode="hand", flat=True, obs_dtype="float32", illegal="raise", autoreset_mode=AutoresetMode.DISABLED
    )
    envs.reset(seed=seed)
    policy = LinearPolicy(NUM_FEATURES, 70, seed)
    rewards = []
    while len(rewards) < updates:
        steps, total = play_hands(envs, policy)
        advantage = (total - total.mean()) / total.std()
        for features, probabilities, actions in steps:
            chosen = np.eye(70)[actions]
            policy.learn(features.T @ ((chosen - probabilities) * advantage[:, None]) / TABLES)
        rewards.append(total.mean())
        if len(rewards) % 10 == 0:
            print(f"{len(rewards) * TABLES} hands: {np.mean(rewards[-10:]):+.1f} points a hand")
    quarter = max(1, len(rewards) // 4)
    print(f"reward: {np.mean(rewards[:quarter]):+.1f} at first, {np.mean(rewards[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
