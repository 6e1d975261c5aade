"""Compiles kernels and loads bots before anybody has to wait for them.

    make_rules_ready()         before a table is shown: every kernel needed for that, with a message if it takes long
    ready_table(adviser)       in steps: the default bots, their hints, and the review
    ready_others()             in steps: every other bot
    patiently(answer, show)    awaits a bot's answer; show(True) while kernels are being compiled for it

Only one thread can compile at a time: compiling a bot's kernels first would block the table for a minute.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from functools import cache
from typing import Any, TypeVar

from spades_env._jit import JIT_ON, compiling
from spades_env.agents import AgentError
from spades_env.game.cards import NUM_SEATS, SEATS
from spades_env.play.coach.grade import Judge
from spades_env.play.review.grades import grades
from spades_env.play.review.hand_review import steps
from spades_env.play.table.choices import default_bots, offered
from spades_env.play.table.seat_view import seat_view
from spades_env.play.table.table import Table
from spades_env.play.texts import text

PATIENT_SECONDS = 2.0  # of waiting before a message
POLL_SECONDS = 0.05  # between two looks at the compiler
COMPILING = "spades: getting the table ready. This happens once and takes about half a minute."
COMPILING_BOTS = text("getting_ready")
ALL_PHASES = "classic blind_nil_deficit=0 blind_nil_pass=1 time_limit_s=3600"
ONE_HAND = "classic target=off max_hands=1 blind_nil_deficit=0 blind_nil_pass=1"

compiling_elsewhere = threading.Event()  # set while another process compiles, and this one plays in plain Python

T = TypeVar("T")


def make_rules_ready() -> None:
    """Compile the rules' kernels, with a message if it takes long, as it does after an installation."""
    ready = threading.Event()
    threading.Thread(target=_say_why_it_takes_long, args=[ready], daemon=True).start()
    try:
        ready_rules()
    finally:
        ready.set()


def _say_why_it_takes_long(ready: threading.Event) -> None:
    """Print a line if kernels are still being compiled after a while. Other delays print nothing."""
    seconds = PATIENT_SECONDS
    while not ready.wait(seconds):
        if compiling():
            print(COMPILING, file=sys.stderr, flush=True)
            return
        seconds = POLL_SECONDS


@cache
def ready_rules() -> None:
    """Play a hand of four people with all that a front end calls, up to the deal of the next one."""
    if not JIT_ON:
        return
    table = Table(ALL_PHASES, ["random"] * NUM_SEATS, dict(enumerate(SEATS)), seed=1)
    while table.game.hand_number == 0:
        seat = table.game.turn
        views = [seat_view(table, one) for one in range(NUM_SEATS)]
        table.act(seat, "blind" if "blind" in views[seat]["legal"] and seat == 0 else views[seat]["legal"][0])
        if not table.takebacks:
            table.takeback(seat)
    table.game.time_up()


def ready_table(adviser: str) -> Iterator[bool]:
    """Play a hand of the default bots, with hints and a review."""
    if not JIT_ON:
        return
    table = Table(ONE_HAND, default_bots(), {0: "You"}, seed=1, adviser=adviser)
    while not table.over:
        yield True
        if not table.step():
            if table.game.phase != "play" or not table.game.tricks_played:
                table.hint(0)
            table.act(0, seat_view(table, 0)["legal"][0])
    [hand] = table.finished
    steps(table.rules, hand)
    for _ in grades(table.rules, hand, 0, Judge(adviser, worlds=2), list(SEATS), adviser):
        yield True


def ready_others() -> Iterator[bool]:
    """Play some moves of every bot that can be chosen."""
    for one in offered() if JIT_ON else ():
        yield from _some_moves(one.key)


def _some_moves(bot: str) -> Iterator[bool]:
    try:
        table = Table("classic", [bot] * NUM_SEATS, {}, seed=1)
    except AgentError:  # its file has gone
        return
    while not table.game.table:
        yield table.step()


async def patiently(answer: Coroutine[Any, Any, T], show: Callable[[bool], None]) -> T:
    """Await a bot's answer; if it takes long because kernels are being compiled, show that."""
    asked, shown = asyncio.ensure_future(answer), False
    try:
        while not shown and not (await asyncio.wait([asked], timeout=PATIENT_SECONDS))[0]:
            if compiling() or compiling_elsewhere.is_set():
                shown = True
                show(True)
        return await asked
    finally:
        asked.cancel()
        if shown and not asked.cancelled():
            show(False)
