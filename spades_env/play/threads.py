"""Threads that work for a table beside the event loop that shows it.

A kernel may be compiling in one of them for a minute. When the loop ends it doesn't wait for that, as it would with
`asyncio.to_thread`; nor does the program (see `play.commands.cli`).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

from spades_env._jit import wrap_around

T = TypeVar("T")


def threads(name: str, most: int | None = None) -> Executor:
    """Return a pool of threads: as many as needed, or at most `most`."""
    return ThreadPoolExecutor(most, name, wrap_around)


SHARED = threads("shared")


async def in_thread(function: Callable[..., T], *given: Any, pool: Executor = SHARED) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, function, *given)
