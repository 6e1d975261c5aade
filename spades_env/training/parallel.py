"""Ask agents on all cores: a batch in parts, a thread for each. Kernels run without the interpreter's lock.

Workers that torchrun starts on one machine share its cores evenly, unless `grant` sets the number of threads. The
answers are the same with any number of them.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from spades_env._jit import wrap_around
from spades_env.agents.base import Agent, Batch
from spades_env.checks import usable_cores

FEWEST = 8  # positions that are worth a thread

_granted: int | None = None  # threads, if the number was set


def grant(threads: int | None) -> None:
    """Set the number of threads; None: this worker's share of the cores."""
    global _granted
    _granted = threads


def granted() -> int | None:
    """Return how many threads were granted; None if no number was set."""
    return _granted


def usable_threads() -> int:
    """Return how many threads this worker may keep busy while the others work."""
    workers = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))  # on this machine, set by torchrun
    return _granted or max(1, usable_cores() // workers)


def act(agent: Agent, batch: Batch) -> np.ndarray:
    """Return the agent's action at each position, int64[N]."""
    parts = min(usable_threads(), len(batch) // FEWEST)
    if parts < 2:
        return agent.act_batch(batch)
    which = np.array_split(np.arange(len(batch)), parts)
    return np.concatenate(list(_pool(usable_threads()).map(lambda part: agent.act_batch(batch.take(part)), which)))


def in_shares(work: Callable[[int, int], None], count: int) -> None:
    """Split the range from 0 to count among the threads, and call work(low, high) on each."""
    threads = usable_threads()
    bounds = np.linspace(0, count, threads + 1).astype(int).tolist()
    list(_pool(threads).map(work, bounds[:-1], bounds[1:]))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, initializer=wrap_around)
