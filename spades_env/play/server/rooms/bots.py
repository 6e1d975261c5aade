"""The task in which the bots of a room move, and the error that has stopped it. It does not know the table."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from spades_env.play.server.errors import failure_of
from spades_env.play.table.table import Question

RETRY_SECONDS = 5.0  # until stopped bots try again


class Bots:
    """At most one running task.

    next_question: what the bot to move is asked, or None; move: lets it answer; report: takes each new error.
    """

    def __init__(
        self,
        next_question: Callable[[], Question | None],
        move: Callable[[Question], Awaitable[None]],
        report: Callable[[Exception | str], None],
    ):
        self._next_question, self._move, self._report = next_question, move, report
        self._task: asyncio.Task | None = None
        self._stopped_at: float | None = None
        self._error = ""

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    @property
    def stopped(self) -> bool:
        """Has an error stopped the bots, a full disk for example?"""
        return self._stopped_at is not None

    @property
    def may_retry(self) -> bool:
        return self._stopped_at is not None and time.monotonic() - self._stopped_at > RETRY_SECONDS

    def start(self) -> None:
        if not self.running:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        if failure := await failure_of(self._move_on()):
            self._stop(failure)

    async def _move_on(self) -> None:
        while question := self._next_question():
            await self._move(question)
            self._stopped_at, self._error = None, ""

    def _stop(self, error: Exception | str) -> None:
        self._stopped_at = time.monotonic()
        if str(error) != self._error:
            self._error = str(error)
            self._report(error)

    def repeat_error(self) -> None:
        """Report the next error even if it is the same: somebody has come in who has not read it."""
        self._error = ""

    async def cancel(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
