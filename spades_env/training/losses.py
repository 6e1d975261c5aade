"""The losses that are minimised, and the advantages they use, as functions of tensors."""

import torch
from torch import Tensor

ILLEGAL = -1e9  # as a logit


def gae(values: Tensor, rewards: Tensor, lengths: Tensor, lam: float) -> Tensor:
    """Return generalised advantage estimates without discount, float32[S, L], 0 after a sequence's end.

    values   [S, L], of every decision of S sequences
    rewards  [S], paid after the last decision of each
    lengths  int64[S], decisions in each, at least one
    """
    advantages = torch.zeros_like(values)
    after, ahead = torch.zeros_like(rewards), torch.zeros_like(rewards)
    for t in range(values.shape[1] - 1, -1, -1):
        last = torch.eq(lengths - 1, t)
        target = torch.where(last, rewards, after)
        ahead = torch.where(last, torch.zeros_like(ahead), ahead)
        own = target - values[:, t] + lam * ahead
        live = torch.gt(lengths, t)
        advantages[:, t] = torch.where(live, own, torch.zeros_like(own))
        after = torch.where(live, values[:, t], after)
        ahead = torch.where(live, own, ahead)
    return advantages


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities, [B, 70]; those of illegal actions (mask: bool[B, 70]) are about ILLEGAL."""
    return torch.log_softmax(logits.masked_fill(~mask, ILLEGAL), -1)


def clipped_loss(log_prob: Tensor, old_log_prob: Tensor, advantage: Tensor, clip: float) -> tuple[Tensor, Tensor]:
    """Return PPO's clipped surrogate loss, and the share of decisions whose ratio was clipped; all [B]."""
    ratio = torch.exp(log_prob - old_log_prob)
    bounded = ratio.clamp(1 - clip, 1 + clip)
    loss = -torch.minimum(ratio * advantage, bounded * advantage)
    return loss.mean(), ((ratio - 1).abs() > clip).float().mean()


def entropy(log_probs: Tensor) -> Tensor:
    """Return the entropy in nats, [B]."""
    return -(log_probs.exp() * log_probs).sum(-1)


def cross_entropy(log_probs: Tensor, targets: Tensor) -> Tensor:
    """Return the cross entropy against a teacher's probabilities ([B, 70]): [B]."""
    return -(targets * log_probs).sum(-1)
