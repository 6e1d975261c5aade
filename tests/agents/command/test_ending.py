"""Programs as agents end with their agent, with Python, and with whatever they started."""

import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.agents.programs import LOWEST, SHORT, first, is_running
from support.paths import ROOT

from spades_env import agents
from spades_env.agents.base import AgentError
from spades_env.agents.command import process
from spades_env.agents.command.program import CommandAgent

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs of these tests are written for POSIX")

STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + LOWEST + "\ntime.sleep(60)"


def started(agent: agents.Agent) -> int:
    """The number of the process of an agent that has been asked."""
    assert isinstance(agent, CommandAgent)
    assert agent._process
    return agent._process._popen.pid


@pytest.mark.parametrize("body", [LOWEST, STUBBORN])
def test_a_process_ends_with_its_agent(bot, body):
    agent = agents.load(bot(body))
    agent.act(first())
    number = started(agent)
    assert is_running(number)
    del agent
    gc.collect()
    assert not Path(f"/proc/{number}").exists()  # no zombie either


def test_closing_ends_what_the_program_started_too(bot, tmp_path):
    child = tmp_path / "child"
    body = f"import subprocess\nopen({str(child)!r}, 'w').write(str(subprocess.Popen(['sleep', '60']).pid))\n"
    agent = agents.load(bot(body + LOWEST))
    agent.act(first())
    assert is_running(int(child.read_text()))
    agent.close()
    agent.close()
    deadline = time.monotonic() + 5
    while is_running(int(child.read_text())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(int(child.read_text()))


DAEMON = """
if not os.fork():
    os.setsid()
    if os.fork(): os._exit(0)
    os.closerange(0, 3)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(CHILD + ".part", "w").write(str(os.getpid()))
    os.rename(CHILD + ".part", CHILD)
    time.sleep(60)
    os._exit(0)
while not os.path.exists(CHILD): time.sleep(0.01)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nothing tells who has started a daemon")
@pytest.mark.parametrize("body", [LOWEST, "for message in messages():\n    answer(message)\n    sys.exit()"])
def test_closing_ends_daemons_too(bot, tmp_path, body):
    """They have a session of their own, and are nobody's children. The second program ends before it is told to."""
    child = tmp_path / "child"
    agent = agents.load(bot(f"CHILD = {str(child)!r}\n{DAEMON}{body}"))
    agent.act(first())
    daemon = int(child.read_text())
    assert is_running(daemon)
    agent.close()
    assert not is_running(daemon)


def test_closing_wakes_waiting_threads(bot):
    agent, told = agents.load(bot("for message in messages(): time.sleep(60)")), []
    views = list(map(first, range(50)))

    def ask():
        with pytest.raises(AgentError, match="was closed while it was asked"):
            agent.act_batch(views)
        told.append("woken")

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    begun = time.monotonic()
    agent.close()
    for thread in threads:
        thread.join(15)
    assert told == ["woken"] * 2
    assert time.monotonic() - begun < 10


def test_a_copy_of_the_program_leaves_the_process_alone(bot):
    agent = agents.load(bot(LOWEST))
    agent.act(first())
    number, one = started(agent), agent._process  # pyright: ignore[reportAttributeAccessIssue]
    one._owner -= 1
    one.end(at_once=True)
    assert is_running(number)
    agent.act(first())
    assert started(agent) != number
    agent.close()
    one._owner += 1
    one.end()


@pytest.mark.parametrize(
    "leave", ["sys.exit(0)", "raise ValueError", "threading.Thread(target=time.sleep, args=(2,)).start()"]
)
def test_processes_end_with_python(bot, leave, tmp_path):
    name = bot(f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n" + STUBBORN)
    code = (
        f"import sys, threading, time\nfrom spades_env import Game, agents\nbot = agents.load({name!r})\n"
        f"game = Game({SHORT!r}, seed=5)\nbot.act(game.view(game.turn))\n{leave}\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, timeout=60)
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_end_all_ends_all(bot):
    every = [agents.load(bot(LOWEST)) for _ in range(2)]
    for agent in every:
        agent.act(first())
    numbers = list(map(started, every))
    process.end_all()
    assert not any(map(is_running, numbers))
