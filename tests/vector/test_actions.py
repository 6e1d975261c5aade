"""Actions at many tables: legal, random, left out or refused, and all tables move or none does."""

import numpy as np
import pytest
from support.game.envs import all_same, same, vector_snapshot

from spades_env import IllegalActionError, SpadesVectorEnv
from spades_env.game.cards import SEATS
from spades_env.vector.env import STAY


def test_without_autoreset_tables_wait():
    env = SpadesVectorEnv(6, episode="hand", seed=2, autoreset=False)
    step = env.reset()
    ends = np.zeros(6, int)
    while not ends.all():
        step = env.step(env.random_actions())
        assert step.mask.any(axis=1).all()
        ends += step.done
    assert ends.tolist() == [1] * 6  # reported once
    assert step.mask.all()
    assert env.terminated.all()
    final = step.observation.copy()
    assert env.random_actions().tolist() == [STAY] * 6
    env.step(np.full(6, 99))  # with any action
    assert same(step.observation, final)
    assert not step.done.any()
    assert not step.reward.any()
    for i in range(6):
        assert same(final[i], env.final_observation[i, step.turn[i]])
    seeds = env.seeds.copy()
    which = np.array([True, False] * 3)
    env.reset(which=which)
    assert same(env.seeds != seeds, which)
    assert same(env.terminated, ~which)
    assert same(step.observation[~which], final[~which])
    env.step(env.random_actions())


def test_stay_leaves_a_table_alone():
    env = SpadesVectorEnv(4, seed=2)
    step = env.reset()
    for _ in range(60):
        before = step.observation.copy()
        actions = env.random_actions()
        actions[[0, 2]] = STAY
        env.step(actions)
        assert same(step.observation[[0, 2]], before[[0, 2]])
        assert not step.reward[[0, 2]].any()
        assert (step.observation[[1, 3]] != before[[1, 3]]).any(axis=1).all()


def test_random_actions_where_asked_for():
    env, other, third = (SpadesVectorEnv(4, seed=2) for _ in range(3))
    for each in (env, other, third):
        each.reset()
    which = np.array([True, False, False, True])
    actions = env.random_actions(which=which)
    assert same(actions == STAY, ~which)
    assert same(actions[which], other.random_actions()[which])  # each table has its own generator
    assert same(env.random_actions()[~which], third.random_actions()[~which])
    out = np.zeros(4, np.int64)
    assert env.random_actions(out) is out


def test_random_actions_are_legal_and_even():
    env = SpadesVectorEnv(2000, seed=1)
    step = env.reset()
    bids = env.random_actions()
    assert step.mask[np.arange(env.num_envs), bids].all()
    assert np.bincount(bids - 54, minlength=14).min() > env.num_envs / 14 / 2


def test_seats_play_at_random_until_another_is_to_move():
    env, by_hand = (SpadesVectorEnv(8, seed=4, episode="hand", autoreset=False) for _ in range(2))
    one, other = env.reset(), by_hand.reset()
    seats = np.array([True, False, True, True])
    for _ in range(20):
        env.play_random(seats)
        rewards = np.zeros((8, 4))
        done = np.zeros(8, bool)
        while True:
            waiting = seats[other.turn] & ~by_hand.terminated
            if not waiting.any():
                break
            by_hand.step(by_hand.random_actions(which=waiting))
            rewards += other.reward
            done |= other.done
        assert all_same(
            vector_snapshot(env)[:3] + vector_snapshot(env)[5:],
            vector_snapshot(by_hand)[:3] + vector_snapshot(by_hand)[5:],
        )
        assert same(one.reward, rewards)
        assert same(one.done, done)
        west = one.turn == 1
        actions = np.where(west & ~env.terminated, one.mask.argmax(axis=1), STAY)
        env.step(actions)
        by_hand.step(actions)
    assert env.terminated.all()


def test_an_illegal_action_moves_no_table():
    env = SpadesVectorEnv(5, seed=2)
    step = env.reset()
    for _ in range(30):
        step = env.step(env.random_actions())
    before = vector_snapshot(env)
    for wrong in (int(np.flatnonzero(step.mask[3] == 0)[0]), 70, -2, 1 << 40):
        actions = step.mask.argmax(axis=1)
        actions[3] = wrong
        with pytest.raises(IllegalActionError, match=rf"table 3: {SEATS[step.turn[3]]} cannot .*no table has moved"):
            env.step(actions)
        assert all_same(vector_snapshot(env), before)
    env.step(step.mask.argmax(axis=1))


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros((4, 1), int), np.full(4, 57.0), np.ones(4, bool), 57, ["57"] * 4, [None] * 4]
)
def test_odd_actions_are_refused(actions):
    env = SpadesVectorEnv(4, seed=2)
    env.reset()
    before = vector_snapshot(env)
    with pytest.raises(ValueError, match=r"actions must be int\[4\]"):
        env.step(actions)
    assert all_same(vector_snapshot(env), before)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_any_whole_numbers_are_actions(dtype):
    env = SpadesVectorEnv(4, seed=2)
    env.reset()
    env.step(np.full(4, 57, dtype))
    assert (env.hand_numbers == 0).all()


def test_a_great_unsigned_action_is_not_taken_for_stay():
    env = SpadesVectorEnv(2, seed=1)
    env.reset()
    with pytest.raises(IllegalActionError, match="table 0"):
        env.step(np.full(2, 2**64 - 1, np.uint64))
