"""Every example whose framework is installed runs, keeps to the masks and learns.

Its tables raise at an illegal action, so a run that ends well has made none; its rewards are those of its own seat,
gathered over the others' moves. `python examples/run_all.py` installs each framework and runs longer forms of these.
"""

import ast
import importlib.util
import re
import sys

import gymnasium
import numpy as np
import pytest
from support.paths import ROOT

from examples.run_all import EXAMPLES, Example, parts_of, rewards, run
from spades_env import IllegalActionError, spades_v0
from spades_env.agents import arena
from spades_env.envs.gym_vector import SpadesGymVectorEnv

sys.path.append(str(ROOT / "agents" / "bots"))

from text_agent import RETRIES, TextAgent, first_decision

NEEDED = {"ray.rllib": "tree"}  # Ray alone is not RLlib, which needs this
FILES = sorted(path for path in (ROOT / "examples").glob("*.py") if not path.stem.endswith(("_all", "_dataset")))
STRICT = re.compile(r'illegal="raise"|raw_env\(|Game\("classic"|enable_legality_check=True|not found\["legal"\]')


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_it_runs_and_learns(example: Example):
    needed = NEEDED.get(example.module, example.module.split(".")[0])
    if importlib.util.find_spec(needed) is None:
        pytest.skip(f'{example.module} is not installed: pip install ".[{example.group}]"')
    printed = run(example, example.short)
    first, last = rewards(printed)
    assert last > first
    assert re.search(r"loss -?[\d.]+\n", printed) or "loss" not in printed, "a loss is shown once there is one"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_table_raises_at_an_illegal_action(path):
    """… and this is how strict tables are asked for."""
    assert STRICT.search(path.read_text(encoding="utf-8"))


def test_strict_tables_raise():
    env = gymnasium.make("spades_env:Spades-v0", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(0)
    envs = SpadesGymVectorEnv(2, illegal="raise")
    envs.reset(seed=1)
    with pytest.raises(IllegalActionError):
        envs.step(np.array([57, 0]))
    table = spades_v0.raw_env()
    table.reset(seed=1)
    with pytest.raises(IllegalActionError):
        table.step(0)


def test_what_a_text_agent_plays_at_random_is_counted():
    agent, view = TextAgent(lambda prompt: "I pass", seed=1), first_decision(3)
    assert agent.act(view) in view.legal_actions()
    assert (agent.refused, agent.failures) == (RETRIES, {"unreadable": 1})
    result = arena.play(agent, "random", hands=2)
    assert result.as_dict()["stats"]["a"]["unreadable"] == result.moves[0] > 0


def test_every_file_is_run_and_says_how():
    assert {path.stem for path in FILES} == {example.name for example in EXAMPLES if example.folder == "examples"}
    for example in EXAMPLES:
        text = (ROOT / example.path).read_text(encoding="utf-8")
        said = ast.get_docstring(ast.parse(text)) or ""
        assert f"python {example.path} {example.long}" in said
        wanted = "pip install ." if example.group == "core" else f'pip install ".[{example.group}]"'
        assert wanted in said


def test_printed_output_is_there_and_names_no_machine():
    page = (ROOT / "docs" / "log" / "frameworks_output.md").read_text(encoding="utf-8")
    assert set(parts_of(page)) == {example.name for example in EXAMPLES}
    assert not re.search(r"(?<![\w.])/(tmp|home|root|work|opt)/", page)
