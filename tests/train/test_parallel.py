"""Agents asked in threads: how many there are, and that the answers do not depend on it."""

import random
import subprocess
import sys

import numpy as np
import pytest
from support.game.tables import random_position
from support.paths import ROOT
from support.strategies import scaled

from spades_env import agents
from spades_env.agents.base import Batch
from spades_env.training import parallel as asking
from spades_env.training.collect import new_hands
from spades_env.training.parallel import act, in_shares, usable_threads, weigh
from spades_env.training.recipe.start_situations import Situations

COUNT_THREADS = """
import sys, types
from spades_env.training import train_command
from spades_env.training import parallel as asking
asking.usable_cores = lambda: 8
sys.modules["torch"] = types.SimpleNamespace(set_num_threads=lambda count: None)
train_command.use_threads(int(sys.argv[1]) or None)
print(asking.usable_threads())
"""


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch):
    """As if there were eight, and nobody had granted threads."""
    monkeypatch.setattr(asking, "usable_cores", lambda: 8)
    monkeypatch.setattr(asking, "_granted", None)
    monkeypatch.delenv("LOCAL_WORLD_SIZE", raising=False)


@pytest.fixture
def batch() -> Batch:
    rng = random.Random(4)
    games = (random_position(rng, max_hands=99) for _ in range(10 + scaled(80)))
    return Batch.of([game.view(game.turn) for game in games if not game.over])


@pytest.mark.parametrize(("workers", "threads"), [("1", 8), ("2", 4), ("3", 2), ("8", 1), ("16", 1)])
def test_workers_on_one_machine_share_its_cores(monkeypatch, workers, threads):
    monkeypatch.setenv("LOCAL_WORLD_SIZE", workers)
    assert usable_threads() == threads


def test_alone_a_worker_takes_all_cores():
    assert usable_threads() == 8


def test_what_is_granted_counts_whatever_there_is(monkeypatch):
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "4")
    asking.grant(3)
    assert usable_threads() == 3
    asking.grant(None)
    assert usable_threads() == 2


@pytest.mark.parametrize(("option", "threads"), [(0, 8), (1, 1), (5, 5)])
def test_the_option_grants_threads_to_roll_outs(option, threads):
    process = subprocess.run(
        [sys.executable, "-c", COUNT_THREADS, str(option)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(process.stdout) == threads


def test_work_falls_into_as_many_shares():
    for threads in (1, 3):
        asking.grant(threads)
        shares = []
        in_shares(lambda low, high, kept=shares: kept.append((low, high)), 90)
        assert sorted(shares) == [(90 * i // threads, 90 * (i + 1) // threads) for i in range(threads)]


def test_answers_are_the_same_with_any_number_of_threads(monkeypatch, batch):
    monkeypatch.setattr(asking, "FEWEST", 1)
    agent, answers = agents.load("random", seed=1), []
    for threads in (1, 3):
        asking.grant(threads)
        answers.append((act(agent, batch), weigh(agent, batch)))
    assert (answers[0][0] == answers[1][0]).all()
    assert (answers[0][1] == answers[1][1]).all()


def test_tables_are_moved_by_no_more_threads(monkeypatch):
    monkeypatch.setattr("spades_env.vector.env.usable_threads", lambda tables: 8)
    asking.grant(2)
    assert new_hands(Situations(), 8, np.random.default_rng(1)).threads == 2
