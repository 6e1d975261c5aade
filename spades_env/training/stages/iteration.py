"""An iteration: some hands at every table, and what the learner learns from them.

    iteration = Iteration(recipe, learner, pool, number, winning)
    numbers = iteration.learn(stage, done)

A stage of your own is a dataclass with a method learn(iteration), which plays, learns, and returns numbers to log:

    def learn(self, iteration):
        hands = iteration.play(iteration.learner.sampler(iteration.rng))       a hand at every table: Decisions
        ...
        return {"loss_mine": 0.5}

The games at the tables go on from hand to hand, and end with the iteration. Its random numbers follow from the recipe's
seed, the worker and the iteration's number alone; so a checkpoint needs no tables.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch

from spades_env.agents import AgentError
from spades_env.agents.base import Agent, Batch
from spades_env.agents.equity import Numbers
from spades_env.import_path import error_line
from spades_env.training import data_parallel
from spades_env.training.learner import Learner, means
from spades_env.training.opponent_pool import Member, OpponentPool
from spades_env.training.own.kept import One
from spades_env.training.own.loss import check_names
from spades_env.training.own.network import AnyPolicy
from spades_env.training.own.reward import own_rewards
from spades_env.training.parallel import act
from spades_env.training.recipe import Recipe, RecipeError, SelfPlay, Stage, kind_of
from spades_env.training.rewards import RewardWeights
from spades_env.training.self_play.tables import HANDS, Choose, Decisions, GameTables, Opponent, Seated
from spades_env.training.stages import selfplay
from spades_env.vector.env import SpadesVectorEnv


class Iteration:
    """What a stage of your own is given: the learner and its opponents, tables and random numbers of an iteration.

    Attributes:
        learner: The networks, and how they choose and improve.
        rng: A NumPy generator, seeded by the recipe's seed, the worker and the iteration's number.
        done: How much of the stage is over, 0 to 1.
        number: Of the iteration in the run, from 0.
        recipe: The run's.

    Examples:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Mine:
        ...     iterations: int = 100
        ...
        ...     def learn(self, iteration):
        ...         hands = iteration.play(iteration.learner.sampler(iteration.rng))
        ...         return {"reward": float(hands.reward.std())}  # logged
    """

    def __init__(self, recipe: Recipe, learner: Learner, pool: OpponentPool, number: int, winning: Numbers):
        seed = recipe.seed, data_parallel.rank(), number
        self.recipe, self.learner, self.pool, self.number = recipe, learner, pool, number
        self.rng = np.random.default_rng(seed)
        torch.manual_seed(int(self.rng.integers(1 << 62)))  # for dropout and the like in networks of your own
        reads = {"reads": learner.reads, "critic_reads": learner.critic_reads}
        self.tables = GameTables(recipe.tables, recipe.rules, int(self.rng.integers(1 << 62)), **reads)
        self.tables.numbers = winning
        self.met = pool.meet(np.random.default_rng([recipe.seed, number]))  # the same for all workers
        self.seated = Seated(pool.seats(self.rng, recipe.tables, self.met), [self._opponent(one) for one in self.met])
        self.weights = RewardWeights.of(recipe.reward)
        self.own_reward = partial(own_rewards, recipe.reward) if recipe.reward.function else None
        self.done = 0.0  # how much of the stage is over, 0 to 1
        self.acted = 0  # how often this worker's learner has acted
        self.rewards: list[np.ndarray] = []  # float64[N, 4], of each hand

    def learn(self, stage: Stage, done: float) -> dict[str, float]:
        """Play and learn; return the numbers to log. Afterwards `winning` is fitted to the games played. For runs."""
        self.done = done
        numbers = self._self_play(stage) if type(stage) is SelfPlay else self._own(stage)
        if self.weights.winning and self.tables.hands >= HANDS:  # in fewer hands, only short games end
            self.tables.fit_winning()
        return self.pool.note(self.seated.seats, self.met, np.stack(self.rewards)) | numbers

    @property
    def winning(self) -> Numbers:
        """The numbers of the chance of winning, the mean over all workers."""
        return Numbers(**data_parallel.mean(self.tables.numbers._asdict()))

    def play(self, choose: Choose) -> Decisions:
        """Play the next hand at every table, against the members of [pool].

        Args:
            choose: Maps what the policy reads, int8[n, …], and legal actions, bool[n, 70], to actions, int64[n], and
                their log-probabilities, float32[n]. It is asked only where there is a choice.

        Returns:
            The learner's decisions. The next call overwrites them.
        """
        decisions = self.tables.play(choose, self.weights, self.seated, self.own_reward)
        self.acted += decisions.actions
        self.rewards.append(decisions.reward)
        return decisions

    def keep(self, name: str, make: Callable[[], One]) -> One:
        """Return an object of your own that the run keeps, also in checkpoints: a target, a buffer, an optimiser.

        Args:
            name: By which it is found again.
            make: Makes it at the first call of the run, and after a resume.

        Returns:
            The object, with what its `state_dict()` returned at the checkpoint that the run went on from. Its states
            are dicts and lists of numbers, texts, tensors and arrays. Of several workers, the first one's are kept.

        Raises:
            RecipeError: The object lacks `state_dict` or `load_state_dict`.

        Examples:
            >>> def target(iteration):
            ...     return iteration.keep("target", lambda: deepcopy(iteration.learner.policy))
        """
        return self.learner.kept.keep(name, make)

    def _self_play(self, stage: SelfPlay) -> dict[str, float]:
        if stage.points_only:
            self.weights = self.weights._replace(points=1.0, winning=0.0)
        if stage.main_only:
            self.tables.situations = replace(self.recipe.rules, main_share=1.0, also={})
        self.tables.length, noted, began = stage.hands, [], self.done
        for hand in range(stage.hands):
            self.done = began + hand / (stage.hands * stage.iterations)
            decisions = self.play(selfplay.player(self.learner, stage, self.done, self.rng))
            noted.append(selfplay.learn(self.learner, decisions, stage, self.done, self.rng))
        return means(noted)

    def _own(self, stage: Stage) -> dict[str, float]:
        said = f"the stage {kind_of(stage)}"
        self.tables.keep_plain()
        try:
            numbers = stage.learn(self)
        except (RecipeError, AgentError):
            raise
        except Exception as error:
            raise RecipeError(f"{said} failed in iteration {self.number + 1}: {error_line(error)}") from error
        if not self.rewards:
            raise RecipeError(f"{said} played no hand: learn(iteration) must call iteration.play(chooser)")
        logged = _logged(numbers)
        if logged is None:
            raise RecipeError(f"{said} must return finite numbers by name from learn(iteration), not {numbers!r:.60}")
        check_names(said, logged)
        return logged

    def _opponent(self, member: Member) -> Opponent:
        if member.policy:
            return self._past_self(member.policy)
        assert member.agent
        return _agent_chooser(member.agent)

    def _past_self(self, policy: AnyPolicy) -> Opponent:
        reads = self.learner.reads

        def choose(env: SpadesVectorEnv, which: np.ndarray) -> np.ndarray:
            rows = np.empty((len(which), reads.size), np.int8)
            reads.write(env.observation, which, rows)
            return self.learner.sample(rows, env.mask[which].astype(bool), self.rng, 0, policy)[0]

        return choose


def _agent_chooser(agent: Agent) -> Opponent:
    return lambda env, which: act(agent, Batch.at(env).take(which))


def _logged(numbers: Any) -> dict[str, float] | None:
    """Return what a stage of your own returned as numbers by name, if it can be logged."""
    if not isinstance(numbers, Mapping) or not all(isinstance(name, str) for name in numbers):
        return None
    try:
        logged = {name: float(number) for name, number in numbers.items()}
    except (TypeError, ValueError):
        return None
    return logged if all(map(math.isfinite, logged.values())) else None
