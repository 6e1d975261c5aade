"""What people ask the server to compute: hints, reviews, drills, counts. Bots have threads of their own.

One step is computed for a person at a time, and one for all people without a seat at the same table. Of the steps that
wait, the owner's come first, then those of people with a seat. People without a seat come last, and never get the last
free thread.

    computing = Computing(2)
    await computing.run(step, session.id, Place.SEATED)    session.table for somebody without a seat
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from typing import TypeVar

from spades_env.play.threads import in_thread, threads

T = TypeVar("T")


class Place(IntEnum):
    """Whose steps come first."""

    OWNER = 0
    SEATED = 1
    OTHER = 2


@dataclass(eq=False)
class _Waiting:
    """A step that waits. asker: the person or the table; called: is done when its turn has come."""

    asker: str
    place: Place
    number: int
    called: asyncio.Future[None]


class Computing:
    """The threads, and the queue before them. most: threads at work at once."""

    def __init__(self, most: int):
        self._pool = threads("computer", most)
        self._free, self._numbers = most, count()
        self._busy: set[str] = set()
        self._queue: list[_Waiting] = []

    async def run(self, step: Callable[[], T], asker: str, place: Place) -> T:
        """Run a step in a thread when it is its turn. Once begun it is finished, even if nobody waits any more."""
        await self._turn(asker, place)
        running = asyncio.ensure_future(in_thread(step, pool=self._pool))
        running.add_done_callback(lambda _: self._leave(asker))
        return await asyncio.shield(running)

    def close(self) -> None:
        """Begin no more steps."""
        for waiting in self._queue:
            waiting.called.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, asker: str, place: Place) -> None:
        called = asyncio.get_running_loop().create_future()
        waiting = _Waiting(asker, place, next(self._numbers), called)
        self._queue.append(waiting)
        self._call()
        try:
            await called
        except asyncio.CancelledError:
            if waiting in self._queue:
                self._queue.remove(waiting)
            else:
                self._leave(asker)
            raise

    def _leave(self, asker: str) -> None:
        self._busy.discard(asker)
        self._free += 1
        self._call()

    def _call(self) -> None:
        """Call those whose turn it is. A cancelled one may still be in the queue, which it leaves by itself."""
        wanted = [one for one in self._queue if not one.called.cancelled()]
        for waiting in sorted(wanted, key=lambda one: (one.place, one.number)):
            spare = 1 if waiting.place == Place.OTHER else 0
            if self._free > spare and waiting.asker not in self._busy:
                self._queue.remove(waiting)
                self._busy.add(waiting.asker)
                self._free -= 1
                waiting.called.set_result(None)
