"""After an installation: the rules are compiled before a table is shown, and who waits for a bot reads why.

Only one thread can compile at a time: if a bot's kernels came first, what is shown would stand still for a minute.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, TypeVar

from play.table import Table
from spades_env._jit import JIT_ON, compiling
from spades_env.cards import NUM_SEATS, SEATS

PATIENT_SECONDS = 2.0  # without a word
LOOK_SECONDS = 0.05  # between two looks at the compiler
COMPILING = "spades: getting the table ready. This happens once and takes about half a minute."
COMPILING_BOTS = "Getting the bots ready. This happens once and takes a minute or two."
RULES = "classic blind_nil_deficit=0 blind_nil_pass=1 time_limit_s=3600"

T = TypeVar("T")


def make_rules_ready() -> None:
    """A moment, except after an installation: then they are compiled, and this is said."""
    ready = threading.Event()
    threading.Thread(target=_say_why_it_takes_long, args=[ready], daemon=True).start()
    try:
        ready_rules()
    finally:
        ready.set()


def _say_why_it_takes_long(ready: threading.Event) -> None:
    """Print a line once kernels are being compiled after a while. A start that is merely slow says nothing."""
    seconds = PATIENT_SECONDS
    while not ready.wait(seconds):
        if compiling():
            print(COMPILING, file=sys.stderr, flush=True)
            return
        seconds = LOOK_SECONDS


@cache
def ready_rules() -> None:
    """A hand among people, with all that whoever shows a table asks of it; the next one is dealt."""
    if not JIT_ON:
        return
    table = Table(RULES, ["random"] * NUM_SEATS, dict(enumerate(SEATS)), seed=1)
    while table.game.hand_number == 0:
        seat = table.game.turn
        views = [table.view(one) for one in range(NUM_SEATS)]
        table.act(seat, "blind" if "blind" in views[seat]["legal"] and seat == 0 else views[seat]["legal"][0])
        if not table.takebacks:
            table.takeback(seat)
    table.game.time_up()


async def patiently(answer: Coroutine[Any, Any, T], show: Callable[[bool], None]) -> T:
    """A bot's answer. If it is long in coming and kernels are being compiled, that is shown until it is there."""
    asked, shown = asyncio.ensure_future(answer), False
    try:
        while not shown and not (await asyncio.wait([asked], timeout=PATIENT_SECONDS))[0]:
            if compiling():
                shown = True
                show(True)
        return await asked
    finally:
        asked.cancel()
        if shown and not asked.cancelled():
            show(False)
