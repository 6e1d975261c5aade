"""Waits that a key can end."""

import asyncio


class Pace:
    """One wait at a time."""

    def __init__(self):
        self._ended = asyncio.Event()
        self.waiting = False

    async def wait(self, seconds: float | None) -> None:
        """So many seconds, or until it is skipped; None: only until it is skipped."""
        if seconds is not None and seconds <= 0:
            return
        self._ended.clear()
        self.waiting = True
        try:
            await asyncio.wait_for(self._ended.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self.waiting = False

    def skip(self) -> None:
        """End the wait, if there is one."""
        self._ended.set()
