"""Networks, losses, rewards, stages and callbacks as users write them, for tests to import by path."""

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from spades_env.training.recipe import SelfPlay

TOLD: list = []  # what callbacks were told


class Net(nn.Module):
    def __init__(self, hidden: int = 16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(824, hidden), nn.ReLU(), nn.Dropout(0.1))
        self.logits = nn.Linear(hidden, 70)

    def forward(self, features):
        return self.logits(self.body(features / 8))


class Tied(nn.Module):
    """Two of its tensors are one."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(824, 70)
        self.again = self.first

    def forward(self, features):
        return self.first(features)


class Value(nn.Module):
    """A critic of all cards."""

    def __init__(self, hidden: int = 8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1256, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, states):
        return self.body(states / 8)


class ManyValues(Value):
    def forward(self, states):
        return self.body(states).expand(-1, 70)


class Player(Net):
    """A network that plays by itself."""

    def act(self, view):
        return int(view.action_mask.argmax())


class Short(Net):
    def forward(self, features):
        return self.logits(self.body(features))[:, :52]


class Infinite(Net):
    def forward(self, features):
        return super().forward(features) / 0


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


def reinforce(step):
    chosen = step.log_probs.gather(1, step.action[:, None])[:, 0]
    return -(step.weight * chosen * step.advantage).mean(), {"mine": 1.5}


def by_decision(step):
    return step.log_probs.sum(1)


def constant(step):
    return torch.tensor(1.0)


def fails(step):
    return step.log_probs[:, step.nothing]


def two_arguments(logits, mask):
    return logits.mean()


def lines(step):
    return step.log_probs.mean(), {"many": [1, 2]}


def renames(step):
    return step.log_probs.mean(), {"stage": 1.0}


def tricks(hands):
    """Pay for tricks alone."""
    assert (hands.tables["tricks"].sum(1) == 13).all()
    assert len(hands.rules_of) == len(hands.tables) == len(hands.before.winning) == len(hands.after.points)
    assert max(hands.rules_of) < len(hands.rules)
    return hands.tables["tricks"] - 3.25


def too_few(hands):
    return hands.usual[:, 0]


def endless(hands):
    return np.full_like(hands.usual, np.nan)


@dataclass(frozen=True)
class Stage:
    """REINFORCE."""

    iterations: int = 2
    learning_rate: float = 1e-3

    def learn(self, iteration):
        learner, hands = iteration.learner, iteration.play(iteration.learner.sampler(iteration.rng))
        paid = learner.to_device(hands.reward[hands.table, hands.seat]).float()
        logits = learner.policy(learner.batch(hands.rows))
        log_probs = torch.log_softmax(logits.masked_fill(~learner.to_device(hands.legal), -1e9), -1)
        chosen = log_probs.gather(1, learner.to_device(hands.action)[:, None])[:, 0]
        loss = -(chosen * paid).mean()
        learner.improve(loss, self.learning_rate, 1.0)
        return {"loss_mine": float(loss.detach()), "done": iteration.done}


@dataclass(frozen=True)
class Derived(SelfPlay):
    """A stage with our keys that learns in its own way."""

    def learn(self, iteration):
        iteration.play(iteration.learner.sampler(iteration.rng))
        return {"loss_mine": self.learning_rate}


class Mean:
    """A moving mean of rewards: state of our own without torch."""

    def __init__(self):
        self.seen, self.mean = 0, np.zeros(4)

    def note(self, rewards):
        self.seen, self.mean = self.seen + 1, 0.9 * self.mean + 0.1 * rewards.mean(0)

    def state_dict(self):
        return {"seen": self.seen, "mean": self.mean}

    def load_state_dict(self, state):
        self.seen, self.mean = state["seen"], state["mean"]


@dataclass(frozen=True)
class Remembers:
    """A stage with a target network, an optimiser and a mean of its own."""

    iterations: int = 4

    def learn(self, iteration):
        learner = iteration.learner
        target = iteration.keep("target", lambda: deepcopy(learner.policy))
        optimizer = iteration.keep(
            "optimizer", lambda: torch.optim.RMSprop(learner.policy.parameters(), 1e-3, momentum=0.9)
        )
        mean = iteration.keep("mean", Mean)
        hands = iteration.play(learner.sampler(iteration.rng))
        mean.note(hands.reward)
        assert (hands.observation == hands.rows[:, :824]).all()
        assert (hands.open_states[:, :824] == hands.observation).all()
        features = learner.batch(hands.observation)
        with torch.no_grad():
            wanted = target(features)
        loss = (learner.policy(features) - wanted + float(mean.mean.sum())).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for old, new in zip(target.parameters(), learner.policy.parameters(), strict=True):
            old.data.lerp_(new.data, 0.5)
        return {"loss_mine": float(loss.detach()), "seen": mean.seen}


def pulled(step):
    """A loss with a magnet of its own."""
    magnet = step.keep("magnet", lambda: deepcopy(step.policy))
    with torch.no_grad():
        before = magnet(step.features)
    for old, new in zip(magnet.parameters(), step.policy.parameters(), strict=True):
        old.data.lerp_(new.data, 0.1)
    assert (step.value.shape, step.returns.shape) == (step.action.shape, step.advantage.shape)
    return (step.logits - before).square().mean() - (step.log_probs.exp()[:, 0] * step.returns).mean()


@dataclass(frozen=True)
class Lazy:
    iterations: int = 2

    def learn(self, iteration):
        return {}


@dataclass(frozen=True)
class Endless(Lazy):
    def learn(self, iteration):
        raise RuntimeError("out of ideas")


@dataclass(frozen=True)
class Diverges(Lazy):
    def learn(self, iteration):
        iteration.play(iteration.learner.sampler(iteration.rng))
        return {"loss_mine": float("nan")}


@dataclass(frozen=True)
class Counts(Lazy):
    def learn(self, iteration):
        iteration.play(iteration.learner.sampler(iteration.rng))
        return {"iteration": 0.5}


@dataclass(frozen=True)
class Scheduled(Lazy):
    rates: tuple = ((0, 1e-3), (10, 1e-4))


@dataclass(frozen=True)
class Reads(Lazy):
    data: Path = Path("data")


@dataclass(frozen=True)
class Unset:
    iterations: int

    def learn(self, iteration):
        return {}


@dataclass(frozen=True)
class Handless:
    rate: float = 1.0

    def learn(self, iteration):
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
