"""What learning minimises, against numbers worked out by hand."""

from math import log

import pytest

torch = pytest.importorskip("torch")

from spades_env.training.losses import clipped_loss, cross_entropy, entropy, gae, log_policy  # noqa: E402

ACTIONS = 70


def near(tensor, numbers) -> bool:
    return torch.allclose(tensor, torch.tensor(numbers, dtype=torch.float32), atol=1e-6)


def mask_of(*legal: int):
    """bool[1, 70]"""
    mask = torch.zeros(1, ACTIONS, dtype=torch.bool)
    mask[0, list(legal)] = True
    return mask


# Advantages

VALUES = [[1.0, 2.0, 4.0], [3.0, 99.0, 99.0], [0.5, -1.5, 99.0]]  # 99: beyond a sequence's end
PAID = [10.0, -1.0, 0.0]
LENGTHS = [3, 1, 2]


@pytest.mark.parametrize(
    ("lam", "expected"),
    [
        (0.0, [[1.0, 2.0, 6.0], [-4.0, 0.0, 0.0], [-2.0, 1.5, 0.0]]),
        (1.0, [[9.0, 8.0, 6.0], [-4.0, 0.0, 0.0], [-0.5, 1.5, 0.0]]),
        (0.95, [[8.315, 7.7, 6.0], [-4.0, 0.0, 0.0], [-0.575, 1.5, 0.0]]),
    ],
)
def test_advantages(lam, expected):
    assert near(gae(torch.tensor(VALUES), torch.tensor(PAID), torch.tensor(LENGTHS), lam), expected)


@pytest.mark.parametrize("lam", [0.0, 0.5, 1.0])
def test_a_critic_that_knows_the_outcome_leaves_no_advantage(lam):
    advantages = gae(torch.full((1, 5), 2.5), torch.tensor([2.5]), torch.tensor([4]), lam)
    assert (advantages == 0).all()


# Policies


def test_only_legal_actions_have_a_probability():
    logits = torch.full((1, ACTIONS), 50.0)
    logits[0, [3, 7]] = torch.tensor([1000.0, 1000.0 + log(3)])
    probabilities = log_policy(logits, mask_of(3, 7)).exp()
    assert probabilities[0, [3, 7]].tolist() == pytest.approx([0.25, 0.75], abs=1e-4)
    assert probabilities.count_nonzero() == 2


def test_a_forced_action_is_certain():
    log_probs = log_policy(torch.randn(1, ACTIONS), mask_of(69))
    assert log_probs[0, 69] == 0
    assert log_probs.exp().sum() == 1


def test_illegal_actions_have_no_gradient():
    logits = torch.zeros(1, ACTIONS, requires_grad=True)
    log_probs = log_policy(logits, mask_of(3, 7))
    (log_probs[0, 3] + entropy(log_probs)[0]).backward()
    assert logits.grad is not None
    assert logits.grad[0].nonzero().flatten().tolist() == [3, 7]
    assert logits.grad[0, [3, 7]].tolist() == pytest.approx([0.5, -0.5])


@pytest.mark.parametrize(
    ("chances", "nats"), [([1.0], 0.0), ([0.25] * 4, 1.386294), ([0.5, 0.25, 0.25], 1.039721), ([0.1, 0.9], 0.325083)]
)
def test_entropy(chances, nats):
    legal = range(10, 10 + len(chances))
    logits = torch.zeros(1, ACTIONS)
    logits[0, list(legal)] = torch.tensor(chances).log()
    assert entropy(log_policy(logits, mask_of(*legal))).item() == pytest.approx(nats, abs=1e-6)


# PPO

CASES = [  # ratio of the probabilities, advantage, loss with a clip of 0.2, its slope by the log-probability
    (1.5, 2.0, -2.4, 0.0),  # already likelier than it may become
    (1.5, -2.0, 3.0, 3.0),
    (0.5, 2.0, -1.0, -1.0),
    (0.5, -2.0, 1.6, 0.0),  # already unlikelier
    (1.1, 2.0, -2.2, -2.2),
    (0.9, -1.0, 0.9, 0.9),
    (1.0, 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize(("ratio", "advantage", "loss", "slope"), CASES)
def test_clipped_loss(ratio, advantage, loss, slope):
    old = torch.tensor([-0.7])
    new = torch.tensor([-0.7 + log(ratio)], requires_grad=True)
    value, _ = clipped_loss(new, old, torch.tensor([advantage]), 0.2)
    value.backward()
    assert value.item() == pytest.approx(loss, abs=1e-6)
    assert new.grad is not None
    assert new.grad.item() == pytest.approx(slope, abs=1e-6)


def test_clipped_loss_is_a_mean_and_tells_how_many_were_clipped():
    ratios, advantages = (torch.tensor(column) for column in zip(*[case[:2] for case in CASES], strict=True))
    loss, clipped = clipped_loss(ratios.log(), torch.zeros(len(CASES)), advantages, 0.2)
    assert loss.item() == pytest.approx(-0.1 / 7, abs=1e-6)
    assert clipped.item() == pytest.approx(4 / 7)


# Imitation


def test_cross_entropy():
    logits = torch.zeros(1, ACTIONS)
    logits[0, 60] = log(5)  # chances of 5/8, and 1/8 each
    log_probs = log_policy(logits, mask_of(2, 3, 60, 69))
    sure, unsure = torch.zeros(1, ACTIONS), torch.zeros(1, ACTIONS)
    sure[0, 60] = 1
    unsure[0, [2, 3, 60, 69]] = torch.tensor([0.1, 0.1, 0.7, 0.1])
    assert cross_entropy(log_probs, sure).tolist() == pytest.approx([0.470004], abs=1e-6)  # ln 8/5
    assert cross_entropy(log_probs, unsure).tolist() == pytest.approx([0.7 * 0.470004 + 0.3 * 2.079442], abs=1e-6)
