"""Threads that share the tables of a vector environment: each works at its own run of them."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from spades_env._jit import wrap_around
from spades_env.checks import usable_cores

TABLES_PER_THREAD = 4096  # fewer are not always worth the wake-up: a thread starts some 50 µs late


def usable_threads(num_tables: int) -> int:
    """Return how many threads are worth it."""
    return max(1, min(usable_cores(), num_tables // TABLES_PER_THREAD))


class Workers:
    """Threads for so many tables; they start with the first work."""

    def __init__(self, threads: int, num_tables: int):
        self._threads, self._num_tables = threads, num_tables
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def run(self, work: Callable[..., None], *arguments) -> None:
        """Do the work at all tables: work(low, high, *arguments) in each thread."""
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
        """Let the threads go; the next work would start them again."""
        if self._pool:
            self._pool.shutdown()
        self._pool = None
