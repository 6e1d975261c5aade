"""Paired trials: which candidates are dropped, and when the favourite gives way."""

import numpy as np
import pytest

from spades_env.agents.search.paired import (
    DOUBT,
    add_world,
    answer,
    clear,
    difference,
    drop_worse,
    leader,
    means,
    new_trial,
    num_alive,
    surely_worse,
)


def trial_of(*values: list[float], favourite: int = 0, least_gain: float = 0.0) -> np.recarray:
    """A trial as it is after some worlds: what each candidate was worth in each."""
    table, trial = np.array(values), new_trial()[0]
    trial.num, trial.worlds, trial.favourite, trial.least_gain = *table.shape, favourite, least_gain
    trial.alive[: len(table)] = 1
    trial.totals[: len(table)] = table.sum(1)
    trial.products[: len(table), : len(table)] = table @ table.T
    return trial


FIRST, LAST = [0.5, 0.7] * 12, [0.55, 0.75] * 12
CLOSE = [0.498, 0.701] * 12  # 0.0005 behind the first, with a standard error of 0.0003
NEAR = [0.48, 0.715] * 12  # 0.0025 behind, with one of 0.0036


@pytest.mark.parametrize(
    ("values", "least_gain", "alive"),
    [
        ((FIRST, CLOSE), 1e-3, [1, 0]),
        ((FIRST, CLOSE), 1e-6, [1, 1]),
        ((FIRST, CLOSE), 0.0, [1, 1]),
        ((CLOSE, FIRST), 1e-3, [1, 0]),  # the favourite stays, and doesn't give way for so little
        ((FIRST, NEAR), 5e-4, [1, 1]),  # further behind, but less surely
        ((FIRST, NEAR), 1e-3, [1, 0]),
        ((NEAR, FIRST), 1e-3, [1, 1]),
        ((FIRST, LAST), 1e-3, [0, 1]),  # always behind by as much: three standard errors, however many
        ((FIRST, FIRST), 1e-3, [1, 0]),
        ((FIRST[:22], CLOSE[:22]), 1e-3, [1, 1]),  # too few worlds to tell
    ],
)
def test_a_candidate_whose_expected_gain_is_too_small_is_dropped(values, least_gain, alive):
    trial = trial_of(*values, least_gain=least_gain)
    drop_worse(trial)
    assert trial.alive[:2].tolist() == alive


def test_a_favourite_that_is_slightly_but_surely_worse_is_dropped_and_the_best_stays():
    slightly = np.random.default_rng(3).normal(1e-4, 1e-5, 24)
    trial = trial_of((np.array(FIRST) + slightly).tolist(), FIRST, favourite=1, least_gain=1e-3)
    drop_worse(trial)
    assert trial.alive[:2].tolist() == [1, 0]


def test_where_the_favourite_is_dropped_others_are_compared_with_the_best():
    trial = trial_of(FIRST, CLOSE, NEAR, favourite=0, least_gain=3e-4)
    trial.alive[0] = 0
    drop_worse(trial)
    assert trial.alive[:3].tolist() == [0, 1, 1]
    trial.least_gain = 1e-3
    drop_worse(trial)
    assert trial.alive[:3].tolist() == [0, 1, 0]


def trial_in(worlds: np.ndarray, loyalty: float) -> np.recarray:
    """A trial of candidates 7, 8, … after these worlds, float[worlds, candidates]; the first is the favourite."""
    trial = new_trial()[0]
    count = worlds.shape[1]
    trial.num, trial.favourite, trial.loyalty = count, 0, loyalty
    trial.actions[:count] = np.arange(7, 7 + count)
    clear(trial)
    trial.alive[count:] = 0
    for values in worlds:
        trial.values[:count] = values
        add_world(trial)
    return trial


def test_the_favourite_is_left_only_for_one_that_is_surely_better():
    noise = np.random.default_rng(1).normal(size=(64, 1))
    small = np.random.default_rng(2).normal(size=(64, 3)) * 0.2
    close = trial_in(noise + small + [0, 0.01, -0.5], loyalty=2)
    drop_worse(close)
    assert close.actions[answer(close)] == 7
    assert close.actions[close.alive > 0].tolist() == [7, 8]
    clearer = trial_in(noise + small + [0, 0.3, -0.5], loyalty=2)
    drop_worse(clearer)
    assert clearer.actions[answer(clearer)] == 8
    assert num_alive(clearer) == 1


def test_doubt_is_counted_in_standard_errors():
    values = np.random.default_rng(4).normal(size=(9, 2))
    trial = trial_in(values, loyalty=DOUBT)
    best = leader(trial)
    gaps = values[:, best] - values[:, 1 - best]
    gap, error = gaps.mean(), gaps.std(ddof=1) / 3
    assert difference(trial, best, 1 - best) == pytest.approx((gap, gaps.var()))
    assert surely_worse(trial, 1 - best, best, gap / error * 0.999)
    assert not surely_worse(trial, 1 - best, best, gap / error * 1.001)


def test_equals_go_to_the_favourite():
    assert means(trial_in(np.full((5, 2), 0.5), 1.0)) == [(7, 0.5), (8, 0.5)]


def test_one_world_leaves_the_favourite():
    trial = trial_in(np.array([[0.2, 0.9]]), 1.0)
    drop_worse(trial)
    assert num_alive(trial) == 2
    assert trial.actions[answer(trial)] == 7
