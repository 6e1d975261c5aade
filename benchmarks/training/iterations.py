"""Play hands of self-play and learn from them as training does, for the training benchmarks."""

import time
from collections.abc import Callable

import numpy as np
import torch

from spades_env import agents
from spades_env.agents.base import Batch
from spades_env.training.learner import Learner
from spades_env.training.parallel import act
from spades_env.training.recipe import NetworkShape, Reward, SelfPlay, Situations
from spades_env.training.rewards import RewardWeights
from spades_env.training.self_play.tables import Decisions, GameTables, Seated
from spades_env.training.stages.selfplay import learn, player

Hand = Callable[[int], tuple[Decisions, float, float]]


def learning(network: NetworkShape, stage: SelfPlay, opponent: str | None = None) -> Hand:
    """Return what plays a hand at some tables and learns from it: from all seats, or from South against an agent.

    It returns what was played, the seconds of playing, and those of both.
    """
    learner, rng = Learner(network, torch.device("cpu"), seed=1), np.random.default_rng(1)
    weights, reads = RewardWeights.of(Reward()), {"reads": learner.reads, "critic_reads": learner.critic_reads}
    agent = agents.load(opponent) if opponent else None
    others = [lambda env, which: act(agent, Batch.at(env).take(which))] if agent else []
    who = [0, 1, 1, 1] if others else [0, 0, 0, 0]
    known: dict[int, GameTables] = {}

    def play(count: int) -> tuple[Decisions, float, float]:
        tables = known[count] = known.get(count) or GameTables(count, Situations(), 1, **reads)
        start = time.perf_counter()
        hand = tables.play(player(learner, stage, 0.0, rng), weights, Seated(np.tile(who, (count, 1)), others))
        played = time.perf_counter()
        learn(learner, hand, stage, 0.0, rng)
        return hand, played - start, time.perf_counter() - start

    return play
