"""The champion's game of a daily deal, played in the background while the room's bots have nothing to do.

A hand of it is saved with the table as soon as it is finished. Views show it once the person has finished that hand,
too (`play.daily.comparison.compared`). It does not know the table: the room does.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from spades_env.play.daily.champion_game import champion_hands
from spades_env.play.daily.deal_of_day import ChampionHand, Daily
from spades_env.play.server.errors import failure_of

PAUSE_SECONDS = 0.01  # between two moves: a page without threads gets its turn
WAIT_SECONDS = 0.1  # until the bots are looked at again
END = object()

Work = Callable[[Callable], Awaitable]


class ChampionTask:
    """At most one running task.

    work: runs a function in a thread; is_busy: do the room's bots think? take: saves a finished hand, with its number
    from 0.
    """

    def __init__(self, work: Work, is_busy: Callable[[], bool], take: Callable[[int, ChampionHand], Awaitable[None]]):
        self._work, self._is_busy, self._take = work, is_busy, take
        self._task: asyncio.Task | None = None
        self._failed = False

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, daily: Daily | None) -> None:
        """Play the hands that are missing, unless that is being done or an error has stopped it."""
        if daily and not (daily.complete or self.running or self._failed):
            self._task = asyncio.create_task(self._run(daily))

    async def _run(self, daily: Daily) -> None:
        """Play, until an error such as a full disk stops it. Opening the room again tries again."""
        self._failed = await failure_of(self._play(daily)) is not None

    async def _play(self, daily: Daily) -> None:
        walk, number = champion_hands(daily), len(daily.champion)
        while (hand := await self._work(lambda: next(walk, END))) is not END:
            if isinstance(hand, ChampionHand):
                await self._take(number, hand)
                number += 1
            await asyncio.sleep(PAUSE_SECONDS)
            while self._is_busy():
                await asyncio.sleep(WAIT_SECONDS)

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    async def cancel(self) -> None:
        self.stop()
        if self._task:
            with suppress(asyncio.CancelledError):
                await self._task
