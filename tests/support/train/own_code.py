"""Networks, losses, rewards, stages and callbacks as users write them, for tests to import by path."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

TOLD: list = []  # what callbacks were told


class Net(nn.Module):
    def __init__(self, hidden: int = 16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1518, hidden), nn.ReLU(), nn.Dropout(0.1))
        self.logits, self.value = nn.Linear(hidden, 70), nn.Linear(hidden, 1)

    def forward(self, features):
        x = self.body(features / 8)
        return self.logits(x), self.value(x)


class Narrow(nn.Module):
    """A network of the observation alone, without a value; two of its tensors are one."""

    inputs = 824

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(824, 70)
        self.again = self.first

    def forward(self, features):
        return self.first(features)


class Value(nn.Module):
    """A critic of the observation and insight alone."""

    inputs = 1518

    def __init__(self, hidden: int = 8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1518, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, features):
        return self.body(features / 8)


class Player(Net):
    """A network that plays by itself."""

    def act(self, view):
        return int(view.action_mask.argmax())


class Short(Net):
    def forward(self, features):
        return self.logits(self.body(features))[:, :52]


class Wide(Net):
    inputs = 1000


class Branches(Net):
    def forward(self, features):
        x = self.body(features)
        return self.logits(x) if float(features.sum()) == 0 else -self.logits(x) + 5


def halved(x: torch.Tensor) -> torch.Tensor:
    while bool(x.abs().max() > 1):
        x = x / 2
    return x


class Loops(Net):
    def forward(self, features):
        return torch.jit.script(halved)(self.logits(self.body(features)))


class Fails(Net):
    def forward(self, features):
        raise RuntimeError("no such layer")


class Fixed(nn.Module):
    def forward(self, features):
        return features[:, :70]


def no_net(**options):
    return 5


def cross_entropy(step):
    return -(step.target * step.log_probs).sum(1).mean(), {"mine": 1.5}


def greedy(step):
    return -(step.log_probs.exp() * step.gain).sum(1).mean()


def reinforce(step):
    chosen = step.log_probs.gather(1, step.action[:, None])[:, 0]
    return -(step.weight * chosen * step.advantage).mean()


def by_decision(step):
    return step.log_probs.sum(1)


def constant(step):
    return torch.tensor(1.0)


def two_arguments(logits, mask):
    return logits.mean()


def lines(step):
    return step.log_probs.mean(), {"many": [1, 2]}


def tricks(hands):
    """Pay for tricks alone."""
    assert (hands.tables["tricks"].sum(1) == 13).all()
    assert len(hands.rules_of) == len(hands.tables) == len(hands.before.equity) == len(hands.after.points)
    assert max(hands.rules_of) < len(hands.rules)
    return hands.tables["tricks"] - 3.25


def usual(hands):
    return hands.usual


def too_few(hands):
    return hands.usual[:, 0]


def endless(hands):
    return hands.usual / np.zeros(1, np.float32)


@dataclass(frozen=True)
class Stage:
    """REINFORCE."""

    iterations: int = 2
    learning_rate: float = 1e-3

    def learn(self, round):
        update = round.play(round.learner.sampler(round.generator))
        learner, rollout = update.learner, update.rollout
        paid = learner.to_device(update.reward.reshape(-1)[rollout.seat])
        logits, _ = learner.policy(learner.arranged(rollout.states))
        log_probs = torch.log_softmax(logits.masked_fill(~learner.to_device(rollout.mask), -1e9), -1)
        chosen = log_probs.gather(1, learner.to_device(rollout.action)[:, None])[:, 0]
        loss = -(chosen * paid).mean()
        learner.improve(loss, self.learning_rate, 1.0)
        return {"loss_mine": float(loss.detach()), "done": round.done}


@dataclass(frozen=True)
class Lazy:
    iterations: int = 2

    def learn(self, round):
        return {}


@dataclass(frozen=True)
class Endless(Lazy):
    def learn(self, round):
        raise RuntimeError("out of ideas")


@dataclass(frozen=True)
class Diverges(Lazy):
    def learn(self, round):
        round.play(round.learner.sampler(round.generator))
        return {"loss_mine": float("nan")}


@dataclass(frozen=True)
class Unset:
    iterations: int

    def learn(self, round):
        return {}


@dataclass(frozen=True)
class Handless:
    rate: float = 1.0

    def learn(self, round):
        return {}


@dataclass(frozen=True)
class Mute:
    iterations: int = 2


def note(record):
    TOLD.append(record)


class Watcher:
    def on_evaluation(self, record):
        TOLD.append(record)


def clumsy(record):
    raise KeyError("lost")
