"""Threads that work for a table, beside the loop that shows it.

A kernel may be compiling in one of them for a minute: the loop does not wait for that when it ends (for what
`asyncio.to_thread` began it would), nor does the program (`play.cli`).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

from spades_env._jit import wrap_around

T = TypeVar("T")


def threads(name: str, most: int | None = None) -> Executor:
    """Threads of their own: as many as are needed, or `most`."""
    return ThreadPoolExecutor(most, name, wrap_around)


SHARED = threads("shared")


async def in_thread(function: Callable[..., T], *given: Any, pool: Executor = SHARED) -> T:
    """What a function returns, called in one of these threads."""
    return await asyncio.get_running_loop().run_in_executor(pool, function, *given)
