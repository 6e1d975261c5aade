"""Helpers for the tests of the environments: rules to try, agents, episodes, and PettingZoo's loop."""

from collections.abc import Sequence

import numpy as np
import pytest

from spades_env import Rules, SpadesVectorEnv, spades_v0
from spades_env.envs.aec import AGENTS

AGENT_NAMES = list(AGENTS)

BLIND_PASSING = "classic trumps=nyc blind_nil_deficit=0 blind_nil_pass=3"
ALL_RULES = (*Rules.presets(), "classic trumps=jokers", BLIND_PASSING)
MIXED_RULES = [*ALL_RULES, "classic", "solo"]  # of the tables of one vector environment

all_rules = pytest.mark.parametrize("rules", ALL_RULES)
makers = pytest.mark.parametrize("make", [spades_v0.env, spades_v0.raw_env], ids=("env", "raw_env"))
all_seats = pytest.mark.parametrize("seat", range(4))


def choose(rng: np.random.Generator, mask: np.ndarray) -> int:
    """Return a random action that the mask allows."""
    return int(rng.choice(np.flatnonzero(mask)))


def first_legal(view) -> int:
    """Play the first legal action; bid modestly, so that games last."""
    legal = view.legal_actions()
    return legal[min(2, len(legal) - 1) if view.phase == "bid" else 0]


class LastLegal:
    """An agent as an object: plays the last legal action, and bids one, or what comes nearest."""

    def act(self, view) -> int:
        legal = view.legal_actions()
        return min(legal, key=lambda action: abs(action - 55)) if view.phase == "bid" else legal[-1]


class InBatches(LastLegal):
    """An agent that answers for many tables at once, and counts the calls."""

    def __init__(self):
        self.calls = 0

    def act_batch(self, views) -> list[int]:
        self.calls += 1
        return [self.act(view) for view in views]


def ended(env) -> bool:
    return any(env.terminations.values()) or any(env.truncations.values())


def play_on(env, rng: np.random.Generator, moves: int) -> list[int]:
    """Make this many random legal moves in a PettingZoo env, or fewer if the episode ends; return them."""
    made = []
    while len(made) < moves and not ended(env):
        made.append(choose(rng, mask_of(env)))
        env.step(made[-1])
    return made


def mask_of(env) -> np.ndarray:
    """Return the mask of the agent to move, from the observation or the info."""
    observation, _, _, _, info = env.last()
    return observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]


def bury(env) -> list[str]:
    """Take the steps of dead agents, and return these agents."""
    buried = []
    while env.agents:
        buried.append(env.agent_selection)
        env.step(None)
    return buried


def snapshot(env) -> dict:
    """Return everything that a PettingZoo env shows."""
    return {
        "agents": list(env.agents),
        "turn": env.agent_selection,
        "rewards": dict(env.rewards),
        "cumulative": dict(env._cumulative_rewards),
        "state": env.state().tolist(),
        "masks": [env.view(agent).action_mask.tolist() for agent in AGENTS],
        "ends": [*env.terminations.values(), *env.truncations.values()],
    }


def vector_snapshot(env: SpadesVectorEnv) -> list[np.ndarray]:
    """Return copies of everything that a vector environment shows."""
    arrays = (*env._step, env.terminated, env.truncated, env.final_observation, env.final_scores, env.winner, env.seeds)
    return [array.copy() for array in arrays] + [env.scores, env.hand_numbers]


def same(one, other) -> bool:
    """Are two observations (or infos) equal, part by part?"""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return bool(np.array_equal(one, other))


def choose_all(rng, masks) -> np.ndarray:
    return np.array([choose(rng, mask) for mask in masks])


def all_same(one: Sequence, other: Sequence) -> bool:
    return all(same(a, b) for a, b in zip(one, other, strict=True))


def episode(env, rng, seed=None, moves=10_000) -> list:
    """Return everything that a random learner sees: (observation, info), then the result of each step."""
    seen: list[tuple] = [env.reset(seed=seed)]
    for _ in range(moves):
        seen.append(env.step(choose(rng, seen[-1][-1]["action_mask"])))
        if seen[-1][2] or seen[-1][3]:
            break
    return seen


def same_episodes(one: list, other: list) -> bool:
    return len(one) == len(other) and all(all_same(step, again) for step, again in zip(one, other, strict=True))
