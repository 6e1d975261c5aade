"""The opponents of the learner: named agents, past selves, or the learner itself.

    pool.meet(rng)       draws the opponents of an iteration
    pool.seats(…)        draws who sits where at every table
    pool.note(…)         records the learner's results against each
    pool.add(…)          adds a past self

Named agents keep a learner from adapting to itself alone; past selves keep it from forgetting. Past selves that the
learner does not beat are met most often.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from spades_env.agents import load
from spades_env.agents.base import Agent
from spades_env.training import data_parallel
from spades_env.training.own.network import AnyPolicy
from spades_env.training.recipe import PoolShares
from spades_env.training.run.checkpoints import Checkpoint, RunError
from spades_env.training.self_play.tables import LEARNER

MET = 2  # past selves met in one iteration: more would make small batches
MEMORY = 0.9  # decay per iteration of the moving average of hands won
LEAST_WEIGHT = 0.05  # of a past self that always loses


@dataclass
class Member:
    """A named agent or a past self. won: the recent share of hands that the learner won against it."""

    name: str
    agent: Agent | None  # None: a past self
    policy: AnyPolicy | None = None  # of a past self
    won: float = 0.5


class OpponentPool:
    """The members, and their shares of the tables."""

    def __init__(self, shares: PoolShares, seed: int):
        self.shares = shares
        self.members = [Member(name, load(name, seed=seed)) for name in shares.agents]
        self.past: list[Member] = []

    def add(self, name: str, policy: AnyPolicy | None = None) -> str | None:
        """Add a past self; return the name of the one it replaces, if any."""
        self.past.append(Member(name, None, policy))
        if len(self.past) <= self.shares.keep:
            return None
        easiest = max(self.past[:-1], key=lambda member: member.won)
        self.past.remove(easiest)
        return easiest.name

    def meet(self, rng: np.random.Generator) -> list[Member]:
        """Draw the opponents of an iteration: all named agents and some past selves, preferably hard ones."""
        count = min(MET, len(self.past)) if self.shares.past else 0
        if not count:
            return list(self.members)
        weights = np.array([LEAST_WEIGHT + (1 - member.won) ** 2 for member in self.past])
        picked = rng.choice(len(self.past), size=count, replace=False, p=weights / weights.sum())
        return [*self.members, *(self.past[i] for i in picked)]

    def seats(self, rng: np.random.Generator, tables: int, met: list[Member]) -> np.ndarray:
        """Draw who sits where, int64[tables, 4]: 0 the learner, k the (k − 1)-th of those met."""
        shares = list(self.shares.agents.values())
        drawn = len(met) - len(shares)
        shares += [self.shares.past / max(1, drawn)] * drawn
        other = rng.choice(len(met) + 1, size=tables, p=[max(0.0, 1 - sum(shares)), *shares])
        first = rng.integers(2, size=tables)
        alone = rng.random(tables) < self.shares.partner
        seats = np.empty((tables, 4), np.int64)
        for seat in range(4):
            own = np.where(alone, seat == first, (first + seat) % 2 == 0)
            seats[:, seat] = np.where(own, LEARNER, other)
        return seats

    def note(self, seats: np.ndarray, met: list[Member], rewards: np.ndarray) -> dict[str, float]:
        """Record the learner's rewards of each hand (float64[H, N, 4]); return their mean over all workers by agent."""
        hands, won, paid = {}, {}, {}
        for k, member in enumerate(met, 1):
            own = rewards[:, (seats == LEARNER) & (seats == k).any(1)[:, None]]
            hands[member.name] = float(own.size)
            won[member.name] = float((np.sign(own) + 1).sum() / 2)
            paid[member.name] = float(own.sum())
        hands, won, paid = (data_parallel.mean(numbers) for numbers in (hands, won, paid))
        seated = [member for member in met if hands[member.name]]
        for member in seated:
            member.won = MEMORY * member.won + (1 - MEMORY) * won[member.name] / hands[member.name]
        return {f"against/{m.name}": paid[m.name] / hands[m.name] for m in seated if m.agent}

    # Checkpoints

    def tensors(self) -> dict[str, Tensor]:
        states = {one.name: one.policy.state_dict() for one in self.past if one.policy}
        return {f"past.{name}.{key}": value for name, state in states.items() for key, value in state.items()}

    def state(self) -> list[tuple[str, float]]:
        """Return the names of all members with the share of hands won, for a checkpoint."""
        return [(member.name, member.won) for member in [*self.members, *self.past]]

    def past_in(self, state: list[tuple[str, float]]) -> list[str]:
        return [name for name, _ in state[len(self.members) :]]

    def check(self, checkpoint: Checkpoint) -> None:
        """Raise RunError for a checkpoint of other named agents."""
        named = [one.name for one in self.members]
        if [name for name, _ in checkpoint.facts["pool"][: len(named)]] != named:
            raise RunError(f"{checkpoint.path} cannot be read as a checkpoint: its pool is not that of the recipe")

    def restore(self, state: list[tuple[str, float]], policies: Mapping[str, AnyPolicy]) -> None:
        for member, (_, won) in zip(self.members, state, strict=False):
            member.won = won
        self.past = [Member(name, None, policies.get(name), won) for name, won in state[len(self.members) :]]
