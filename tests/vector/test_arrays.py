"""What a vector environment shows stays in place, and is the same in threads, copies and forked processes."""

import copy
import os
import pickle

import numpy as np
import pytest
from support.game.envs import ALL_RULES, MIXED_RULES, all_same, same, vector_snapshot
from support.strategies import scaled

from spades_env import Rules, SpadesVectorEnv
from spades_env.checks import usable_cores
from spades_env.game.observe import NUM_FEATURES, STATE_SIZE
from spades_env.vector.threads import TABLES_PER_THREAD


def test_arrays_stay_where_they_are():
    env = SpadesVectorEnv(4, seed=1)
    step = env.reset()
    addresses = [array.ctypes.data for array in step]
    for _ in range(70):
        step = env.step(env.random_actions())
    assert [array.ctypes.data for array in step] == addresses
    assert step.observation.shape == (4, NUM_FEATURES)
    assert (step.observation.dtype, step.mask.dtype, step.reward.dtype) == (np.int8, np.int8, np.float32)


def test_torch_shares_the_memory():
    torch = pytest.importorskip("torch")
    env = SpadesVectorEnv(4, seed=1)
    step = env.reset()
    tensors = [torch.from_numpy(array) for array in step]
    env.step(env.random_actions())
    for tensor, array in zip(tensors, step, strict=True):
        assert tensor.data_ptr() == array.ctypes.data
        assert same(tensor.numpy(), array)


def test_looking():
    env = SpadesVectorEnv(6, MIXED_RULES[:6], seed=3)
    step = env.reset()
    for _ in range(33):
        env.step(env.random_actions())
    states, views, (compiled, which) = env.state(), env.views(), env.compiled_rules
    assert states.shape == (6, STATE_SIZE)
    assert same(states[:, :NUM_FEATURES], step.observation)
    assert len(compiled) == len(set(env.rules))
    for i in range(6):
        view = env.view(i, int(step.turn[i]))
        assert same(view.features, step.observation[i])
        assert same(view.action_mask, step.mask[i])
        assert view.state.tobytes() == views[i : i + 1].tobytes()
        assert view.rules == env.rules[i] == Rules.of(MIXED_RULES[i])
        assert view.compiled_rules.tobytes() == compiled[which[i] : which[i] + 1].tobytes()
        assert env.scores[i, : view.rules.sides].tolist() == view.scores
        mine = states[i, NUM_FEATURES : NUM_FEATURES + 54]
        assert same(np.flatnonzero(mine), view.hand)


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("autoreset", [True, False])
def test_any_number_of_threads_gives_the_same(threads, autoreset):
    n, steps = 37, scaled(150)
    rules = (list(ALL_RULES) * n)[:n]
    one, many = (
        SpadesVectorEnv(n, rules, seed=3, truncate_after=2, autoreset=autoreset, threads=count)
        for count in (1, threads)
    )
    assert same(one.reset()._asdict(), many.reset()._asdict())
    for _ in range(steps):
        actions = one.random_actions()
        assert same(actions, many.random_actions())
        one.step(actions)
        many.step(actions)
        assert all_same(vector_snapshot(one), vector_snapshot(many))
        assert same(one.state(), many.state())
        assert one.views().tobytes() == many.views().tobytes()
    many.close()
    many.step(many.random_actions())
    many.close()


def test_no_more_threads_than_cores(monkeypatch):
    """Count the cores that this process may use, if the system reports them, else all."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {1, 4, 5}, raising=False)
    assert usable_cores() == SpadesVectorEnv(9 * TABLES_PER_THREAD).threads == 3
    assert SpadesVectorEnv(1).threads == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert usable_cores() == SpadesVectorEnv(3 * TABLES_PER_THREAD).threads == 2


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_play_on_by_themselves(copied, threads):
    env = SpadesVectorEnv(6, MIXED_RULES[:6], seed=3, truncate_after=2, threads=threads)
    env.reset()
    for _ in range(40):
        env.step(env.random_actions())
    twin = copied(env)
    one, other = env._step, twin._step
    for _ in range(90):
        actions = env.random_actions()
        assert same(actions, twin.random_actions())
        one, other = env.step(actions), twin.step(actions)
        assert same(one._asdict(), other._asdict())
    assert not any(np.shares_memory(a, b) for a, b in zip(one, other, strict=True))
    for each in (env, twin):
        each.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # JAX, if tests before have used it: the child has none
def test_a_forked_process_plays_on():
    env = SpadesVectorEnv(8, seed=1, threads=2)
    env.reset()
    env.step(env.random_actions())
    child = os.fork()
    if child == 0:
        env.step(env.random_actions())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
