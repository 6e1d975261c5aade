"""Masked PPO in one file and one loop, in CleanRL's style.

Shows a whole learner with nothing hidden: rollout, advantages, clipped updates. The tables are one vector environment
that begins ended hands anew within the step (SAME_STEP), so every transition is a real one.

    pip install ".[torch]"
    python examples/cleanrl_ppo.py --updates 20
"""

import argparse

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

from spades_env.envs.gym_vector import SpadesGymVectorEnv
from spades_env.game.observe import NUM_FEATURES

TABLES = 128
STEPS = 28  # in a rollout, at each table: two hands
EPOCHS = 4
MINIBATCH = 512
LEARNING_RATE = 1e-3
DISCOUNT, TRACE = 1.0, 0.95
CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5
REWARD_SCALE = 0.01  # a hand pays about a hundred points


class Agent(nn.Module):
    """A body, a policy on top of it, and a value."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(NUM_FEATURES, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.policy, self.value = nn.Linear(128, 70), nn.Linear(128, 1)

    def forward(self, features: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over legal actions, and the value."""
        hidden = self.body(features * 0.1)
        return Categorical(logits=self.policy(hidden).masked_fill(~mask, -1e9)), self.value(hidden).squeeze(-1)


def advantages_of(rewards: torch.Tensor, values: torch.Tensor, last: torch.Tensor, ended: torch.Tensor) -> torch.Tensor:
    """Return the advantages (GAE), float[T, N]. last: float[N], the values after the rollout."""
    advantages, carried, following = torch.zeros_like(rewards), torch.zeros_like(last), last
    for t in reversed(range(len(rewards))):
        goes_on = 1 - ended[t]
        carried = rewards[t] + DISCOUNT * goes_on * following - values[t] + DISCOUNT * TRACE * goes_on * carried
        advantages[t], following = carried, values[t]
    return advantages


def main(updates: int, seed: int) -> None:
    torch.set_num_threads(1)  # faster with a network as small as this
    torch.manual_seed(seed)
    agent = Agent()
    optimiser = torch.optim.Adam(agent.parameters(), LEARNING_RATE)
    envs = SpadesGymVectorEnv(
        TABLES, episode="hand", flat=True, obs_dtype="float32", illegal="raise", autoreset_mode=AutoresetMode.SAME_STEP
    )
    observation, info = envs.reset(seed=seed)
    history = []
    while len(history) < updates:
        rollout = []
        for _ in range(STEPS):
            features, mask = torch.as_tensor(observation), torch.as_tensor(info["action_mask"]).bool()
            with torch.no_grad():
                policy, value = agent(features, mask)
            action = policy.sample()
            observation, reward, terminated, truncated, info = envs.step(action.numpy())
            paid, ended = torch.as_tensor(reward).float(), torch.as_tensor(terminated | truncated).float()
            rollout.append((features, mask, action, policy.log_prob(action), value, paid * REWARD_SCALE, ended))
        features, mask, action, log_prob, value, reward, ended = map(torch.stack, zip(*rollout, strict=True))
        with torch.no_grad():
            last = agent(torch.as_tensor(observation), torch.as_tensor(info["action_mask"]).bool())[1]
        advantage = advantages_of(reward, value, last, ended)
        batch = [part.flatten(0, 1) for part in (features, mask, action, log_prob, advantage, advantage + value)]
        value_losses = []
        for _ in range(EPOCHS):
            for chosen in torch.randperm(TABLES * STEPS).split(MINIBATCH):
                x, m, a, old, adv, target = (part[chosen] for part in batch)
                policy, predicted = agent(x, m)
                ratio = (policy.log_prob(a) - old).exp()
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                policy_loss = -torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
                value_loss = (predicted - target).pow(2).mean()
                optimiser.zero_grad()
                (policy_loss + VALUE * value_loss - ENTROPY * policy.entropy().mean()).backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimiser.step()
                value_losses.append(value_loss.item())
        history.append(reward.sum().item() / REWARD_SCALE / ended.sum().item())
        hands = len(history) * TABLES * STEPS // 14
        print(f"{hands} hands: {history[-1]:+.1f} points a hand, value loss {np.mean(value_losses):.2f}")
    quarter = max(1, len(history) // 4)
    print(f"reward: {np.mean(history[:quarter]):+.1f} at first, {np.mean(history[-quarter:]):+.1f} at last")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    main(**vars(parser.parse_args()))
