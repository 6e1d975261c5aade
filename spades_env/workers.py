"""Threads that share the tables of a vector environment; each has a range of its own."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from spades_env._jit import wrap_around
from spades_env.checks import usable_cores

TABLES_PER_THREAD = 4096  # a thread starts about 50 µs late; fewer tables may not be worth that


def usable_threads(num_tables: int) -> int:
    """Return how many threads pay off for so many tables."""
    return max(1, min(usable_cores(), num_tables // TABLES_PER_THREAD))


class Workers:
    """Threads for a number of tables; they start with the first work."""

    def __init__(self, threads: int, num_tables: int):
        self._threads, self._num_tables = threads, num_tables
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def run(self, work: Callable[..., None], *arguments) -> None:
        """Call work(low, high, *arguments) in each thread, together for all tables."""
        if self._threads == 1:
            work(0, self._num_tables, *arguments)
            return
        if self._pool is None or self._process != os.getpid():  # threads don't live on in a forked process
            self._pool, self._process = ThreadPoolExecutor(self._threads - 1, initializer=wrap_around), os.getpid()
        bounds = np.linspace(0, self._num_tables, self._threads + 1).astype(int).tolist()
        others = [self._pool.submit(work, low, high, *arguments) for low, high in pairwise(bounds[1:])]
        work(bounds[0], bounds[1], *arguments)
        for other in others:
            other.result()

    def close(self) -> None:
        """Stop the threads; the next work starts them again."""
        if self._pool:
            self._pool.shutdown()
        self._pool = None

    def __reduce__(self) -> tuple:
        return Workers, (self._threads, self._num_tables)  # a copy starts its own threads
