"""Ours beside MaskablePPO of sb3-contrib, in like units: same seat, network, opponents, and data between two updates.

Both learn at South against three `rule`, from the 824 observed features, with three layers of 256 for the policy and
three for the value. Between two updates both collect UPDATE decisions with a choice, in hands of `classic`. Only those
decisions count: ours never asks the network about a forced move, MaskablePPO learns from forced moves too.
"""

import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measure import Row, rate_of, ratio

WIDTH, LAYERS = 256, 3
UPDATE = 20_000  # decisions with a choice
ENVS = 64
MINIBATCH = 2048  # of both, in one epoch
UNITS = "one epoch, minibatches of 2,048"
Timed = Callable[[], tuple[int, float]]  # decisions with a choice that were learned from, and seconds


def rows(repeats: int) -> list[Row]:
    """Measure both, and the ratio."""
    mine, other = (
        rate_of("like", f"{whose}, {UNITS}", make(), repeats, None)
        for whose, make in (("ours", ours), ("MaskablePPO", theirs))
    )
    return [mine, other, ratio("like", f"ours to MaskablePPO, {UNITS}", mine, other)]


def ours() -> Timed:
    """Play and learn a hand at as many tables as have UPDATE decisions."""
    from benchmarks.training.iterations import learning
    from spades_env.training.recipe import NetworkShape, SelfPlay

    where = "benchmarks.training.layers"
    network = NetworkShape(kind=f"{where}:Policy", critic=f"{where}:Value")
    play, tables = learning(network, SelfPlay(minibatch=MINIBATCH, keep=1.0, critic_keep=1.0), "rule"), 512

    def timed() -> tuple[int, float]:
        nonlocal tables
        hand, _, seconds = play(tables)
        tables = round(tables * UPDATE / len(hand.action))  # after the first hand, which is not counted
        return len(hand.action), seconds

    return timed


def theirs() -> Timed:
    """Run one update of MaskablePPO."""
    from spades_env.envs.adapters import sb3_vec_env

    library: Any = importlib.import_module("sb3_contrib")
    env = sb3_vec_env(ENVS, opponents="rule", episode="hand", truncate_after=None)
    layers = [WIDTH] * LAYERS
    steps = round(UPDATE / share_with_choice() / ENVS)
    model = library.MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=steps,
        n_epochs=1,
        batch_size=MINIBATCH,
        policy_kwargs={"net_arch": {"pi": layers, "vf": layers}},
        seed=1,
        device="cpu",
    )

    def timed() -> tuple[int, float]:
        start = time.perf_counter()
        model.learn(ENVS * steps, reset_num_timesteps=False)
        return count_choices(model.rollout_buffer.action_masks), time.perf_counter() - start

    return timed


def count_choices(masks: np.ndarray) -> int:
    """Return how many decisions have more than one legal action. masks: [..., actions]."""
    return int((masks.reshape(-1, masks.shape[-1]).sum(axis=1) > 1).sum())


def share_with_choice(steps: int = 200) -> float:
    """Return the share of South's decisions against three `rule` in which there is a choice, at random play."""
    from spades_env.envs.gym_vector import SpadesGymVectorEnv

    env = SpadesGymVectorEnv(ENVS, opponents="rule", episode="hand", truncate_after=None)
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    seen = []
    for _ in range(steps):
        mask = np.asarray(info["action_mask"])
        seen.append(mask)
        _, _, _, _, info = env.step(np.where(mask > 0, rng.random(mask.shape), -1).argmax(axis=1))
    return count_choices(np.stack(seen)) / (steps * ENVS)
