"""What imitation and foresight share: passes over a round's decisions, in which the policy learns by a loss of theirs,
critic and own value how the hands ended.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from agents.insight import NUM_INPUTS
from train.collect import Hand
from train.learner import Learner, between, means, minibatches
from train.losses import log_policy
from train.recipe import Foresee, Imitate

PolicyLoss = Callable[[Tensor, Tensor], tuple[Tensor, dict[str, Tensor]]]
# log-probabilities [B, 70] and which decisions they are of, int64[B] → the loss, and numbers to be logged


def study(
    learner: Learner,
    hand: Hand,
    which: np.ndarray,
    reward: np.ndarray,
    plan: Imitate | Foresee,
    done: float,
    generator: torch.Generator,
    policy_loss: PolicyLoss,
) -> dict[str, float]:
    """Learn from those of a round's decisions that `which` (int64[n]) numbers. reward: float32[N, 4].

    Where there is nothing to learn from, nothing is told of losses: a mean of nothing is no number.
    """
    states, mask = learner.to_device(hand.states[which]), learner.to_device(hand.mask[which])
    paid = learner.to_device(reward.reshape(-1)[hand.seat[which]])
    rate = between(plan.rate, plan.last_rate, done)
    steps = []
    for _ in range(plan.passes):
        for part in minibatches(len(which), plan.minibatch, generator):
            with learner.quick():
                logits, own_value = learner.policy(states[part][:, :NUM_INPUTS])
                value = learner.critic(states[part])
            loss, numbers = policy_loss(log_policy(logits, mask[part]), part)
            critic = (value - paid[part]).square().mean()
            own = (own_value - paid[part]).square().mean()
            loss = loss + plan.value_weight * (critic + own)
            numbers |= {"loss_critic": critic.detach(), "loss_own_value": own.detach()}
            gradient = {"gradient": learner.improve(loss, rate, plan.gradient)}
            steps.append(numbers | gradient if len(part) else gradient)
    return means(steps) | {"rate": rate}
