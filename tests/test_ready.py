"""Once the rules are ready, whoever shows a table asks for no kernel more: it could have to wait for a bot's.

And who waits for a bot that is being compiled is told so.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import pytest
from servers import slow

from play import ready
from play.server import house
from spades_env._jit import compiling

ROOT = Path(__file__).resolve().parent.parent
WATCHED = """
import asyncio, json, sys
from numba.core.dispatcher import Dispatcher
from play.ready import ready_rules
from servers import QUICK, owner, running

ready_rules()
asked, compiled = [], Dispatcher.compile

def watched(kernel, signature):
    if asyncio._get_running_loop():
        asked.append(kernel.py_func.__name__)
    return compiled(kernel, signature)

Dispatcher.compile = watched
with running(sys.argv[1], last=QUICK | {"rules": sys.argv[2]}) as server:
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


@slow
@pytest.mark.parametrize(
    "rules",
    [
        "classic target=off max_hands=2 blind_nil_deficit=0",
        "pagat target=off max_hands=2 trumps=jokers",
        "solo target=off max_hands=2",
    ],
)
def test_the_loop_that_talks_to_the_pages_asks_for_no_kernel(tmp_path, rules):
    line = [sys.executable, "-c", WATCHED, str(tmp_path), rules]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_bots_of_a_game_come_before_what_is_made_ready_for_later(tmp_path, monkeypatch):
    done: list[int] = []
    room: Any = SimpleNamespace(busy=True)
    monkeypatch.setattr(house, "TICK_SECONDS", 0.001)
    monkeypatch.setattr(house, "warm", lambda adviser: (done.append(step) or True for step in range(3)))

    async def made_ready() -> None:
        its = house.House(tmp_path)
        its.rooms["a game"] = room
        work = asyncio.create_task(its.make_ready())
        await asyncio.sleep(0.1)
        assert done == [0]
        room.busy = False
        await work
        its.rooms.clear()
        await its.shut()

    asyncio.run(made_ready())
    assert done == [0, 1, 2]


@pytest.mark.parametrize(
    ("compiled", "seconds", "said"),
    [
        (True, 0.1, ["Zofia is being compiled, once after an installation; this takes a minute or two", ""]),
        (False, 0.1, []),
        (True, 0.0, []),
    ],
)
def test_who_waits_for_a_bot_is_told_when_it_is_being_compiled(monkeypatch, compiled, seconds, said):
    heard: list[str] = []
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.01)
    monkeypatch.setattr(ready, "compiling", lambda: compiled)

    async def answer() -> int:
        await asyncio.sleep(seconds)
        return 7

    assert asyncio.run(ready.patiently(answer(), "Zofia", heard.append)) == 7
    assert heard == said


def test_what_was_said_goes_when_the_bot_fails(monkeypatch):
    heard: list[str] = []
    monkeypatch.setattr(ready, "PATIENT_SECONDS", 0.01)
    monkeypatch.setattr(ready, "compiling", lambda: True)

    async def answer() -> None:
        await asyncio.sleep(0.05)
        raise ValueError("no card")

    with pytest.raises(ValueError, match="no card"):
        asyncio.run(ready.patiently(answer(), "Zofia", heard.append))
    assert heard[1:] == [""]


def test_a_bot_that_is_no_longer_waited_for_is_let_go():
    ended: list[bool] = []

    async def answer() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def given_up() -> None:
        waiting = asyncio.create_task(ready.patiently(answer(), "Zofia", print))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.sleep(0)

    asyncio.run(given_up())
    assert ended == [True]


@slow
def test_compiling_is_noticed_for_as_long_as_it_takes():
    found: list[bool] = []
    kernel: Any = numba.njit(lambda number: number + 1)
    compile_kernel = kernel._compiler.compile
    kernel._compiler.compile = lambda *given: found.append(compiling()) or compile_kernel(*given)
    assert kernel(1) == 2
    assert kernel(2) == 3
    assert found == [True]
    assert not compiling()
