"""Illegal actions, values that are not actions, and bad arguments."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from support.game.envs import same, same_episodes

from spades_env import IllegalActionError
from spades_env.envs.gym_env import SpadesEnv
from spades_env.game.cards import LOOK
from spades_env.game.episodes import ILLEGAL_REWARDS


@pytest.mark.parametrize("action", [0, LOOK, -1, 70, 10**30, np.int8(3)])
def test_illegal_actions(action):
    lenient, strict, final = (SpadesEnv(illegal=illegal) for illegal in ("random", "raise", "terminate"))
    for env in (lenient, strict, final):
        env.reset(seed=2)
    *_, info = lenient.step(action)
    assert info["illegal"]
    assert lenient.view().bids[0] is not None
    assert not lenient.step(int(np.flatnonzero(info["action_mask"])[0]))[-1]["illegal"]
    before = strict.view().features
    with pytest.raises(IllegalActionError):
        strict.step(action)
    assert same(strict.view().features, before)
    assert not strict.step(57)[-1]["illegal"]
    observation, reward, terminated, truncated, info = final.step(action)
    assert (reward, terminated, truncated, info["illegal"]) == (ILLEGAL_REWARDS["points"], True, False, True)
    assert observation["action_mask"].all()
    with pytest.raises(ResetNeeded):
        final.step(57)


def test_the_replacement_of_an_illegal_action_is_seeded():
    def play(env) -> list:
        return [env.reset(seed=6), *(env.step(-1) for _ in range(12))]

    assert same_episodes(play(SpadesEnv()), play(SpadesEnv()))


@pytest.mark.parametrize("illegal", ["random", "terminate", "raise"])
@pytest.mark.parametrize("action", [None, "57", 57.0, np.array([57])])
def test_actions_that_are_not_numbers_are_refused(action, illegal):
    env = SpadesEnv(illegal=illegal)
    env.reset(seed=2)
    with pytest.raises(IllegalActionError, match="actions are the numbers 0 to 69"):
        env.step(action)
    env.step(np.array(57))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": 4}, "seat"),
        ({"episode": "match"}, "episode"),
        ({"illegal": "ignore"}, "illegal"),
        ({"render_mode": "3d"}, "render_mode"),
        ({"obs_dtype": "int16"}, "obs_dtype"),
        ({"obs_dtype": "floaty"}, "obs_dtype"),
        ({"opponents": 3}, "an agent must be a name, .*, not 3"),
        ({"partner": object()}, "an agent must be a name"),
        ({"opponents": ("random",) * 3}, "left and the right"),
    ],
)
def test_a_bad_argument_says_so(options, words):
    with pytest.raises(ValueError, match=words):
        SpadesEnv(**options)
