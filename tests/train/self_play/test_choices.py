"""Which calls are tried, and which cards are learned from."""

import numpy as np
import pytest

from spades_env.training.self_play.choices import (
    BLIND_CALL,
    EXPLORED,
    EXPLORING_TAU,
    LEAST_KEPT,
    LOOK_CALL,
    QUOTA,
    TRIED,
    sample_calls,
    that_matter,
)

MANY = 20_000
CALLS = 16


def legal_calls(*calls: int) -> np.ndarray:
    legal = np.zeros((MANY, CALLS), bool)
    legal[:, list(calls)] = True
    return legal


def softmax(numbers: np.ndarray) -> np.ndarray:
    return np.exp(numbers) / np.exp(numbers).sum()


@pytest.mark.parametrize("tau", [0.05, 0.5])
def test_calls_are_sampled_by_their_advantage(tau):
    advantage = np.tile(np.linspace(0, 0.3, CALLS, dtype=np.float32), (MANY, 1))
    drawn = sample_calls(advantage, legal_calls(3, 4, 9), tau, np.random.default_rng(1))
    of_three = advantage[0, [3, 4, 9]].astype(float)
    expected = (1 - EXPLORED) * softmax(of_three / tau) + EXPLORED * softmax(of_three / EXPLORING_TAU)
    assert [(drawn == call).mean() for call in (3, 4, 9)] == pytest.approx(expected.tolist(), abs=0.015)


@pytest.mark.parametrize(("rare", "others"), [(0, (3, 4)), (BLIND_CALL, (LOOK_CALL,)), (6, (LOOK_CALL,))])
def test_rare_calls_are_tried_where_they_are_least_bad(rare, others):
    """A nil, a blind nil and a blind bid: each by half of the few hands that it suits best."""
    rng = np.random.default_rng(2)
    advantage = np.zeros((MANY, CALLS), np.float32)
    advantage[:, rare] = -5 - rng.random(MANY)
    drawn = sample_calls(advantage, legal_calls(rare, *others), 0.05, rng)
    tried = drawn == rare
    assert tried.mean() == pytest.approx(QUOTA * TRIED, abs=0.005)
    assert advantage[tried, rare].min() >= np.quantile(advantage[:, rare], 1 - QUOTA) - 1e-6


@pytest.mark.parametrize("scale", [1.0, 1e-3])
def test_the_decisions_that_matter_are_drawn_and_stand_for_the_others(scale):
    rng = np.random.default_rng(3)
    advantage, log_prob = scale * rng.normal(size=MANY).astype(np.float32), np.log(rng.random(MANY)).astype(np.float32)
    kept, weight = that_matter(advantage, log_prob, 0.4, rng)
    assert len(kept) / MANY == pytest.approx(0.4, abs=0.01)
    assert (np.flatnonzero(weight) == kept).all()
    matter = np.abs(advantage) * (1 - np.exp(log_prob))
    assert matter[kept].mean() > 1.3 * matter.mean()
    assert (weight * advantage**2).sum() / MANY == pytest.approx(0.4 * (advantage**2).mean(), rel=0.03)


@pytest.mark.parametrize(("keep", "share"), [(0.05, LEAST_KEPT), (1.0, 1.0)])
def test_weights_have_the_mean_of_the_share_that_is_kept(keep, share):
    rng = np.random.default_rng(4)
    advantage, log_prob = 0.1 * rng.normal(size=MANY).astype(np.float32), np.log(rng.random(MANY)).astype(np.float32)
    kept, weight = that_matter(advantage, log_prob, keep, rng)
    assert len(kept) / MANY == pytest.approx(share, abs=0.03)
    assert weight[kept].mean() == pytest.approx(1, abs=0.05)
