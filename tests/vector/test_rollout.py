"""Trajectories by seat hold every decision once, in order, with the reward of its hand, however long hands are."""

import numpy as np
import pytest

from spades_env import SpadesVectorEnv
from spades_env._jit import JIT_ON
from spades_env.errors import SpadesError
from spades_env.rollout import Trajectories, play_hands

BLIND = "classic blind_nil_deficit=0 blind_nil_pass=3"
TABLES = 40 if JIT_ON else 6


class Recorder:
    """A chooser that plays at random and keeps what it was shown, with the number of each call."""

    def __init__(self, env: SpadesVectorEnv):
        self.env, self.seen = env, []

    def __call__(self, observation, mask, turn):
        self.seen.append((observation.copy(), mask.copy()))
        return self.env.random_actions(), turn, np.full(self.env.num_envs, len(self.seen) - 1)


@pytest.mark.parametrize(("rules", "episode"), [("match", "hand"), (BLIND, "hand"), (BLIND, "game")])
def test_every_decision_is_there_in_order(rules, episode):
    env = SpadesVectorEnv(TABLES, rules, episode, seed=5, start="situations", threads=1)
    env.reset()
    for _ in range(3):
        recorder = Recorder(env)
        hands = play_hands(env, recorder)
        turn, call = hands.kept
        table = np.arange(4 * TABLES) % TABLES
        assert (turn == np.arange(4 * TABLES) // TABLES)[hands.played].all()
        assert (np.diff(np.where(hands.played, call, 99), axis=0) >= 0).all()
        for row, column in np.argwhere(hands.played):
            observation, mask = recorder.seen[call[row, column]]
            assert (hands.observation[row, column] == observation[table[column]]).all()
            assert (hands.mask[row, column] == mask[table[column]]).all()
        cards = ((hands.action < 54) & hands.played).sum(0)
        assert set(cards.tolist()) <= {13, 16}  # thirteen played, or also three passed
        assert not hands.mask[~hands.played].any()
        assert not hands.free[~hands.played].any()


def test_hands_are_ragged_where_rules_let_some_pass_cards():
    env = SpadesVectorEnv(TABLES, BLIND, "hand", seed=1, threads=1)
    env.reset()
    lengths = play_hands(env, lambda observation, mask, turn: env.random_actions()).played.sum(0)
    assert len(set(lengths.tolist())) > 1


def test_rewards_are_those_of_the_hand():
    """Partners are paid alike; in a game, hands are paid one after the other."""
    env = SpadesVectorEnv(TABLES, "match", "game", seed=2, threads=1)
    env.reset()
    paid = []
    for _ in range(2):
        before = env.scores
        hands = play_hands(env, lambda observation, mask, turn: env.random_actions())
        going, change = ~env.done, env.scores - before
        reward = hands.reward.reshape(4, TABLES)
        assert (reward[0] == reward[2]).all()
        assert (reward[0] == -reward[1]).all()
        assert (reward[0] == change[:, 0] - change[:, 1])[going].all()
        paid.append(reward)
    assert not np.array_equal(*paid)


def ragged(*lengths: int) -> Trajectories:
    """Trajectories of these lengths, which pay 2, 4, 6, …"""
    played = np.arange(max(lengths))[:, None] < np.array(lengths)
    nothing = np.zeros(played.shape, np.int8)
    reward = 2 * np.arange(1, len(lengths) + 1, dtype=np.float32)
    return Trajectories(nothing, nothing[..., None] > 0, nothing, (), played, reward)


def test_advantages_come_from_the_reward_at_the_end():
    hands = ragged(3, 1)
    values = np.array([[1, 3], [0.5, 99], [0.25, 99]], np.float32)
    assert hands.advantages(values, 0).tolist() == [[-0.5, 1], [-0.25, 0], [1.75, 0]]
    assert hands.advantages(values, 1).tolist() == [[1, 1], [1.5, 0], [1.75, 0]]
    assert hands.advantages(values, 0.5)[:, 0].tolist() == [-0.1875, 0.625, 1.75]


def test_tensors_give_the_same_advantages():
    torch = pytest.importorskip("torch")
    hands, values = ragged(3, 2, 1), np.random.default_rng(0).random((3, 3), np.float32)
    found = hands.map(torch.from_numpy).advantages(torch.from_numpy(values))
    assert np.array_equal(found.numpy(), hands.advantages(values))


def test_what_cannot_be_played_is_refused():
    env = SpadesVectorEnv(2, "match", "hand", seed=0, autoreset=False)
    env.reset()
    with pytest.raises(SpadesError, match="autoreset=False"):
        play_hands(env, lambda observation, mask, turn: mask.argmax(1))
    env = SpadesVectorEnv(2, "match", "hand", seed=0)
    env.reset()
    with pytest.raises(SpadesError, match=r"actions must be int\[2\]"):
        play_hands(env, lambda observation, mask, turn: mask.argmax(1)[:1])
