"""The names that people import first say what each argument is, and have an example that runs."""

import dataclasses
import doctest
import importlib
import inspect
import re
import typing
from typing import Any, Literal

import pytest

from spades_env._jit import JIT_ON

CALLED = (
    *("spades_env:Game", "spades_env:View", "spades_env:Rules"),
    *("spades_env:SpadesEnv", "spades_env:SpadesGymVectorEnv", "spades_env:SpadesVectorEnv"),
    *("spades_env.spades_v0:env", "spades_env.spades_v0:raw_env", "spades_env.rollout:play_hands"),
    *("spades_env.agents:load", "spades_env.agents:names", "spades_env.agents:check_name", "spades_env.agents:Agent"),
    *("spades_env.agents:Batch", "spades_env.agents.arena:play"),
    *("spades_env.training:train", "spades_env.training:train_seeds", "spades_env.training:load_network"),
    "spades_env.training:Recipe",
    *("spades_env.game.cards:cards", "spades_env.game.random_situations:situation"),
    *("spades_env.envs.bounds:most_points", "spades_env.envs.adapters:sb3_vec_env"),
    *("spades_env.envs.adapters:rllib_env", "spades_env.agents.arena:Sprt"),
    *("spades_env.agents.search.compare:compare", "spades_env.agents.arena.benchmark:run"),
    *("spades_env.agents.arena.entry:make_entry", "spades_env.agents.arena.entry:read_entry"),
    *("spades_env.agents.network.player:sights", "spades_env.agents.network.player:masks"),
)
GIVEN = (  # what is handed to code of one's own
    *("spades_env.rollout:Trajectories", "spades_env.training:Iteration", "spades_env.training:Learner"),
    *("spades_env.training:Minibatch", "spades_env.training:Decisions", "spades_env.training:Record"),
    *("spades_env.training:OpenHands", "spades_env.agents.arena.match_result:Result"),
    "spades_env.agents.arena.benchmark:PanelRow",
)
WORDS = ("episode", "reward", "render_mode", "illegal", "obs_dtype", "mask_in", "start", "decides", "autoreset_mode")
SHARED = "takes the arguments of"  # another class, which documents them
SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Examples):\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)


def offered(path: str) -> Any:
    module, _, name = path.partition(":")
    if module == "spades_env.training":
        pytest.importorskip("torch")
    return getattr(importlib.import_module(module), name)


def sections(path: str) -> dict[str, str]:
    return dict(SECTION.findall((inspect.getdoc(offered(path)) or "") + "\n"))


def described(section: str) -> list[str]:
    return re.findall(r"^ {4}([\w*]+):", section, re.MULTILINE)


@pytest.mark.parametrize("path", CALLED)
def test_every_argument_is_described(path):
    stars = {inspect.Parameter.VAR_KEYWORD: "**"}
    asked = [stars.get(one.kind, "") + name for name, one in inspect.signature(offered(path)).parameters.items()]
    told = described(sections(path).get("Args", ""))
    if SHARED in (inspect.getdoc(offered(path)) or ""):
        asked = [name for name in asked if name in told]
    assert sorted(told) == sorted(asked)


@pytest.mark.parametrize("path", GIVEN)
def test_every_field_is_described(path):
    found, told = offered(path), described(sections(path)["Attributes"])
    known = [one.name for one in dataclasses.fields(found)] if dataclasses.is_dataclass(found) else told
    assert told == list(getattr(found, "_fields", known))


@pytest.mark.skipif(not JIT_ON, reason="bots and many tables need the compiler")
@pytest.mark.parametrize("path", [*CALLED, *GIVEN])
def test_the_example_runs(path):
    if path.endswith("sb3_vec_env"):
        pytest.importorskip("stable_baselines3")
    found, runner = offered(path), doctest.DocTestRunner()
    for example in doctest.DocTestFinder(recurse=False).find(found, path, globs={}):
        runner.run(example)
    assert runner.tries > 0
    assert runner.failures == 0


@pytest.mark.parametrize("path", [path for path in CALLED if "Env" in path or "env" in path.partition(":")[2]])
def test_options_of_a_few_words_are_literals(path):
    found = offered(path)
    hints = typing.get_type_hints(found.__init__ if inspect.isclass(found) else found)
    for name in set(hints) & set(WORDS):
        kinds = [typing.get_origin(one) or one for one in (hints[name], *typing.get_args(hints[name]))]
        assert Literal in kinds, name
        assert str not in kinds, name
