"""A round: one hand at every table, and what the learner learns from it.

    decisions, numbers = Round(recipe, learner, pool, number).learn(stage, done)

A round's random numbers follow from the recipe's seed, the worker and the round's number alone.
"""

from typing import NamedTuple

import numpy as np

from agents import load
from spades_env import SpadesVectorEnv
from train import workers
from train.collect import Chooser, Rollout, agent_chooser, new_hands, play_hand
from train.learner import Learner
from train.pool import Member, Pool
from train.recipe import Foresee, Imitate, Recipe, SelfPlay, Stage
from train.rewards import Weights, reward_of
from train.stages.foresight import Recorder, foresee
from train.stages.imitate import Teacher, imitate
from train.stages.passes import Update
from train.stages.selfplay import Player, self_play

Learned = tuple[Rollout, dict[str, float]]  # what was played, and numbers to be logged


class Opponents(NamedTuple):
    """The opponents in a round, and who sits where (int64[N, 4], 0: the learner)."""

    met: list[Member]
    seats: np.ndarray
    choosers: list[Chooser]


class Round:
    """The learner and the opponents of a round, and its random numbers."""

    def __init__(self, recipe: Recipe, learner: Learner, pool: Pool, number: int):
        seed = recipe.seed, workers.rank(), number
        self.recipe, self.learner, self.pool, self.number = recipe, learner, pool, number
        self.rng, self.generator = np.random.default_rng(seed), learner.generator(*seed)

    def learn(self, stage: Stage, done: float) -> tuple[int, dict[str, float]]:
        """Play and learn; return how often this worker's learner acted, and numbers to be logged."""
        env = new_hands(self.recipe.rules, self.recipe.tables, self.rng)
        match stage:
            case Imitate():
                rollout, numbers = self._imitate(env, stage, done)
            case Foresee():
                rollout, numbers = self._foresee(env, stage, done)
            case SelfPlay():
                rollout, numbers = self._self_play(env, stage, done)
        return rollout.actions, numbers

    def _imitate(self, env: SpadesVectorEnv, stage: Imitate, done: float) -> Learned:
        agent = load(stage.agent, seed=self.recipe.seed)
        player = self.learner.sampler(self.generator) if stage.player == "learner" else None
        teacher = Teacher(agent, stage, self.rng, player)
        update = self._update(play_hand(env, np.zeros((env.num_envs, 4), np.int64), [teacher]), done)
        return update.rollout, imitate(update, teacher.targets(), stage)

    def _foresee(self, env: SpadesVectorEnv, stage: Foresee, done: float) -> Learned:
        opponents = self._opponents()
        recorder = Recorder(self.learner.sampler(self.generator), stage, self.rng)
        update, numbers = self._play(env, recorder, opponents, done)
        values = recorder.values(env.compiled_rules[0], self.recipe.reward)
        return update.rollout, numbers | foresee(update, values, stage)

    def _self_play(self, env: SpadesVectorEnv, stage: SelfPlay, done: float) -> Learned:
        player = Player(self.learner, self.generator)
        update, numbers = self._play(env, player, self._opponents(), done)
        return update.rollout, numbers | self_play(update, player, stage)

    def _opponents(self) -> Opponents:
        """Draw who sits where against the learner; all workers meet the same members."""
        met = self.pool.meet(np.random.default_rng([self.recipe.seed, self.number]))
        seats = self.pool.seats(self.rng, self.recipe.tables, met)
        sampler = self.learner.sampler
        choosers = [agent_chooser(one.agent) if one.agent else sampler(self.generator, one.policy) for one in met]
        return Opponents(met, seats, choosers)

    def _play(
        self, env: SpadesVectorEnv, learner: Chooser, opponents: Opponents, done: float
    ) -> tuple[Update, dict[str, float]]:
        """Play the hand; return it, and the learner's mean rewards by opponent."""
        update = self._update(play_hand(env, opponents.seats, [learner, *opponents.choosers]), done)
        return update, self.pool.note(opponents.seats, opponents.met, update.reward)

    def _update(self, rollout: Rollout, done: float) -> Update:
        reward = reward_of(rollout.before, rollout.after, rollout.style_counts, Weights.of(self.recipe.reward))
        return Update(self.learner, rollout, reward, done, self.generator)
