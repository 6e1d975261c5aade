"""What `SpadesVectorEnv` shares with Gymnasium and Pgx: their words, and its state in and out."""

import pickle

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from support.game.envs import ALL_RULES, all_same
from support.strategies import scaled

from spades_env import SpadesGymVectorEnv, SpadesVectorEnv, spades_v0
from spades_env.envs.gym_env import SpadesEnv
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES
from spades_env.game.random_situations import FRESH

MIXED = list(ALL_RULES)


def shown(env: SpadesVectorEnv) -> list[np.ndarray]:
    """Return copies of all that an environment shows, hidden or not."""
    ends = (env.terminated, env.truncated, env.final_observation, env.final_scores, env.winner)
    return [array.copy() for array in (*env._step, *ends, env.seeds)] + [env.tables, env.state()]


def play(env: SpadesVectorEnv, steps: int) -> list[list[np.ndarray]]:
    """Make this many random steps; return what was shown after each."""
    found = []
    for _ in range(steps):
        env.step(env.random_actions())
        found.append(shown(env))
    return found


# Words


def test_environments_say_what_they_play():
    """No address of memory, and nothing hidden."""
    assert repr(SpadesVectorEnv(4096, episode="hand")) == "<SpadesVectorEnv: 4,096 tables, classic, episode hand>"
    mixed = SpadesVectorEnv(5, ["pagat", "solo", "pagat", "classic target=300", "showdown"])
    played = "pagat; solo; classic target=300; …"
    assert repr(mixed) == f"<SpadesVectorEnv: 5 tables, {played}, episode game>"
    assert repr(SpadesEnv("solo", seat=2)) == "<SpadesEnv: solo, episode game, North learns>"
    assert repr(SpadesGymVectorEnv(3, seat=1)) == "<SpadesGymVectorEnv: 3 tables, classic, episode game, West learns>"
    assert repr(spades_v0.raw_env("classic", "hand")) == "<spades_v0.raw_env: classic, episode hand>"
    assert repr(spades_v0.env("solo")) == "<spades_v0.env: solo, episode game>"


def test_gymnasiums_words():
    env = SpadesVectorEnv(3, seed=1)
    step = env.reset()
    assert isinstance(env.single_observation_space, Box)
    assert isinstance(env.single_action_space, Discrete)
    assert env.single_observation_space.shape == (NUM_FEATURES,)
    assert env.single_action_space.n == NUM_ACTIONS
    assert env.num_envs == 3
    assert env.spec is None
    assert all(env.single_observation_space.contains(row) for row in step.observation)
    assert all(env.single_action_space.contains(action) for action in env.random_actions())
    assert env.single_observation_space is env.single_observation_space
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert SpadesVectorEnv(1, autoreset=False).metadata["autoreset_mode"] == AutoresetMode.DISABLED


@pytest.mark.parametrize("autoreset", [True, False])
def test_pgxs_words(autoreset):
    env = SpadesVectorEnv(8, seed=1, truncate_after=1, autoreset=autoreset)
    step = env.reset()
    ends = 0
    for _ in range(scaled(200)):
        assert step.current_player is step.turn
        assert step.rewards is step.reward
        assert step.legal_action_mask.dtype == bool
        assert np.shares_memory(step.legal_action_mask, step.mask)
        assert step.legal_action_mask.tolist() == (step.mask != 0).tolist()
        assert ((step.terminated | step.truncated) == step.done).all()
        assert not (step.terminated & step.truncated).any()
        ends += int(step.done.sum())
        step = env.step(env.random_actions())
    assert ends >= 1 or scaled(200) < 60


def test_the_step_is_still_a_tuple_of_five():
    step = SpadesVectorEnv(2, seed=1).reset()
    observation, mask, turn, reward, done = step
    assert (observation.shape, mask.shape, turn.shape, reward.shape, done.shape) == (
        (2, NUM_FEATURES), (2, NUM_ACTIONS), (2,), (2, 4), (2,)
    )  # fmt: skip
    copied = pickle.loads(pickle.dumps(step))
    assert all_same(list(copied), list(step))
    assert copied.terminated.tolist() == [False, False]


# State


@pytest.mark.parametrize(
    "options", [{}, {"start": "situations"}, {"episode": "hand", "autoreset": False}, {"threads": 2}]
)
def test_a_state_continues_exactly(options):
    steps = scaled(150)
    env = SpadesVectorEnv(len(MIXED), MIXED, seed=3, truncate_after=2, **options)
    env.reset()
    play(env, scaled(70))
    state, before = env.get_state(), shown(env)
    expected = play(env, steps)
    step = env.set_state(state)
    assert step is env._step
    assert all_same(shown(env), before)
    assert all(all_same(*pair) for pair in zip(play(env, steps), expected, strict=True))
    other = SpadesVectorEnv(len(MIXED), MIXED, seed=99, truncate_after=2, **options)
    other.set_state(state)  # an environment that has not begun
    assert all(all_same(*pair) for pair in zip(play(other, steps), expected, strict=True))
    assert all_same([next_game(env)], [next_game(other)])


def next_game(env: SpadesVectorEnv) -> np.ndarray:
    """Begin the next game at all tables; return their seeds."""
    env.reset()
    return env.seeds.copy()


def test_a_state_is_a_copy_and_fits_a_file(tmp_path):
    env = SpadesVectorEnv(4, seed=3)
    env.reset()
    state = env.get_state()
    kept = {name: array.copy() for name, array in state.items()}
    np.savez(tmp_path / "state.npz", **state)  # pyright: ignore[reportArgumentType] — none is called allow_pickle
    play(env, 5)
    assert all(np.array_equal(state[name], kept[name]) for name in kept)
    array = env.observation
    with np.load(tmp_path / "state.npz") as loaded:
        env.set_state(dict(loaded))
    assert array is env.observation  # written in place
    assert all(np.array_equal(env.get_state()[name], kept[name]) for name in kept)


def test_what_is_no_state_is_refused_and_changes_nothing():
    env = SpadesVectorEnv(4, seed=3)
    with pytest.raises(RuntimeError, match="call reset"):
        env.get_state()
    env.reset()
    state, before = env.get_state(), shown(env)
    play(env, 5)
    later = shown(env)
    wrong = {
        "a state is what get_state returned": [None, {}, {**state, "more": state["seeds"]}],
        "the state is of 3 tables, and this environment has 4": [other_state(3)],
        "under other rules": [other_state(4, "solo"), other_state(4, ["classic", "classic", "classic", "solo"])],
        r"walks in the state must be uint64\[4\], not int64\[4\]": [
            {**state, "walks": state["walks"].astype(np.int64)}
        ],
        r"winner in the state must be int8\[4\]": [{**state, "winner": state["winner"][:2]}],
    }
    for words, states in wrong.items():
        for one in states:
            with pytest.raises(ValueError, match=words):
                env.set_state(one)  # pyright: ignore[reportArgumentType] — that is the point
            assert all_same(shown(env), later)
    env.set_state(state)
    assert all_same(shown(env), before)


def other_state(count: int, rules: str | list[str] = "classic") -> dict[str, np.ndarray]:
    env = SpadesVectorEnv(count, rules, seed=3)
    env.reset()
    return env.get_state()


def test_situations_are_seldom_fresh_in_an_environment():
    env = SpadesVectorEnv(1000, seed=3, start="situations")
    env.reset()
    fresh = (env.scores[:, :2] == 0).all(1) & (env.hand_numbers == 0)
    assert abs(fresh.mean() - FRESH) < 0.07
