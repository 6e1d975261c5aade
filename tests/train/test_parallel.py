"""Agents asked in threads: how many there are, and that the answers do not depend on it."""

import random
import subprocess
import sys

import pytest
from support.game.tables import random_position
from support.paths import ROOT
from support.strategies import scaled

from spades_env import agents
from spades_env.agents.base import Batch
from spades_env.training import data_parallel
from spades_env.training import parallel as asking
from spades_env.training.parallel import act, in_shares, usable_threads

COUNT_THREADS = """
import sys, types
from spades_env.training import train_command
from spades_env.training import parallel as asking
asking.usable_cores = lambda: 8
sys.modules["torch"] = types.SimpleNamespace(set_num_threads=lambda count: None)
for option in sys.argv[1:]:
    train_command.use_threads(int(option) or None)
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


def test_the_option_grants_threads():
    command = [sys.executable, "-c", COUNT_THREADS, "0", "1", "5"]  # 0 first: nothing is granted yet
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout.split() == ["8", "1", "5"]


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
        answers.append(act(agent, batch))
    assert (answers[0] == answers[1]).all()


def test_workers_mean_what_they_have(monkeypatch):
    def gather(out, mine):
        out[:] = mine, {"rate": 3.0}

    monkeypatch.setattr(data_parallel, "count", lambda: 2)
    monkeypatch.setattr(data_parallel.dist, "all_gather_object", gather)
    assert data_parallel.mean({"rate": 1.0, "nils_kept": 0.5}) == {"rate": 2.0, "nils_kept": 0.5}


def test_a_worker_may_have_no_gradient_of_some_weights(monkeypatch):
    """It has no call among its decisions, say; the others' gradients count."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(data_parallel, "count", lambda: 2)
    monkeypatch.setattr(data_parallel.dist, "all_reduce", lambda flat: flat.add_(torch.tensor([1.0, 2.0, 3.0])))
    cards, calls = (torch.nn.Parameter(torch.zeros(size)) for size in (2, 1))
    fixed = torch.nn.Parameter(torch.zeros(4), requires_grad=False)
    cards.grad = torch.tensor([3.0, 2.0])
    data_parallel.average_gradients([cards, fixed, calls])
    assert (cards.grad.tolist(), calls.grad.tolist(), fixed.grad) == ([2.0, 2.0], [1.5], None)
