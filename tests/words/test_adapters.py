"""The adapters for OpenEnv and verifiers, where their packages are installed."""

import importlib
import subprocess
import sys
from pathlib import Path
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
    with pytest.raises(SpadesError, match="unknown reward 'win'; expected outcome or regret"):
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
