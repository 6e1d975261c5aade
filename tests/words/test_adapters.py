"""The adapters for OpenEnv and verifiers, where their packages are installed."""

import asyncio
import importlib
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.paths import ROOT

from spades_env import words
from spades_env.errors import SpadesError
from spades_env.extras import MissingExtraError

ADAPTERS = {"openenv_server": "openenv.core.env_server.types", "verifiers_env": "verifiers.v1"}  # and what they import


@pytest.mark.parametrize("module", ADAPTERS)
def test_a_missing_extra_is_one_sentence(module, monkeypatch):
    extra = ADAPTERS[module].partition(".")[0]
    monkeypatch.setitem(sys.modules, ADAPTERS[module], None)
    monkeypatch.delitem(sys.modules, f"spades_env.integrations.{module}", raising=False)
    with pytest.raises(MissingExtraError, match=rf'needs {extra}: pip install "spades-env\[{extra}\]"'):
        importlib.import_module(f"spades_env.integrations.{module}")


def test_nothing_is_imported_unless_asked_for():
    heavy = {"mcp", "openenv", "verifiers", "pydantic", "httpx", "urllib.request", "spades_env.integrations"}
    code = f"import sys, spades_env, spades_env.words; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_observations_of_openenv():
    pytest.importorskip("openenv")
    from spades_env.integrations.openenv_server import SpadesAction, SpadesEnvironment

    env: Any = SpadesEnvironment()
    seen: Any = env.reset(seed=7, rules="match", opponents="random", reward="regret")
    assert seen.system == words.system_prompt(env._table.game.rules)
    assert (seen.done, seen.reward) == (False, 0.0)
    seen = env.step(SpadesAction(answer="Action: look"))
    assert (seen.outcome, seen.reward) == ("illegal", -seen.regret)
    while not seen.done:
        assert seen.prompt == words.question(env._table.view)
        seen = env.step(SpadesAction(answer="hm"))
    assert env.state.answers == {"legal": 0, "illegal": 1, "unreadable": 13, "late": 0}
    with pytest.raises(SpadesError, match="reward must be one of outcome, regret, not 'win'"):
        env.reset(reward="win")


def test_openenv_pays_the_outcome_at_the_end():
    pytest.importorskip("openenv")
    from spades_env.integrations.openenv_server import SpadesAction, SpadesEnvironment

    env: Any = SpadesEnvironment()
    seen: Any = env.reset(seed=7, rules="match", opponents="random", seat=2)
    paid = []
    while not seen.done:
        seen = env.step(SpadesAction(answer=seen.prompt.rpartition("may: ")[2].split()[0]))
        paid.append(seen.reward)
    assert paid == [0.0] * 13 + [env._table.points(2) / 100]


def test_the_example_passes_the_check_of_openenv():
    pytest.importorskip("openenv")
    command = [str(Path(sys.executable).with_name("openenv")), "validate", "examples/openenv"]
    done = subprocess.run([*command, "--level", "static", "--skip-build"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_tasks_of_verifiers():
    pytest.importorskip("verifiers")
    from spades_env.integrations.verifiers_env import SpadesTaskset, SpadesTasksetConfig

    tasks = list(SpadesTaskset(SpadesTasksetConfig(rules="match", first_seed=5)).take(2))
    assert [task.data.info["seed"] for task in tasks] == [5, 6]
    assert all("You play Spades." in task.data.system_prompt for task in tasks)


class Player:
    """A seat of verifiers that bids three and then says nothing that can be read; `turns` is how often it is asked."""

    def __init__(self, turns: int):
        self.left, self.trace = turns, Trace()

    @asynccontextmanager
    async def interaction(self, task):
        yield self

    async def turn(self, prompt: str) -> Any:
        self.left -= 1
        return SimpleNamespace(terminated=self.left < 0, last_reply="bid 3" if "You may bid" in prompt else "hm")


class Trace:
    def __init__(self):
        self.rewards, self.metrics = {}, {}

    def record_reward(self, name: str, value: float, weight: float = 1.0) -> None:
        self.rewards[name] = value * weight

    def record_metrics(self, metrics: dict[str, float]) -> None:
        self.metrics |= metrics


@pytest.mark.parametrize(("seats", "live"), [(1, "0"), (2, "02"), (3, "012"), (4, "0123")])
def test_one_to_four_live_seats_of_verifiers(seats, live):
    pytest.importorskip("verifiers")
    from spades_env.integrations.verifiers_env import (
        SpadesSeatsConfig,
        SpadesSeatsEnv,
        SpadesTaskset,
        SpadesTasksetConfig,
    )

    taskset = SpadesTaskset(SpadesTasksetConfig(rules="match", opponents="random"))
    env = SpadesSeatsEnv.__new__(SpadesSeatsEnv)
    env.config = SpadesSeatsConfig(seats=seats, worlds=2)
    players = {f"player{seat}": Player(turns=5 if seat == "0" else 14) for seat in live}
    asyncio.run(env.run(next(iter(taskset.load())), SimpleNamespace(**players)))
    for name, player in players.items():
        late = 9 if name == "player0" else 0  # its run has ended
        counts = {"legal": 1, "illegal": 0, "unreadable": 13 - late, "late": late}
        assert player.trace.metrics == {"points": 100 * player.trace.rewards["outcome"]} | counts
        assert player.trace.rewards["regret"] <= 0
