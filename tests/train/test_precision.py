"""bfloat16 beside float32: the same networks think and learn alike, within what eight bits of a number can tell."""

import numpy as np
import pytest
from support.strategies import scaled

from spades_env._jit import JIT_ON

if not JIT_ON:
    pytest.skip("hands of a network take minutes without the compiler", allow_module_level=True)
torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from spades_env.training.learner import Learner, has_bfloat16  # noqa: E402
from spades_env.training.nets import Critic, Policy  # noqa: E402
from spades_env.training.own.loss import log_policy  # noqa: E402
from spades_env.training.recipe import NetworkShape, Situations  # noqa: E402
from spades_env.training.rewards import RewardWeights  # noqa: E402
from spades_env.training.self_play.tables import Decisions, GameTables  # noqa: E402

pytestmark = pytest.mark.skipif(not has_bfloat16(torch.device("cpu")), reason="this CPU has no bfloat16 units")

ROUNDING = 2**-8  # of one bfloat16 number
THOUGHT = 4 * ROUNDING  # of logits and values, beside the largest of them: a few layers of sums
ALIKE = 0.999  # cosine of the two gradients
LENGTH = 0.01  # by which their lengths may differ
STEP = 0.01  # by which the loss after a step may differ, beside how far the step brought it down


@pytest.fixture(scope="module")
def hand() -> Decisions:
    """A hand at some tables, played at random."""
    torch.set_num_threads(1)
    learner = Learner(NetworkShape(width=8, suit_width=8, bfloat16=False), torch.device("cpu"), seed=1)
    chooser = learner.sampler(np.random.default_rng(1))
    return GameTables(scaled(32), Situations(), 3).play(chooser, RewardWeights(1.0, 0.0))


def learner(bfloat16: bool) -> Learner:
    """Both begin with the same weights; heads as large as trained ones, that there is something to compare."""
    made = Learner(NetworkShape(width=128, suit_width=64, bfloat16=bfloat16), torch.device("cpu"), seed=1)
    assert made.bfloat16 == bfloat16
    assert isinstance(made.policy, Policy)
    assert isinstance(made.critic, Critic)
    with torch.no_grad():
        for head in (made.policy.places, made.policy.bids, made.critic.tricks, made.critic.correction):
            head.weight *= 20
    return made


def loss(learner: Learner, hand: Decisions) -> tuple[Tensor, Tensor, Tensor]:
    """The cross-entropy of what was done, the logits, and the critic's values."""
    with learner.quick():
        logits = learner.policy(learner.batch(hand.rows))
        value, _ = learner.critic(learner.batch(hand.open_rows), learner.to_device(hand.ends))
    log_probs = log_policy(logits, learner.to_device(hand.legal))
    return -log_probs.gather(1, learner.to_device(hand.action)[:, None]).mean(), logits, value


def step(learner: Learner, hand: Decisions) -> tuple[float, Tensor, float]:
    """The loss, its gradient, and the loss after one step."""
    before = loss(learner, hand)[0]
    learner.improve(before, rate=1e-3, clip=1e9)
    gradient = torch.cat([weight.grad.flatten() for weight in learner.policy.parameters() if weight.grad is not None])
    with torch.no_grad():
        return before.item(), gradient, loss(learner, hand)[0].item()


def test_it_thinks_alike(hand):
    with torch.no_grad():
        _, logits, value = loss(learner(True), hand)
        _, exact_logits, exact_value = loss(learner(False), hand)
    assert logits.dtype == value.dtype == torch.float32
    assert (logits - exact_logits).abs().max() < THOUGHT * exact_logits.abs().max()
    assert (value - exact_value).abs().max() < THOUGHT * exact_value.abs().max()
    assert not torch.equal(logits, exact_logits)


def test_it_learns_alike(hand):
    before, gradient, after = step(learner(True), hand)
    exact_before, exact_gradient, exact_after = step(learner(False), hand)
    assert torch.nn.functional.cosine_similarity(gradient, exact_gradient, dim=0) > ALIKE
    assert gradient.norm().item() == pytest.approx(exact_gradient.norm().item(), rel=LENGTH)
    assert exact_after < exact_before
    assert abs(before - exact_before) < STEP * (exact_before - exact_after)
    assert abs(after - exact_after) < STEP * (exact_before - exact_after)


def test_weights_and_optimiser_stay_in_float32(hand):
    pupil = learner(True)
    step(pupil, hand)
    kept = {name: tensor for name, tensor in pupil.tensors().items() if name != "steps"}
    assert {tensor.dtype for tensor in kept.values()} == {torch.float32}
