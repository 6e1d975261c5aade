"""Imitation: what is asked of an agent, what the policy should do, and what it costs to differ."""

import json

import numpy as np
import pytest
from support.agents.levels import level_file
from support.strategies import SCALE

from spades_env import agents
from spades_env.agents.base import NOT_TRIED
from spades_env.game.cards import BID_ZERO

torch = pytest.importorskip("torch")

from support.train.runs import run_here, tiny  # noqa: E402

from spades_env.training import data_parallel  # noqa: E402
from spades_env.training.collect import Moment, new_hands, play_hand  # noqa: E402
from spades_env.training.learner import Learner  # noqa: E402
from spades_env.training.recipe import Imitate, NetworkShape  # noqa: E402
from spades_env.training.rewards import Weights, reward_of  # noqa: E402
from spades_env.training.stages.imitate import Teacher, hard_targets, imitate, soft_targets  # noqa: E402
from spades_env.training.stages.passes import Update  # noqa: E402

ACTIONS = 70
TABLES = 8
LEARNER_HANDS = {"player": "learner", "noise": 0.0}


def row(numbers: dict[int, float], rest: float = 0.0) -> np.ndarray:
    """[1, 70]: these numbers, and the rest."""
    out = np.full((1, ACTIONS), rest, np.float32)
    for action, number in numbers.items():
        out[0, action] = number
    return out


def lowest(moment: Moment) -> np.ndarray:
    return moment.mask.argmax(1)


def played(teacher: Teacher, seed: int = 3):
    situations = tiny().rules
    env = new_hands(situations, TABLES, np.random.default_rng(seed))
    return play_hand(env, np.zeros((TABLES, 4), np.int64), [teacher])


def teacher_of(player=None, /, agent: str = "rule", seed: int = 1, **plan) -> Teacher:
    return Teacher(agents.load(agent), Imitate(agent=agent, **plan), np.random.default_rng(seed), player)


# Wishes


def test_hard_targets():
    mask = row(dict.fromkeys((2, 3, 60, 69), 1)).astype(bool)
    targets = hard_targets(np.array([60]), mask, 0.2)
    assert targets.dtype == np.float32
    assert targets[0, [2, 3, 60, 69]].tolist() == pytest.approx([0.05, 0.05, 0.85, 0.05])
    assert np.count_nonzero(targets) == 4
    assert hard_targets(np.array([60]), mask, 0.0)[0].tolist() == row({60: 1})[0].tolist()


def test_soft_targets():
    """Two actions 0.02 apart: each 0.01, their spread, from the mean, at temperature 1."""
    targets, weights = soft_targets(row({5: 0.51, 9: 0.49}, NOT_TRIED), 1.0)
    assert np.flatnonzero(targets[0]).tolist() == [5, 9]
    assert targets[0, 5] == pytest.approx(1 / (1 + np.exp(-0.02 / 0.012)), abs=1e-5)
    assert targets.sum() == pytest.approx(1)
    assert weights.tolist() == pytest.approx([0.5])


def test_colder_is_surer_and_what_hardly_matters_counts_little():
    worths = row({5: 0.6, 9: 0.5, 11: 0.1}, NOT_TRIED)
    warm, cold = (soft_targets(worths, temperature)[0][0] for temperature in (1.0, 0.1))
    assert cold[5] > warm[5] > warm[9] > warm[11] > 0
    _, much = soft_targets(worths, 1.0)
    even, little = soft_targets(row({5: 0.5, 9: 0.5}, NOT_TRIED), 1.0)
    assert much[0] > 0.9
    assert little[0] == 0
    assert even[0, [5, 9]].tolist() == [0.5, 0.5]


# Lessons


def test_the_agent_plays_what_it_says():
    teacher = teacher_of(noise=0.0, label_smoothing=0.0)
    hand = played(teacher)
    targets, weights = teacher.targets()
    assert targets.shape == (len(hand), ACTIONS)
    assert (targets.argmax(1) == hand.action).all()
    assert (targets.sum(1) == 1).all()
    assert (weights == 1).all()


