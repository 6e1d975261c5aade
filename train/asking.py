"""Agents asked on all cores: a batch in parts, a thread for each. Kernels run without the interpreter's lock."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from agents.arena import usable_cores
from agents.base import Agent, Batch
from spades_env._jit import wrap_around

FEWEST = 8  # positions worth a thread


def act(agent: Agent, batch: Batch) -> np.ndarray:
    """int64[N]: what the agent does at each position."""
    return _in_parts(agent.act_batch, batch)


def weigh(agent, batch: Batch) -> np.ndarray:
    """float32[N, 70]: what it finds each action worth."""
    return _in_parts(agent.weigh_batch, batch)


def in_shares(work: Callable[[int, int], None], count: int) -> None:
    """The work from low to high, a share for each core."""
    bounds = np.linspace(0, count, usable_cores() + 1).astype(int).tolist()
    list(_threads().map(work, bounds[:-1], bounds[1:]))


def _in_parts(answer: Callable[[Batch], np.ndarray], batch: Batch) -> np.ndarray:
    parts = min(usable_cores(), len(batch) // FEWEST)
    if parts < 2:
        return answer(batch)
    which = np.array_split(np.arange(len(batch)), parts)
    return np.concatenate(list(_threads().map(lambda part: answer(batch.take(part)), which)))


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(usable_cores(), initializer=wrap_around)
