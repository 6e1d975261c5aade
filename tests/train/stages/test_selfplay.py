"""What a stage of self-play learns from a hand at every table."""

from dataclasses import replace

import numpy as np
import pytest
from support.strategies import scaled

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from spades_env.game.cards import BID_ZERO, NUM_ACTIONS  # noqa: E402
from spades_env.training import data_parallel  # noqa: E402
from spades_env.training.learner import GRAIN, Learner  # noqa: E402
from spades_env.training.own import loss as own_loss  # noqa: E402
from spades_env.training.own.loss import ILLEGAL, Minibatch, log_policy  # noqa: E402
from spades_env.training.recipe import NetworkShape, SelfPlay, Situations  # noqa: E402
from spades_env.training.rewards import RewardWeights  # noqa: E402
from spades_env.training.run.checkpoints import RunError  # noqa: E402
from spades_env.training.self_play.tables import Decisions, GameTables  # noqa: E402
from spades_env.training.stages import selfplay  # noqa: E402
from spades_env.training.stages.selfplay import annealed, explained, learn, player, values  # noqa: E402

torch.set_num_threads(1)  # the cores are shared
PLAN = SelfPlay(minibatch=256, learning_rate=5e-3, critic_rate=3e-3, keep=1.0)
STILL = {"entropy": 1e-12, "last_entropy": 1e-12, "call_weight": 1e-12}  # only the gain of cards moves the policy
MAIN = Situations("match blind_nil_deficit=off blind_bid=off", 1.0)


def new_learner(width: int = 16) -> Learner:
    return Learner(NetworkShape(width=width, suit_width=8, bfloat16=False), torch.device("cpu"), seed=0)


def played(learner: Learner, plan: SelfPlay = PLAN, seed: int = 1, situations: Situations = MAIN) -> Decisions:
    chooser = player(learner, plan, 0.0, np.random.default_rng(seed))
    return GameTables(scaled(32), situations, seed).play(chooser, RewardWeights(1.0, 0.0))


def taught(learner: Learner, d: Decisions, plan: SelfPlay = PLAN, done: float = 0.0) -> dict[str, float]:
    return learn(learner, d, plan, done, np.random.default_rng(2))


def chances(learner: Learner, d: Decisions) -> np.ndarray:
    """Return the policy's chances of what was done."""
    with torch.no_grad():
        log_probs = log_policy(learner.policy(learner.batch(d.rows)), torch.from_numpy(d.legal))
    return log_probs.exp().numpy()[np.arange(len(d.action)), d.action]


def weights_of(learner: Learner) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in learner.networks().items()}


def advantages_are(monkeypatch, numbers) -> None:
    """Let the advantages be these, whatever the critic says."""

    def write(row_of, seat, zero_sum, value, reward, lam, target_lam, advantage, target):
        advantage[:] = numbers

    monkeypatch.setattr(selfplay, "advantages", write)


# Policies


def test_only_legal_actions_have_a_probability_and_a_gradient():
    start = torch.zeros(1, NUM_ACTIONS)
    start[0, 7] = np.log(3)
    logits, mask = start.requires_grad_(), torch.zeros(1, NUM_ACTIONS, dtype=torch.bool)
    mask[0, [3, 7]] = True
    log_probs = log_policy(logits, mask)
    assert log_probs.exp()[0, [3, 7]].tolist() == pytest.approx([0.25, 0.75])
    assert log_probs[~mask].max() < ILLEGAL / 2
    log_probs[0, 3].backward()
    assert logits.grad is not None
    assert logits.grad[0].nonzero().flatten().tolist() == [3, 7]


def test_calls_are_sampled_by_their_advantages_and_cards_by_their_logits():
    learner = new_learner()
    d = played(learner)
    cards = d.action < BID_ZERO
    assert not d.log_prob[~cards].any()
    assert np.exp(d.log_prob[cards]) == pytest.approx(chances(learner, d)[cards], rel=1e-4)


def test_rates_fall_over_the_stage():
    first, middle, last = (annealed(1e-2, 1e-4, done) for done in (0, 0.5, 1))
    assert (first, last) == pytest.approx((1e-2, 1e-4))
    assert first > middle > last
    assert [annealed(1.0, 0.0, done) for done in (0, 1)] == [1, 0]
    assert [annealed(0.0, 1.0, done) for done in (0, 1)] == [0, 1]
    learner = new_learner()
    rates = [taught(learner, played(learner), PLAN, done)["learning_rate"] for done in (0.0, 0.5)]
    assert rates == pytest.approx([5e-3, annealed(5e-3, 4e-5, 0.5)])


@pytest.mark.parametrize(("got", "value", "share"), [([1, 3], [1, 3], 1), ([1, 3], [2, 2], 0), ([2, 2], [1, 3], 0)])
def test_how_much_the_critic_explains(got, value, share):
    assert explained(np.array(got, float), np.array(value, float)) == pytest.approx(share)


# Learning


def test_the_critic_learns_what_hands_bring():
    learner = new_learner()
    d = played(learner)
    noted = [taught(learner, d) for _ in range(6)]
    assert noted[-1]["loss_critic"] < 0.9 * noted[0]["loss_critic"]
    assert noted[-1]["loss_tricks"] < noted[0]["loss_tricks"]
    assert explained(d.reward[d.table, d.seat], values(learner, d)) > noted[0]["explained"]
    assert {"entropy", "clipped", "loss_calls", "grad_norm", "nils", "explained"} <= set(noted[0])
    assert np.isfinite([number for one in noted for number in one.values()]).all()


