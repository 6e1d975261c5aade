"""Self-play from nothing: one policy plays all seats of many tables, and learns from every decision with a choice.

    choose = player(learner, plan, done, rng)           samples actions
    numbers = learn(learner, decisions, plan, done, rng)

calls       bids, blind bids and the look are no policy gradient: nils, which fail at first, would die out. A head
            regresses the advantage of the call that was made, and play is a softmax of it. A quota keeps nils tried
cards       a clipped policy gradient, on the decisions that matter most
critic      sees all hands; predicts tricks and broken nils. What these are worth follows from the rules
annealing   learning rates, the temperature of calls and entropy fall together: the favourite is far stronger than
            what is sampled, and bids must suit the play of the favourite
averaging   the level that is measured and kept has averaged weights

With a loss of your own calls are sampled and learned from as cards are. train/selfplay.py is the same in one file.

Two workers on a CPU divide the work: one improves the policy, the other the critic, with the decisions of both.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import nll_loss

from spades_env.game.cards import BID_ZERO, NUM_CARDS
from spades_env.game.state import NO_NIL
from spades_env.training import data_parallel
from spades_env.training.learner import GRAIN, Learner, means
from spades_env.training.nets import CALLS_GAIN
from spades_env.training.own.loss import Minibatch, log_policy, loss_of
from spades_env.training.recipe import SelfPlay
from spades_env.training.self_play.choices import that_matter
from spades_env.training.self_play.kernels import advantages
from spades_env.training.self_play.tables import Choose, Decisions

MOST_AT_ONCE = 4096  # decisions where no gradient is needed
ROUNDING = 1e-6  # of a number of iterations


def annealed(first: float, last: float, done: float) -> float:
    """Return a number that falls from the first to the last, slowly at first: what cools early has learned little."""
    return first * (last / first) ** done**3 if first and last else first + (last - first) * done**3


def player(learner: Learner, plan: SelfPlay, done: float, rng: np.random.Generator) -> Choose:
    """Return a chooser that plays as the stage does."""
    tau = None if plan.loss else annealed(plan.temperature, plan.last_temperature, done)
    return learner.sampler(rng, tau)


def learn(learner: Learner, d: Decisions, plan: SelfPlay, done: float, rng: np.random.Generator) -> dict[str, float]:
    """Learn from a hand at every table; return what is logged."""
    return _Lesson(learner, d, plan, done, rng).learn()


class _Tried(NamedTuple):
    """Decisions that the policy learns from."""

    rows: np.ndarray
    legal: np.ndarray
    action: np.ndarray
    log_prob: np.ndarray
    value: np.ndarray
    returns: np.ndarray
    advantage: np.ndarray
    weight: np.ndarray


class _Valued(NamedTuple):
    """Decisions that the critic learns from."""

    open_rows: np.ndarray
    ends: np.ndarray
    tricks_to_come: np.ndarray
    target: np.ndarray


class _Lesson:
    """What is learned from a hand at every table."""

    def __init__(self, learner: Learner, d: Decisions, plan: SelfPlay, done: float, rng: np.random.Generator):
        self.learner, self.d, self.plan, self.rng = learner, d, plan, rng
        self.own_loss = loss_of(plan)
        self.rate = annealed(plan.learning_rate, plan.last_learning_rate, done)
        self.critic_rate = annealed(plan.critic_rate, plan.last_critic_rate, done)
        self.entropy = annealed(plan.entropy, plan.last_entropy, done)
        self.critic_alone = done * plan.iterations < plan.critic_first - ROUNDING
        self.value = values(learner, d)
        self.advantage, self.target = np.zeros((2, len(d.action)), np.float32)
        traces = plan.gae_lambda, plan.critic_lambda
        advantages(d.row_of, d.seat, d.zero_sum, self.value, d.reward, *traces, self.advantage, self.target)

    def learn(self) -> dict[str, float]:
        plan, d, rng = self.plan, self.d, self.rng
        cards, calls = self._cards_and_calls(d.action)
        weight = np.zeros(len(d.action), np.float32)
        matter, weight[cards] = that_matter(self.advantage[cards], d.log_prob[cards], plan.keep, rng)
        cards = cards[matter]
        tried = np.concatenate([cards, calls])
        seen = rng.permutation(len(d.action))[: int(plan.critic_keep * len(d.action))]
        known = d.rows, d.legal, d.action, d.log_prob, self.value, self.target, self.advantage, weight
        self.tried = _Tried(*(x[tried] for x in known))
        self.valued = _Valued(*(x[seen] for x in (d.open_rows, d.ends, d.tricks_to_come, self.target)))
        of_all = data_parallel.mean({"cards": float(len(cards)), "minibatch": float(plan.minibatch)})
        steps = max(1, round(of_all["cards"] / of_all["minibatch"]))  # as many of each worker
        if data_parallel.count() == 2 and self.learner.device.type == "cpu":
            noted = self._divided(steps)
        elif self.critic_alone:
            noted = [self._critic(values) for values in self._values(steps)]
        else:
            parts = zip(self._tries(steps), self._values(steps), strict=True)
            noted = [self._policy(*tries) | self._critic(values) for tries, values in parts]
        got = d.reward[d.table, d.seat]
        nils = d.finished.nils != NO_NIL
        habits = {"nils": nils.mean()} | ({"nils_kept": (d.finished.tricks[nils] == 0).mean()} if nils.any() else {})
        return means(noted) | habits | {"explained": explained(got, self.value), "learning_rate": self.rate}

    def _divided(self, steps: int) -> list[dict[str, float]]:
        """Improve one network with the decisions of both workers, while the other worker improves the other."""
        with data_parallel.apart():
            if data_parallel.rank() == 0:
                theirs = _swap(self.valued)
                self.tried = _Tried(*map(np.concatenate, zip(self.tried, theirs, strict=True)))
                noted = [] if self.critic_alone else [self._policy(*tries) for tries in self._tries(steps)]
            else:
                theirs = _swap(self.tried)
                self.valued = _Valued(*map(np.concatenate, zip(self.valued, theirs, strict=True)))
                noted = [self._critic(values) for values in self._values(steps)]
        self.learner.swap_networks()
        return noted

    def _cards_and_calls(self, action: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which of these actions are learned by gradient, and which by regression."""
        sampled = np.full(len(action), bool(self.own_loss)) | (action < BID_ZERO)
        return np.flatnonzero(sampled), np.flatnonzero(~sampled)

    def _tries(self, steps: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the cards and the calls of each step."""
        parts = (self._parts(one, steps) for one in self._cards_and_calls(self.tried.action))
        return zip(*parts, strict=True)

    def _values(self, steps: int) -> Iterable[np.ndarray]:
        """Yield the decisions of each of the critic's steps, of whole GRAINs."""
        parts = self._parts(np.arange(len(self.valued.target)), steps)
        return (part[: max(GRAIN, len(part) // GRAIN * GRAIN)] for part in parts)

    def _parts(self, which: np.ndarray, steps: int) -> list[np.ndarray]:
        return np.array_split(self.rng.permutation(which), steps)

    def _policy(self, cards: np.ndarray, calls: np.ndarray) -> dict[str, float]:
        """Take a step of the policy on these cards and these calls."""
        learner, beyond = self.learner, (len(cards) + len(calls)) % GRAIN
        cards = cards[: max(GRAIN, len(cards) - beyond)]
        features = learner.batch(self.tried.rows[np.concatenate([cards, calls])])
        with learner.quick():
            logits = learner.policy(features)
        loss, numbers = self._card_loss(features[: len(cards)], logits[: len(cards)], cards)
        if len(calls):
            call_loss = self._call_loss(logits[len(cards) :], calls)
            loss, numbers["loss_calls"] = loss + self.plan.call_weight * call_loss, call_loss.item()
        return numbers | {"grad_norm": learner.improve(loss, self.rate, kept=self.plan.average)}

    def _card_loss(self, features: Tensor, logits: Tensor, cards: np.ndarray) -> tuple[Tensor, dict[str, float]]:
        plan, to_device = self.plan, self.learner.to_device
        legal, action = (to_device(x[cards]) for x in (self.tried.legal, self.tried.action))
        a, w, old = (to_device(x[cards]) for x in (self.tried.advantage, self.tried.weight, self.tried.log_prob))
        if not self.own_loss:
            logits, legal = logits[:, :NUM_CARDS], legal[:, :NUM_CARDS]
        log_probs = log_policy(logits, legal)
        entropy = -(log_probs.exp() * log_probs).sum(1)
        bonus = (w * self.entropy * entropy).mean()
        if self.own_loss:
            loss, logged = self._by_own_loss(features, logits, log_probs, legal, cards)
            numbers = {name: float(one) for name, one in logged.items()} | {"entropy": entropy.mean().item()}
            return loss - bonus, numbers
        ratio = (log_probs.gather(1, action[:, None])[:, 0] - old).exp()
        gain = torch.min(ratio * a, ratio.clamp(1 - plan.clip, 1 + plan.clip) * a)
        clipped = ((ratio - 1).abs() > plan.clip).float().mean()
        numbers = {"entropy": entropy.mean().item(), "clipped": clipped.item()}
        return -(w * gain).mean() - bonus, numbers

    def _by_own_loss(
        self, features: Tensor, logits: Tensor, log_probs: Tensor, legal: Tensor, cards: np.ndarray
    ) -> tuple[Tensor, dict[str, Tensor]]:
        assert self.own_loss
        learner = self.learner
        action, old, value, returns, advantage, weight = (learner.to_device(x[cards]) for x in self.tried[2:])
        played = Minibatch(
            features, logits, log_probs, legal, action, old, value, returns, advantage, weight,
            stage=self.plan, policy=learner.policy, keep=learner.kept.keep,
        )  # fmt: skip
        with learner.quick():  # for networks that the loss asks
            return self.own_loss(played)

    def _call_loss(self, logits: Tensor, calls: np.ndarray) -> Tensor:
        """Return the mean squared error of the advantages of these calls."""
        made = logits.gather(1, self.learner.to_device(self.tried.action[calls])[:, None])[:, 0] / CALLS_GAIN
        return (made - self.learner.to_device(self.tried.advantage[calls])).square().mean()

    def _critic(self, which: np.ndarray) -> dict[str, float]:
        learner = self.learner
        open_rows, ends, tricks_to_come, target = (one[which] for one in self.valued)
        with learner.quick():
            value, tricks = learner.critic(learner.batch(open_rows), learner.to_device(ends))
        loss = value_loss = (value - learner.to_device(target)).square().mean()
        numbers = {"loss_critic": value_loss.item()}
        if tricks is not None:
            trick_loss = nll_loss(tricks, learner.to_device(tricks_to_come))
            loss, numbers["loss_tricks"] = value_loss + self.plan.trick_weight * trick_loss, trick_loss.item()
        learner.improve_critic(loss, self.critic_rate)
        return numbers


def _swap(arrays: _Tried | _Valued) -> list[np.ndarray]:
    """Send arrays to the other worker; return its own."""
    theirs = data_parallel.swap({name: torch.from_numpy(one) for name, one in arrays._asdict().items()})
    return [one.numpy() for one in theirs.values()]


@torch.no_grad()
def values(learner: Learner, d: Decisions) -> np.ndarray:
    """Return the critic's value of every decision, float32[M]."""
    parts = []
    learner.critic.eval()
    with learner.quick():
        for start in range(0, len(d.action), MOST_AT_ONCE):
            some = slice(start, start + MOST_AT_ONCE)
            parts.append(learner.critic(learner.batch(d.open_rows[some]), learner.to_device(d.ends[some]))[0].cpu())
    learner.critic.train()
    return torch.cat(parts).float().numpy()


def explained(got: np.ndarray, value: np.ndarray) -> float:
    """Return the share of the variance of rewards that the values explain; 0 where there is none."""
    return 1 - float(np.var(got - value) / np.var(got)) if len(got) and np.var(got) else 0.0
