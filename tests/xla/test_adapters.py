"""The JAX environment by the words of Pgx, JaxMARL and gymnax."""

import importlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.game.twins import HANDS

from spades_env.errors import SpadesError
from spades_env.extras import MissingExtraError
from spades_env.game.observe import NUM_FEATURES
from spades_env.xla import random_action
from spades_env.xla.adapters.as_gymnax import OneSeat
from spades_env.xla.adapters.as_jaxmarl import WAIT, JaxMARLSpades

N = 16
STEPS = 130  # two hands and more


def bits(key):
    return jax.random.bits(key, (N,), jnp.uint32)


def test_pgx_plays_it_with_its_own_wrapper():
    pgx = pytest.importorskip("pgx")
    from pgx.experimental.wrappers import auto_reset

    from spades_env.xla.adapters.as_pgx import PgxSpades

    env = PgxSpades("pagat", "hand", "win")
    assert isinstance(env, pgx.Env)
    step = auto_reset(env.step, env.init)

    def one(state, key):
        after = step(state, random_action(state.legal_action_mask, jax.random.bits(key, (), jnp.uint32)), key)
        return after, (after.rewards, after.terminated, after._step_count)

    @jax.jit
    def play(key):
        return jax.lax.scan(one, env.init(key), jax.random.split(key, STEPS))

    state, (rewards, ended, counts) = play(jax.random.key(0))
    assert isinstance(state, pgx.State)
    assert np.flatnonzero(ended).tolist() == [55, 111]
    assert set(np.unique(rewards)) <= {-1.0, 0.0, 1.0}
    assert (np.asarray(rewards).sum(1) == 0).all()
    assert int(counts[-1]) == STEPS - 112
    assert state.observation.shape == (NUM_FEATURES,)
    assert (env.id, env.num_players, env.num_actions) == ("spades", 4, 70)


def test_without_pgx_one_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pgx", None)
    monkeypatch.delitem(sys.modules, "spades_env.xla.adapters.as_pgx", raising=False)
    with pytest.raises(MissingExtraError, match=r"spades_env.xla.adapters.as_pgx needs pgx: pip install pgx"):
        importlib.import_module("spades_env.xla.adapters.as_pgx")


def test_jaxmarl_moves_who_is_to_move():
    env = JaxMARLSpades("classic", **HANDS)
    assert env.agents == ["agent_0", "agent_1", "agent_2", "agent_3"]

    @jax.jit
    @jax.vmap
    def step(key, state):
        masks = env.get_avail_actions(state)
        keys = jax.random.split(key, 4)
        draw = jax.random.bits
        actions = {a: random_action(masks[a], draw(k, (), jnp.uint32)) for a, k in zip(env.agents, keys, strict=True)}
        return masks, actions, env.step(key, state, actions)

    seen, state = jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.key(0), N))
    assert {agent: x.shape for agent, x in seen.items()} == dict.fromkeys(env.agents, (N, NUM_FEATURES))
    ended = 0
    for i in range(STEPS):
        turn = np.asarray(state.current_player)
        masks, actions, (seen, state, rewards, done, _) = step(jax.random.split(jax.random.key(i), N), state)
        waiting = np.stack([np.asarray(actions[agent]) == WAIT for agent in env.agents], 1)
        assert (waiting == (turn[:, None] != np.arange(4))).all()
        assert all(np.asarray(masks[agent]).any(1).all() for agent in env.agents)
        paid = np.stack([np.asarray(rewards[agent]) for agent in env.agents], 1)
        assert not paid[~np.asarray(done["__all__"])].any()
        assert set(np.unique(paid)) <= {-1.0, 0.0, 1.0}  # −1 alone would be a fine
        assert (paid.sum(1) == 0).all()
        ended += int(np.asarray(done["__all__"]).sum())
    assert ended >= 2 * N
    assert env.action_space("agent_0").contains(WAIT)
    assert env.observation_space("agent_0").shape == (NUM_FEATURES,)


def test_one_seat_takes_no_other_seat_and_no_end_without_a_next_game():
    with pytest.raises(SpadesError, match="seat must be a whole number from 0 to 3, not 4"):
        OneSeat(seat=4)
    with pytest.raises(SpadesError, match="auto_reset must be on"):
        OneSeat(auto_reset=False)


@pytest.mark.parametrize("seat", [2])
def test_one_seat_waits_for_its_turn(seat):
    env = OneSeat(seat=seat, rules="classic", episode="hand")

    @jax.jit
    @jax.vmap
    def step(key, state, draw):
        return env.step(key, state, random_action(state.legal_action_mask, draw))

    observe = jax.jit(jax.vmap(lambda state: env.env.observe(state, seat)))
    seen, state = jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.key(0), N))
    dones = 0
    for i in range(30):
        assert (np.asarray(state.current_player) == seat).all()
        np.testing.assert_array_equal(seen, observe(state))
        key = jax.random.key(i)
        seen, state, reward, done, info = step(jax.random.split(key, N), state, bits(key))
        assert not np.asarray(reward)[~np.asarray(done)].any()
        assert (np.asarray(info["discount"]) == 1 - np.asarray(done)).all()
        assert np.asarray(info["mask"]).any(1).all()
        dones += int(np.asarray(done).sum())
    assert dones >= N
    assert (env.num_actions, env.action_space().n, env.observation_space().shape) == (70, 70, (NUM_FEATURES,))
