"""Once the rules are ready the server's loop asks for no kernel more, which could have to wait for a bot's.

And who waits for a bot that is being compiled reads so.
"""

import asyncio
import json
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numba
import pytest
from support.paths import ROOT
from support.play.servers import slow, wait_for

from spades_env._jit import compiling
from spades_env.play import ready
from spades_env.play.server import server as server_module

WATCHED = """
import asyncio, json, sys
from numba.core.dispatcher import Dispatcher
from spades_env.play.ready import ready_rules
from support.play.servers import QUICK, owner, running

ready_rules()
asked, compiled = [], Dispatcher.compile

def watched(kernel, signature):
    if asyncio._get_running_loop():
        asked.append([rules, kernel.py_func.__name__])
    return compiled(kernel, signature)

Dispatcher.compile = watched
for number, rules in enumerate(sys.argv[2:]):
    with running(f"{sys.argv[1]}/{number}", last=QUICK | {"rules": rules}) as server:
        page = owner(server)
        page.play(moves=3)
        page.until(page.to_move)
        page.done("hint", version=page.view["version"])
        page.done("takeback", moves=1, version=page.view["version"])
        page.play()
        page.done("proofs", key=page.key)
        page.done("review", key=page.key, hand=1)
print(json.dumps(asked))
"""


RULES = (  # solo, whose bots share the fewest kernels with the others, comes first
    "solo target=off max_hands=2",
    "classic target=off max_hands=2 blind_nil_deficit=0",
    "pagat target=off max_hands=2 trumps=jokers",
)


@slow
def test_the_loop_that_talks_to_the_pages_asks_for_no_kernel(tmp_path):
    line = [sys.executable, "-c", WATCHED, str(tmp_path), *RULES]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_bots_of_a_game_come_before_what_is_made_ready_for_later(tmp_path, monkeypatch):
    done: list[int] = []
    room: Any = SimpleNamespace(busy=True)
    monkeypatch.setattr(server_module, "TICK_SECONDS", 0.001)
    monkeypatch.setattr(server_module, "ready_table", lambda adviser: (done.append(step) or True for step in range(2)))
    monkeypatch.setattr(server_module, "ready_others", lambda: (done.append(step) or True for step in (2,)))
    monkeypatch.setattr(server_module, "is_cold", lambda part: False)

    async def made_ready() -> None:
        its = server_module.Server(tmp_path)
        its.rooms["a game"] = room
        work = asyncio.create_task(its.make_ready())
        while not done:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.1)
        assert done == [0]
        room.busy = False
        await work
        its.rooms.clear()
        await its.shut()

    asyncio.run(made_ready())
    assert done == [0, 1, 2]


@pytest.fixture
def shown(monkeypatch):
    """What is shown to who waits for a bot, while something is being compiled."""
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.01)
    monkeypatch.setattr(ready, "compiling", lambda: True)
    return []


async def after(seconds: float, error: Exception | None = None) -> int:
    await asyncio.sleep(seconds)
    if error:
        raise error
    return 7


def test_who_waits_long_for_a_bot_is_shown_why(shown):
    assert asyncio.run(ready.patiently(after(0.1), shown.append)) == 7
    assert shown == [True, False]


def test_who_waits_shortly_is_not(shown):
    assert asyncio.run(ready.patiently(after(0), shown.append)) == 7
    assert shown == []


def test_who_waits_for_a_slow_thinker_is_not(monkeypatch, shown):
    monkeypatch.setattr(ready, "compiling", lambda: False)
    assert asyncio.run(ready.patiently(after(0.1), shown.append)) == 7
    assert shown == []


def test_what_begins_to_be_compiled_later_is_shown_too(monkeypatch, shown):
    began = iter([False, False, True])
    monkeypatch.setattr(ready, "compiling", lambda: next(began))
    assert asyncio.run(ready.patiently(after(0.2), shown.append)) == 7
    assert shown == [True, False]


def test_nothing_is_shown_any_more_when_the_bot_fails(shown):
    with pytest.raises(ValueError, match="no card"):
        asyncio.run(ready.patiently(after(0.1, ValueError("no card")), shown.append))
    assert shown == [True, False]


def test_a_bot_that_is_no_longer_waited_for_is_let_go(shown):
    async def given_up() -> None:
        ended = []

        async def answer() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(True)

        waiting = asyncio.create_task(ready.patiently(answer(), shown.append))
        while not shown:
            await asyncio.sleep(0.001)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert ended == [True]

    asyncio.run(given_up())
    assert shown == [True]


@slow
def test_compiling_is_noticed_for_as_long_as_it_takes():
    found: list[bool] = []
    kernel: Any = numba.njit(lambda number: number + 1)
    compile_kernel = kernel._compiler.compile
    kernel._compiler.compile = lambda *given: found.append(compiling()) or compile_kernel(*given)
    assert kernel(1) == 2
    assert kernel(2) == 3
    assert found == [True]


@pytest.mark.parametrize(("compiles", "said"), [(False, ""), (True, f"{ready.COMPILING}\n")])
def test_a_slow_start_speaks_of_getting_ready_only_while_kernels_are_compiled(monkeypatch, capsys, compiles, said):
    looked: list[bool] = []
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.01)
    monkeypatch.setattr(ready, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(ready, "compiling", lambda: looked.append(True) or compiles)
    monkeypatch.setattr(ready, "ready_rules", lambda: wait_for(lambda: len(looked) > 2 * (not compiles)))
    ready.make_rules_ready()
    wait_for(lambda: capsys.readouterr().err == said)
