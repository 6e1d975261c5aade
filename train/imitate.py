"""Imitation: what an agent does becomes what the policy does; critic and own value learn how its hands end.

The agent plays the hands itself, now and then disturbed so that more is seen than its own lines, and is asked what it
would do at every decision. Or the learner plays, and the agent comments on what it meets: a slow agent, a search say,
is asked about a share of the decisions only.
"""

from dataclasses import dataclass, field

import numpy as np
import torch

from agents.base import Agent
from agents.insight import NUM_INPUTS
from train.collect import Chooser, Hand, Moment
from train.learner import Learner, between, means, minibatches
from train.losses import cross_entropy, log_policy, softened
from train.recipe import Imitate

NOT_ASKED = -1


@dataclass
class Lesson:
    """A chooser that notes what the agent says. `player` None: the agent plays itself."""

    agent: Agent
    plan: Imitate
    rng: np.random.Generator
    player: Chooser | None = None
    said: list[np.ndarray] = field(default_factory=list)

    def __call__(self, moment: Moment) -> np.ndarray:
        asked = self.rng.random(len(moment.which)) < self.plan.share
        if self.player is None:
            asked[:] = True
        answers = np.full(len(asked), NOT_ASKED, np.int64)
        if asked.any():
            answers[asked] = self.agent.act_batch(moment.batch.take(np.flatnonzero(asked)))
        self.said.append(answers)
        actions = answers.copy() if self.player is None else self.player(moment)
        disturbed = self.rng.random(len(asked)) < self.plan.noise
        chances = np.where(moment.mask[disturbed], self.rng.random((disturbed.sum(), moment.mask.shape[1])), -1)
        actions[disturbed] = chances.argmax(1)
        return actions

    def answers(self) -> np.ndarray:
        """int64[M]: what the agent said at each of the learner's decisions, or NOT_ASKED."""
        return np.concatenate(self.said)


def imitate(
    learner: Learner,
    hand: Hand,
    reward: np.ndarray,
    answers: np.ndarray,
    plan: Imitate,
    done: float,
    generator: torch.Generator,
) -> dict[str, float]:
    """Learn from a round. reward: float32[N, 4]; answers as of `Lesson`; done: how much of the stage is over."""
    asked = np.flatnonzero(answers != NOT_ASKED)
    states, mask = learner.to_device(hand.states[asked]), learner.to_device(hand.mask[asked])
    wanted = learner.to_device(answers[asked])
    paid = learner.to_device(reward.reshape(-1)[hand.seat[asked]])
    rate = between(plan.rate, plan.last_rate, done)
    steps = []
    for _ in range(plan.passes):
        for part in minibatches(len(asked), plan.minibatch, generator):
            with learner.quick():
                logits, own_value = learner.policy(states[part][:, :NUM_INPUTS])
                value = learner.critic(states[part])
            log_probs = log_policy(logits, mask[part])
            missed = cross_entropy(log_probs, softened(wanted[part], mask[part], plan.soften)).mean()
            critic = (value - paid[part]).square().mean()
            own = (own_value - paid[part]).square().mean()
            numbers = {
                "loss_imitation": missed.detach(),
                "loss_critic": critic.detach(),
                "loss_own_value": own.detach(),
                "agreement": (log_probs.argmax(-1) == wanted[part]).float().mean(),
            }
            loss = missed + plan.value_weight * (critic + own)
            steps.append(numbers | {"gradient": learner.improve(loss, rate, plan.gradient)})
    return means(steps) | {"rate": rate}
