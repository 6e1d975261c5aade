"""bfloat16 beside float32: the same networks think and learn alike, within what eight bits of a number can tell."""

import numpy as np
import pytest
from support.strategies import scaled

from spades_env._jit import JIT_ON

if not JIT_ON:
    pytest.skip("hands of a network take minutes without the compiler", allow_module_level=True)
torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from spades_env.agents import load  # noqa: E402
from spades_env.training.collect import Rollout, agent_chooser, new_hands, play_hand  # noqa: E402
from spades_env.training.learner import Learner, has_bfloat16  # noqa: E402
from spades_env.training.losses import cross_entropy, log_policy  # noqa: E402
from spades_env.training.nets import Policy  # noqa: E402
from spades_env.training.recipe import NetworkShape  # noqa: E402
from spades_env.training.recipe.start_situations import Situations  # noqa: E402

pytestmark = pytest.mark.skipif(not has_bfloat16(torch.device("cpu")), reason="this CPU has no bfloat16 units")

ROUNDING = 2**-8  # of one bfloat16 number
THOUGHT = 4 * ROUNDING  # of logits and values, beside the largest of them: a few layers of sums
ALIKE = 0.999  # cosine of the two gradients
LENGTH = 0.01  # by which their lengths may differ
STEP = 0.01  # by which the loss after a step may differ, beside how far the step brought it down


@pytest.fixture(scope="module")
def hand() -> Rollout:
    """Decisions of the rule bot."""
    torch.set_num_threads(1)
    env = new_hands(Situations(), scaled(32), np.random.default_rng(3))
    return play_hand(env, np.zeros((env.num_envs, 4), np.int64), [agent_chooser(load("rule"))])


def learner(bfloat16: bool) -> Learner:
    """Both begin with the same weights; heads as large as trained ones, that there is something to compare."""
    made = Learner(
        NetworkShape(width=128, suit_width=64, critic_width=64, bfloat16=bfloat16), torch.device("cpu"), seed=1
    )
    assert made.bfloat16 == bfloat16
    assert isinstance(made.policy, Policy)
    with torch.no_grad():
        for head in (made.policy.places, made.policy.bids, made.policy.value):
            head.weight *= 20
    return made


def loss(learner: Learner, hand: Rollout):
    """Against what the rule bot did."""
    targets = torch.nn.functional.one_hot(torch.from_numpy(hand.action), hand.mask.shape[1]).float()
    with learner.quick():
        logits, value = learner.policy(learner.arranged(hand.states))
    log_probs = log_policy(logits, learner.to_device(hand.mask))
    return cross_entropy(log_probs, targets).mean(), logits, value


def step(learner: Learner, hand: Rollout) -> tuple[float, Tensor, float]:
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
    assert {tensor.dtype for tensor in pupil.tensors().values()} == {torch.float32}
