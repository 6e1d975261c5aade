"""Rounds of self-play that are played and learned from, as training does it, for what is measured of training."""

import time
from collections.abc import Callable

import numpy as np
import torch

from spades_env import agents
from spades_env.training.collect import Rollout, agent_chooser, new_hands, play_hand
from spades_env.training.learner import Learner
from spades_env.training.recipe import NetworkShape, Recipe, SelfPlay
from spades_env.training.rewards import Weights, reward_of
from spades_env.training.stages.passes import Update
from spades_env.training.stages.selfplay import PolicySampler, self_play

Round = Callable[[int], tuple[Rollout, float, float]]


def learning(network: NetworkShape, stage: SelfPlay, opponent: str | None = None) -> Round:
    """Return what plays a round at some tables and learns from it: from all seats, or from South against an agent.

    A round returns what was played, the seconds of playing, and those of both.
    """
    learner, rng = Learner(network, torch.device("cpu"), seed=1), np.random.default_rng(1)
    recipe, generator = Recipe(), learner.generator(1)
    others = [agent_chooser(agents.load(opponent))] if opponent else []
    who = np.array([0, 1, 1, 1] if others else [0, 0, 0, 0], np.int64)

    def play(tables: int) -> tuple[Rollout, float, float]:
        start = time.perf_counter()
        env, player = new_hands(recipe.rules, tables, rng), PolicySampler(learner, generator)
        hand = play_hand(env, np.tile(who, (tables, 1)), [player, *others])
        reward = reward_of(hand.before, hand.after, hand.style_counts, Weights.of(recipe.reward))
        played = time.perf_counter()
        self_play(Update(learner, hand, reward, 0.0, generator), player, stage)
        return hand, played - start, time.perf_counter() - start

    return play
