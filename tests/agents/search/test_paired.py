"""Paired trials: who is dropped, who is far behind, and when the favourite is left."""

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


def trial_of(*values: list[float], favourite: int = 0, doubt: float = np.inf) -> np.recarray:
    """A trial as it is after some worlds: what each candidate was worth in each."""
    table, trial = np.array(values), new_trial()[0]
    trial.num, trial.worlds, trial.favourite, trial.doubt = *table.shape, favourite, doubt
    trial.alive[: len(table)] = 1
    trial.totals[: len(table)] = table.sum(1)
    trial.products[: len(table), : len(table)] = table @ table.T
    return trial


FIRST, LAST = [0.5, 0.7] * 8, [0.55, 0.75] * 8
BEHIND = [0.45, 0.75, 0.4, 0.68] * 4  # behind the first by 2.1 standard errors, and the last by 5.7


@pytest.mark.parametrize(
    ("values", "doubt", "alive"),
    [
        ((FIRST, BEHIND), 1.5, [1, 0]),
        ((FIRST, BEHIND), 2.5, [1, 1]),
        ((FIRST, BEHIND), np.inf, [1, 1]),
        ((BEHIND, FIRST), 1.5, [1, 1]),  # the favourite itself
        ((FIRST, LAST), np.inf, [0, 1]),  # always behind by as much: three standard errors, however many
        ((LAST, FIRST), 1.5, [1, 0]),
        ((FIRST, FIRST), 1.5, [1, 1]),
    ],
)
def test_who_is_far_behind_the_favourite_is_tried_no_more(values, doubt, alive):
    trial = trial_of(*values, doubt=doubt)
    drop_worse(trial)
    assert trial.alive[:2].tolist() == alive


def test_a_favourite_that_is_dropped_counts_no_more():
    trial = trial_of(FIRST, BEHIND, LAST, favourite=0, doubt=1.5)
    trial.alive[0] = 0
    trial.totals[2] = trial.totals[1]  # as good as the second now
    drop_worse(trial)
    assert trial.alive[:3].tolist() == [0, 1, 1]


def trial_in(worlds: np.ndarray, loyalty: float) -> np.recarray:
    """A trial of candidates 7, 8, … after these worlds, float[worlds, candidates]; the first is the favourite."""
    trial = new_trial()[0]
    count = worlds.shape[1]
    trial.num, trial.favourite, trial.loyalty, trial.doubt = count, 0, loyalty, np.inf
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