def test_noise_is_played_but_not_wished():
    teacher = teacher_of(noise=0.3, label_smoothing=0.0)
    hand = played(teacher)
    targets, _ = teacher.targets()
    assert hand.mask[np.arange(len(hand)), hand.action].all()
    assert 0.1 < (targets.argmax(1) != hand.action).mean() < 0.3
    assert targets[hand.mask].sum() == len(hand)


def test_the_agent_comments_on_what_the_learner_plays():
    teacher = teacher_of(lowest, labelled=0.5, label_smoothing=0.1, **LEARNER_HANDS)
    hand = played(teacher)
    targets, weights = teacher.targets()
    assert (hand.action == hand.mask.argmax(1)).all()
    assert set(weights.tolist()) == {0.0, 1.0}
    assert 0.35 < weights.mean() < 0.65
    assert not targets[weights == 0].any()
    assert targets[weights == 1].sum(1) == pytest.approx(1)


def test_a_search_weighs():
    teacher = teacher_of(lowest, agent="mc:2x2+rule", labelled=0.02, soft_temperature=0.5, **LEARNER_HANDS)
    hand = played(teacher)
    targets, weights = teacher.targets()
    asked = weights > 0
    assert asked.any()
    assert (weights <= 1).all()
    assert targets[asked].sum(1) == pytest.approx(1, abs=1e-5)
    assert not targets[asked][~hand.mask[asked]].any()


def test_a_bidder_that_weighs_nothing_is_imitated_beside_a_player_that_does():
    """What `rule` bids, as with `soft_temperature` 0; of cards what the search finds them worth."""
    smoothed = {"agent": "rule/mc:2x2+rule", "label_smoothing": 0.1, "labelled": 0.2, **LEARNER_HANDS}
    teacher = teacher_of(lowest, soft_temperature=0.5, **smoothed)
    hand = played(teacher)
    hard = teacher_of(lowest, **smoothed)
    played(hard)
    (targets, weights), (done, counted) = teacher.targets(), hard.targets()
    bidding = hand.mask[:, BID_ZERO:].any(1) & (counted > 0)
    assert bidding.any()
    assert (weights[bidding] == 1).all()
    assert (targets[bidding] == done[bidding]).all()
    cards = (weights > 0) & ~bidding
    assert targets[cards].sum(1) == pytest.approx(1, abs=1e-5)
    assert (weights[cards] < 1).any()


# Learning


def learn(teacher: Teacher, rounds: int = 1) -> tuple[Learner, list[dict[str, float]]]:
    """A new learner after some passes over one hand at every table."""
    learner = Learner(
        NetworkShape(width=16, suit_width=8, critic_width=16, bfloat16=False), torch.device("cpu"), seed=0
    )
    hand = played(teacher)
    reward = reward_of(hand.before, hand.after, hand.style_counts, Weights(0.5, 3.0))
    metrics = []
    for number in range(rounds):
        update = Update(learner, hand, reward, 0.0, learner.generator(number))
        metrics.append(imitate(update, teacher.targets(), teacher.plan))
    return learner, metrics


def test_it_learns():
    _, metrics = learn(teacher_of(minibatch=64, learning_rate=3e-3), rounds=8)
    assert metrics[-1]["loss_imitation"] < metrics[0]["loss_imitation"]
    assert metrics[-1]["agreement"] > metrics[0]["agreement"]
    assert metrics[-1]["loss_critic"] < metrics[0]["loss_critic"]


@pytest.mark.skipif(SCALE < 1, reason="many rollouts, and few tables teach nothing")
@pytest.mark.parametrize("soft", [0.0, 0.5])
def test_it_moves_towards_a_level_that_tries_its_cards(tmp_path, soft):
    teacher = f"{level_file(tmp_path, seed=2, width=12, suit_width=8)}+trial:8"
    plan = {
        "agent": teacher,
        "labelled": 0.3,
        "soft_temperature": soft,
        "minibatch": 64,
        "learning_rate": 3e-3,
        **LEARNER_HANDS,
    }
    _, metrics = learn(teacher_of(lowest, **plan), rounds=8)
    assert metrics[-1]["loss_imitation"] < metrics[0]["loss_imitation"]
    assert metrics[-1]["agreement"] > metrics[0]["agreement"]


