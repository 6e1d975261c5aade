"""From what learns to what plays, and back."""

import numpy as np
import pytest
from strategies import scaled

torch = pytest.importorskip("torch")

from levels import random_level  # noqa: E402
from runs import tiny  # noqa: E402

from agents import network  # noqa: E402
from agents.insight import NUM_INPUTS  # noqa: E402
from agents.level import Level  # noqa: E402
from train.collect import new_hands, play_hand  # noqa: E402
from train.export import level_of, set_policy  # noqa: E402
from train.learner import Learner  # noqa: E402
from train.nets import Policy  # noqa: E402
from train.runs import RunError  # noqa: E402

CPU = torch.device("cpu")


def lively(width: int = 32, layers: int = 3, seed: int = 1) -> Policy:
    """A policy whose numbers are as large as learned ones."""
    torch.manual_seed(seed)
    policy = Policy(width, layers)
    with torch.no_grad():
        for weight in policy.parameters():
            weight.add_(torch.randn_like(weight) * (0.05 if weight.dim() > 1 else 0.2))
    return policy


@pytest.fixture(scope="module")
def states() -> np.ndarray:
    """What is met in a hand under rules at random."""
    env = new_hands(tiny().rules, scaled(12), np.random.default_rng(4))
    learner = Learner(16, 1, 16, CPU, False, seed=2)
    seats = np.zeros((env.num_envs, 4), np.int64)
    return play_hand(env, seats, [learner.sampler(learner.generator(1))]).states[:, :NUM_INPUTS]


@pytest.mark.parametrize(("width", "layers"), [(16, 1), (32, 3)])
def test_a_level_computes_what_the_policy_computes(states, width, layers):
    policy = lively(width, layers)
    level = level_of(policy, tiny(), {"rounds": 3})
    with torch.no_grad():
        logits, values = policy(torch.from_numpy(states))
    inputs = np.ascontiguousarray(states)
    assert logits.abs().max() > 0.5
    assert np.abs(network.logits(level, inputs) - logits.numpy()).max() <= 1e-5
    assert np.abs(network.values(level, inputs) - values.numpy()).max() <= 1e-5


def test_in_half_precision_it_chooses_nearly_the_same(states, tmp_path):
    level = level_of(lively(), tiny(), {})
    level.write(tmp_path / "half.safetensors", half=True)
    inputs = np.ascontiguousarray(states)
    whole, half = (network.logits(one, inputs) for one in (level, Level.read(tmp_path / "half.safetensors")))
    assert np.abs(whole - half).max() < 0.02
    assert (whole.argmax(1) == half.argmax(1)).mean() > 0.98


def test_what_the_level_says():
    level = level_of(lively(), tiny(about="as it learned"), {"rounds": 3}, "bold", "")
    assert (level.name, level.style, level.trained) == ("bold", "as it learned", {"rounds": 3})
    assert "drawn at random" in level.rules
    assert level_of(lively(), tiny(), {}).name == "tiny"


def test_a_policy_can_go_on_from_a_level(states):
    policy, other = lively(seed=1), lively(seed=2)
    set_policy(other, level_of(policy, tiny(), {}))
    inputs = torch.from_numpy(states)
    with torch.no_grad():
        for mine, theirs in zip(policy(inputs), other(inputs), strict=True):
            assert torch.allclose(mine, theirs, atol=1e-5)


@pytest.mark.parametrize("widths", [(), (32,), (32, 24), (24, 32), (32, 32, 32)])
def test_a_level_of_another_size(widths):
    with pytest.raises(RunError, match="hidden layers of other sizes than the recipe"):
        set_policy(lively(32, 2), random_level(widths=widths))


def test_a_critic_on_the_side_does_not_matter(states):
    level = random_level(widths=(32, 32), critic=(8,))
    policy = lively(32, 2)
    set_policy(policy, level)
    with torch.no_grad():
        logits, _ = policy(torch.from_numpy(states))
    assert np.abs(network.logits(level, np.ascontiguousarray(states)) - logits.numpy()).max() <= 1e-4
