"""Agents decide, training learns and the server speaks as when support/fingerprints/ took their fingerprints."""

import pytest
from support.fingerprints import recorded
from support.fingerprints.decisions import (
    ASKED_EVERY,
    CHARACTERS,
    RULE_BOOKS,
    RULES,
    TRUMPS,
    of_agent,
    of_positions,
    positions,
)
from support.fingerprints.server import of_server
from support.fingerprints.training import machine, of_training

from spades_env import agents
from spades_env._jit import JIT_ON

pytestmark = pytest.mark.skipif(not JIT_ON, reason="minutes without the compiler")
RECORDED = recorded()


# Agents


def test_the_positions_are_those_of_ever():
    assert of_positions() == RECORDED["agents"]["positions"]


def test_the_positions_are_of_all_kinds():
    views = [view for _, view in positions()]
    assert {view.rules.trumps for view in views} == set(TRUMPS)
    assert {rules.split()[0] for rules in RULES} == set(RULE_BOOKS)
    assert {view.phase for view in views} == {"blind", "bid", "pass", "play"}
    assert any(0 in view.bids and view.phase == "play" for view in views)
    assert any(any(view.blind) and view.phase == "play" for view in views)


def test_every_kind_of_agent_is_asked():
    asked = " ".join(ASKED_EVERY).lower()
    assert all(form.partition(":")[0] in asked for form in agents.names())
    assert len(CHARACTERS) == 18
    assert set(ASKED_EVERY) | {"positions"} == set(RECORDED["agents"])


@pytest.mark.parametrize("name", ASKED_EVERY)
def test_an_agent_decides_as_ever(name):
    assert of_agent(name) == RECORDED["agents"][name]


# Training


def test_training_learns_as_ever():
    for package in ("torch", "tensorboard", "onnx", "onnxruntime"):
        pytest.importorskip(package)
    if RECORDED["training"]["machine"] != machine():
        pytest.skip(f"taken on {RECORDED['training']['machine']}: others add up otherwise")
    assert of_training() == RECORDED["training"]


# The server


def test_the_server_speaks_as_ever():
    assert of_server() == RECORDED["server"]
