"""Once the rules are ready, whoever shows a table asks for no kernel more: it could have to wait for a bot's."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from servers import slow

from play.server import house

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
        "pagat target=off max_hands=2",
        "solo target=off max_hands=2",
        "showdown target=off max_hands=2",
        "classic target=off max_hands=2 trumps=jokers",
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
