"""Imitation: the policy learns an agent's actions; critic and own value learn how its hands end.

Either the agent plays the hands, with some random actions so that more is seen than its own lines, and labels every
decision. Or the learner plays and the agent labels its decisions (DAgger), a slow agent only a share of them.

With `soft_temperature` the policy learns how a search weighs its actions (`Agent.weigh_batch`), not only the action it
takes. Where an agent weighs nothing, as LEVEL+trial:64 and rule/mc:8x8 when they bid, its action is learned instead.
"""

from dataclasses import dataclass, field

import numpy as np
from torch import Tensor

from spades_env.agents.base import NOT_TRIED, Agent, Batch
from spades_env.training.collect import Chooser, Moment, disturbed
from spades_env.training.losses import cross_entropy, log_policy
from spades_env.training.own.loss import Minibatch, loss_of
from spades_env.training.parallel import act, weigh
from spades_env.training.recipe import Imitate
from spades_env.training.stages.passes import Update, run_passes

LEAST_SPREAD = 0.002  # of match equities: smaller differences do not matter
FULL_SPREAD = 0.01  # spread at which a decision counts half


@dataclass
class Teacher:
    """A chooser that records what the agent would do. player: plays the hands; None for the agent itself."""

    agent: Agent
    plan: Imitate
    rng: np.random.Generator
    player: Chooser | None = None
    recorded: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    def __call__(self, moment: Moment) -> np.ndarray:
        n = len(moment.which)
        asked = self.rng.random(n) < self.plan.labelled
        if self.player is None:
            asked[:] = True
        targets, weights = np.zeros(moment.mask.shape, np.float32), np.zeros(n, np.float32)
        if asked.any():
            targets[asked], weights[asked] = self._ask(moment.batch.take(np.flatnonzero(asked)), moment.mask[asked])
        self.recorded.append((targets, weights))
        actions = targets.argmax(1) if self.player is None else self.player(moment)
        return disturbed(actions, moment.mask, self.plan.noise, self.rng)

    def _ask(self, batch: Batch, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return target probabilities, float32[n, 70], and how much each decision counts, float32[n]."""
        smoothing = self.plan.label_smoothing
        if not self.plan.soft_temperature:
            return hard_targets(act(self.agent, batch), mask, smoothing), np.ones(len(batch), np.float32)
        values = weigh(self.agent, batch)
        targets, weights = soft_targets(values, self.plan.soft_temperature)
        alone = (values != NOT_TRIED).sum(1) == 1
        targets[alone], weights[alone] = hard_targets(values[alone].argmax(1), mask[alone], smoothing), 1
        return targets, weights

    def targets(self) -> tuple[np.ndarray, np.ndarray]:
        """Return targets [M, 70] and weights [M] of all decisions; the weight is 0 where the agent was not asked."""
        targets, weights = zip(*self.recorded, strict=True)
        return np.concatenate(targets), np.concatenate(weights)


def hard_targets(actions: np.ndarray, mask: np.ndarray, share: float) -> np.ndarray:
    """Return actions (int64[n]) as targets, float32[n, 70], with a share spread over the legal ones (bool[n, 70])."""
    targets = (share * mask / mask.sum(1, keepdims=True)).astype(np.float32)
    targets[np.arange(len(actions)), actions] += 1 - share
    return targets


def soft_targets(values: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """Turn match equities (float32[n, 70], NOT_TRIED where unknown) into targets and weights of decisions.

    Differences of equities are measured in units of their own spread, so that small ones teach as well; but decisions
    that hardly matter get small weights.
    """
    tried = values != NOT_TRIED
    count = tried.sum(1, keepdims=True)
    mean = (values * tried).sum(1, keepdims=True) / count
    spread = np.sqrt((tried * (values - mean) ** 2).sum(1, keepdims=True) / count)
    above = np.where(tried, (values - mean) / (temperature * (spread + LEAST_SPREAD)), -np.inf)
    chances = np.exp(above - above.max(1, keepdims=True))
    weights = spread / (spread + FULL_SPREAD)
    return (chances / chances.sum(1, keepdims=True)).astype(np.float32), weights[:, 0].astype(np.float32)


def imitate(update: Update, targets: tuple[np.ndarray, np.ndarray], plan: Imitate) -> dict[str, float]:
    """Learn from a round. targets: as of `Teacher`."""
    asked = np.flatnonzero(targets[1])
    wanted, weights = (update.learner.to_device(array[asked]) for array in targets)
    own = loss_of(plan)

    def policy_loss(logits: Tensor, mask: Tensor, part: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        target, weight = wanted[part], weights[part]
        log_probs = log_policy(logits, mask)
        chosen = target.gather(-1, log_probs.argmax(-1, keepdim=True))
        agreement = {"agreement": (chosen == target.amax(-1, True)).float().mean()}
        if own:
            loss, numbers = own(Minibatch(logits, log_probs, mask, plan, target=target, weight=weight))
            return loss, numbers | agreement
        loss = (weight * cross_entropy(log_probs, target)).sum() / weight.sum()
        return loss, {"loss_imitation": loss.detach()} | agreement

    return run_passes(update, asked, plan, policy_loss)
