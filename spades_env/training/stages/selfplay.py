"""Masked PPO: a hand at every table, then a few epochs over its decisions.

    player = PolicySampler(learner, generator)                  samples the learner's actions in the hand
    numbers = self_play(update, player, plan)

Advantages come from the critic, which sees all hands: the luck of the deal is not credited to the player.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from spades_env.game.cards import BID_ZERO
from spades_env.training.collect import Moment, Rollout
from spades_env.training.learner import Learner, between, draw, means, minibatches, sequences
from spades_env.training.losses import clipped_loss, entropy, gae, log_policy
from spades_env.training.own.loss import Minibatch, loss_of
from spades_env.training.recipe import SelfPlay
from spades_env.training.stages.passes import Update


class PolicySampler:
    """A chooser that samples from the learner's policy, and keeps the inputs and the actions' log-probabilities."""

    def __init__(self, learner: Learner, generator: torch.Generator):
        self._learner, self._generator = learner, generator
        self._arranged: list[Tensor] = []
        self._log_prob: list[Tensor] = []

    def __call__(self, moment: Moment) -> np.ndarray:
        arranged = self._learner.arranged(moment.states)
        log_probs = self._learner.log_probs(arranged, moment.mask)
        action = draw(log_probs, self._generator)
        self._arranged.append(arranged)
        self._log_prob.append(log_probs.gather(-1, action[:, None]).squeeze(-1))
        return action.cpu().numpy()

    def kept(self) -> tuple[Tensor, Tensor]:
        """Return inputs, int8[M, NUM_ARRANGED], and log-probabilities, float32[M], in a rollout's order."""
        return torch.cat(self._arranged), torch.cat(self._log_prob)


@dataclass
class DecisionBatch:
    """A round's decisions as tensors, M of them."""

    states: Tensor
    arranged: Tensor
    mask: Tensor
    action: Tensor
    old_log_prob: Tensor
    advantage: Tensor
    outcome: Tensor  # the critic's target
    paid: Tensor  # the reward
    weight: Tensor


def make_batch(
    learner: Learner, rollout: Rollout, player: PolicySampler, reward: np.ndarray, plan: SelfPlay
) -> DecisionBatch:
    """Return a round's decisions with their advantages. reward: float32[N, 4]."""
    states, mask, action = (learner.to_device(array) for array in (rollout.states, rollout.mask, rollout.action))
    arranged, old = player.kept()
    values = learner.values(states)
    rows, lengths, owners = sequences(rollout)
    rows, lengths = learner.to_device(rows), learner.to_device(lengths)
    paid = learner.to_device(reward.reshape(-1)[owners])
    by_seat = gae(values[rows], paid, lengths, plan.gae_lambda)
    live = torch.arange(rows.shape[1], device=rows.device) < lengths[:, None]
    advantage, payments = torch.empty_like(values), torch.empty_like(values)
    advantage[rows[live]] = by_seat[live]
    payments[rows[live]] = paid[:, None].expand_as(by_seat)[live]
    weight = torch.where(action >= BID_ZERO, plan.bid_weight, 1.0)
    return DecisionBatch(states, arranged, mask, action, old, advantage, advantage + values, payments, weight)


def self_play(update: Update, player: PolicySampler, plan: SelfPlay) -> dict[str, float]:
    """Learn from a round that this player has played."""
    learner, rollout, reward, done, generator = update
    data = make_batch(learner, rollout, player, reward, plan)
    rate = between(plan.learning_rate, plan.last_learning_rate, done)
    entropy_weight = between(plan.entropy, plan.last_entropy, done)
    scaled = (data.advantage - data.advantage.mean()) / (data.advantage.std() + 1e-6)
    steps = []
    for _ in range(plan.epochs):
        for part in minibatches(len(rollout), plan.minibatch, generator):
            loss, numbers = _loss(learner, data, scaled, part, plan, entropy_weight)
            steps.append(numbers | {"grad_norm": learner.improve(loss, rate, plan.max_grad_norm)})
    error = data.paid - (data.outcome - data.advantage)  # of the critic before the round
    explained = 1 - error.square().mean() / (data.paid.var() + 1e-6)
    return means(steps) | {"learning_rate": rate, "explained": float(explained)}


def _loss(
    learner: Learner, data: DecisionBatch, advantage: Tensor, part: Tensor, plan: SelfPlay, entropy_weight: float
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the loss of the decisions with the numbers `part`, and metrics."""
    assert learner.critic
    with learner.quick():
        logits, own_value = learner.policy(data.arranged[part])
        value = learner.critic(data.states[part])
    log_probs = log_policy(logits, data.mask[part])
    log_prob = log_probs.gather(-1, data.action[part][:, None]).squeeze(-1)
    old = data.old_log_prob[part]
    actor, clipped = clipped_loss(log_prob, old, advantage[part] * data.weight[part], plan.clip)
    numbers = {"loss_actor": actor.detach()}
    if own := loss_of(plan):
        known = {"action": data.action[part], "old_log_prob": old}
        weighed = {"advantage": advantage[part], "weight": data.weight[part]}
        actor, numbers = own(Minibatch(logits, log_probs, data.mask[part], plan, **known, **weighed))
    undecided = entropy(log_probs).mean()
    critic = (value - data.outcome[part]).square().mean()
    own = (own_value - data.paid[part]).square().mean()
    loss = actor - entropy_weight * undecided + plan.value_weight * critic + plan.own_value_weight * own
    moved = (old - log_prob).mean()
    return loss, numbers | {
        "loss_critic": critic.detach(),
        "loss_own_value": own.detach(),
        "entropy": undecided.detach(),
        "clipped": clipped.detach(),
        "kl": moved.detach(),
    }
