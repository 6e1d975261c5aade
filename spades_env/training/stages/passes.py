"""Epochs over a round's decisions, shared by imitation and rollout improvement.

The policy minimises the stage's own loss; the critic and the policy's own value learn the rewards of the hands.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from spades_env.training.collect import Rollout
from spades_env.training.learner import Learner, between, means, minibatches
from spades_env.training.recipe import Imitate, RolloutImprovement

PolicyLoss = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, dict[str, Tensor]]]
# logits and mask [B, 70], and the numbers of their decisions, int64[B] → the loss, and metrics


class Update(NamedTuple):
    """What the learner learns from in one round."""

    learner: Learner
    rollout: Rollout
    reward: np.ndarray  # float32[N, 4]
    done: float  # how much of the stage is over, 0 to 1
    generator: torch.Generator


def run_passes(
    update: Update, which: np.ndarray, plan: Imitate | RolloutImprovement, policy_loss: PolicyLoss
) -> dict[str, float]:
    """Learn from the decisions with the numbers `which` (int64[n]); return the mean metrics, no losses if n is 0."""
    learner, rollout, reward, done, generator = update
    states, mask = rollout.states[which], learner.to_device(rollout.mask[which])
    arranged = learner.arranged(states)
    seen = learner.to_device(states) if learner.critic else None
    rewards = learner.to_device(reward.reshape(-1)[rollout.seat[which]])
    rate = between(plan.learning_rate, plan.last_learning_rate, done)
    steps = []
    for _ in range(plan.epochs):
        for part in minibatches(len(which), plan.minibatch, generator):
            with learner.quick():
                logits, own_value = learner.policy(arranged[part])
            loss, numbers = policy_loss(logits, mask[part], part)
            losses = {"loss_own_value": (own_value - rewards[part]).square().mean()}
            if learner.critic and seen is not None:
                with learner.quick():
                    losses["loss_critic"] = (learner.critic(seen[part]) - rewards[part]).square().mean()
            loss = loss + plan.value_weight * sum(losses.values())
            numbers |= {name: number.detach() for name, number in losses.items()}
            gradient = {"grad_norm": learner.improve(loss, rate, plan.max_grad_norm)}
            steps.append(numbers | gradient if len(part) else gradient)
    return means(steps) | {"learning_rate": rate}
