"""A round: one hand at every table, and what the learner learns from it.

    decisions, numbers = Round(recipe, learner, pool, number).learn(stage, done)

A stage of your own is a dataclass with a method learn(round), which plays, learns, and returns numbers to be logged:

    def learn(self, round):
        update = round.play(round.learner.sampler(round.generator))       a hand at every table
        ...                                                               update.rollout, update.reward
        return {"loss_mine": 0.5}

A round's random numbers follow from the recipe's seed, the worker and the round's number alone.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch

from spades_env.agents import AgentError, load
from spades_env.import_path import error_line
from spades_env.training import data_parallel
from spades_env.training.collect import Chooser, Rollout, agent_chooser, new_hands, play_hand
from spades_env.training.learner import Learner
from spades_env.training.opponent_pool import Member, OpponentPool
from spades_env.training.own.reward import OpenHands, rewards
from spades_env.training.recipe import Imitate, Recipe, RecipeError, RolloutImprovement, SelfPlay, Stage, kind_of
from spades_env.training.rewards import Weights, reward_of
from spades_env.training.stages.imitate import Teacher, imitate
from spades_env.training.stages.passes import Update
from spades_env.training.stages.rollout import Recorder, improve
from spades_env.training.stages.selfplay import PolicySampler, self_play
from spades_env.vector.env import SpadesVectorEnv


class SeatedOpponents(NamedTuple):
    """The opponents in a round, and who sits where (int64[N, 4], 0: the learner)."""

    met: list[Member]
    seats: np.ndarray
    choosers: list[Chooser]


class Round:
    """The learner and the opponents of a round, and its random numbers."""

    def __init__(self, recipe: Recipe, learner: Learner, pool: OpponentPool, number: int):
        seed = recipe.seed, data_parallel.rank(), number
        self.recipe, self.learner, self.pool, self.number = recipe, learner, pool, number
        self.rng, self.generator = np.random.default_rng(seed), learner.generator(*seed)
        torch.manual_seed(self.generator.initial_seed())  # for dropout and the like in networks of your own
        self.done = 0.0  # how much of the stage is over, 0 to 1
        self.acted = 0  # how often this worker's learner has acted
        self.results: dict[str, float] = {}  # the learner's mean rewards by opponent

    def learn(self, stage: Stage, done: float) -> tuple[int, dict[str, float]]:
        """Play and learn. Return how often this worker's learner acted, and the numbers to log."""
        self.done = done
        match stage:
            case Imitate():
                numbers = self._imitate(stage)
            case RolloutImprovement():
                numbers = self._improve(stage)
            case SelfPlay():
                numbers = self._self_play(stage)
            case _:
                numbers = self._own(stage)
        return self.acted, self.results | numbers

    def play(self, learner: Chooser) -> Update:
        """Play a hand at every table: this chooser at the learner's seats, [pool]'s members at the others."""
        return self._play(*self._seated(), learner)

    def _own(self, stage: Stage) -> dict[str, float]:
        said = f"the stage {kind_of(stage)}"
        try:
            numbers = stage.learn(self)
        except (RecipeError, AgentError):
            raise
        except Exception as error:
            raise RecipeError(f"{said} failed in round {self.number + 1}: {error_line(error)}") from error
        if not self.acted:
            raise RecipeError(f"{said} played no hand: learn(round) must call round.play(chooser)")
        logged = _logged(numbers)
        if logged is None:
            raise RecipeError(f"{said} must return finite numbers by name from learn(round), not {numbers!r:.60}")
        return logged

    def _imitate(self, stage: Imitate) -> dict[str, float]:
        env = new_hands(self.recipe.rules, self.recipe.tables, self.rng)
        agent = load(stage.agent, seed=self.recipe.seed)
        player = self.learner.sampler(self.generator) if stage.player == "learner" else None
        teacher = Teacher(agent, stage, self.rng, player)
        update = self._update(env, play_hand(env, np.zeros((env.num_envs, 4), np.int64), [teacher]))
        return imitate(update, teacher.targets(), stage)

    def _improve(self, stage: RolloutImprovement) -> dict[str, float]:
        env, opponents = self._seated()
        recorder = Recorder(self.learner.sampler(self.generator), stage, self.rng)
        update = self._play(env, opponents, recorder)
        if self.recipe.reward.function:
            values = recorder.own_values(self.recipe.reward, env, update.rollout)
        else:
            values = recorder.values(env.compiled_rules[0], self.recipe.reward)
        return improve(update, values, stage)

    def _self_play(self, stage: SelfPlay) -> dict[str, float]:
        player = PolicySampler(self.learner, self.generator)
        return self_play(self.play(player), player, stage)

    def _seated(self) -> tuple[SpadesVectorEnv, SeatedOpponents]:
        """Deal a hand at every table, and draw who sits where; all workers meet the same members."""
        env = new_hands(self.recipe.rules, self.recipe.tables, self.rng)
        met = self.pool.meet(np.random.default_rng([self.recipe.seed, self.number]))
        seats = self.pool.seats(self.rng, self.recipe.tables, met)
        sampler = self.learner.sampler
        choosers = [agent_chooser(one.agent) if one.agent else sampler(self.generator, one.policy) for one in met]
        return env, SeatedOpponents(met, seats, choosers)

    def _play(self, env: SpadesVectorEnv, opponents: SeatedOpponents, learner: Chooser) -> Update:
        """Play the hand, and record the learner's mean rewards by opponent."""
        update = self._update(env, play_hand(env, opponents.seats, [learner, *opponents.choosers]))
        self.results = self.pool.note(opponents.seats, opponents.met, update.reward)
        return update

    def _update(self, env: SpadesVectorEnv, rollout: Rollout) -> Update:
        self.acted += rollout.actions
        usual = reward_of(rollout.before, rollout.after, rollout.style_counts, Weights.of(self.recipe.reward))
        rules, rules_of = env.distinct_rules, env.compiled_rules[1]
        hands = OpenHands(rollout.finished, rules, rules_of, rollout.before, rollout.after, usual)
        return Update(self.learner, rollout, rewards(self.recipe.reward, hands), self.done, self.generator)


def _logged(numbers: Any) -> dict[str, float] | None:
    """Return what a stage of your own returned as numbers by name, if it can be logged."""
    if not isinstance(numbers, Mapping) or not all(isinstance(name, str) for name in numbers):
        return None
    try:
        logged = {name: float(number) for name, number in numbers.items()}
    except (TypeError, ValueError):
        return None
    return logged if all(map(math.isfinite, logged.values())) else None
