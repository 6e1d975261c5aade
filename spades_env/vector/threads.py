"""Threads that share the tables of a vector environment; each has a range of its own."""

import os
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from spades_env._jit import wrap_around
from spades_env.checks import usable_cores

TABLES_PER_THREAD = 4096  # a thread starts some 50 µs late; fewer tables may not be worth that
MORE, LESS = 0.01, 0.002  # of the tables: how much the first thread's part grows if it had to wait, or else shrinks


def usable_threads(num_tables: int) -> int:
    """Return how many threads pay off for this many tables."""
    return max(1, min(usable_cores(), num_tables // TABLES_PER_THREAD))


class _Team(NamedTuple):
    """Running threads: work is put into their queues, and each puts None or its exception into `done`.

    A pool of the standard library takes several times as long to start a piece of work.
    """

    process: int
    queues: list[SimpleQueue]
    done: SimpleQueue


class Workers:
    """Threads for a number of tables; they start with the first work."""

    def __init__(self, threads: int, num_tables: int):
        self._threads, self._num_tables = threads, num_tables
        self._team: _Team | None = None
        self._parts: dict[Callable[..., None], float] = {}  # of the tables, by work: what the first thread does

    def run(self, work: Callable[..., None], *arguments) -> None:
        """Call work(low, high, *arguments) in each thread, together for all tables.

        The other threads start late, so this one does a larger part: as much as lets it end last, without waiting.
        """
        if self._threads == 1:
            work(0, self._num_tables, *arguments)
            return
        team, part = self._started(), self._parts.get(work, 1 / self._threads)
        bounds = self._bounds(part)
        for queue, (low, high) in zip(team.queues, pairwise(bounds), strict=True):
            queue.put((work, (low, high, *arguments)))
        errors = [_error_of(work, (0, bounds[0], *arguments))]
        waits = team.done.qsize() < len(team.queues)
        errors += [team.done.get() for _ in team.queues]
        if error := next(filter(None, errors), None):
            raise error
        self._parts[work] = min(part + MORE, 1.0) if waits else max(part - LESS, 1 / self._threads)

    def _bounds(self, part: float) -> list[int]:
        """Return where the first thread's tables end, and those of the others."""
        first, others = int(part * self._num_tables), self._threads - 1
        return [first + (self._num_tables - first) * i // others for i in range(others + 1)]

    def _started(self) -> _Team:
        if self._team is None or self._team.process != os.getpid():  # threads don't live on in a forked process
            self._team = _Team(os.getpid(), [SimpleQueue() for _ in range(self._threads - 1)], SimpleQueue())
            for queue in self._team.queues:
                Thread(target=_work, args=(queue, self._team.done), daemon=True).start()
            weakref.finalize(self, _stop, self._team).atexit = False
        return self._team

    def close(self) -> None:
        """Stop the threads; the next work starts them again."""
        if self._team:
            _stop(self._team)
        self._team = None

    def __reduce__(self) -> tuple:
        return Workers, (self._threads, self._num_tables)  # a copy starts its own threads


def _work(queue: SimpleQueue, done: SimpleQueue) -> None:
    """Do what is put into the queue, until it is None."""
    wrap_around()
    while task := queue.get():
        done.put(_error_of(*task))


def _error_of(work: Callable[..., None], arguments: tuple) -> BaseException | None:
    try:
        work(*arguments)
    except BaseException as error:  # also Ctrl-C: the other threads must end their parts first
        return error
    return None


def _stop(team: _Team) -> None:
    for queue in team.queues:
        queue.put(None)