def test_cards_that_gained_become_likelier(monkeypatch):
    learner = new_learner()
    d = played(learner)
    before, cards = chances(learner, d), d.action < BID_ZERO
    gained = np.where(d.action % 13 < 6, 1.0, -1.0)
    advantages_are(monkeypatch, gained)
    taught(learner, d)
    change = (chances(learner, d) - before)[cards]
    assert change[gained[cards] > 0].mean() > 0.01
    assert change[gained[cards] < 0].mean() < -0.01


@pytest.mark.parametrize(
    ("shift", "advantage", "learns"), [(1, 1, False), (1, -1, True), (-1, 1, True), (-1, -1, False)]
)
def test_a_ratio_beyond_the_clip_counts_no_more(monkeypatch, shift, advantage, learns):
    """Where a card has become likelier (by a factor e) than it was, a gain teaches nothing more; a loss still does."""
    learner = new_learner()
    d = played(learner)
    before, cards = chances(learner, d), d.action < BID_ZERO
    advantages_are(monkeypatch, advantage)
    noted = taught(learner, d._replace(log_prob=d.log_prob - shift), replace(PLAN, minibatch=100_000, **STILL))
    assert noted["clipped"] == 1
    assert (np.abs(chances(learner, d) - before)[cards].max() > 1e-3) == learns


def test_calls_learn_their_advantage(monkeypatch):
    """Of nil 2, of any other bid −1: then nil is what is called."""
    learner = new_learner()
    d = played(learner)
    advantages_are(monkeypatch, np.where(d.action == BID_ZERO, 2.0, -1.0))
    noted = [taught(learner, d) for _ in range(12)]
    assert noted[-1]["loss_calls"] < noted[0]["loss_calls"] / 3
    again = played(learner, seed=5)
    share, before = ((one.action[one.action >= BID_ZERO] == BID_ZERO).mean() for one in (again, d))
    assert share > before + 0.5


@pytest.mark.parametrize("keep", [0.25, 0.5])
def test_only_a_share_of_the_cards_is_learned_from(monkeypatch, keep):
    learner, seen = new_learner(), []
    d, forward = played(learner), learner.policy.forward
    monkeypatch.setattr(learner.policy, "forward", lambda x: seen.append(len(x)) or forward(x))
    taught(learner, d, replace(PLAN, keep=keep, minibatch=100_000))
    cards = d.action < BID_ZERO
    expected = keep * cards.sum() + (~cards).sum()
    assert 0.8 * expected - GRAIN < sum(seen) < 1.2 * expected


def test_where_all_bids_are_forced_only_cards_are_learned():
    learner = new_learner()
    before = weights_of(learner)
    noted = taught(learner, played(learner, situations=Situations("match bidding=mirror nil=false", 1.0)))
    assert not noted.get("loss_calls")
    assert "nils_kept" not in noted
    now = learner.networks()
    assert torch.equal(now["policy.bids.weight"], before["policy.bids.weight"])
    assert not torch.equal(now["policy.cards.weight"], before["policy.cards.weight"])
    assert all(tensor.isfinite().all() for tensor in now.values())


def test_the_average_follows_the_policy():
    learner = new_learner()
    before = weights_of(learner)["average.cards.weight"]
    taught(learner, played(learner))
    now = learner.networks()
    assert not torch.equal(now["average.cards.weight"], before)
    moved, behind = ((now[f"{name}.cards.weight"] - before).norm() for name in ("policy", "average"))
    assert behind < moved


def test_all_workers_take_as_many_steps(monkeypatch):
    """Shares of a minibatch may differ by one."""
    learner = new_learner()
    d = played(learner)
    monkeypatch.setattr(data_parallel, "mean", lambda numbers: dict.fromkeys(numbers, 100.0) | {"cards": 1000.0})
    taught(learner, d)
    assert learner.steps == 10


def test_a_gradient_that_is_not_finite_is_not_followed():
    learner = new_learner()
    before = weights_of(learner)
    with pytest.raises(RunError, match="the gradient of the policy is not finite"):
        learner.improve(next(learner.policy.parameters()).sum() * np.inf, 1e-3)
    assert all(torch.equal(now, before[name]) for name, now in learner.networks().items())


# A loss of your own


def test_with_a_loss_of_your_own_calls_are_learned_from_as_cards_are(monkeypatch):
    steps: list[Minibatch] = []

    def loss(step: Minibatch) -> Tensor:
        steps.append(step)
        chosen = step.log_probs.gather(1, step.action[:, None])[:, 0]
        return -(step.weight * chosen * step.advantage).mean()

    monkeypatch.setattr(own_loss, "imported_function", lambda *arguments: loss)
    plan, learner = replace(PLAN, loss="mine:loss"), new_learner()
    d = played(learner, plan)
    assert np.exp(d.log_prob) == pytest.approx(chances(learner, d), rel=1e-4)
    noted = taught(learner, d, plan)
    assert {"loss_own", "entropy", "loss_critic"} <= set(noted)
    assert "loss_calls" not in noted
    actions = torch.cat([step.action for step in steps])
    assert {True, False} == set((actions >= BID_ZERO).tolist())
    first = steps[0]
    of_action = first.log_probs.gather(1, first.action[:, None])[:, 0]
    assert torch.allclose(of_action, first.old_log_prob, atol=1e-4)
    assert first.mask.gather(1, first.action[:, None]).all()
    assert (first.weight > 0).all()


def test_a_new_critic_learns_alone_at_first():
    learner = new_learner()
    d, plan = played(learner), replace(PLAN, iterations=10, critic_first=2)
    for hand in range(6):  # two an iteration
        before = weights_of(learner)
        logged = taught(learner, d, plan, hand / 20)
        moved = {name.split(".")[0] for name, tensor in weights_of(learner).items() if not tensor.equal(before[name])}
        assert moved == ({"critic"} if hand < 4 else {"policy", "average", "critic"})
        assert ("entropy" in logged) == (hand >= 4)
