"""From what learns to what plays, and back."""

import random
from dataclasses import replace

import numpy as np
import pytest
from strategies import scaled

torch = pytest.importorskip("torch")

from levels import assert_same_numbers, random_level  # noqa: E402
from tables import random_position  # noqa: E402

from agents import network  # noqa: E402
from agents.base import Batch  # noqa: E402
from agents.level import Level  # noqa: E402
from agents.roster import LEVELS  # noqa: E402
from agents.suits import arrange  # noqa: E402
from spades_env.rules import CHOICES  # noqa: E402
from train.export import level_of, set_policy  # noqa: E402
from train.nets import Policy  # noqa: E402
from train.recipe import Recipe  # noqa: E402
from train.runs import RunError  # noqa: E402

RECIPE = {"name": "tiny", "stage": [{"kind": "imitate", "hands": 2}], "network": {"width": 32, "suit_width": 24}}


def tiny(**changes) -> Recipe:
    """A recipe that nobody follows."""
    return Recipe.of(RECIPE | changes)


def lively(width: int = 32, suit_width: int = 24, seed: int = 1) -> Policy:
    """A policy whose numbers are as large as learned ones."""
    torch.manual_seed(seed)
    policy = Policy(width, suit_width)
    with torch.no_grad():
        for weight in policy.parameters():
            weight.add_(torch.randn_like(weight) * (0.05 if weight.dim() > 1 else 0.2))
    return policy


def moments_under(trumps: str, count: int) -> Batch:
    """Random moments under such trumps."""
    rng = random.Random(trumps)
    games = [random_position(rng, trumps=trumps, target=None, floor=None, max_hands=99) for _ in range(count)]
    return Batch.of([game.view(game.turn) for game in games if not game.over])


@pytest.fixture(scope="module")
def inputs() -> np.ndarray:
    """Moments of all kinds."""
    return np.concatenate([network.features(moments_under(trumps, scaled(40))) for trumps in CHOICES["trumps"]])


def answers(policy: Policy, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The policy's logits and values, by torch."""
    with torch.no_grad():
        logits, values = policy(torch.from_numpy(arrange(inputs)))
    return logits.numpy(), values.numpy()


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
@pytest.mark.parametrize(("width", "suit_width"), [(16, 8), (48, 36)])
def test_a_level_computes_what_the_policy_computes(trumps, width, suit_width):
    policy, batch = lively(width, suit_width), moments_under(trumps, scaled(60))
    level, inputs = level_of(policy, tiny(), {"rounds": 3}), network.features(batch)
    told = answers(policy, inputs)
    assert np.abs(told[0]).max() > 5
    assert_same_numbers((network.logits(level, inputs), network.values(level, inputs)), told, network.masks(batch))


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
def test_the_shipped_level_computes_what_its_weights_say_in_torch(trumps):
    level = replace(Level.read(LEVELS / "standard.safetensors"), heed=0, heed_blind=0, nil_doubt=0)
    policy, batch = Policy(*level.widths), moments_under(trumps, scaled(60))
    set_policy(policy, level)
    inputs = network.features(batch)
    ours = network.logits(level, inputs), network.values(level, inputs)
    assert_same_numbers(ours, answers(policy, inputs), network.masks(batch))


def test_in_half_precision_it_chooses_nearly_the_same(inputs, tmp_path):
    level = level_of(lively(), tiny(), {})
    level.write(tmp_path / "half.safetensors", half=True)
    whole, half = (network.logits(one, inputs) for one in (level, Level.read(tmp_path / "half.safetensors")))
    assert np.abs(whole - half).max() < 0.01 * np.abs(whole).max()
    assert (whole.argmax(1) == half.argmax(1)).mean() > 0.98


def test_what_the_level_says():
    level = level_of(lively(), tiny(about="as it learned"), {"rounds": 3}, "bold", "")
    assert (level.name, level.style, level.trained) == ("bold", "as it learned", {"rounds": 3})
    assert level.widths == (32, 24)
    assert "drawn at random" in level.rules
    assert level_of(lively(), tiny(), {}).name == "tiny"


def test_a_policy_can_go_on_from_a_level(inputs):
    policy, other = lively(seed=1), lively(seed=2)
    set_policy(other, level_of(policy, tiny(), {}))
    for mine, theirs in zip(answers(policy, inputs), answers(other, inputs), strict=True):
        assert np.abs(mine - theirs).max() <= 1e-5 * np.abs(mine).max()


@pytest.mark.parametrize("widths", [(32, 16), (16, 24), (24, 32)])
def test_a_level_of_another_size(widths):
    with pytest.raises(RunError, match="is of another size than the recipe: <Level anyhow"):
        set_policy(lively(), random_level(0, *widths))