@pytest.mark.skipif(SCALE < 1, reason="many rollouts, and few tables teach nothing")
def test_a_recipe_may_start_from_a_level_and_learn_from_its_search(tmp_path):
    """Expert iteration, once round: the level that comes out is nearer to the search than the one that searched."""
    pytest.importorskip("tensorboard")
    pytest.importorskip("matplotlib")
    level = level_file(tmp_path, seed=2, width=16, suit_width=8)
    stage = {
        "kind": "imitate",
        "agent": f"{level}+trial:8",
        "player": "learner",
        "iterations": 6,
        "soft_temperature": 0.5,
    }
    stage |= {"labelled": 0.2, "minibatch": 64, "learning_rate": 3e-3, "last_learning_rate": 3e-3, "epochs": 2}
    recipe = tiny(start=str(level), stage=[stage], evaluate={"every": 0}, pool={"past": 0.0})
    run_here(recipe, tmp_path / "run")
    losses = [json.loads(line)["loss_imitation"] for line in (tmp_path / "run/metrics.jsonl").read_text().splitlines()]
    assert len(losses) == 6
    assert np.mean(losses[-2:]) < losses[0]


def test_the_rate_falls():
    teacher = teacher_of(learning_rate=1e-3, last_learning_rate=1e-4)
    learner = Learner(
        NetworkShape(width=16, suit_width=8, critic_width=16, bfloat16=False), torch.device("cpu"), seed=0
    )
    hand = played(teacher)
    reward = np.zeros((TABLES, 4), np.float32)

    def update_at(done: float) -> Update:
        return Update(learner, hand, reward, done, learner.generator(0))

    rates = [imitate(update_at(done), teacher.targets(), teacher.plan)["learning_rate"] for done in (0.0, 0.5)]
    assert rates == pytest.approx([1e-3, 5.5e-4])


def test_a_hand_in_which_nothing_was_asked():
    """It teaches nothing, not even a learner in full swing, and tells of no losses."""
    learner, _ = learn(teacher_of(), rounds=2)
    before = {name: tensor.clone() for name, tensor in learner.networks().items()}
    teacher = teacher_of(lowest, labelled=1e-9, **LEARNER_HANDS)
    hand = played(teacher)
    reward = np.zeros((TABLES, 4), np.float32)
    metrics = imitate(Update(learner, hand, reward, 0.0, learner.generator(0)), teacher.targets(), teacher.plan)
    assert metrics == {"learning_rate": 1e-3}
    assert all(torch.equal(tensor, before[name]) for name, tensor in learner.networks().items())


@pytest.mark.parametrize("soft", [0.0, 0.5])
def test_a_worker_may_have_nothing_in_a_part_that_others_learn_from(monkeypatch, soft):
    """It takes the step with them, and its means are of the other parts."""

    def parts(count, size, generator):
        yield from (torch.arange(count), torch.arange(0))

    monkeypatch.setattr("spades_env.training.stages.passes.minibatches", parts)
    teacher = teacher_of(lowest, agent="mc:2x2+rule", labelled=0.02, soft_temperature=soft, **LEARNER_HANDS)
    learner, [metrics] = learn(teacher)
    assert {"loss_imitation", "agreement", "loss_critic", "loss_own_value", "grad_norm"} <= metrics.keys()
    assert np.isfinite(list(metrics.values())).all()
    assert all(tensor.isfinite().all() for tensor in learner.networks().values())


def test_workers_mean_what_they_have(monkeypatch):
    def gather(out, mine):
        out[:] = mine, {"rate": 3.0}

    monkeypatch.setattr(data_parallel, "count", lambda: 2)
    monkeypatch.setattr(data_parallel.dist, "all_gather_object", gather)
    assert data_parallel.mean({"rate": 1.0, "agreement": 0.5}) == {"rate": 2.0, "agreement": 0.5}
