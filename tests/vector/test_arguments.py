"""Bad arguments, buffers of another form, and calls before the first reset are refused."""

import numpy as np
import pytest

from spades_env import SpadesVectorEnv
from spades_env.game.observe import STATE_SIZE


def test_the_first_reset_begins_all_tables():
    with pytest.raises(ValueError, match="first reset begins all"):
        SpadesVectorEnv(2).reset(which=np.array([True, False]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"rules": ["classic"]}, "list of 2"),
        ({"rules": "cutthroat"}, "unknown preset"),
        ({"episode": "match"}, "episode"),
        ({"reward": "chips"}, "reward"),
        ({"truncate_after": -1}, "truncate_after"),
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": [1, 2, 3]}, "seed"),
        ({"seed": [1, 2.5]}, "seed"),
    ],
)
def test_a_bad_argument_says_so(options, words):
    with pytest.raises(ValueError, match=words):
        SpadesVectorEnv(**{"num_envs": 2} | options)


@pytest.mark.parametrize("which", [[1, 0], np.array([True]), np.array([1, 0])])
def test_a_bad_choice_of_tables_says_so(which):
    env = SpadesVectorEnv(2, seed=1)
    env.reset()
    with pytest.raises(ValueError, match=r"which must be bool\[2\]"):
        env.reset(which=which)


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("state", np.zeros((3, STATE_SIZE - 1), np.int8)),
        ("state", np.zeros((3, STATE_SIZE), np.int16)),
        ("state", np.zeros((3, 2 * STATE_SIZE), np.int8)[:, ::2]),
        ("random_actions", np.zeros(2, np.int64)),
        ("random_actions", [0, 0, 0]),
        ("views", np.zeros(3, np.int64)),
        ("play_random", [True, False, False, False]),
        ("play_random", np.ones(3, bool)),
    ],
)
def test_a_buffer_of_another_form_is_refused(method, value):
    env = SpadesVectorEnv(3, seed=1)
    env.reset()
    with pytest.raises(ValueError, match="must be"):
        getattr(env, method)(value)


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(np.zeros(2, np.int64)),
        lambda env: env.play_random(np.ones(4, bool)),
        lambda env: env.random_actions(),
        lambda env: env.state(),
        lambda env: env.views(),
        lambda env: env.view(0, 0),
    ],
)
def test_nothing_can_be_asked_before_the_first_reset(call):
    with pytest.raises(RuntimeError, match="call reset"):
        call(SpadesVectorEnv(2, seed=1))
