"""The task in which the bots of a room move, and what has stopped it."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

RETRY_SECONDS = 5.0  # until stopped bots try again


class BotTask:
    """At most one running task. It knows nothing of the table."""

    def __init__(self):
        self._task: asyncio.Task | None = None
        self._stopped_at: float | None = None
        self._error = ""

    @property
    def running(self) -> bool:
        """Is a task at work?"""
        return self._task is not None and not self._task.done()

    @property
    def stopped(self) -> bool:
        """Has an error stopped the bots, a full disk for example?"""
        return self._stopped_at is not None

    @property
    def may_retry(self) -> bool:
        """Did that happen a while ago?"""
        return self._stopped_at is not None and time.monotonic() - self._stopped_at > RETRY_SECONDS

    def start(self, moves: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start the task, unless one is running."""
        if not self.running:
            self._task = asyncio.create_task(moves())

    def has_moved(self) -> None:
        """Note that a bot has moved: whatever had stopped them is over."""
        self._stopped_at, self._error = None, ""

    def fail(self, error: str) -> bool:
        """Note what has stopped the bots; return whether it is another error than before."""
        self._stopped_at = time.monotonic()
        is_new, self._error = error != self._error, error
        return is_new

    def repeat_error(self) -> None:
        """Count the next error as a new one: somebody has come in who has not read it."""
        self._error = ""

    async def cancel(self) -> None:
        """End the task, and wait until it has ended."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
